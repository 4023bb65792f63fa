"""Models of the search over entities."""

from collections.abc import Sequence

from graph.core.models import Frozen
from graph.knowledge.ontology.models import Entity
from graph.retrieval.recall.models import RecallResolution


class EntityHit(Frozen):
    """A found entity.

    Attributes:
        score: Order within one search, 0..1, higher is better; see ``graph.retrieval.entities.service``.
        vector_score: Cosine of the query and the entity's text; None if its vector was not among the nearest.
        text_score: Lucene's score; None if the words did not find it.
        why: Reasons, such as ``named "payments"`` and ``2nd closest in meaning``.
    """

    entity: Entity
    score: float
    vector_score: float | None
    text_score: float | None
    why: Sequence[str]


class NamedEntities(Frozen):
    """The entities that a text names.

    Attributes:
        ids: Ids of the entities, the longest name first.
        degraded: Skipped searches, with reasons.
    """

    ids: Sequence[str]
    degraded: Sequence[str] = ()


class EntitySearchResult(Frozen):
    """The hits, best first; ``resolution.fallback`` tells if only words were searched."""

    hits: Sequence[EntityHit]
    resolution: RecallResolution
