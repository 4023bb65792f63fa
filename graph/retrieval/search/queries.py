"""The typed functions over ``cypher/retrieval/search``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from typing import Any

from cypher import load
from graph.core.rows import Row, Runner, fetch_many


class SearchKnowledgeByMeaningRow(Row):
    id: str
    kind: str
    text: str
    keys: str | None
    cosine: float


async def search_knowledge_by_meaning(
    runner: Runner,
    *,
    vector_index: str,
    workspace_id: str,
    kinds: Sequence[str],
    vector: Sequence[float],
    vector_property: str,
    vector_limit: int,
    limit: int,
) -> list[SearchKnowledgeByMeaningRow]:
    return await fetch_many(
        runner,
        load("search_knowledge_by_meaning").on_index(vector_index),
        SearchKnowledgeByMeaningRow,
        {
            "workspace_id": workspace_id,
            "kinds": kinds,
            "vector": vector,
            "vector_property": vector_property,
            "vector_limit": vector_limit,
            "limit": limit,
        },
    )


class SearchKnowledgeByWordsRow(Row):
    id: str
    kind: str
    text: str
    keys: str | None
    cosine: float | None
    score: float


async def search_knowledge_by_words(
    runner: Runner,
    *,
    workspace_id: str,
    text_queries: Sequence[Mapping[str, Any]],
    vector: Sequence[float] | None,
    vector_property: str,
    limit: int,
) -> list[SearchKnowledgeByWordsRow]:
    return await fetch_many(
        runner,
        load("search_knowledge_by_words"),
        SearchKnowledgeByWordsRow,
        {
            "workspace_id": workspace_id,
            "text_queries": text_queries,
            "vector": vector,
            "vector_property": vector_property,
            "limit": limit,
        },
    )
