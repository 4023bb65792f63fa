"""Graphiti without a language model: each row is a fact between two entities, found by hybrid search."""

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

os.environ["GRAPHITI_TELEMETRY_ENABLED"] = "false"  # noqa: TID251 - Graphiti reads it when it is imported

from graphiti_core import Graphiti  # type: ignore[import-not-found]  # the other environment
from graphiti_core.cross_encoder.client import CrossEncoderClient  # type: ignore[import-not-found]
from graphiti_core.edges import EntityEdge  # type: ignore[import-not-found]
from graphiti_core.embedder.client import EmbedderClient  # type: ignore[import-not-found]
from graphiti_core.llm_client import LLMClient, LLMConfig  # type: ignore[import-not-found]
from graphiti_core.nodes import EntityNode  # type: ignore[import-not-found]

from tests.bench.peers.processes.answering import Row, Store, Vectors, answer


class NotAsked(LLMClient):  # type: ignore[misc]
    """Unused language model, which Graphiti requires."""

    async def _generate_response(self, *_: Any, **__: Any) -> dict[str, Any]:
        raise NotImplementedError


class NotReranked(CrossEncoderClient):  # type: ignore[misc]
    """Unused reranker, which Graphiti requires."""

    async def rank(self, query: str, passages: list[str]) -> list[tuple[str, float]]:
        raise NotImplementedError


class Embedder(EmbedderClient):  # type: ignore[misc]
    """Embedder that returns the vectors from the requests."""

    def __init__(self, vectors: Vectors) -> None:
        self._vectors = vectors

    async def create(self, input_data: Any) -> list[float]:
        return self._vectors.of(input_data[0] if isinstance(input_data, list) else input_data)

    async def create_batch(self, input_data_list: list[str]) -> list[list[float]]:
        return [self._vectors.of(text) for text in input_data_list]


class Facts:
    """Facts of Graphiti: edges from one speaker to one conversation per group."""

    def __init__(self, graphiti: Graphiti, vectors: Vectors) -> None:
        self._graphiti = graphiti
        self._vectors = vectors
        self._ends: dict[str, tuple[str, str]] = {}

    async def save(self, group: str, rows: Sequence[Row]) -> None:
        speaker, conversation = await self._ends_of(group, rows[0].text)
        now = datetime.now(UTC)
        edges = [
            EntityEdge(
                uuid=f"{group}/{row.id}",
                group_id=group,
                source_node_uuid=speaker,
                target_node_uuid=conversation,
                created_at=now,
                name="SAID",
                fact=row.text,
                fact_embedding=self._vectors.of(row.text),
            )
            for row in rows
        ]
        await self._graphiti.edges.entity.save_bulk(edges)

    async def search(self, group: str, text: str, limit: int) -> list[str]:
        found = await self._graphiti.search(text, group_ids=[group], num_results=limit)
        return [edge.uuid.partition("/")[2] for edge in found]

    async def _ends_of(self, group: str, text: str) -> tuple[str, str]:
        if group not in self._ends:
            ends = [
                EntityNode(name=name, group_id=group, labels=[], created_at=datetime.now(UTC), summary="")
                for name in ("speaker", "conversation")
            ]
            for end in ends:
                # Graphiti stores no entity without a vector; only facts are searched.
                end.name_embedding = self._vectors.of(text)
            await self._graphiti.nodes.entity.save_bulk(ends)
            self._ends[group] = (ends[0].uuid, ends[1].uuid)
        return self._ends[group]


async def open_graphiti(store: Store, vectors: Vectors) -> Facts:
    graphiti = Graphiti(
        store.uri,
        store.user,
        store.password,
        llm_client=NotAsked(LLMConfig(api_key="none")),
        embedder=Embedder(vectors),
        cross_encoder=NotReranked(),
    )
    await graphiti.build_indices_and_constraints()
    return Facts(graphiti, vectors)


answer(open_graphiti)
