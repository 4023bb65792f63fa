"""mem0 without a language model: each row is one memory (``infer=False``), in the default store."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

os.environ["MEM0_TELEMETRY"] = "False"  # noqa: TID251 - mem0 reads it when it is imported

from mem0 import Memory  # type: ignore[import-not-found]  # the other environment
from mem0.embeddings.base import EmbeddingBase  # type: ignore[import-not-found]

from tests.bench.peers.processes.answering import Row, Store, Vectors, answer


class Embedder(EmbeddingBase):  # type: ignore[misc]
    """Embedder that returns the vectors from the requests."""

    def __init__(self, vectors: Vectors) -> None:
        super().__init__()
        self._vectors = vectors

    def embed(self, text: str, memory_action: Any = None) -> list[float]:
        return self._vectors.of(text)


class Mem0:
    """Memories in mem0, with one user per group."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    async def save(self, group: str, rows: Sequence[Row]) -> None:
        for row in rows:
            self._memory.add(row.text, user_id=group, metadata={"row": row.id}, infer=False)

    async def search(self, group: str, text: str, limit: int) -> list[str]:
        found = self._memory.search(text, filters={"user_id": group}, top_k=limit, threshold=0.0)
        return [each["metadata"]["row"] for each in found["results"]]


async def open_mem0(store: Store, vectors: Vectors) -> Mem0:
    folder = Path(store.folder)
    place = {"path": str(folder / "qdrant"), "embedding_model_dims": store.dimension, "on_disk": True}
    memory = Memory.from_config(
        {
            "vector_store": {"provider": "qdrant", "config": place},
            "llm": {"provider": "openai", "config": {"api_key": "none"}},
            "embedder": {"provider": "openai", "config": {"api_key": "none"}},
            "history_db_path": str(folder / "history.db"),
        }
    )
    memory.embedding_model = Embedder(vectors)
    return Mem0(memory)


answer(open_mem0)
