"""The record of the vectors in use, as an operator reads it."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from graph.core.rows import Runner
from graph.vectors.index.service import find_indexes


@dataclass(frozen=True)
class VectorMeta:
    """The record of the vectors in use.

    Attributes:
        active_dim: Their length; None until an embedder has been ready once.
        embedding_signature: ``source:model:dimension`` and how the index compresses them, such as ``:int8``.
        last_reset_at: When they took the place of others.
        vec_loaded: Whether the index is in use.
    """

    active_dim: int | None
    embedding_signature: str | None
    last_reset_at: datetime | None
    vec_loaded: bool


async def read_vector_meta(runner: Runner, *, online: Collection[str]) -> VectorMeta:
    """Return the record as the store has it, whose indexes ``online`` serve."""
    roles = await find_indexes(runner)
    if roles is None or roles.active is None:
        return VectorMeta(None, None, None, vec_loaded=False)
    return VectorMeta(
        active_dim=roles.active.dimension,
        embedding_signature=roles.active.index_signature,
        last_reset_at=roles.last_reset_at,
        vec_loaded=roles.active.name in online,
    )
