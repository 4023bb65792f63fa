"""The script for chat pages in a real Chromium: it intercepts Enter and clicks; the page itself sends."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, async_playwright, expect

from app.main import create_app
from graph.tenancy.models import Scope
from tests.fixtures.chromium import chromium_program
from tests.fixtures.prompts import NOTE
from tests.fixtures.timeouts import scaled_timeout
from tests.fixtures.upstream import listening

SCRIPT = Path(__file__).parents[3] / "app" / "extension" / "recollect-inject.js"
expect.set_options(timeout=1000 * scaled_timeout(60))  # for a machine that runs other tests meanwhile
TEXT = "Which indentation for Python?"
REMEMBERED = "Prefers tabs as indentation in Python"
# A chat as frameworks build them: a capture listener that sends the text of its `input` events.
CHAT = """<!doctype html><meta charset="utf-8"><title>A chat</title>
FIELD<button id="send"><span>Send</span></button><ol id="said"></ol>
<script>
  const field = document.querySelector("#field");
  const read = () => field.value ?? field.innerText;
  let state = "";
  field.addEventListener("input", () => { state = read(); });
  function say() {
    const line = document.createElement("li");
    line.textContent = state;
    document.querySelector("#said").append(line);
    state = "";
    if ("value" in field) field.value = ""; else field.replaceChildren();
  }
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    say();
  }, true);
  document.querySelector("#send").addEventListener("click", say);
</script>
<script>
SCRIPT
  interceptSending({ url: "URL", key: "KEY", input: "#field", BUTTON PATIENCE conversationId: "chat-1" });
</script>"""
FIELDS = {
    "textarea": '<textarea id="field"></textarea>',
    "editable": '<div id="field" contenteditable="true" style="min-height: 2em"></div>',
}


def page_app(html: dict[str, str]) -> Callable[..., Any]:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        body = html.get(scope["path"], "").encode()
        headers = [(b"content-type", b"text/html; charset=utf-8")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    return app


class Service:
    """The API for the page; ``delay`` holds responses back."""

    def __init__(self, app: Any) -> None:
        self.app = app
        self.delay: asyncio.Event | None = None
        self.asked = 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope.get("method") == "POST":
            self.asked += 1
            if self.delay is not None:
                await self.delay.wait()
        await self.app(scope, receive, send)


@pytest.fixture(scope="module")
async def chromium() -> AsyncIterator[Any]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium_program(), args=["--disable-gpu"])
        yield browser
        await browser.close()


@pytest.fixture
def chat(chromium, services, agents_workspace_id):
    """Return a function that opens a chat with the script."""

    @asynccontextmanager
    async def opened(
        *,
        field: str = "textarea",
        button: bool = True,
        service_url: str | None = None,
        key: str | None = None,
        patience: str = "patienceMs: 30_000,",
    ) -> AsyncIterator[tuple[Page, Service]]:
        _, secret = await services.tenancy.keys.create(agents_workspace_id, name="page", scopes=[Scope.READ])
        html: dict[str, str] = {}
        # A new store has other query plans once it has data.
        await services.retrieval.context.warm_up(agents_workspace_id)
        async with listening(page_app(html)) as page_url:
            service = Service(create_app(services, allowed_origins=[page_url]))
            async with listening(service) as url:
                html["/chat"] = (
                    CHAT.replace("FIELD", FIELDS[field])
                    .replace("SCRIPT", SCRIPT.read_text(encoding="utf-8"))
                    .replace("URL", service_url or url)
                    .replace("KEY", key or secret)
                    .replace("BUTTON", 'button: "#send",' if button else "")
                    .replace("PATIENCE", patience)
                )
                context = await chromium.new_context()
                page = await context.new_page()
                await page.goto(f"{page_url}/chat")
                yield page, service
                if service.delay is not None:
                    service.delay.set()
                await context.close()

    return opened


async def said(page: Page) -> str:
    """Return the only message that the page sent."""
    await expect(page.locator("#said li")).to_have_count(1)
    return await page.locator("#said li").first.evaluate("line => line.textContent")


@pytest.mark.parametrize("button", [True, False], ids=["with a button", "without"])
@pytest.mark.parametrize("field", FIELDS)
async def test_enter_sends_the_message_with_its_memories(chat, chat_proxy, field, button) -> None:
    """J12: once, by the page itself, whose own listener never saw the first Enter."""
    await chat_proxy.remembers(REMEMBERED)
    async with chat(field=field, button=button) as (page, service):
        await page.locator("#field").click()
        await page.keyboard.type(TEXT)
        await page.keyboard.press("Enter")

        sent = await said(page)

    lines = [line for line in sent.splitlines() if line]  # an editable element adds empty lines
    assert lines[:4] == [TEXT, NOTE, "---", "[MemoryX Context · 1 memory]"]
    assert REMEMBERED in sent
    assert service.asked == 1


async def test_a_click_sends_the_message_with_its_memories(chat, chat_proxy) -> None:
    """J12: also on an element inside the button."""
    await chat_proxy.remembers(REMEMBERED)
    async with chat() as (page, service):
        await page.locator("#field").fill(TEXT)
        await page.locator("#send span").click()

        sent = await said(page)

    assert REMEMBERED in sent
    assert service.asked == 1


async def test_a_slow_service_leaves_the_message_unchanged(chat, chat_proxy) -> None:
    """J12: after two seconds; further key presses meanwhile send nothing twice."""
    await chat_proxy.remembers(REMEMBERED)
    async with chat(patience="") as (page, service):
        service.delay = asyncio.Event()
        await page.locator("#field").fill(TEXT)
        await page.keyboard.press("Enter")
        await page.keyboard.press("Enter")

        assert await said(page) == TEXT
        assert service.asked == 1


@pytest.mark.parametrize(
    "wrong", [{"service_url": "http://127.0.0.1:9"}, {"key": "rk_nobody"}], ids=["offline", "wrong key"]
)
async def test_a_failing_service_leaves_the_message_unchanged(chat, wrong) -> None:
    """J12."""
    async with chat(**wrong) as (page, _):
        await page.locator("#field").fill(TEXT)
        await page.keyboard.press("Enter")

        assert await said(page) == TEXT


async def test_the_script_ignores_other_keys_and_empty_messages(chat) -> None:
    """J12: they cause no request."""
    async with chat() as (page, service):
        await page.locator("#field").click()
        await page.keyboard.type("one")
        await page.keyboard.press("Shift+Enter")
        await page.keyboard.type("two")
        text = await page.locator("#field").input_value()
        await page.locator("#field").fill("")
        await page.keyboard.press("Enter")

        assert (text, await said(page)) == ("one\ntwo", "")
    assert service.asked == 0


async def test_a_page_that_is_not_allowed_gets_nothing(services, agents_workspace_id) -> None:
    """Design §7: browsers hide responses from other origins, and no origin is allowed by default."""
    assert create_app(services).cors_config is None
    app = create_app(services, allowed_origins=["https://chat.example"])
    assert app.cors_config is not None
    assert app.cors_config.is_origin_allowed("https://chat.example")
    assert not app.cors_config.is_origin_allowed("https://other.example")
