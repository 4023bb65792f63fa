"""The extension in a real Chromium, on pages that look like ChatGPT, Claude and Gemini (issue 16, point 4)."""

import json
import re
import zipfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.async_api import BrowserContext, Page, Route, async_playwright, expect

from app.extension.packing import pack
from app.main import create_app
from graph.memories.models import MemoryDraft, MemoryState
from graph.tenancy.models import Scope
from tests.fixtures.chromium import chromium_program
from tests.fixtures.timeouts import scaled_timeout
from tests.fixtures.upstream import listening
from tests.fixtures.waiting import until

expect.set_options(timeout=1000 * scaled_timeout(60))  # for a machine that runs other tests meanwhile
QUIET = ["--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
EXTENSION = Path(__file__).parents[3] / "app" / "extension"
SITES = EXTENSION / "sites.json"
CAPTURING = """([site, said]) => {
  window.sent = [];
  const request = async (path, { body, keepalive }) => {
    window.sent.push([path, JSON.parse(body).messages.map(({ content }) => content), keepalive === true]);
    return new Response('{"added": 1}');
  };
  window.show = (turns) => { document.querySelector("#chat").innerHTML = turns; };
  document.body.innerHTML = `<main id="chat">${said}</main>`;
  captureChat({ url: "", platform: "Any", site, request });
}"""
REMEMBERED = "Prefers tabs as indentation in Python"
SEND = """<script>
  window.said = [];
  document.querySelector("BUTTON").addEventListener("click", () => {
    window.said.push(document.querySelector("INPUT").innerText);
  });
</script>"""
QUESTION = "Which indentation for Python?"


class Look(NamedTuple):
    """The elements of a site that the extension uses: both kinds of turns, the busy mark, the composer."""

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


def said(look: Look, question: str, answer: str) -> str:
    """Return a turn in the site's HTML."""
    return look.user.replace("TEXT", question) + look.assistant.replace("TEXT", answer)


@pytest.fixture(params=PAGES)
def platform(request) -> str:
    return request.param


@pytest.fixture
async def browser(platform, tmp_path) -> AsyncIterator[BrowserContext]:
    """Yield a browser with the extension; the test serves the chat pages and blocks other hosts."""
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
            executable_path=chromium_program(),
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
    """Return the chat's page, opened after setting the options."""
    scopes = [Scope.READ, Scope.WRITE]
    _, key = await services.tenancy.keys.create(capturing_workspace_id, name="page", scopes=scopes)
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
    """Return a function that gives the stored messages of the chat."""

    async def captured() -> list[tuple[str, str]]:
        found = await services.conversations.capture.messages_of(capturing_workspace_id, ["chat-1"])
        return [(str(message.role), message.content) for message in found["chat-1"].items]

    return captured


async def test_a_chat_is_saved_while_it_continues(
    chat, platform, captured, services, capturing_workspace_id
) -> None:
    """D7, D8: automatically and once, an answer when it is complete; Save and Extract do so at once."""
    look = PAGES[platform]
    begun = [("user", "I prefer window seats."), ("assistant", "Noted.")]

    async def is_begun() -> bool:
        return await captured() == begun

    await until(is_begun)
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


async def test_a_sent_prompt_carries_its_memories(chat, platform, services, capturing_workspace_id) -> None:
    """J12: with the page's own button, if the option is on."""
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


async def test_the_pages_script_cannot_read_the_key(browser, chat) -> None:
    """The script runs in the page's process, and the key stays in another one."""
    inspector = await browser.new_cdp_session(chat)
    worlds = []
    inspector.on("Runtime.executionContextCreated", lambda event: worlds.append(event["context"]))
    await inspector.send("Runtime.enable")
    (own,) = [world for world in worlds if world["name"] == "Recollect"]
    reading = "chrome.storage.local.get('key').then((kept) => JSON.stringify(kept), (error) => error.message)"

    read = await inspector.send(
        "Runtime.evaluate", {"expression": reading, "contextId": own["id"], "awaitPromise": True}
    )

    assert "not allowed" in str(read)
    assert "rk_" not in str(read)


@pytest.fixture
async def alone(platform) -> AsyncIterator[Page]:
    """Yield a chat page with the capture script and a stopped clock; ``sent`` records its requests."""
    look, site = PAGES[platform], json.loads(SITES.read_text(encoding="utf-8"))[platform]
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium_program(), args=QUIET)
        page = await browser.new_page()
        await page.route(
            "**/*", lambda route: route.fulfill(body="<!doctype html>", content_type="text/html")
        )
        await page.clock.install()
        await page.goto(look.url)
        await page.add_script_tag(path=EXTENSION / "recollect-capture.js")
        await page.evaluate(CAPTURING, [site, said(look, "I moved to Oslo.", "Noted.")])
        await page.clock.run_for(300)
        yield page
        await browser.close()


async def test_another_chat_is_opened_before_the_last_one_is_saved(alone, platform) -> None:
    """D8: each chat gets its own messages, although the address changes before the page."""
    look = PAGES[platform]
    other = look.url.replace("chat-1", "chat-2")
    first = ["/v1/conversations/chat-1/messages", ["I moved to Oslo.", "Noted."], False]

    await alone.evaluate(
        "(url) => { history.pushState({}, '', url); document.body.append(document.createElement('p')); }",
        other,
    )
    await alone.clock.run_for(300)
    at_once = await alone.evaluate("window.sent")
    await alone.clock.run_for(6000)
    of_old_page = await alone.evaluate("window.sent")
    await alone.evaluate("(turns) => window.show(turns)", said(look, "I keep bees.", "How many?"))
    await alone.clock.run_for(6000)

    assert (at_once, of_old_page) == ([first], [first])
    second = ["/v1/conversations/chat-2/messages", ["I keep bees.", "How many?"], False]
    assert await alone.evaluate("window.sent") == [first, second]


async def test_closing_a_page_saves_the_last_message(alone, platform) -> None:
    """D8: with a request that outlives the page."""
    await alone.evaluate("(turns) => window.show(turns)", said(PAGES[platform], "I keep bees.", "How many?"))
    await alone.evaluate("dispatchEvent(new PageTransitionEvent('pagehide'))")

    assert await alone.evaluate("window.sent") == [
        ["/v1/conversations/chat-1/messages", ["I keep bees.", "How many?"], True]
    ]


async def test_a_new_chat_is_saved_under_its_later_address(alone, platform) -> None:
    """D8."""
    look = PAGES[platform]
    await alone.evaluate("() => { history.pushState({}, '', '/'); window.show(''); }")
    await alone.clock.run_for(6000)
    await alone.evaluate("(turns) => window.show(turns)", said(look, "I keep bees.", "How many?"))
    await alone.clock.run_for(300)
    await alone.evaluate(
        "(url) => { history.pushState({}, '', url); document.body.append(document.createElement('p')); }",
        look.url.replace("chat-1", "chat-3"),
    )
    await alone.clock.run_for(6000)

    sent = await alone.evaluate("window.sent")
    assert sent[1:] == [["/v1/conversations/chat-3/messages", ["I keep bees.", "How many?"], False]]


async def test_the_archive_contains_the_loadable_extension(tmp_path) -> None:
    """Issue 16, point 4: one file, whose manifest lists all sites and only existing files."""
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
