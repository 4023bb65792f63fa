"""An expired session or a lost server: the Studio reports it, and no typed text is lost."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

import httpx
import pytest
from playwright.async_api import Page, expect

from app.bootstrap.runtime import Runtime
from graph.operations.services import Services
from graph.tenancy.models import Scope
from tests.fixtures.served import serving
from tests.fixtures.upstream import Says
from tests.studio.conftest import grave_faults, settle

LOST = "The server does not answer. Your input is kept, and the page reconnects automatically."
KEPT = "Object.keys(sessionStorage).map(name => sessionStorage.getItem(name))"


@dataclass
class OwnService:
    """A service of the test's own, which can stop and restart at the same address."""

    runtime: Runtime
    url: str = ""
    running: AsyncExitStack = field(default_factory=AsyncExitStack)

    async def start(self) -> None:
        port = httpx.URL(self.url).port or 0
        self.url = await self.running.enter_async_context(serving(self.runtime, port=port))

    async def stop(self) -> None:
        await self.running.aclose()


@pytest.fixture
async def own_service(runtime) -> AsyncIterator[OwnService]:
    service = OwnService(runtime)
    await service.start()
    yield service
    await service.stop()


async def end_session(page: Page, services: Services) -> None:
    (cookie,) = await page.context.cookies()
    await services.tenancy.sessions.sign_out(cookie["value"])


async def sign_in_again(page: Page) -> None:
    """Follow the dialog and sign in with the same key."""
    over = page.get_by_role("dialog", name="Your session has ended")
    await expect(over).to_be_visible()
    await settle(page)
    await over.get_by_role("link", name="Sign in again").click()
    await sign_in(page, page.secret)


async def sign_in(page: Page, secret: str) -> None:
    await page.get_by_label("API key").fill(secret)
    await page.keyboard.press("Enter")


async def sign_out(page: Page) -> None:
    await page.get_by_role("button", name="Account, colours and language").click()
    await page.get_by_role("menuitem", name="Sign out").click()
    await page.wait_for_url("**/sign-in")


async def test_an_expired_session_returns_to_the_same_address(open_studio, services, remembered) -> None:
    """I10, L15: with the filters and the typed text."""
    page = await open_studio("/memories?type=habit&dialog=add")
    await settle(page)
    await page.get_by_role("dialog").get_by_label("Content").fill("Typed before it was over")
    await end_session(page, services)

    await page.get_by_role("dialog", name="Add memory").get_by_label("Content").press("Control+Enter")
    await sign_in_again(page)

    await expect(page.get_by_role("dialog").get_by_label("Content")).to_have_value("Typed before it was over")
    assert page.url.endswith("/studio/memories?type=habit&dialog=add")


async def test_settings_typed_before_the_session_was_over_are_still_there(open_studio, services) -> None:
    """Issue 17: an expired session returns to the same page."""
    page = await open_studio("/settings")
    await page.get_by_label("Token budget").fill("1234")
    await end_session(page, services)
    # A request of the page itself may have noticed first, so the dialog may cover the button.
    await page.get_by_role("button", name="Save").dispatch_event("click")
    await sign_in_again(page)

    await expect(page.get_by_label("Token budget")).to_have_value("1234")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_text("Settings saved")).to_be_visible()
    await expect(page.get_by_role("button", name="Save")).to_be_disabled()
    await page.reload()
    await expect(page.get_by_label("Token budget")).to_have_value("1234")


async def test_a_webhook_typed_before_the_session_was_over_is_still_there(open_studio, services) -> None:
    """Issue 17: small forms also keep typed text until it is saved."""
    page = await open_studio("/settings?tab=webhooks")
    dialog = page.get_by_role("dialog", name="Add webhook")
    await page.get_by_role("button", name="Add webhook").click()
    await dialog.get_by_label("Address").fill("https://example.com/hook")
    await dialog.get_by_label("Memory deleted").check()
    await end_session(page, services)
    # A request of the page itself may have noticed first, so the dialog may cover the button.
    await dialog.get_by_role("button", name="Add webhook").dispatch_event("click")
    await sign_in_again(page)

    await page.get_by_role("button", name="Add webhook").click()
    await expect(dialog.get_by_label("Address")).to_have_value("https://example.com/hook")
    await expect(dialog.get_by_label("Memory deleted")).to_be_checked()


async def test_a_request_after_the_session_expired_is_retried(
    open_studio, services, chat_proxy, upstream
) -> None:
    """Issue 17: an expired session returns to the same page."""
    upstream.answers = [Says("Still here.")]
    page = await open_studio("/chat", at=chat_proxy.url, workspace=chat_proxy.workspace_id)
    await page.get_by_label("Model").fill("gpt-test")
    await page.get_by_label("Message").fill("Are you still there?")
    await end_session(page, services)
    await page.get_by_label("Message").press("Enter")
    await sign_in_again(page)

    turn = page.get_by_role("region", name="Are you still there?")
    await turn.get_by_role("button", name="Try again").click()
    await expect(turn.get_by_text("Still here.")).to_be_visible()


async def test_signing_out_discards_typed_text(open_studio) -> None:
    """I10: the next user of this tab sees none of it, even with the same key."""
    page = await open_studio("/memories?dialog=add")
    dialog = page.get_by_role("dialog", name="Add memory")
    await dialog.get_by_label("Content").fill("Nobody else's business")
    await page.goto(page.url.partition("?")[0])
    assert any("business" in kept for kept in await page.evaluate(KEPT))
    await sign_out(page)
    assert await page.evaluate(KEPT) == []

    await sign_in(page, page.secret)
    await expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    await page.goto(f"{page.url.partition('/sign-in')[0]}/studio/memories?dialog=add")
    await expect(dialog.get_by_label("Content")).to_have_value("")


async def test_text_typed_with_one_key_is_invisible_with_another(open_studio, services, workspace_id) -> None:
    """I10: one user's session has expired, and another user signs in."""
    page = await open_studio("/memories?dialog=add")
    dialog = page.get_by_role("dialog", name="Add memory")
    await dialog.get_by_label("Content").fill("Nobody else's business")
    await end_session(page, services)
    await dialog.get_by_label("Content").press("Control+Enter")
    await page.get_by_role("link", name="Sign in again").click()
    _, secret = await services.tenancy.keys.create(workspace_id, name="Bob", scopes=list(Scope))
    await sign_in(page, secret)

    await expect(dialog.get_by_label("Content")).to_have_value("")
    await settle(page)
    assert not any("business" in kept for kept in await page.evaluate(KEPT))


async def test_health_is_green_or_red_by_the_servers(open_studio, own_service) -> None:
    """L7."""
    page = await open_studio(at=own_service.url)
    well = page.get_by_role("button", name="Health: All services work")
    await expect(well).to_have_attribute("data-health", "green")

    await own_service.stop()
    gone = page.get_by_role("button", name="Health: No connection")
    await expect(gone).to_have_attribute("data-health", "red")

    await own_service.start()
    await expect(well).to_have_attribute("data-health", "green")


async def test_a_dialog_keeps_typed_text_while_the_server_is_away(
    open_studio, own_service, services, workspace_id
) -> None:
    """Issue 17: the page reports a lost server and recovers without a reload."""
    page = await open_studio("/memories?dialog=add", at=own_service.url)
    dialog = page.get_by_role("dialog", name="Add memory")
    content = dialog.get_by_label("Content")
    await content.fill("Typed while nobody listened")
    await settle(page)
    await own_service.stop()

    await expect(page.get_by_text(LOST)).to_be_visible()
    await content.press("Control+Enter")
    await expect(dialog.get_by_text("The server does not answer", exact=True)).to_be_visible()
    await settle(page)
    assert await grave_faults(page) == []

    await own_service.start()
    await expect(page.get_by_text(LOST)).to_have_count(0)
    await expect(content).to_have_value("Typed while nobody listened")
    await content.press("Control+Enter")
    await expect(page.get_by_role("row").filter(has_text="Typed while nobody listened")).to_be_visible()


async def test_a_chat_keeps_typed_text_while_the_server_is_away(open_studio, own_service) -> None:
    """Issue 17: a failed message is sent again, and an unsent one stays in its field."""
    page = await open_studio("/chat", at=own_service.url)
    await page.get_by_label("Model").fill("gpt-test")
    await page.get_by_label("Message").fill("Is anybody there?")
    await own_service.stop()
    await page.keyboard.press("Enter")
    turn = page.get_by_role("region", name="Is anybody there?")
    await expect(turn.get_by_role("alert")).to_contain_text("The server does not answer")
    await expect(page.get_by_text(LOST)).to_be_visible()
    await page.get_by_label("Message").fill("Not sent yet")

    await own_service.start()
    await expect(page.get_by_text(LOST)).to_have_count(0)
    await expect(page.get_by_label("Message")).to_have_value("Not sent yet")
    await turn.get_by_role("button", name="Try again").click()
    await expect(turn.get_by_role("alert")).to_contain_text("set RECOLLECT_PROXY_URL")


async def test_settings_keep_typed_text_while_the_server_is_away(open_studio, own_service) -> None:
    """Issue 17: the save fails with the reason, and succeeds once the server is back."""
    page = await open_studio("/settings", at=own_service.url)
    await page.get_by_label("Token budget").fill("1234")
    await own_service.stop()
    await expect(page.get_by_text(LOST)).to_be_visible()
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_role("alert").filter(has_text="The server does not answer")).to_be_visible()

    await own_service.start()
    await expect(page.get_by_text(LOST)).to_have_count(0)
    await expect(page.get_by_label("Token budget")).to_have_value("1234")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_text("Settings saved")).to_be_visible()
