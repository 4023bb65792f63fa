"""Functions that save memories and read their links."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from graph.memories.models import Memory, MemoryDraft, MemoryState
from tests.fixtures.graphs import run
from tests.fixtures.states import reached

_MENTIONS = (Path(__file__).parent / "mentions.cypher").read_text(encoding="utf-8")


@pytest.fixture
def remember(services, workspace_id) -> Callable[..., Awaitable[Memory]]:
    """Save a text and return the memory once it is linked."""

    async def remember(content: str, **fields) -> Memory:
        draft = MemoryDraft(content=content, **fields)
        saved = await services.memories.store.save(workspace_id, draft)
        found = await reached(services, workspace_id, [saved.memory.id], MemoryState.LINKED)
        assert found[saved.memory.id].state is MemoryState.LINKED
        return found[saved.memory.id]

    return remember


@pytest.fixture
def edges(graph_driver, workspace_id) -> Callable[[str], Awaitable[list[tuple[str, str, str]]]]:
    """Return (name, how, surface) of each of a memory's mentions, by name."""

    async def edges(memory_id: str) -> list[tuple[str, str, str]]:
        result = await run(graph_driver, _MENTIONS, ws=workspace_id)
        rows = [row.data() for row in result.records if row["memory"] == memory_id and row["entity"]]
        assert all(row["dated"] for row in rows)
        return [(row["name"], row["how"], row["surface"]) for row in rows]

    return edges
