"""neo4j-agent-memory: one conversation per group, found by its message search with a metadata filter."""

from collections.abc import Sequence

from neo4j_agent_memory import MemoryClient, MemorySettings  # type: ignore[import-not-found]  # the other environment
from neo4j_agent_memory.config.settings import (  # type: ignore[import-not-found]  # the other environment
    ExtractionConfig,
    ExtractorType,
    Neo4jConfig,
)

from tests.bench.peers.processes.answering import Row, Store, Vectors, answer


class Embedder:
    """Embedder that returns the vectors from the requests."""

    def __init__(self, vectors: Vectors, dimensions: int) -> None:
        self._vectors = vectors
        self.dimensions = dimensions

    async def embed(self, text: str) -> list[float]:
        return self._vectors.of(text)

    async def embed_batch(self, texts: list[str]) -> list[list[float]]:
        return [self._vectors.of(text) for text in texts]


class AgentMemory:
    """Messages in neo4j-agent-memory."""

    def __init__(self, client: MemoryClient) -> None:
        self._messages = client.short_term

    async def save(self, group: str, rows: Sequence[Row]) -> None:
        messages = [
            {"role": "user", "content": row.text, "metadata": {"row": row.id, "group": group}} for row in rows
        ]
        await self._messages.add_messages_batch(group, messages, extract_entities=False)

    async def search(self, group: str, text: str, limit: int) -> list[str]:
        found = await self._messages.search_messages(
            text, limit=limit, threshold=0.0, metadata_filters={"group": group}
        )
        return [message.metadata["row"] for message in found]


async def open_agent_memory(store: Store, vectors: Vectors) -> AgentMemory:
    settings = MemorySettings(
        neo4j=Neo4jConfig(uri=store.uri, username=store.user, password=store.password),
        extraction=ExtractionConfig(extractor_type=ExtractorType.NONE),
    )
    client = MemoryClient(settings, embedder=Embedder(vectors, store.dimension))
    await client.connect()
    return AgentMemory(client)


answer(open_agent_memory)
