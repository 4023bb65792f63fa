"""Several memories on the page Memories: bulk changes and deletions, relations, and contradictions."""

from playwright.async_api import expect

from graph.memories.models import AssociationType, MemoryDraft
from graph.retrieval.recall.models import RecallQuery
from tests.fixtures.waiting import until
from tests.studio.conftest import grave_faults, settle, undo_of


async def test_a_bulk_deletion_is_confirmed_and_undone(open_studio, remembered) -> None:
    """Issue 17: selected by keyboard and by click; the server counts them first."""
    page = await open_studio("/memories")
    await page.get_by_role("row").filter(has_text="Ada prefers tabs").focus()
    await page.keyboard.press("x")
    await page.get_by_label("Choose: Bob drinks espresso every morning").click()
    bar = page.get_by_role("toolbar", name="Chosen memories")
    await expect(bar).to_contain_text("2 chosen")

    await bar.get_by_role("button", name="Delete").click()
    dialog = page.get_by_role("dialog", name="Delete the chosen memories?")
    await expect(dialog.get_by_text("2 memories would be affected")).to_be_visible()
    await settle(page)
    assert await grave_faults(page) == []
    await dialog.get_by_role("button", name="Delete 2 memories").click()

    undo = await undo_of(page)
    await expect(page.get_by_text("3 memories", exact=True)).to_be_visible()
    await expect(bar).to_have_count(0)
    await undo.click()
    await expect(page.get_by_text("5 memories", exact=True)).to_be_visible()
    assert page.complaints == []


async def test_all_matching_memories_are_tagged(open_studio, services, workspace_id, remembered) -> None:
    """Issue 17: also by a filter; nothing changes before the confirmation."""
    await services.memories.store.save_all(
        workspace_id,
        [MemoryDraft(content=f"The lift of house {number} is out of order") for number in range(90)],
    )
    page = await open_studio("/memories?q=lift")
    await expect(page.get_by_text("90 memories", exact=True)).to_be_visible()
    await page.get_by_label("Choose all shown").click()
    bar = page.get_by_role("toolbar", name="Chosen memories")
    await bar.get_by_role("button", name="Choose all 90 matches").click()
    await expect(bar).to_contain_text("90 chosen")

    await bar.get_by_role("button", name="Tags").click()
    dialog = page.get_by_role("dialog", name="Tag the chosen memories")
    await expect(dialog.get_by_role("button", name="Change", exact=True)).to_be_disabled()
    await dialog.get_by_label("Add tags").fill("houses")
    await page.keyboard.press("Enter")
    await expect(dialog.get_by_text("90 memories would be affected")).to_be_visible()
    await dialog.get_by_role("button", name="Change 90 memories").click()

    await expect(page.get_by_text("90 memories changed")).to_be_visible()
    await expect(page.get_by_role("row").filter(has_text="houses").first).to_be_visible()


async def test_a_new_list_clears_the_selection(
    open_studio, services, workspace_id, other_workspace_id, remembered
) -> None:
    """Issue 17: the selected matches of a search must not carry over to another list or workspace."""
    store = services.memories.store
    await store.save(other_workspace_id, MemoryDraft(content="The archive is in Chur"))
    await store.save_all(
        workspace_id,
        [MemoryDraft(content=f"The lift of house {number} is out of order") for number in range(70)],
    )
    page = await open_studio("/memories?q=lift")
    await expect(page.get_by_text("70 memories", exact=True)).to_be_visible()
    await page.get_by_label("Choose all shown").click()
    bar = page.get_by_role("toolbar", name="Chosen memories")
    await bar.get_by_role("button", name="Choose all 70 matches").click()
    await expect(bar).to_contain_text("70 chosen")

    await page.get_by_role("link", name="Memories", exact=True).click()
    await expect(page.get_by_text("75 memories", exact=True)).to_be_visible()
    await expect(bar).to_have_count(0)

    await page.get_by_label("Choose all shown").click()
    await expect(bar).to_be_visible()
    # The switch of workspaces lists only the first hundred.
    await page.evaluate(
        "address => { history.pushState({}, '', address); dispatchEvent(new PopStateEvent('popstate')) }",
        f"/studio/memories?workspace={other_workspace_id}",
    )
    await expect(page.get_by_text("The archive is in Chur")).to_be_visible()
    await expect(bar).to_have_count(0)
    assert page.complaints == []


async def test_two_memories_are_related_strengthened_and_separated(
    open_studio, services, workspace_id, remembered
) -> None:
    """Issue 17: a search finds the other memory; the removal can be undone."""
    page = await open_studio(f"/memories?memory={remembered[1]}")
    drawer = page.get_by_role("dialog", name="Memory", exact=True)
    await drawer.get_by_role("button", name="Relate to another").click()
    dialog = page.get_by_role("dialog", name="Relate to another memory")
    await dialog.get_by_label("Relation").click()
    await page.get_by_role("option", name="Leads to").click()
    await dialog.get_by_label("Other memory").fill("staging")
    await page.get_by_role("option", name="The staging cluster is rebuilt every Monday").click()
    await settle(page)
    assert await grave_faults(page) == []
    await dialog.get_by_role("button", name="Save").click()
    related = drawer.get_by_role("button", name="The staging cluster is rebuilt every Monday", exact=True)
    await expect(related).to_be_visible()
    await expect(drawer).to_contain_text("Leads to → · 50%")

    await drawer.get_by_role("button", name="Change the strength: The staging cluster").click()
    await page.get_by_label("Strength (0 to 1)").fill("0.9")
    await page.get_by_role("dialog", name="Strength of the relation").get_by_text("Save").click()
    await expect(drawer).to_contain_text("Leads to → · 90%")

    await drawer.get_by_role("button", name="Remove the relation: The staging cluster").click()
    undo = await undo_of(page)
    await expect(related).to_have_count(0)
    await undo.click()
    await expect(related).to_be_visible()
    found = await services.memories.associations.of_memories(workspace_id, [remembered[1]], first=5)
    (edge,) = found[remembered[1]]
    assert (edge.type, edge.strength) == (AssociationType.LEADS_TO, 0.9)
    assert page.complaints == []


async def test_one_of_two_contradicting_memories_is_chosen(
    open_studio, services, workspace_id, remembered
) -> None:
    """Issue 17: side by side with their differences; the other one's deletion can be undone."""
    store = services.memories.store
    old = (await store.save(workspace_id, MemoryDraft(content="Ada is allergic to peanuts"))).memory
    await store.save(workspace_id, MemoryDraft(content="Ada is not allergic to peanuts"))
    query = RecallQuery(query=old.content, dry_run=True)

    async def is_seen() -> bool:
        found = await services.retrieval.recall.recall(workspace_id, query)
        return any(hit.disagrees_with for hit in found.hits)

    await until(is_seen)
    page = await open_studio(f"/memories?memory={old.id}")
    drawer = page.get_by_role("dialog", name="Memory", exact=True)
    await expect(drawer.get_by_text("Disagrees with another memory")).to_be_visible()
    await expect(drawer.get_by_role("region", name="The other").locator("strong")).to_contain_text("not")
    await settle(page)
    assert await grave_faults(page) == []

    await drawer.get_by_role("button", name="Keep the other").click()

    await expect(drawer.get_by_label("Content")).to_have_value("Ada is not allergic to peanuts")
    await expect(drawer.get_by_text("Disagrees with another memory")).to_have_count(0)
    await expect(page.get_by_text("Memory deleted")).to_be_visible()
    assert page.complaints == []
