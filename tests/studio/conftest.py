"""Fixtures for the Studio, built if necessary, in Chromium, with the memories of the test's own workspace."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Locator, Page, Request, Route, async_playwright, expect

from app.cli.servers.studio_build import SOURCES, StudioBuild, find_node
from app.surfaces.pages.studio import Studio
from graph.conversations.capture.models import CaptureDraft, MessageDraft, MessageRole
from graph.memories.models import MemoryDraft, MemoryType
from graph.tenancy.models import Scope
from tests.fixtures.chromium import chromium_program
from tests.fixtures.timeouts import scaled_timeout
from tests.fixtures.waiting import background

QUIET = ["--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
DRAWING = ["--enable-unsafe-swiftshader"]  # WebGL without a graphics card
PLAIN_HOST = "recollect.test"  # over http, which browsers treat as insecure, unlike 127.0.0.1
NAMES = [f"--host-resolver-rules=MAP {PLAIN_HOST} 127.0.0.1"]
SOURCE = "chat-42"
AXE = SOURCES / "node_modules" / "axe-core" / "axe.min.js"
RUN_AXE = (
    "async () => (await axe.run({resultTypes: ['violations']})).violations.map(v => ({...v, passes: []}))"
)
GRAVE = {"serious", "critical"}
COMES_TO_REST = """() => new Promise(resolve => {
  const ends = each => each.playState === 'running' && each.effect.getComputedTiming().endTime < Infinity;
  let still = 0;
  const look = () => {
    still = document.getAnimations().some(ends) ? 0 : still + 1;
    still > 15 ? resolve() : requestAnimationFrame(look);
  };
  look();
})"""
OpenStudio = Callable[..., Awaitable[Page]]
Answer = dict[str, Any]  # a GraphQL response: data and errors
BUSY = "The graph is busy"

expect.set_options(timeout=1000 * scaled_timeout(60))


@pytest.fixture(scope="session")
async def built_studio(tmp_path_factory) -> None:
    """Build the Studio as ``recollect up`` does."""
    assert await asyncio.to_thread(find_node) is not None, (
        "no Node here to build the Studio; .ci/run installs it"
    )
    build = StudioBuild(Studio(), tmp_path_factory.mktemp("studio") / "build.log")
    await build.run()
    assert build.studio.notice is None, build.log.read_text()


@pytest.fixture(scope="session")
async def chromium(built_studio) -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=chromium_program(), args=[*QUIET, *DRAWING, *NAMES]
        )
        yield browser
        await browser.close()


@pytest.fixture
async def remembered(services, workspace_id) -> list[str]:
    """Save five memories, the last one from a conversation; return their ids."""
    said = {"source_conversation_id": SOURCE, "source_message_id": "m2"}
    drafts = [
        MemoryDraft(
            content="Ada prefers tabs over spaces in Python", type=MemoryType.PREFERENCE, tags=["team:ada"]
        ),
        MemoryDraft(content="Releases are cut on Thursdays at ten", type=MemoryType.DECISION, importance=0.9),
        MemoryDraft(content="Bob drinks espresso every morning", type=MemoryType.HABIT, key="bob-espresso"),
        MemoryDraft(content="The staging cluster is rebuilt every Monday", type=MemoryType.CONTEXT),
        MemoryDraft(content="The database moves in March", type=MemoryType.DECISION, **said),
    ]
    return [(await services.memories.store.save(workspace_id, draft)).memory.id for draft in drafts]


@pytest.fixture
async def capturing(services, workspace_id) -> None:
    """Turn memory on in the workspace."""
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)


@pytest.fixture
async def talk(services, workspace_id, capturing) -> str:
    """Capture a conversation of three messages that nobody has extracted yet; return its id."""
    said = [
        ("m1", MessageRole.USER, "Hello! I prefer **aisle** seats. What is the weather like?"),
        (
            "m2",
            MessageRole.ASSISTANT,
            "Noted. The database moves in March.\n\n| day | sky |\n|---|---|\n| today | clear |",
        ),
        ("m3", MessageRole.USER, "I decided to take the night train."),
    ]
    draft = CaptureDraft(
        conversation_id=SOURCE,
        title="A trip to Bern",
        platform="Claude",
        messages=[
            MessageDraft(id=id_, role=role, content=content, said_at=datetime(2026, 3, 1, 9, tzinfo=UTC))
            for id_, role, content in said
        ],
    )
    return (await services.conversations.capture.append(workspace_id, draft)).id


@pytest.fixture
async def open_studio(chromium, api_url, services, workspace_id) -> AsyncIterator[OpenStudio]:
    """Return a function that signs in and opens a page of the Studio.

    The user is an administrator of the workspace, unless ``scopes`` has fewer. Without ``events`` the page
    receives no events, so it does not reload anything itself.
    """
    contexts = []

    async def opened(
        address: str = "",
        *,
        width: int = 1440,
        height: int = 900,
        scheme: str = "light",
        locale: str = "en-GB",
        at: str = api_url,
        workspace: str = workspace_id,
        scopes: Iterable[Scope] = Scope,
        events: bool = True,
    ) -> Page:
        _, secret = await services.tenancy.keys.create(workspace, name="Ada", scopes=list(scopes))
        context = await chromium.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, locale=locale
        )
        contexts.append(context)
        context.set_default_timeout(1000 * scaled_timeout(60))
        page = await context.new_page()
        page.secret = secret
        page.complaints = []
        page.on("console", lambda told: page.complaints.append(told.text) if told.type == "error" else None)
        page.on("pageerror", lambda error: page.complaints.append(str(error)))
        if not events:
            await page.route_web_socket("**/graphql", lambda _: None)
        await page.goto(f"{at}/studio{address}")
        await page.get_by_label("API key").fill(secret)
        await page.keyboard.press("Enter")
        await page.wait_for_url(f"{at}/studio{address}*")
        return page

    with background.awaited():  # pages show jobs, so a test waits for them
        yield opened
    for context in contexts:
        await context.close()


def operation_of(request: Request) -> str | None:
    """Return the name of a page's GraphQL operation."""
    asked = request.post_data_json if request.method == "POST" else None
    return asked.get("operationName") if isinstance(asked, dict) else None


def refused(_: Answer) -> Answer:
    """Return a response that refuses; for :func:`answering`."""
    return {"data": None, "errors": [{"message": BUSY, "extensions": {"code": "UNAVAILABLE"}}]}


@asynccontextmanager
async def answering(page: Page, operation: str, change: Callable[[Answer], Answer]) -> AsyncIterator[None]:
    """Change the page's responses to one operation until the block ends.

    The route stays: if it were removed, a request in progress would get no response.
    """
    changes = True

    async def handle(route: Route) -> None:
        if not changes or operation_of(route.request) != operation:
            await route.fallback()
            return
        response = await route.fetch()
        answer = await response.json()
        await route.fulfill(response=response, json=change(answer) if changes else answer)

    await page.route("**/graphql", handle)
    try:
        yield
    finally:
        changes = False


@asynccontextmanager
async def holding(page: Page, operation: str, instead: Answer | None = None) -> AsyncIterator[asyncio.Event]:
    """Hold back the responses to one operation until the block ends; yield an event of its first request.

    With a response ``instead``, the server gets no request.
    """
    asked, is_over = asyncio.Event(), asyncio.Event()

    async def handle(route: Route) -> None:
        if is_over.is_set() or operation_of(route.request) != operation:
            await route.fallback()
            return
        asked.set()
        response = await route.fetch() if instead is None else None
        await is_over.wait()
        await route.fulfill(response=response, json=instead)

    await page.route("**/graphql", handle)
    try:
        yield asked
    finally:
        is_over.set()


async def grave_faults(page: Page) -> list[dict[str, Any]]:
    """Return the serious findings of axe-core on the current page."""
    await page.evaluate(AXE.read_text(encoding="utf-8"))
    found = await page.evaluate(RUN_AXE)
    return [
        {"rule": fault["id"], "where": [node["html"][:200] for node in fault["nodes"]][:3]}
        for fault in found
        if fault["impact"] in GRAVE
    ]


async def settle(page: Page) -> None:
    """Return once the page is loaded and nothing on it loads or moves."""
    await page.locator("#page > *").first.wait_for(state="attached")
    await page.locator(".mantine-Skeleton-root, [aria-busy=true], [data-health=gray]").first.wait_for(
        state="detached"
    )
    await page.evaluate(COMES_TO_REST)


async def undo_of(page: Page) -> Locator:
    """Return the button that undoes the last action; the pointer on it keeps its notice open."""
    button = page.get_by_role("button", name="Undo", exact=True)
    await button.hover()
    return button


def picture(name: str, folder: Path) -> Path:
    """Return the path of a screenshot, outside the repository."""
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{name}.png"
