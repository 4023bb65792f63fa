"""Precomputes vectors before the record is written, for records that store only part of the embedded text."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import structlog

from graph.core.ports import EmbeddingFailed
from graph.core.rows import Runner
from graph.vectors.index import queries
from graph.vectors.index.service import Embeddings
from graph.vectors.index.vectors import Target

_log = structlog.get_logger("recollect.embeddings")

# Number of texts in one call of the model; a concurrent recall waits for at most one such call.
_TOGETHER = 16


@dataclass(frozen=True)
class PrecomputedVectors:
    """Vectors by the names of their texts, with their slots.

    Attributes:
        targets: ``{slot, signature}``, the slot in use first; empty if nothing could be embedded.
        vectors: For each name ``[{property, embedding}]``, one for each target.
    """

    targets: Sequence[Mapping[str, str]] = ()
    vectors: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)

    async def store(self, runner: Runner, workspace_id: str, rows: Sequence[tuple[str, int, str]]) -> bool:
        """Write the vectors of ``(node id, revision, name)``; false if other slots are in use by now."""
        stored = await queries.store_embeddings(
            runner,
            rows=[
                {
                    "workspace_id": workspace_id,
                    "id": id_,
                    "revision": revision,
                    "vectors": list(self.vectors[name]),
                    "passages": [],
                    "is_whole": True,
                }
                for id_, revision, name in rows
            ],
            targets=list(self.targets),
            replaces=True,
            cursor=None,
        )
        return stored is not None and stored.accepted


async def precompute_vectors(
    embeddings: Embeddings, texts: Mapping[str, str], *, seconds: float
) -> PrecomputedVectors:
    """Return vectors of as many named texts as can be embedded within the time limit, in order.

    A slot that is being filled gets vectors only if there is time for all of them.
    """
    deadline = asyncio.get_running_loop().time() + seconds
    if not texts:
        return PrecomputedVectors()
    try:
        targets = await embeddings.targets()
    except EmbeddingFailed as error:
        _log.info("embedding.not_ahead", reason=type(error).__name__)
        return PrecomputedVectors()
    active, *others = targets
    made = [(active, await _embedded(active, texts, deadline))]
    names = made[0][1].keys()
    for target in others:
        vectors = await _embedded(target, {name: texts[name] for name in names}, deadline)
        if vectors.keys() == names:
            made.append((target, vectors))
    return PrecomputedVectors(
        targets=[target.as_parameter() for target, _ in made] if names else [],
        vectors={
            name: [
                {"property": target.index.vector_property, "embedding": vectors[name]}
                for target, vectors in made
            ]
            for name in names
        },
    )


async def _embedded(target: Target, texts: Mapping[str, str], deadline: float) -> dict[str, list[float]]:
    made: dict[str, list[float]] = {}
    names = list(texts)
    try:
        async with asyncio.timeout_at(deadline):
            for first in range(0, len(names), _TOGETHER):
                if asyncio.get_running_loop().time() >= deadline:
                    break
                batch = names[first : first + _TOGETHER]
                rows = await target.embed([texts[name] for name in batch])
                made |= zip(batch, rows.tolist(), strict=True)
    except (EmbeddingFailed, TimeoutError) as error:
        _log.info("embedding.stopped_ahead", made=len(made), of=len(names), reason=type(error).__name__)
    return made
