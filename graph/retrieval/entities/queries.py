"""The typed functions over ``cypher/retrieval/entities``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from typing import Any

from cypher import load
from graph.core.rows import Row, Runner, fetch_many


class CompareEntitiesRow(Row):
    id: str
    cosine: float


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
) -> list[CompareEntitiesRow]:
    return await fetch_many(
        runner,
        load("compare_entities"),
        CompareEntitiesRow,
        {
            "workspace_id": workspace_id,
            "vector": vector,
            "vector_property": vector_property,
            "types": types,
            "name": name,
            "connection_id": connection_id,
            "limit": limit,
        },
    )


class FindEntitiesByNameRow(Row):
    id: str
    matched: Sequence[str]


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
) -> list[FindEntitiesByNameRow]:
    return await fetch_many(
        runner,
        load("find_entities_by_name"),
        FindEntitiesByNameRow,
        {
            "workspace_id": workspace_id,
            "query": query,
            "names": names,
            "types": types,
            "name": name,
            "connection_id": connection_id,
            "limit": limit,
        },
    )


class SearchEntitiesByMeaningRow(Row):
    id: str
    cosine: float


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
) -> list[SearchEntitiesByMeaningRow]:
    return await fetch_many(
        runner,
        load("search_entities_by_meaning").on_index(vector_index),
        SearchEntitiesByMeaningRow,
        {
            "workspace_id": workspace_id,
            "vector": vector,
            "vector_property": vector_property,
            "types": types,
            "name": name,
            "connection_id": connection_id,
            "vector_limit": vector_limit,
            "limit": limit,
        },
    )


class SearchEntitiesByWordsRow(Row):
    id: str
    score: float


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
) -> list[SearchEntitiesByWordsRow]:
    return await fetch_many(
        runner,
        load("search_entities_by_words"),
        SearchEntitiesByWordsRow,
        {
            "workspace_id": workspace_id,
            "text_queries": text_queries,
            "types": types,
            "name": name,
            "connection_id": connection_id,
            "text_limit": text_limit,
            "limit": limit,
        },
    )
