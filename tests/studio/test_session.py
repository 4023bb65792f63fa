"""What the Studio does when the session is over: it says so, and nothing typed is lost."""

from playwright.async_api import expect

from tests.studio.conftest import settle


async def test_an_expired_session_leads_back_to_where_it_was(
    open_studio, services, workspace_id, remembered
) -> None:
    """I10, L15: with the filters, and with what was typed."""
    page = await open_studio("/memories?type=habit&dialog=add")
    await settle(page)
    await page.get_by_role("dialog").get_by_label("Content").fill("Typed before it was over")
    (cookie,) = await page.context.cookies()
    await services.tenancy.sessions.sign_out(cookie["value"])

    await page.get_by_role("dialog", name="Add memory").get_by_label("Content").press("Control+Enter")
    over = page.get_by_role("dialog", name="Your session is over")
    await expect(over).to_be_visible()
    await settle(page)
    await over.get_by_role("link", name="Sign in again").click()
    _, secret = await services.tenancy.access.create_key(workspace_id, name="again", scopes=["read", "write"])
    await page.get_by_label("API key").fill(secret)
    await page.keyboard.press("Enter")

    await expect(page.get_by_role("dialog").get_by_label("Content")).to_have_value("Typed before it was over")
    assert page.url.endswith("/studio/memories?type=habit&dialog=add")
