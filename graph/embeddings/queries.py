"""The typed functions over ``cypher/embeddings``."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from cypher import load
from graph.core.rows import Row, Runner, execute, fetch_many, fetch_one, fetch_optional
from graph.embeddings.models import Utterance, VectorIndex


class AdoptVectorIndexRow(Row):
    """One row of ``adopt_vector_index``."""

    signature: str


async def adopt_vector_index(
    runner: Runner, *, slot: str, signature: str, dimension: int, quantization: str, now: datetime
) -> AdoptVectorIndexRow:
    """The first embedder of a store decides; a different one later fills a second index before it takes over"""
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
    """The workspace filter works inside the index; search_kind does too, since a label is only checked afterwards"""
    await execute(runner, load("create_vector_index_a"), {"options": options})


async def create_vector_index_b(runner: Runner, *, options: Mapping[str, Any]) -> None:
    """The workspace filter works inside the index; search_kind does too, since a label is only checked afterwards"""
    await execute(runner, load("create_vector_index_b"), {"options": options})


class GetVectorIndexRow(Row):
    """One row of ``get_vector_index``."""

    active: VectorIndex | None
    building: VectorIndex | None


async def get_vector_index(runner: Runner) -> GetVectorIndexRow | None:
    """Return the row, or None"""
    return await fetch_optional(runner, load("get_vector_index"), GetVectorIndexRow, {})


class ListEmbeddingSourcesRow(Row):
    """One row of ``list_embedding_sources``."""

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
    """Return the rows"""
    return await fetch_many(
        runner, load("list_embedding_sources"), ListEmbeddingSourcesRow, {"subjects": subjects}
    )


async def mark_embedding_failed(runner: Runner, *, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write"""
    await execute(runner, load("mark_embedding_failed"), {"rows": rows})


async def store_embeddings(
    runner: Runner, *, rows: Sequence[Mapping[str, Any]], vector_property: str, signature: str
) -> None:
    """A vector is kept only for the text it was made of; a text changed meanwhile has its own job"""
    await execute(
        runner,
        load("store_embeddings"),
        {"rows": rows, "vector_property": vector_property, "signature": signature},
    )
