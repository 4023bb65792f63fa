"""The typed functions over ``cypher/retrieval/recall``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any

from graph.core.query import query
from graph.core.rows import NO_TIMES, Row, Runner
from graph.memories.models import Memory
from graph.retrieval.recall.models import Relation


class CompareMemoriesRow(Row):
    first: str
    second: str
    similarity: float


@query
async def compare_memories(
    runner: Runner, *, workspace_id: str, ids: Sequence[str], vector_property: str
) -> list[CompareMemoriesRow]: ...


_Maps = Annotated[Sequence[Mapping[str, Any]], NO_TIMES]


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
    text_queries: Sequence[Mapping[str, Any]],
    window_queries: Sequence[Mapping[str, Any]],
    name_queries: Sequence[str],
    names: Sequence[str],
    named_limit: int,
    mention_limit: int,
    text_limit: int,
    vector: Sequence[float],
    index_vector: Sequence[float] | None,
    external: Sequence[Mapping[str, Any]],
    focus_vector: Sequence[float],
    vector_property: str,
    vector_limit: int,
    pool_limit: int,
    with_neighbours: bool,
    long_words: int,
    terms: Sequence[str],
    now: datetime,
    valid_at: datetime | None,
    types: Sequence[str],
    kinds: Sequence[str],
    facets: Sequence[str],
    categories: Sequence[str],
    source_types: Sequence[str],
    any_tags: Sequence[str],
    all_tags: Sequence[str],
    min_importance: float | None,
    min_confidence: float | None,
    conversation_id: str | None,
    session_id: str | None,
    since: datetime | None,
    until: datetime | None,
    api_key_id: str | None,
    retained_since: datetime | None,
    retained_source_types: Sequence[str],
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
    text_queries: Sequence[Mapping[str, Any]],
    window_queries: Sequence[Mapping[str, Any]],
    name_queries: Sequence[str],
    names: Sequence[str],
    named_limit: int,
    mention_limit: int,
    text_limit: int,
    pool_limit: int,
    with_neighbours: bool,
    terms: Sequence[str],
    now: datetime,
    valid_at: datetime | None,
    types: Sequence[str],
    kinds: Sequence[str],
    facets: Sequence[str],
    categories: Sequence[str],
    source_types: Sequence[str],
    any_tags: Sequence[str],
    all_tags: Sequence[str],
    min_importance: float | None,
    min_confidence: float | None,
    conversation_id: str | None,
    session_id: str | None,
    since: datetime | None,
    until: datetime | None,
    api_key_id: str | None,
    retained_since: datetime | None,
    retained_source_types: Sequence[str],
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
    text_queries: Sequence[Mapping[str, Any]],
    window_queries: Sequence[Mapping[str, Any]],
    name_queries: Sequence[str],
    names: Sequence[str],
    named_limit: int,
    text_limit: int,
    vector: Sequence[float],
    focus_vector: Sequence[float],
    vector_property: str,
    pool_limit: int,
    long_words: int,
    terms: Sequence[str],
    now: datetime,
    valid_at: datetime | None,
    types: Sequence[str],
    kinds: Sequence[str],
    facets: Sequence[str],
    categories: Sequence[str],
    source_types: Sequence[str],
    any_tags: Sequence[str],
    all_tags: Sequence[str],
    min_importance: float | None,
    min_confidence: float | None,
    conversation_id: str | None,
    session_id: str | None,
    since: datetime | None,
    until: datetime | None,
    api_key_id: str | None,
    retained_since: datetime | None,
    retained_source_types: Sequence[str],
) -> GatherCandidatesExactlyRow: ...


class GetHitsRow(Row):
    memory: Memory
    relations: Sequence[Relation]
    near: frozenset[str]


@query
async def get_hits(
    runner: Runner,
    *,
    workspace_id: str,
    ids: Sequence[str],
    relation_limit: int,
    vector_property: str,
    merge_above: float | None,
) -> list[GetHitsRow]: ...


class ListTaggedRow(Row):
    id: str


@query
async def list_tagged(
    runner: Runner,
    *,
    workspace_id: str,
    tag_query: str,
    types: Sequence[str],
    kinds: Sequence[str],
    facets: Sequence[str],
    categories: Sequence[str],
    source_types: Sequence[str],
    min_importance: float | None,
    min_confidence: float | None,
    conversation_id: str | None,
    session_id: str | None,
    api_key_id: str | None,
    retained_since: datetime | None,
    retained_source_types: Sequence[str],
    since: datetime | None,
    until: datetime | None,
    valid_at: datetime | None,
    now: datetime,
    offset: int,
    limit: int,
) -> list[ListTaggedRow]: ...
