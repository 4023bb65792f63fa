"""The typed functions over ``cypher/retrieval/entities``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from typing import Any

from graph.core.query import query
from graph.core.rows import Row, Runner


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
