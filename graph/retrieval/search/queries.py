"""The typed functions over ``cypher/retrieval/search``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from typing import Any

from graph.core.query import query
from graph.core.rows import Row, Runner


class ListChunkPlacesRow(Row):
    id: str
    title: str
    uri: str | None
    page: int | None
    char_start: int
    char_end: int
    is_excerpt: bool

    @property
    def location(self) -> str:
        """Location of the text in words: URI or title, page and characters."""
        page = [] if self.page is None else [f"page {self.page}"]
        return ", ".join([self.uri or self.title, *page, f"characters {self.char_start} to {self.char_end}"])


@query
async def list_chunk_places(
    runner: Runner, *, workspace_id: str, ids: Sequence[str]
) -> list[ListChunkPlacesRow]: ...


class SearchKnowledgeByMeaningRow(Row):
    id: str
    kind: str
    text: str
    keys: str | None
    cosine: float


@query
async def search_knowledge_by_meaning(
    runner: Runner,
    *,
    vector_index: str,
    workspace_id: str,
    kinds: Sequence[str],
    owned_kinds: Sequence[str],
    vector: Sequence[float],
    vector_property: str,
    vector_limit: int,
    limit: int,
) -> list[SearchKnowledgeByMeaningRow]: ...


class SearchKnowledgeByWordsRow(Row):
    id: str
    kind: str
    text: str
    keys: str | None
    cosine: float | None
    score: float


@query
async def search_knowledge_by_words(
    runner: Runner,
    *,
    workspace_id: str,
    text_queries: Sequence[Mapping[str, Any]],
    vector: Sequence[float] | None,
    vector_property: str,
    searched: int,
    limit: int,
) -> list[SearchKnowledgeByWordsRow]: ...
