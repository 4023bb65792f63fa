"""The extension in a real Chromium, on pages that look like ChatGPT, Claude and Gemini (issue 16, point 4)."""

import json
import re
import shutil
import zipfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.async_api import BrowserContext, Page, Route, async_playwright, expect

from app.extension.packing import pack
from app.main import create_app
from graph.memories.models import MemoryDraft, MemoryState
from graph.tenancy.access.models import Scope
from tests.fixtures.upstream import listening
from tests.fixtures.waiting import until

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None
)
QUIET = ["--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
SITES = Path(__file__).parents[3] / "app" / "extension" / "sites.json"
REMEMBERED = "Prefers tabs as indentation in Python"
SEND = """<script>
  window.said = [];
  document.querySelector("BUTTON").addEventListener("click", () => {
    window.said.push(document.querySelector("INPUT").innerText);
  });
</script>"""
QUESTION = "Which indentation for Python?"


class Look(NamedTuple):
    """What a site is made of, as far as the extension minds: both kinds of turns, the busy mark, the composer."""

    url: str
    user: str
    assistant: str
    busy: str
    composer: str


PAGES = {
    "ChatGPT": Look(
        url="https://chatgpt.com/c/chat-1",
        user="""<article><div data-message-author-role="user"><div>TEXT</div></div></article>""",
        assistant="""<article><div data-message-author-role="assistant"><p>TEXT</p></div></article>""",
        busy="""<button data-testid="stop-button">Stop</button>""",
        composer=f"""<div id="prompt-textarea" class="ProseMirror" contenteditable="true">{QUESTION}</div>
            <button data-testid="send-button">Send</button>""",
    ),
    "Claude": Look(
        url="https://claude.ai/chat/chat-1",
        user="""<div data-testid="user-message"><p>TEXT</p></div>""",
        assistant="""<div><div class="font-claude-response"><p>TEXT</p></div></div>""",
        busy="""<div data-is-streaming="true"></div>""",
        composer=f"""<div class="ProseMirror" contenteditable="true">{QUESTION}</div>
            <button aria-label="Send Message">Send</button>""",
    ),
    "Gemini": Look(
        url="https://gemini.google.com/app/chat-1",
        user="""<user-query><div class="query-text">TEXT</div></user-query>""",
        assistant="""<model-response><message-content><p>TEXT</p></message-content></model-response>""",
        busy="""<button class="send-button stop">Stop</button>""",
        composer=f"""<rich-textarea><div class="ql-editor" contenteditable="true">{QUESTION}</div></rich-textarea>
            <button class="send-button">Send</button>""",
    ),
}

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here; .ci/run installs one")


def said(look: Look, question: str, answer: str) -> str:
    """Return a turn as the site shows it."""
    return look.user.replace("TEXT", question) + look.assistant.replace("TEXT", answer)


@pytest.fixture(params=PAGES)
def platform(request) -> str:
    return request.param


@pytest.fixture
async def browser(platform, tmp_path) -> AsyncIterator[BrowserContext]:
    """A browser with the extension; chat pages come from the test, and nothing else of other hosts does."""
    pack(tmp_path / "extension")
    look = PAGES[platform]
    sites = json.loads(SITES.read_text(encoding="utf-8"))
    asks = SEND.replace("BUTTON", sites[platform]["button"]).replace("INPUT", sites[platform]["input"])
    turns = said(look, "I prefer window seats.", "Noted.")
    html = f'<!doctype html><title>Seats</title><main id="chat">{turns}</main>{look.composer}{asks}'

    async def stay_here(route: Route) -> None:
        if route.request.url == look.url:
            await route.fulfill(body=html, content_type="text/html")
        elif route.request.url.startswith(("http://127.0.0.1", "chrome-extension:")):
            await route.continue_()
        else:
            await route.abort()

    async with async_playwright() as playwright:
        context = await playwright.chromium.launch_persistent_context(
            str(tmp_path / "profile"),
            executable_path=CHROMIUM,
            headless=False,
            args=[
                *QUIET,
                "--headless=new",
                f"--disable-extensions-except={tmp_path / 'extension'}",
                f"--load-extension={tmp_path / 'extension'}",
            ],
        )
        context.set_default_timeout(60_000)
        await context.route("**/*", stay_here)
        yield context
        await context.close()


@pytest.fixture
async def chat(browser, platform, services, capturing_workspace_id) -> AsyncIterator[Page]:
    """The chat's page, opened after the options were filled in."""
    scopes = [Scope.READ, Scope.WRITE]
    _, key = await services.tenancy.access.create_key(capturing_workspace_id, name="page", scopes=scopes)
    worker = (
        browser.service_workers[0]
        if browser.service_workers
        else await browser.wait_for_event("serviceworker")
    )
    async with listening(create_app(services)) as url:
        options = await browser.new_page()
        await options.goto(worker.url.replace("background.js", "options.html"))
        await options.get_by_label("Address").fill(url)
        await options.get_by_label("Key").fill(key)
        await options.get_by_label("Put what is remembered").check()
        await options.get_by_role("button").click()
        await expect(options.locator("output")).to_have_text("Kept. Reload open chats.")
        page = await browser.new_page()
        await page.goto(PAGES[platform].url)
        yield page
        await page.close()


@pytest.fixture
def captured(services, capturing_workspace_id):
    """A function that returns what is stored of the chat."""

    async def captured() -> list[tuple[str, str]]:
        found = await services.conversations.capture.messages_of(capturing_workspace_id, ["chat-1"])
        return [(str(message.role), message.content) for message in found["chat-1"].items]

    return captured


async def test_a_chat_is_saved_while_it_goes_on(
    chat, platform, captured, services, capturing_workspace_id
) -> None:
    """D7, D8: by itself and once each, an answer when it is complete; Save and Extract do so at once."""
    look = PAGES[platform]
    begun = [("user", "I prefer window seats."), ("assistant", "Noted.")]

    async def is_begun() -> bool:
        return await captured() == begun

    await until(is_begun, seconds=60)
    conversation = await services.conversations.capture.find(capturing_workspace_id, "chat-1")
    assert (conversation.platform, conversation.title) == (platform, "Seats")

    await chat.evaluate(
        "([turns, busy]) => {"
        " document.querySelector('#chat').insertAdjacentHTML('beforeend', turns);"
        " document.body.insertAdjacentHTML('beforeend', `<div id='busy'>${busy}</div>`); }",
        [said(look, "And aisle at night.", "So"), look.busy],
    )
    await chat.get_by_role("button", name="Save", exact=True).click()
    await expect(chat.get_by_role("status")).to_have_text(re.compile("Saved, 1 new|All is saved"))
    assert await captured() == [*begun, ("user", "And aisle at night.")]

    await chat.evaluate("document.querySelector('#busy').remove()")
    await chat.get_by_role("button", name="Extract", exact=True).click()
    await expect(chat.get_by_role("status")).to_have_text("Facts are being extracted")
    assert await captured() == [*begun, ("user", "And aisle at night."), ("assistant", "So")]


async def test_what_is_sent_has_what_is_remembered_behind_it(
    chat, platform, services, capturing_workspace_id
) -> None:
    """J12: by the page's own button, where the options say so."""
    store = services.memories.store
    saved = await store.save(capturing_workspace_id, MemoryDraft(content=REMEMBERED))

    async def is_embedded() -> bool:
        found = await store.get(capturing_workspace_id, saved.memory.id)
        return found.state is not MemoryState.STORED

    await until(is_embedded)
    await services.retrieval.context.warm_up(capturing_workspace_id)
    sites = json.loads(SITES.read_text(encoding="utf-8"))

    await chat.locator(sites[platform]["button"]).click()
    await chat.wait_for_function("window.said.length === 1")

    (sent,) = await chat.evaluate("window.said")
    assert sent.strip().startswith(QUESTION)
    assert REMEMBERED in sent


async def test_the_archive_holds_what_a_browser_loads(tmp_path) -> None:
    """Issue 16, point 4: one file, whose manifest names the pages of all sites and files that are there."""
    archive = pack(tmp_path / "extension")

    with zipfile.ZipFile(archive) as packed:
        names = set(packed.namelist())
        manifest = json.loads(packed.read("manifest.json"))
    (scripts,) = manifest["content_scripts"]
    assert {*scripts["js"], manifest["background"]["service_worker"], manifest["options_ui"]["page"]} <= names
    assert scripts["matches"] == [
        "https://chatgpt.com/*",
        "https://chat.openai.com/*",
        "https://claude.ai/*",
        "https://gemini.google.com/*",
    ]
