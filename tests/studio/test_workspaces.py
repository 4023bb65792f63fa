"""The switch of workspaces, at the top left of every page."""

from playwright.async_api import expect

from graph.memories.models import MemoryDraft
from tests.studio.conftest import Answer, answering, grave_faults, settle


def first_two_of_many(answer: Answer) -> Answer:
    """Return the response of a deployment with more workspaces than a page lists, none of them an archive."""
    listed = answer["data"]["workspaces"]
    named = [edge for edge in listed["edges"] if not edge["node"]["name"].startswith("Archive")]
    listed["edges"] = named[:2]
    listed["pageInfo"]["hasNextPage"] = True
    return answer


async def test_a_workspace_beyond_those_listed_is_found_and_shown_by_its_name(
    open_studio, services, other_workspace_id
) -> None:
    """L1: however many there are; the selected one shows its name."""
    default = (await services.tenancy.workspaces.ensure_default()).id
    name = f"Archive {other_workspace_id}"
    await services.tenancy.workspaces.update(other_workspace_id, name=name)
    await services.memories.store.save(other_workspace_id, MemoryDraft(content="The archive is in Chur"))
    page = await open_studio("/memories", workspace=default)
    async with answering(page, "Workspaces", first_two_of_many):
        await page.reload()
        await page.get_by_role("combobox", name="Workspace: ").click()
        await expect(page.get_by_role("option")).to_have_count(2)
        await page.get_by_label("Find by name or id").fill(name)
        await expect(page.get_by_role("option", name=name)).to_be_visible()
        await settle(page)
        assert await grave_faults(page) == []
        await page.keyboard.press("ArrowDown")
        await page.keyboard.press("Enter")

        await expect(page.get_by_text("The archive is in Chur")).to_be_visible()
        await expect(page.get_by_role("combobox", name=f"Workspace: {name}")).to_be_visible()
    assert f"workspace={other_workspace_id}" in page.url
    assert page.complaints == []
