"""Shapes of the workspace-wide search."""

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
    """One thing found.

    Attributes:
        text: Search text; of a memory its content.
        passage: Sentences around the match, at most 500 characters.
        location: Place of a chunk's text; None for other kinds.
        title: Title of a chunk's document; None for other kinds.
        is_excerpt: True for a chunk that stores only an excerpt.
        score: 0..1, higher is better, comparable between kinds; see ``graph.retrieval.search.service``.
        vector_score: Cosine of the query and the text, -1..1; None without vectors.
        coverage: Share of the query's words that the text holds, weighted by how rare they are, 0..1.
        memory: The memory, where it is one.
        superseded_by: Ids of the memories that took its place.
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
    """The hits of a page, best first, and how they were found."""

    hits: Sequence[SearchHit]
    resolution: RecallResolution
