"""Any sequence of changes to memories, with outages of the external tier between them."""

from hypothesis import strategies as st

from graph.core.errors import NotFound
from graph.memories.models import MemoryChange, MemoryDraft, MemoryFilter
from tests.integration.vectors.external.conftest import settled
from tests.properties.test_memory_upserts import run_examples

STEPS = st.lists(
    st.tuples(
        st.sampled_from(["save", "change", "relabel", "delete", "destroy", "restore", "away", "back"]),
        st.integers(0, 3),
    ),
    min_size=4,
    max_size=12,
)


async def test_the_tier_ends_with_the_active_memories(tier, own_services):
    """B21, B25, A31: exactly these memories, with the same texts and metadata."""
    memories = own_services.memories.store

    async def check(steps: list[tuple[str, int]]) -> None:
        workspace_id = (await own_services.tenancy.workspaces.create("any order")).id
        ids: list[str] = []

        async def take(step: str, number: int) -> None:
            if step in ("away", "back"):
                tier.failure = "away" if step == "away" else None
            elif step == "save" or not ids:
                draft = MemoryDraft(content=f"text {len(ids)}", dedup=False, metadata={"step": number})
                ids.append((await memories.save(workspace_id, draft)).memory.id)
            elif step == "change":
                await memories.update(
                    workspace_id, ids[number % len(ids)], MemoryChange(content=f"new {number}")
                )
            elif step == "relabel":
                await memories.update(
                    workspace_id, ids[number % len(ids)], MemoryChange(metadata={"x": number})
                )
            elif step == "restore":
                await memories.restore(workspace_id, ids[number % len(ids)])
            else:
                await own_services.memories.deletion.delete(
                    workspace_id, ids[number % len(ids)], hard=step == "destroy"
                )

        for step, number in steps:
            try:
                await take(step, number)
            except NotFound:
                assert step in ("change", "relabel", "restore")
        tier.failure = None
        await settled(own_services, workspace_id)

        live = {
            memory.id: (memory.content, memory.metadata)
            for memory in (await memories.page(workspace_id, MemoryFilter(), first=100)).items
        }
        mirrored = {
            id_: (payload["content"], payload["metadata"])
            for id_, payload in (await tier.payloads()).items()
            if payload["workspace_id"] == workspace_id
        }
        assert mirrored == live

    await run_examples(STEPS, check)
