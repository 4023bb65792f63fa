"""Saves at the same time: one memory per key and per text, with everything that was said of it."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graph.memories.models import MemoryDraft, MemoryFilter, SaveOutcome

KEYS = st.sampled_from(["k1", "k2", "k3"])
WRITERS = st.lists(st.lists(KEYS, min_size=1, max_size=4), min_size=2, max_size=6)
TEXTS = st.sampled_from(["Ada likes tea", "ADA likes tea.", "Ada likes coffee", "Bob lives in Rome"])


async def run_examples(strategy, check: Callable[..., Awaitable[None]]) -> None:
    """Run a coroutine for a few examples of a strategy on the loop of the engine."""
    loop = asyncio.get_running_loop()

    @settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
    @given(strategy)
    def checked(example) -> None:
        asyncio.run_coroutine_threadsafe(check(example), loop).result(60)

    await asyncio.to_thread(checked)


async def test_upserts_of_one_key_at_once_are_one_memory_with_all_metadata(services) -> None:
    """A19, A20."""

    async def check(writers: list[list[str]]) -> None:
        workspace = (await services.workspaces.create("upserts")).id

        async def write(number: int, keys: list[str]) -> None:
            drafts = [
                MemoryDraft(content=f"{key} of {number}", key=key, metadata={f"{number}.{place}": place})
                for place, key in enumerate(keys)
            ]
            await services.memories.save_all(workspace, drafts)

        await asyncio.gather(*(write(number, keys) for number, keys in enumerate(writers)))

        expected: dict[str, dict[str, int]] = {}
        for number, keys in enumerate(writers):
            for place, key in enumerate(keys):
                expected.setdefault(key, {})[f"{number}.{place}"] = place
        page = await services.memories.page(workspace, MemoryFilter(), first=200)
        assert {memory.key: memory.metadata for memory in page.items} == expected
        assert len(page.items) == len(expected)

    await run_examples(WRITERS, check)


async def test_saves_of_one_text_at_once_are_one_memory(services) -> None:
    """A21: as many are created as texts that say something else."""

    async def check(texts: list[str]) -> None:
        workspace = (await services.workspaces.create("texts")).id

        receipts = await asyncio.gather(
            *(services.memories.save(workspace, MemoryDraft(content=text)) for text in texts)
        )

        hashes = {" ".join(text.casefold().split()) for text in texts}
        outcomes = Counter(receipt.outcome for receipt in receipts)
        stored = await services.memories.count(workspace)
        assert outcomes[SaveOutcome.CREATED] == stored <= len(hashes)
        assert outcomes[SaveOutcome.DEDUPLICATED] == len(texts) - stored

    await run_examples(st.lists(TEXTS, min_size=2, max_size=8), check)
