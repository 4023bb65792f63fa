"""An administrator's part of the page Settings beside keys: users, webhooks, and the audit log."""

import json
import re
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from graph.memories.models import MemoryDraft
from tests.fixtures.graphs import run
from tests.studio.conftest import grave_faults, picture, settle

SEALED = """CYPHER 25 MATCH (workspace:Workspace {id: $ws})
SET workspace.llm_url = 'https://llm.example/v1', workspace.llm_model = 'small', workspace.llm_sealed_key = 'sealed'"""
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


async def choose_kind(page: Page, name: str) -> None:
    """Filter the audit log by a kind of action, or remove the filter; other tests' clocks are ahead."""
    kinds = page.get_by_role("combobox", name="Kinds of actions")
    await kinds.click()
    await page.get_by_role("option", name=name, exact=True).click()
    await kinds.press("Escape")


async def test_the_profile_of_a_user_leads_to_its_memories(open_studio, services, workspace_id) -> None:
    """Issue 36, point 8."""
    draft = MemoryDraft(content="The user lives in Oslo", user_id="dora")
    saved = await services.memories.store.save(workspace_id, draft)
    page = await open_studio("/settings?tab=users")
    await page.get_by_role("button", name="Actions for dora").click()
    await page.get_by_role("menuitem", name="Show profile").click()
    dialog = page.get_by_role("dialog", name="Profile of dora")
    await expect(dialog).to_contain_text("Current facts")

    await dialog.get_by_role("link", name="The user lives in Oslo").click()

    await expect(page).to_have_url(re.compile(f"memory={saved.memory.id}"))


async def test_the_data_of_a_user_is_exported_counted_and_erased(
    open_studio, services, workspace_id, tmp_path: Path
) -> None:
    """Issue 17, page 10: the confirmation lists the data to erase and asks for the user's name."""
    store = services.memories.store
    for content, owner in (("Dora keeps bees", "dora"), ("Emil plays chess", "emil")):
        await store.save(workspace_id, MemoryDraft(content=content, user_id=owner))
    page = await open_studio("/settings?tab=users")
    await page.get_by_role("button", name="Actions for dora").click()
    async with page.expect_download() as downloading:
        await page.get_by_role("menuitem", name="Export as JSON").click()
    file = tmp_path / "dora.json"
    await (await downloading.value).save_as(file)
    exported = json.loads(file.read_text())
    assert [memory["content"] for memory in exported["memories"]] == ["Dora keeps bees"]

    await page.get_by_role("button", name="Actions for dora").click()
    await page.get_by_role("menuitem", name="Erase").click()
    dialog = page.get_by_role("dialog", name="Erase dora?")
    counts = dialog.get_by_role("status")
    await expect(counts).to_contain_text("Memories: 1")
    await expect(dialog.get_by_role("button", name="Erase")).to_be_disabled()
    await dialog.get_by_label("Type the user's id to confirm").fill("dora")
    await settle(page)
    await page.screenshot(path=picture("erase", tmp_path))
    assert await grave_faults(page) == []
    await dialog.get_by_role("button", name="Erase").click()
    await expect(page.get_by_text("Erasing dora")).to_be_visible()

    await page.goto(page.url.replace("tab=users", "tab=audit"))
    await choose_kind(page, "User erased")
    await expect(page.get_by_role("row").filter(has_text="User erased").first).to_be_visible()
    assert page.complaints == []


async def test_a_language_model_of_its_own_is_refused_at_its_field_then_chosen(open_studio) -> None:
    """Issue 17, page 10: without a sealing key, the deployment accepts models without a key only."""
    page = await open_studio("/settings?tab=model")
    in_use = page.get_by_role("status", name="In use")
    await expect(in_use).to_contain_text("the deployment's language model")
    url, key = page.get_by_label("Base address"), page.get_by_role("textbox", name="Provider's key")
    await url.fill("https://ada@llm.example/v1")
    await page.get_by_role("textbox", name="Model", exact=True).fill("small")
    await key.fill("sk-secret")
    save = page.get_by_role("button", name="Save")
    await save.click()
    await expect(url).to_have_attribute("aria-invalid", "true")
    await expect(page.get_by_text("url must be an http or https address without user")).to_be_visible()

    await url.fill("https://llm.example/v1")
    await save.click()
    await expect(key).to_have_attribute("aria-invalid", "true")
    await expect(page.get_by_text("set RECOLLECT_LLM_SEALING_KEY")).to_be_visible()
    assert "sk-secret" not in await page.evaluate("JSON.stringify(sessionStorage)")
    assert await grave_faults(page) == []

    await key.fill("")
    await save.click()
    await expect(in_use).to_contain_text("small at https://llm.example/v1")
    await page.reload()
    await expect(url).to_have_value("https://llm.example/v1")
    await expect(save).to_be_disabled()
    assert page.complaints == []


async def test_a_stored_key_is_marked_as_set_and_deleted_with_its_address(
    open_studio, services, workspace_id, graph_driver, tmp_path: Path
) -> None:
    await run(graph_driver, SEALED, ws=workspace_id)
    page = await open_studio("/settings?tab=model")
    key = page.get_by_role("textbox", name="Provider's key")
    await expect(key).to_have_attribute("placeholder", "A key is set")
    await expect(key).to_have_value("")
    await page.get_by_role("textbox", name="Model", exact=True).fill("large")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_text("the stored key cannot be read")).to_be_visible()
    await page.get_by_label("Base address").fill("https://other.example/v1")
    await expect(page.get_by_text("The stored key belongs to the old address")).to_be_visible()
    await page.screenshot(path=picture("model", tmp_path))
    await page.get_by_role("button", name="Discard").click()

    await page.get_by_role("button", name="Remove").click()
    dialog = page.get_by_role("dialog", name="Remove this language model?")
    await dialog.get_by_role("button", name="Remove").click()
    await expect(page.get_by_role("status", name="In use")).to_contain_text("the deployment's")
    assert await services.tenancy.language_models.find(workspace_id) is None
    assert page.complaints == []


async def test_a_webhook_is_refused_with_its_reason_then_made_and_deleted(open_studio) -> None:
    """Issue 17, page 10."""
    page = await open_studio("/settings?tab=webhooks")
    await page.get_by_role("button", name="Add webhook").click()
    dialog = page.get_by_role("dialog", name="Add webhook")
    await dialog.get_by_label("Address").fill("ftp://example.com/hook")
    await dialog.get_by_role("button", name="Add webhook").click()
    await expect(dialog.get_by_role("alert")).to_be_visible()

    await dialog.get_by_label("Address").fill("https://example.com/hook")
    await dialog.get_by_label("Job failed").check()
    await dialog.get_by_role("button", name="Add webhook").click()
    secret = page.get_by_role("dialog", name="Signing key")
    await expect(secret.locator("code, pre").first).to_contain_text("whsec_")
    await secret.get_by_role("button", name="I have stored it").click()

    row = page.get_by_role("row").filter(has_text="https://example.com/hook")
    await expect(row).to_contain_text("Job failed")
    await row.get_by_role("button", name="Actions for https://example.com/hook").click()
    await page.get_by_role("menuitem", name="Delete").click()
    await page.get_by_role("dialog", name="Delete this webhook?").get_by_role("button", name="Delete").click()
    await expect(page.get_by_text("No webhooks")).to_be_visible()


async def test_the_audit_log_is_filtered_by_kinds_of_actions(open_studio) -> None:
    page = await open_studio("/settings?tab=audit")
    await choose_kind(page, "Signed in")
    await expect(page.get_by_role("row").filter(has_text="Signed in").first).to_be_visible()
    await choose_kind(page, "Signed in")
    await choose_kind(page, "Key created")
    await expect(page.get_by_role("row").filter(has_text="Key created").first).to_be_visible()
    await expect(page.get_by_role("row").filter(has_text="Signed in")).to_have_count(0)


@pytest.mark.parametrize(("width", "scheme"), [(1440, "dark"), (360, "light")])
async def test_every_part_loads_and_is_accessible(
    open_studio, api_url, services, workspace_id, tmp_path: Path, width, scheme
) -> None:
    await services.memories.store.save(workspace_id, MemoryDraft(content="Dora keeps bees", user_id="dora"))
    page = await open_studio(width=width, scheme=scheme)
    for tab in ("model", "users", "webhooks", "audit"):
        await page.goto(f"{api_url}/studio/settings?tab={tab}")
        await settle(page)
        await page.screenshot(path=picture(f"{tab}-{width}", tmp_path))
        assert await grave_faults(page) == [], tab
        assert await page.evaluate(OVERFLOW) <= 0, tab
    assert page.complaints == []
