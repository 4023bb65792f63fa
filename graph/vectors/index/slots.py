"""Makes and drops the vector index of a slot: two files each, since Cypher takes no parameter for a name."""

from graph.core.rows import Runner
from graph.vectors.index import queries

_CREATE = {"a": queries.create_vector_index_a, "b": queries.create_vector_index_b}
_DROP = {"a": queries.drop_vector_index_a, "b": queries.drop_vector_index_b}


async def create_index(runner: Runner, slot: str, *, dimension: int, quantization: str) -> None:
    """Make the slot's index unless it is there."""
    config = {
        "vector.dimensions": dimension,
        "vector.similarity_function": "cosine",
        "vector.quantization.type": quantization,
    }
    await _CREATE[slot](runner, options={"indexConfig": config})


async def drop_index(runner: Runner, slot: str) -> None:
    """Drop the slot's index if it is there."""
    await _DROP[slot](runner)
