"""The typed functions over ``cypher/embeddings``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from cypher import load
from graph.core.rows import Row, Runner, execute, fetch_many, fetch_one, fetch_optional
from graph.embeddings.models import Utterance, VectorIndex


class AdoptVectorIndexRow(Row):
    signature: str


async def adopt_vector_index(
    runner: Runner, *, slot: str, signature: str, dimension: int, quantization: str, now: datetime
) -> AdoptVectorIndexRow:
    return await fetch_one(
        runner,
        load("adopt_vector_index"),
        AdoptVectorIndexRow,
        {
            "slot": slot,
            "signature": signature,
            "dimension": dimension,
            "quantization": quantization,
            "now": now,
        },
    )


async def create_vector_index_a(runner: Runner, *, options: Mapping[str, Any]) -> None:
    await execute(runner, load("create_vector_index_a"), {"options": options})


async def create_vector_index_b(runner: Runner, *, options: Mapping[str, Any]) -> None:
    await execute(runner, load("create_vector_index_b"), {"options": options})


class GetVectorIndexRow(Row):
    active: VectorIndex | None
    building: VectorIndex | None


async def get_vector_index(runner: Runner) -> GetVectorIndexRow | None:
    return await fetch_optional(runner, load("get_vector_index"), GetVectorIndexRow, {})


class ListEmbeddingSourcesRow(Row):
    workspace_id: str
    id: str
    revision: int
    content: str
    speaker: str | None
    words: int
    previous: Utterance | None
    following: Utterance | None


async def list_embedding_sources(
    runner: Runner, *, subjects: Sequence[Mapping[str, Any]]
) -> list[ListEmbeddingSourcesRow]:
    return await fetch_many(
        runner, load("list_embedding_sources"), ListEmbeddingSourcesRow, {"subjects": subjects}
    )


async def mark_embedding_failed(runner: Runner, *, rows: Sequence[Mapping[str, Any]]) -> None:
    await execute(runner, load("mark_embedding_failed"), {"rows": rows})


async def store_embeddings(
    runner: Runner, *, rows: Sequence[Mapping[str, Any]], vector_property: str, signature: str
) -> None:
    await execute(
        runner,
        load("store_embeddings"),
        {"rows": rows, "vector_property": vector_property, "signature": signature},
    )
