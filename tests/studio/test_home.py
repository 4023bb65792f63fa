"""What waits for a decision on the page Home, and how it is decided."""

import pytest
from playwright.async_api import expect

from graph.knowledge.ontology.models import EntityDraft, EntityFilter
from graph.memories.models import MemoryDraft
from tests.fixtures.waiting import until
from tests.studio.conftest import grave_faults, settle


@pytest.fixture
async def undecided(services, workspace_id) -> None:
    """Two memories that cannot both hold, and two spellings of one service."""
    store = services.memories.store
    await store.save(workspace_id, MemoryDraft(content="Ada is allergic to peanuts"))
    await store.save(workspace_id, MemoryDraft(content="Ada is not allergic to peanuts"))
    for place, name in enumerate(("Checkout service", "Checkout-service")):
        draft = EntityDraft(type="Service", name=name, key=f"service/{place}")
        await services.knowledge.ontology.upsert_entities(workspace_id, [draft])
    await until(lambda: services.memories.contradictions.latest(workspace_id))


async def test_of_two_memories_that_disagree_one_is_chosen_or_both_are_kept(
    open_studio, services, workspace_id, undecided
) -> None:
    """Issue 17, page 1: compared side by side one click away; both that stay are known to contradict each other."""
    page = await open_studio()
    waiting = page.get_by_role("region", name="Waiting for a decision")
    await expect(waiting).to_contain_text("disagrees with “Ada is allergic to peanuts”")
    await settle(page)
    assert await grave_faults(page) == []
    await waiting.get_by_role("link", name="Compare").first.click()
    await expect(page.get_by_role("dialog", name="Memory")).to_contain_text("Disagrees with another memory")

    await page.go_back()
    await waiting.get_by_role("button", name="Keep both").click()
    await expect(page.get_by_text("Both are kept")).to_be_visible()
    await expect(waiting).not_to_contain_text("peanuts")
    assert await services.memories.contradictions.latest(workspace_id) == []
    assert page.complaints == []


async def test_entities_that_may_be_one_are_merged_which_can_be_undone(
    open_studio, services, workspace_id, undecided
) -> None:
    """Issue 17, page 1."""
    page = await open_studio(width=360, height=740)
    waiting = page.get_by_role("region", name="Waiting for a decision")
    await expect(waiting).to_contain_text("Checkout-service may be Checkout service")
    await waiting.get_by_role("button", name="Merge").click()
    await expect(waiting).not_to_contain_text("Checkout")
    assert await services.knowledge.merging.alike(workspace_id) == []

    await page.get_by_role("button", name="Undo", exact=True).click()
    entities = await until(lambda: _live(services, workspace_id))
    assert entities == ["Checkout service", "Checkout-service"]
    assert page.complaints == []


async def _live(services, workspace_id) -> list[str]:
    """Return the names of the services once there are two again."""
    page = await services.knowledge.ontology.page(workspace_id, EntityFilter(types=("Service",)))
    names = sorted(entity.name for entity in page.items)
    return names if len(names) == 2 else []
