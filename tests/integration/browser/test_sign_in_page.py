"""The sign-in page in a real Chromium: keyboard only, accessible errors, back to the previous page."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Page, async_playwright, expect

from graph.tenancy.models import Scope
from tests.fixtures.chromium import chromium_program

QUIET = ["--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"]


@pytest.fixture
async def page() -> AsyncIterator[Page]:
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(executable_path=chromium_program(), args=QUIET)
        context = await chromium.new_context(viewport={"width": 900, "height": 700})
        context.set_default_timeout(60_000)
        yield await context.new_page()
        await chromium.close()


async def test_a_person_signs_in_and_out_by_keyboard(
    page, api_url, services, workspace_id, tmp_path: Path
) -> None:
    """I10, L15: Chromium enforces the page's policy, hides the cookie from scripts and sends the origin."""
    _, secret = await services.tenancy.keys.create(workspace_id, name="a person's key", scopes=[Scope.READ])
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    wanted = f"{api_url}/chat/api/chat_abc123/memories"

    refused = await page.goto(wanted)
    assert refused is not None
    assert refused.status == 401
    field = page.get_by_label("API key")
    await expect(field).to_be_focused()
    await expect(field).to_have_accessible_description(
        "The first start of the service (make up) prints the first key. recollect keys create makes others. "
        "If none is left, start once with a new key in RECOLLECT_ADMIN_KEY."
    )
    styled = await page.locator("main").evaluate("main => getComputedStyle(main).borderRadius")
    assert styled == "12px"
    picture = tmp_path / "sign-in.png"
    await page.screenshot(path=picture)
    assert picture.stat().st_size > 5_000

    await page.keyboard.type("no such key")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("alert")).to_have_text("This key is unknown, revoked or expired.")
    await expect(field).to_be_focused()
    await page.screenshot(path=tmp_path / "refused.png")

    await page.keyboard.type(secret)
    await page.keyboard.press("Tab")
    await expect(page.get_by_role("button", name="Sign in")).to_be_focused()
    await page.keyboard.press("Enter")
    await page.wait_for_url(wanted)
    assert '{"memories":[]}' in await page.content()
    assert await page.evaluate("document.cookie") == ""
    (cookie,) = await page.context.cookies()
    assert (cookie["name"], cookie["httpOnly"], cookie["sameSite"]) == ("session", True, "Lax")

    await page.goto(f"{api_url}/sign-in")
    await expect(page.get_by_role("heading")).to_have_text("You are signed in")
    await expect(page.get_by_text("a person's key")).to_be_visible()
    await page.screenshot(path=tmp_path / "signed-in.png")
    await page.get_by_role("button", name="Sign out").press("Enter")
    await expect(page.get_by_role("heading")).to_have_text("Sign in")
    assert await page.context.cookies() == []
    assert [text for text in complaints if "Content Security Policy" in text] == []
