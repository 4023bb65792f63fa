"""Automatic changes of a workspace, and what tests of them save."""

import pytest

from graph.core.models import AutomaticChange, ChangeKind
from graph.memories.models import MemoryDraft, MemoryFilter


@pytest.fixture
def changes(services, workspace_id):
    """A function that returns the automatic changes of the workspace, the newest first."""

    async def listed(*kinds: ChangeKind) -> list[AutomaticChange]:
        return list((await services.operations.changes.page(workspace_id, kinds=kinds)).items)

    return listed


@pytest.fixture
def undo(services, workspace_id):
    """A function that undoes a change of the workspace."""
    return lambda change: services.operations.changes.undo(workspace_id, change.id)


@pytest.fixture
def save(services, workspace_id):
    """A function that saves a memory and returns it as it is stored."""

    async def saved(content: str, **fields):
        draft = MemoryDraft(content=content, **fields)
        return (await services.memories.store.save(workspace_id, draft)).memory

    return saved


@pytest.fixture
def texts(services, workspace_id):
    """A function that returns the texts of the live memories in order."""

    async def live() -> list[str]:
        page = await services.memories.store.page(workspace_id, MemoryFilter())
        return sorted(memory.content for memory in page.items)

    return live
