"""The typed functions over ``cypher/retrieval/recall``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any

from pydantic import SkipValidation

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
    question: Mapping[str, Any],
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
    question: Mapping[str, Any],
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
    question: Mapping[str, Any],
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
    relations: Sequence[Relation]
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
