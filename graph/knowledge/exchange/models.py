"""Models of imported and exported types."""

from collections.abc import Sequence

from graph.core.models import Frozen
from graph.knowledge.ontology.models import EntityTypeDraft, RelationTypeDraft


class Vocabulary(Frozen):
    """Types of entities and of relations."""

    entity_types: tuple[EntityTypeDraft, ...] = ()
    relation_types: tuple[RelationTypeDraft, ...] = ()


class TypeChanges(Frozen):
    """The types of one kind that an import created, changed and left as they were, by name."""

    created: Sequence[str]
    updated: Sequence[str]
    unchanged: Sequence[str]


class ImportReport(Frozen):
    """Effect of an import, or its expected effect."""

    dry_run: bool
    entity_types: TypeChanges
    relation_types: TypeChanges
