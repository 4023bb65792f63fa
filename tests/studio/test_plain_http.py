"""The Studio over plain http at an untrusted host: without `randomUUID`, `subtle` and `clipboard`."""

import pytest
from playwright.async_api import Page, expect

from tests.studio.conftest import PLAIN_HOST, settle, undo_of

MISSING = "[isSecureContext, crypto.randomUUID, crypto.subtle, navigator.clipboard].filter(Boolean).length"


@pytest.fixture
def plain_url(api_url) -> str:
    return api_url.replace("127.0.0.1", PLAIN_HOST)


def complaints_of(page: Page) -> list[str]:
    """Return the page's errors, except about headers that have no effect there."""
    return [each for each in page.complaints if "untrustworthy" not in each]


async def pasted(page: Page) -> str:
    """Paste the clipboard into a field and return the text."""
    await page.goto(f"{page.url.partition('/studio')[0]}/studio/playground")
    await page.get_by_label("Query").press("Control+V")
    return await page.get_by_label("Query").input_value()


async def test_a_chat_begins(open_studio, plain_url) -> None:
    """Issue 17."""
    page = await open_studio("/chat", at=plain_url)
    assert await page.evaluate(MISSING) == 0
    await page.get_by_role("button", name="New chat").click()

    await expect(page.get_by_text("Say something")).to_be_visible()
    assert "conversation=studio-" in page.url
    assert complaints_of(page) == []


async def test_a_deletion_can_be_undone(open_studio, plain_url, remembered) -> None:
    """L3."""
    page = await open_studio("/memories", at=plain_url)
    row = page.get_by_role("row").filter(has_text="Bob drinks espresso")
    await row.focus()
    await page.keyboard.press("Delete")
    dialog = page.get_by_role("dialog", name="Delete this memory?")
    await dialog.get_by_role("button", name="Delete").click()
    undo = await undo_of(page)
    await expect(row).to_have_count(0)
    await undo.click()

    await expect(row).to_be_visible()
    assert complaints_of(page) == []


async def test_a_transcript_without_an_id_is_imported_and_copied(open_studio, plain_url, capturing) -> None:
    """Issue 17."""
    page = await open_studio("/conversations?dialog=import", at=plain_url)
    dialog = page.get_by_role("dialog", name="Import conversations")
    await dialog.get_by_label("Conversation").fill("User: Hello\nAssistant: Hi there")
    await dialog.get_by_role("button", name="Import", exact=True).click()
    await expect(page.get_by_role("article")).to_have_count(2)
    await settle(page)
    await page.get_by_role("button", name="More").click()
    await page.get_by_role("menuitem", name="Copy as Markdown").click()

    await expect(page.get_by_text("Transcript copied")).to_be_visible()
    assert await pasted(page) == "### User\n\nHello\n\n### Assistant\n\nHi there"


async def test_a_new_key_is_copied_out_of_its_dialog(open_studio, plain_url) -> None:
    """Issue 17."""
    page = await open_studio("/settings?tab=keys", at=plain_url)
    await page.get_by_role("button", name="Create key").click()
    dialog = page.get_by_role("dialog", name="Create key")
    await dialog.get_by_label("Name").fill("a laptop's")
    await dialog.get_by_role("button", name="Create key").click()
    secret = page.get_by_role("dialog", name="New key")
    shown = await secret.locator("code, pre").first.inner_text()
    await secret.get_by_role("button", name="Copy", exact=True).click()

    await expect(secret.get_by_role("button", name="Copied")).to_be_visible()
    assert await pasted(page) == shown


async def test_a_failed_copy_is_reported(open_studio, talk) -> None:
    """Issue 17: if the browser refuses."""
    page = await open_studio("/conversations?conversation=chat-42")
    await page.evaluate("() => { navigator.clipboard.write = () => Promise.reject(new Error('refused')) }")
    await page.get_by_role("button", name="More").click()
    await page.get_by_role("menuitem", name="Copy as Markdown").click()

    await expect(page.get_by_text("The transcript was not copied")).to_be_visible()
    await expect(page.get_by_text("The browser does not allow this page to copy")).to_be_visible()
