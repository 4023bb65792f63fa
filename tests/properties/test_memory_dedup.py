"""Deduplication of statements saved in any order and batches: each fact once, similar facts kept apart."""

import asyncio

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graph.memories.deduplication.sameness import say_the_same
from graph.memories.models import MemoryDraft, MemoryFilter, SaveOutcome
from tests.fixtures.timeouts import scaled_timeout

# Facts with the same words, whose vectors are equal here, and facts with distant vectors.
FACTS = ("Ada manages Bob", "Bob manages Ada", "Ada likes tea", "Ada likes tea, Bob", "tabs over spaces")
SPELLINGS = (str, str.lower, str.upper, lambda fact: f"  {fact}. ", lambda fact: fact.replace(" ", "  "))
STATEMENTS = st.builds(lambda fact, spell: spell(fact), st.sampled_from(FACTS), st.sampled_from(SPELLINGS))
BATCHES = st.lists(st.lists(STATEMENTS, min_size=1, max_size=4), min_size=1, max_size=5)


async def test_each_fact_is_stored_once_and_none_is_lost(services) -> None:
    """A21: each receipt names a memory with the same statement; a repetition is marked and stores nothing."""
    loop = asyncio.get_running_loop()

    async def check(batches: list[list[str]]) -> None:
        workspace = (await services.tenancy.workspaces.create("dedup")).id
        said, created = [], 0
        for batch in batches:
            receipts = await services.memories.store.save_all(
                workspace, [MemoryDraft(content=statement) for statement in batch]
            )
            said += zip(batch, receipts, strict=True)
            created += sum(receipt.outcome is SaveOutcome.CREATED for receipt in receipts)

        stored = {
            memory.id: memory.content
            for memory in (await services.memories.store.page(workspace, MemoryFilter(), first=200)).items
        }
        for statement, receipt in said:
            assert say_the_same(stored[receipt.memory.id], statement)
        texts = list(stored.values())
        assert len(texts) == created
        assert not any(say_the_same(a, b) for i, a in enumerate(texts) for b in texts[:i])

    @settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
    @given(BATCHES)
    def checked(batches: list[list[str]]) -> None:
        asyncio.run_coroutine_threadsafe(check(batches), loop).result(scaled_timeout(60))

    await asyncio.to_thread(checked)
