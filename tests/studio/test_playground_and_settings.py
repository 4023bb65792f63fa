"""The Playground, which simulates an agent's recall, and the settings of recall."""

from playwright.async_api import expect

from graph.memories.models import MemoryDraft
from tests.fixtures.jobs import jobs_done
from tests.studio.conftest import settle


async def test_a_question_is_simulated_and_two_settings_are_compared(
    open_studio, services, workspace_id, remembered, capturing
) -> None:
    """L8: hits show ranks, scores and reasons; a simulation does not count as use."""
    page = await open_studio("/playground")
    await page.get_by_label("Query").fill("When are releases cut?")
    await page.get_by_role("button", name="Simulate").click()
    first = page.get_by_role("article").first
    await expect(first).to_contain_text("Releases are cut on Thursdays at ten")
    await expect(first).to_contain_text("Relevance")
    await expect(first).to_contain_text("Words #1")
    await expect(page.get_by_role("group", name="Time by stage")).to_contain_text("ms in all")

    await page.get_by_role("switch", name="Compare with another setting").press("Space")
    await expect(page.get_by_role("region", name="Setting B")).to_contain_text(
        "Releases are cut on Thursdays"
    )
    assert "compare=1" in page.url

    await page.get_by_role("tab", name="Context").click()
    await expect(page.locator("pre")).to_contain_text("Releases are cut on Thursdays at ten")
    await settle(page)
    await services.telemetry.usage.flush()
    memory = await services.memories.store.get(workspace_id, remembered[1])
    assert memory.usage_count == 0
    assert page.complaints == []


async def test_a_context_begins_with_the_profile_on_request(
    open_studio, services, workspace_id, remembered
) -> None:
    """Issue 36, point 8."""
    draft = MemoryDraft(content="I live in Lisbon", user_id="ada", tags=("pinned",))
    await services.memories.store.save(workspace_id, draft)
    await jobs_done(services, workspace_id)
    page = await open_studio("/playground?q=When+are+releases+cut&view=context")
    await page.get_by_label("User", exact=True).fill("ada")
    await page.get_by_role("switch", name="Begin with the profile").press("Space")

    await expect(page.locator("pre")).to_contain_text("User profile:")
    await expect(page.locator("pre")).to_contain_text("I live in Lisbon")
    assert page.complaints == []


async def test_a_limit_field_can_be_cleared_and_retyped(open_studio, remembered) -> None:
    """Issue 17."""
    page = await open_studio("/playground?q=releases")
    limit = page.get_by_label("Most hits")
    await limit.press("Control+A")
    await limit.press("Delete")
    await expect(limit).to_have_value("")
    await limit.press_sequentially("3")
    await expect(limit).to_have_value("3")
    await page.wait_for_url("**limit=3*")

    await limit.press("Backspace")
    await limit.blur()
    await expect(limit).to_have_value("3")


async def test_switching_memory_on_names_the_cost(open_studio, services, workspace_id) -> None:
    """L10, L11."""
    page = await open_studio("/settings")
    switch = page.get_by_role("switch", name="Memory")
    was_on = await switch.is_checked()
    await page.get_by_label("Token budget").fill("1500")
    if not was_on:
        await switch.press("Space")
    await page.get_by_role("button", name="Save").click()

    await expect(page.get_by_text("Settings saved")).to_be_visible()
    await expect(page.get_by_text("Memory costs tokens")).to_be_visible()
    await expect(page.get_by_text("gets up to 1500 more tokens")).to_be_visible()


async def test_a_key_is_created_shown_once_and_revoked(open_studio) -> None:
    page = await open_studio("/settings?tab=keys")
    await page.get_by_role("button", name="Create key").click()
    dialog = page.get_by_role("dialog", name="Create key")
    await dialog.get_by_label("Name").fill("a laptop's")
    await dialog.get_by_role("button", name="Create key").click()
    secret = page.get_by_role("dialog", name="New key")
    await expect(secret.locator("code, pre").first).to_contain_text("rk_")
    await secret.get_by_role("button", name="I have stored it").click()

    await page.get_by_role("button", name="Actions for a laptop's").click()
    await page.get_by_role("menuitem", name="Revoke").click()
    await page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    await expect(page.get_by_text("a laptop's")).to_have_count(0)
