"""The typed functions over ``cypher/retrieval``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any

from pydantic import SkipValidation

from graph.core.query import query
from graph.core.rows import NO_TIMES, Row, Runner
from graph.memories.models import Memory
from graph.retrieval.answering.models import PromptRun
from graph.retrieval.profile.models import ProfileFact
from graph.retrieval.recall.models import HitRelation


class CompareMemoriesRow(Row):
    first: str
    second: str
    similarity: float


@query
async def compare_memories(
    runner: Runner, *, workspace_id: str, ids: Sequence[str], vector_property: str
) -> list[CompareMemoriesRow]: ...


_Maps = Annotated[Sequence[Mapping[str, Any]], NO_TIMES, SkipValidation]
"""Hundreds of maps, which ``Pool`` parses; validating their entries here would take as long again."""


class GatherCandidatesRow(Row):
    text_scores: _Maps
    window_scores: _Maps
    similarities: _Maps
    mention_scores: _Maps
    named: _Maps
    candidates: _Maps


@query
async def gather_candidates(
    runner: Runner,
    *,
    vector_index: str,
    workspace_id: str,
    query: Mapping[str, Any],
    named_limit: int,
    examined: int,
    mention_limit: int,
    text_limit: int,
    vector: Sequence[float],
    vector_property: str,
    vector_limit: int,
    pool_limit: int,
    with_neighbours: bool,
    long_words: int,
    now: datetime,
    filter: Mapping[str, Any],
    only_current: bool,
) -> GatherCandidatesRow: ...


class GatherCandidatesByWordsRow(Row):
    text_scores: _Maps
    window_scores: _Maps
    mention_scores: _Maps
    named: _Maps
    candidates: _Maps


@query
async def gather_candidates_by_words(
    runner: Runner,
    *,
    workspace_id: str,
    query: Mapping[str, Any],
    named_limit: int,
    examined: int,
    mention_limit: int,
    text_limit: int,
    pool_limit: int,
    with_neighbours: bool,
    now: datetime,
    filter: Mapping[str, Any],
    only_current: bool,
) -> GatherCandidatesByWordsRow: ...


class GatherCandidatesExactlyRow(Row):
    text_scores: _Maps
    window_scores: _Maps
    similarities: _Maps
    mention_scores: _Maps
    named: _Maps
    candidates: _Maps


@query
async def gather_candidates_exactly(
    runner: Runner,
    *,
    workspace_id: str,
    query: Mapping[str, Any],
    named_limit: int,
    text_limit: int,
    vector: Sequence[float],
    vector_property: str,
    pool_limit: int,
    long_words: int,
    now: datetime,
    filter: Mapping[str, Any],
    only_current: bool,
) -> GatherCandidatesExactlyRow: ...


class GetHitsRow(Row):
    memory: Memory
    relations: Sequence[HitRelation]
    superseded_by: Sequence[str]
    near: frozenset[str]


@query
async def get_hits(
    runner: Runner,
    *,
    workspace_id: str,
    ids: Sequence[str],
    relation_limit: int,
    vector_property: str,
    now: datetime,
    merge_above: float | None,
) -> list[GetHitsRow]: ...


class FastHit(Row):
    """A hit of a fast search; a rank and a score are None if its list lacks the memory."""

    memory: Memory
    relations: Sequence[HitRelation]
    superseded_by: Sequence[str]
    text_rank: int | None
    text_score: float | None
    vector_rank: int | None
    cosine: float | None
    score: float


class FastPage(Row):
    """A page of a fast search."""

    hits: Sequence[FastHit]
    total: int
    is_incomplete: bool


@query
async def search_memories_fast(
    runner: Runner,
    *,
    vector_index: str,
    workspace_id: str,
    text_queries: Sequence[Mapping[str, str]],
    vector: Sequence[float],
    vector_property: str,
    search_limit: int,
    list_limit: int,
    filter: Mapping[str, Any],
    now: datetime,
    rrf_k: float,
    min_score: float | None,
    offset: int,
    limit: int,
    relation_limit: int,
) -> FastPage: ...


@query
async def search_memories_fast_by_words(
    runner: Runner,
    *,
    workspace_id: str,
    text_queries: Sequence[Mapping[str, str]],
    search_limit: int,
    list_limit: int,
    filter: Mapping[str, Any],
    now: datetime,
    rrf_k: float,
    min_score: float | None,
    offset: int,
    limit: int,
    relation_limit: int,
) -> FastPage: ...


class ListNewestRow(Row):
    id: str
    matched: Sequence[str]


@query
async def list_newest(
    runner: Runner,
    *,
    workspace_id: str,
    filter: Mapping[str, Any],
    terms: Sequence[str],
    only_current: bool,
    now: datetime,
    limit: int,
) -> list[ListNewestRow]: ...


@query
async def list_tagged(
    runner: Runner,
    *,
    workspace_id: str,
    tag_query: str,
    filter: Mapping[str, Any],
    only_current: bool,
    now: datetime,
    offset: int,
    limit: int,
) -> list[str]: ...


@query
async def list_tagged_without_index(
    runner: Runner,
    *,
    workspace_id: str,
    filter: Mapping[str, Any],
    only_current: bool,
    now: datetime,
    offset: int,
    limit: int,
) -> list[str]: ...


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


class ListTextsAroundChunksRow(Row):
    id: str
    headings: Sequence[str]
    texts: Sequence[str]


@query
async def list_texts_around_chunks(
    runner: Runner, *, workspace_id: str, ids: Sequence[str], reach: int
) -> list[ListTextsAroundChunksRow]: ...


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


class EntityCosineRow(Row):
    id: str
    cosine: float


@query
async def compare_entities(
    runner: Runner,
    *,
    workspace_id: str,
    vector: Sequence[float],
    vector_property: str,
    types: Sequence[str],
    name: str | None,
    connection_id: str | None,
    limit: int,
) -> list[EntityCosineRow]: ...


class FindEntitiesByNameRow(Row):
    id: str
    matched: Sequence[str]


@query
async def find_entities_by_name(
    runner: Runner,
    *,
    workspace_id: str,
    query: str,
    names: Sequence[str],
    types: Sequence[str],
    name: str | None,
    connection_id: str | None,
    limit: int,
) -> list[FindEntitiesByNameRow]: ...


@query
async def search_entities_by_meaning(
    runner: Runner,
    *,
    vector_index: str,
    workspace_id: str,
    vector: Sequence[float],
    vector_property: str,
    types: Sequence[str],
    name: str | None,
    connection_id: str | None,
    vector_limit: int,
    limit: int,
) -> list[EntityCosineRow]: ...


class SearchEntitiesByWordsRow(Row):
    id: str
    score: float


@query
async def search_entities_by_words(
    runner: Runner,
    *,
    workspace_id: str,
    text_queries: Sequence[Mapping[str, Any]],
    types: Sequence[str],
    name: str | None,
    connection_id: str | None,
    text_limit: int,
    limit: int,
) -> list[SearchEntitiesByWordsRow]: ...


@query
async def create_prompt_run(
    runner: Runner, *, workspace_id: str, id: str, properties: Mapping[str, Any]
) -> None: ...


@query
async def list_prompt_runs(
    runner: Runner,
    *,
    workspace_id: str,
    after_created: datetime | None,
    after_id: str | None,
    limit: int,
) -> list[PromptRun]: ...


@query
async def list_profile_facts(
    runner: Runner,
    *,
    workspace_id: str,
    user_id: str,
    doubtful_below: float,
    other_parts: Sequence[str],
    pinned_query: str,
    kinds: Sequence[str],
    newest: int,
    now: datetime,
    limit: int,
) -> list[ProfileFact]: ...


@query
async def list_memories_at(
    runner: Runner,
    *,
    workspace_id: str,
    kinds: Sequence[str],
    session_id: str | None,
    api_key_id: str | None,
    text: str | None,
    now: datetime,
    offset: int,
    limit: int,
) -> list[Memory]: ...


class MeasureMemoriesRow(Row):
    count: int
    tokens: int
    recalls: int
    answered_recalls: int


@query
async def measure_memories(
    runner: Runner,
    *,
    workspace_id: str,
    kinds: Sequence[str],
    session_id: str | None,
    api_key_id: str | None,
    text: str | None,
    now: datetime,
) -> MeasureMemoriesRow: ...
