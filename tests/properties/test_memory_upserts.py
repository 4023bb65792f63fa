"""Concurrent saves: one memory per key and per text, with the metadata of all saves."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from uuid import uuid4

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graph.memories.models import MemoryDraft, MemoryFilter, SaveOutcome
from tests.fixtures.timeouts import scaled_timeout

KEYS = st.sampled_from(["k1", "k2", "k3"])
WRITERS = st.lists(st.lists(KEYS, min_size=1, max_size=4), min_size=2, max_size=6)
TENANTS = st.lists(
    st.lists(st.sampled_from(["a", "b-1", "c:2"]), min_size=1, unique=True), min_size=2, max_size=4
)
TEXTS = st.sampled_from(["Ada likes tea", "ADA likes tea.", "Ada likes coffee", "Bob lives in Rome"])


async def run_examples(strategy, check: Callable[..., Awaitable[None]]) -> None:
    """Run a coroutine for a few examples of a strategy on the engine's event loop."""
    loop = asyncio.get_running_loop()

    @settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
    @given(strategy)
    def checked(example) -> None:
        asyncio.run_coroutine_threadsafe(check(example), loop).result(scaled_timeout(60))

    await asyncio.to_thread(checked)


async def test_concurrent_upserts_of_one_key_merge_their_metadata(services) -> None:
    """A19, A20."""

    async def check(writers: list[list[str]]) -> None:
        workspace = (await services.tenancy.workspaces.create("upserts")).id

        async def write(number: int, keys: list[str]) -> None:
            drafts = [
                MemoryDraft(content=f"{key} of {number}", key=key, metadata={f"{number}.{place}": place})
                for place, key in enumerate(keys)
            ]
            await services.memories.store.save_all(workspace, drafts)

        await asyncio.gather(*(write(number, keys) for number, keys in enumerate(writers)))

        expected: dict[str, dict[str, int]] = {}
        for number, keys in enumerate(writers):
            for place, key in enumerate(keys):
                expected.setdefault(key, {})[f"{number}.{place}"] = place
        page = await services.memories.store.page(workspace, MemoryFilter(), first=200)
        assert {memory.key: memory.metadata for memory in page.items} == expected
        assert len(page.items) == len(expected)

    await run_examples(WRITERS, check)


async def test_concurrent_saves_of_one_text_create_one_memory(services) -> None:
    """A21: at most one memory per distinct text."""

    async def check(texts: list[str]) -> None:
        workspace = (await services.tenancy.workspaces.create("texts")).id

        receipts = await asyncio.gather(
            *(services.memories.store.save(workspace, MemoryDraft(content=text)) for text in texts)
        )

        hashes = {" ".join(text.casefold().split()) for text in texts}
        outcomes = Counter(receipt.outcome for receipt in receipts)
        stored = await services.memories.store.count(workspace)
        assert outcomes[SaveOutcome.CREATED] == stored <= len(hashes)
        assert outcomes[SaveOutcome.DEDUPLICATED] == len(texts) - stored

    await run_examples(st.lists(TEXTS, min_size=2, max_size=8), check)


async def test_workspaces_use_the_same_ids_independently(services) -> None:
    """C20, I8: workspaces may use the same ids; no save or deletion affects another workspace."""

    async def check(tenants: list[list[str]]) -> None:
        workspaces = [(await services.tenancy.workspaces.create(f"tenant {uuid4()}")).id for _ in tenants]

        async def save(workspace: str, ids: list[str], text: str) -> list[SaveOutcome]:
            drafts = [MemoryDraft(content=f"{text} of {workspace}: {id_}", id=id_) for id_ in ids]
            return [each.outcome for each in await services.memories.store.save_all(workspace, drafts)]

        both = list(zip(workspaces, tenants, strict=True))
        first = await asyncio.gather(*(save(workspace, ids, "first") for workspace, ids in both))
        second = await save(*both[0], "second")
        await services.memories.deletion.delete(workspaces[1], tenants[1][0])

        assert first == [[SaveOutcome.CREATED] * len(ids) for ids in tenants]
        assert second == [SaveOutcome.UPDATED] * len(tenants[0])
        for number, (workspace, ids) in enumerate(both):
            left = ids[1:] if number == 1 else ids
            page = await services.memories.store.page(workspace, MemoryFilter(), first=200)
            text = "second" if number == 0 else "first"
            assert {memory.id: memory.content for memory in page.items} == {
                id_: f"{text} of {workspace}: {id_}" for id_ in left
            }

    await run_examples(TENANTS, check)
