"""Models of the workspace-wide search."""

from collections.abc import Sequence
from enum import StrEnum

from graph.core.models import Frozen
from graph.memories.models import Memory
from graph.retrieval.recall.models import RecallResolution


class SearchKind(StrEnum):
    """Kinds of search results, as in ``search_kind``."""

    MEMORY = "memory"
    ENTITY = "entity"
    CHUNK = "chunk"
    ARTIFACT = "artifact"
    EPISODE = "episode"


class SearchHit(Frozen):
    """One found node.

    Attributes:
        text: Search text; for a memory, its content.
        passage: Sentences around the match, at most 500 characters.
        location: Place of a chunk's text; None for other kinds.
        title: Title of a chunk's document; None for other kinds.
        is_excerpt: True for a chunk that stores only an excerpt.
        score: 0..1, higher is better, comparable between kinds; see ``graph.retrieval.search.service``.
        vector_score: Cosine of the query and the text, -1..1; None without vectors.
        coverage: Share of the query's words in the text, weighted by rarity, 0..1.
        memory: The found memory; None for other kinds.
        superseded_by: Ids of the memories that supersede it.
    """

    kind: SearchKind
    id: str
    text: str
    passage: str
    location: str | None = None
    title: str | None = None
    is_excerpt: bool = False
    score: float
    vector_score: float | None
    coverage: float
    why: Sequence[str]
    memory: Memory | None = None
    superseded_by: Sequence[str] = ()


class SearchResult(Frozen):
    """A page of hits, best first, with the resolution."""

    hits: Sequence[SearchHit]
    resolution: RecallResolution
