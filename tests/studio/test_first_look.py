"""The pages that everybody needs first, in Chromium: the Studio's tests in the gate."""

from playwright.async_api import expect

from graph.knowledge.ontology.models import EntityDraft, RelationDraft
from graph.tenancy.models import Scope
from tests.studio.conftest import settle
from tests.studio.drawn_graph import drawn


async def test_an_unknown_key_is_refused_and_a_valid_one_signs_in(open_studio) -> None:
    """I10, L15."""
    page = await open_studio()
    await expect(page.get_by_role("heading", name="Home")).to_be_visible()
    await page.context.clear_cookies()
    await page.goto(f"{page.url.split('/studio')[0]}/sign-in")

    await page.get_by_label("API key").fill("no such key")
    await page.keyboard.press("Enter")

    await expect(page.get_by_role("alert")).to_have_text("This key is unknown, revoked or expired.")


async def test_a_saved_memory_appears_in_the_list(open_studio) -> None:
    """L2."""
    page = await open_studio("/memories")
    await page.get_by_role("button", name="Add memory").first.click()  # the empty list has one, too
    dialog = page.get_by_role("dialog", name="Add memory")
    await dialog.get_by_label("Content").fill("Carla is allergic to peanuts")

    await dialog.get_by_role("button", name="Save").click()

    await expect(page.get_by_role("row").filter(has_text="Carla is allergic to peanuts")).to_be_visible()
    assert page.complaints == []


async def test_the_playground_shows_the_hits_of_a_query(open_studio, remembered) -> None:
    """L8."""
    page = await open_studio("/playground")
    await page.get_by_label("Query").fill("When are releases cut?")

    await page.get_by_role("button", name="Simulate").click()

    await expect(page.get_by_role("article").first).to_contain_text("Releases are cut on Thursdays at ten")
    assert page.complaints == []


async def test_the_graph_draws_entities_and_relations(open_studio, services, workspace_id) -> None:
    """Issue 17, page 6."""
    ontology = services.knowledge.ontology
    drafts = [EntityDraft(type="Person", name="Ada"), EntityDraft(type="Service", name="Atlas")]
    ada, atlas = await ontology.upsert_entities(workspace_id, drafts)
    leads = RelationDraft(from_name=ada.id, to_name=atlas.id, type="LEADS")
    await ontology.upsert_relations(workspace_id, [leads])

    page = await open_studio("/graph")

    await drawn(page, 2, 1)
    assert page.complaints == []


async def test_a_key_that_may_only_read_cannot_change_settings(open_studio) -> None:
    """I10, L10."""
    page = await open_studio("/settings", scopes=[Scope.READ])
    await settle(page)

    await expect(page.get_by_role("alert")).to_have_text(
        "Only an administrator's key can see and change these settings."
    )
    assert page.complaints == []
