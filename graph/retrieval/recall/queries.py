"""The typed functions over ``cypher/retrieval/recall``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any

from cypher import load
from graph.core.rows import NO_TIMES, Row, Runner, fetch_many, fetch_one
from graph.memories.models import Memory
from graph.retrieval.recall.models import Relation


class CompareMemoriesRow(Row):
    first: str
    second: str
    similarity: float


async def compare_memories(
    runner: Runner, *, workspace_id: str, ids: Sequence[str], vector_property: str
) -> list[CompareMemoriesRow]:
    return await fetch_many(
        runner,
        load("compare_memories"),
        CompareMemoriesRow,
        {"workspace_id": workspace_id, "ids": ids, "vector_property": vector_property},
    )


_Maps = Annotated[Sequence[Mapping[str, Any]], NO_TIMES]


class GatherCandidatesRow(Row):
    text_scores: _Maps
    window_scores: _Maps
    similarities: _Maps
    mention_scores: _Maps
    named: _Maps
    candidates: _Maps


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
) -> GatherCandidatesRow:
    return await fetch_one(
        runner,
        load("gather_candidates").on_index(vector_index),
        GatherCandidatesRow,
        {
            "workspace_id": workspace_id,
            "text_queries": text_queries,
            "window_queries": window_queries,
            "name_queries": name_queries,
            "names": names,
            "named_limit": named_limit,
            "mention_limit": mention_limit,
            "text_limit": text_limit,
            "vector": vector,
            "index_vector": index_vector,
            "external": external,
            "focus_vector": focus_vector,
            "vector_property": vector_property,
            "vector_limit": vector_limit,
            "pool_limit": pool_limit,
            "with_neighbours": with_neighbours,
            "long_words": long_words,
            "terms": terms,
            "now": now,
            "valid_at": valid_at,
            "types": types,
            "kinds": kinds,
            "facets": facets,
            "categories": categories,
            "source_types": source_types,
            "any_tags": any_tags,
            "all_tags": all_tags,
            "min_importance": min_importance,
            "min_confidence": min_confidence,
            "conversation_id": conversation_id,
            "session_id": session_id,
            "since": since,
            "until": until,
            "api_key_id": api_key_id,
            "retained_since": retained_since,
            "retained_source_types": retained_source_types,
        },
    )


class GatherCandidatesByWordsRow(Row):
    text_scores: _Maps
    window_scores: _Maps
    mention_scores: _Maps
    named: _Maps
    candidates: _Maps


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
) -> GatherCandidatesByWordsRow:
    return await fetch_one(
        runner,
        load("gather_candidates_by_words"),
        GatherCandidatesByWordsRow,
        {
            "workspace_id": workspace_id,
            "text_queries": text_queries,
            "window_queries": window_queries,
            "name_queries": name_queries,
            "names": names,
            "named_limit": named_limit,
            "mention_limit": mention_limit,
            "text_limit": text_limit,
            "pool_limit": pool_limit,
            "with_neighbours": with_neighbours,
            "terms": terms,
            "now": now,
            "valid_at": valid_at,
            "types": types,
            "kinds": kinds,
            "facets": facets,
            "categories": categories,
            "source_types": source_types,
            "any_tags": any_tags,
            "all_tags": all_tags,
            "min_importance": min_importance,
            "min_confidence": min_confidence,
            "conversation_id": conversation_id,
            "session_id": session_id,
            "since": since,
            "until": until,
            "api_key_id": api_key_id,
            "retained_since": retained_since,
            "retained_source_types": retained_source_types,
        },
    )


class GatherCandidatesExactlyRow(Row):
    text_scores: _Maps
    window_scores: _Maps
    similarities: _Maps
    mention_scores: _Maps
    named: _Maps
    candidates: _Maps


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
) -> GatherCandidatesExactlyRow:
    return await fetch_one(
        runner,
        load("gather_candidates_exactly"),
        GatherCandidatesExactlyRow,
        {
            "workspace_id": workspace_id,
            "text_queries": text_queries,
            "window_queries": window_queries,
            "name_queries": name_queries,
            "names": names,
            "named_limit": named_limit,
            "text_limit": text_limit,
            "vector": vector,
            "focus_vector": focus_vector,
            "vector_property": vector_property,
            "pool_limit": pool_limit,
            "long_words": long_words,
            "terms": terms,
            "now": now,
            "valid_at": valid_at,
            "types": types,
            "kinds": kinds,
            "facets": facets,
            "categories": categories,
            "source_types": source_types,
            "any_tags": any_tags,
            "all_tags": all_tags,
            "min_importance": min_importance,
            "min_confidence": min_confidence,
            "conversation_id": conversation_id,
            "session_id": session_id,
            "since": since,
            "until": until,
            "api_key_id": api_key_id,
            "retained_since": retained_since,
            "retained_source_types": retained_source_types,
        },
    )


class GetHitsRow(Row):
    memory: Memory
    relations: Sequence[Relation]
    near: frozenset[str]


async def get_hits(
    runner: Runner,
    *,
    workspace_id: str,
    ids: Sequence[str],
    relation_limit: int,
    vector_property: str,
    merge_above: float | None,
) -> list[GetHitsRow]:
    return await fetch_many(
        runner,
        load("get_hits"),
        GetHitsRow,
        {
            "workspace_id": workspace_id,
            "ids": ids,
            "relation_limit": relation_limit,
            "vector_property": vector_property,
            "merge_above": merge_above,
        },
    )


class ListTaggedRow(Row):
    id: str


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
) -> list[ListTaggedRow]:
    return await fetch_many(
        runner,
        load("list_tagged"),
        ListTaggedRow,
        {
            "workspace_id": workspace_id,
            "tag_query": tag_query,
            "types": types,
            "kinds": kinds,
            "facets": facets,
            "categories": categories,
            "source_types": source_types,
            "min_importance": min_importance,
            "min_confidence": min_confidence,
            "conversation_id": conversation_id,
            "session_id": session_id,
            "api_key_id": api_key_id,
            "retained_since": retained_since,
            "retained_source_types": retained_source_types,
            "since": since,
            "until": until,
            "valid_at": valid_at,
            "now": now,
            "offset": offset,
            "limit": limit,
        },
    )
