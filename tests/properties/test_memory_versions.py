"""A memory's versions through changes, upserts, deletions and restores, compared with a dictionary."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from hypothesis.stateful import run_state_machine_as_test as run_machine

from graph.core.errors import NotFound
from graph.memories.models import MemoryChange, MemoryDraft
from graph.operations.services import Services
from tests.fixtures.timeouts import scaled_timeout

TEXTS = st.sampled_from(["tea", "coffee", "Tea", "water", "juice"])
KEY = "drink"


class Versions(RuleBasedStateMachine):
    """State machine whose rules run in a separate thread and send their work to the engine's event loop."""

    def __init__(self, services: Services, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self.memories = services.memories.store
        self.deletion = services.memories.deletion
        self.workspaces = services.tenancy.workspaces
        self.loop = loop
        self.texts: dict[int, str] = {}
        self.is_deleted = False

    def done(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(scaled_timeout(30))

    @initialize(text=TEXTS)
    def create(self, text: str) -> None:
        self.workspace = self.done(self.workspaces.create("versions")).id
        saved = self.done(self.memories.save(self.workspace, MemoryDraft(content=text, key=KEY)))
        self.id = saved.memory.id
        self.texts = {1: text}
        self.is_deleted = False

    def say(self, text: str) -> None:
        if text != self.texts[max(self.texts)]:
            self.texts[max(self.texts) + 1] = text

    @precondition(lambda self: not self.is_deleted)
    @rule(text=TEXTS)
    def update(self, text: str) -> None:
        self.done(self.memories.update(self.workspace, self.id, MemoryChange(content=text)))
        self.say(text)

    @rule(text=TEXTS)
    def upsert(self, text: str) -> None:
        saved = self.done(self.memories.save(self.workspace, MemoryDraft(content=text, key=KEY)))
        assert saved.memory.id == self.id
        self.say(text)
        self.is_deleted = False

    @rule()
    def delete(self) -> None:
        assert self.done(self.deletion.delete(self.workspace, self.id)) is not self.is_deleted
        self.is_deleted = True

    @rule(place=st.integers(0, 30))
    def restore_a_version(self, place: int) -> None:
        version = 1 + place % max(self.texts)
        restored = self.done(self.memories.restore(self.workspace, self.id, version=version))
        self.say(self.texts[version])
        self.is_deleted = False
        assert restored.content == self.texts[version]

    @rule()
    def restore(self) -> None:
        self.done(self.memories.restore(self.workspace, self.id))
        self.is_deleted = False

    @rule(beyond=st.integers(1, 3))
    def restore_a_version_that_never_was(self, beyond: int) -> None:
        never = max(self.texts) + beyond
        with pytest.raises(NotFound) as missing:
            self.done(self.memories.restore(self.workspace, self.id, version=never))
        assert missing.value.field == "version"

    @invariant()
    def the_store_says_what_the_dictionary_says(self) -> None:
        memory = self.done(self.memories.get(self.workspace, self.id, include_deleted=True))
        last = max(self.texts)
        assert (memory.version, memory.content) == (last, self.texts[last])
        assert memory.old_text == self.texts.get(last - 1)
        assert (memory.deleted_at is not None) is self.is_deleted
        versions = self.done(self.memories.versions(self.workspace, [self.id], first=100))[self.id]
        assert [(version.version, version.content) for version in versions] == [
            (number, self.texts[number]) for number in range(last - 1, 0, -1)
        ]
        assert self.done(self.memories.count(self.workspace)) == (0 if self.is_deleted else 1)


async def test_every_earlier_text_of_a_memory_can_be_restored(services) -> None:
    """A20, A27, A30, A33."""
    few = settings(
        max_examples=8,
        stateful_step_count=15,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    loop = asyncio.get_running_loop()
    await asyncio.to_thread(run_machine, lambda: Versions(services, loop), settings=few)
