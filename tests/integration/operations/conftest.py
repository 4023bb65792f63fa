"""Automatic changes of a workspace, and memories that cause them."""

import pytest

from graph.core.models import AutomaticChange, ChangeKind
from graph.memories.models import MemoryDraft, MemoryFilter


@pytest.fixture
def changes(services, workspace_id):
    """Return a function that returns the workspace's automatic changes, newest first."""

    async def listed(*kinds: ChangeKind) -> list[AutomaticChange]:
        return list((await services.operations.changes.page(workspace_id, kinds=kinds)).items)

    return listed


@pytest.fixture
def undo(services, workspace_id):
    """Return a function that undoes a change of the workspace."""
    return lambda change: services.operations.changes.undo(workspace_id, change.id)


@pytest.fixture
def save(services, workspace_id):
    """Return a function that saves a memory and returns it as stored."""

    async def saved(content: str, **fields):
        draft = MemoryDraft(content=content, **fields)
        return (await services.memories.store.save(workspace_id, draft)).memory

    return saved


@pytest.fixture
def texts(services, workspace_id):
    """Return a function that returns the sorted texts of the active memories."""

    async def live() -> list[str]:
        page = await services.memories.store.page(workspace_id, MemoryFilter())
        return sorted(memory.content for memory in page.items)

    return live
