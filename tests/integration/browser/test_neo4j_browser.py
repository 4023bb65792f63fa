"""The embedded Neo4j Browser in a real Chromium: sign-in, style and a drawn graph."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import quote, urlsplit

import pytest
from playwright.async_api import Page, Route, async_playwright, expect
from typer.testing import CliRunner

from app.cli import build
from graph.memories.models import AssociationType, MemoryChange, MemoryDraft
from tests.fixtures.chromium import chromium_program
from tests.fixtures.graphs import run

QUIET = ["--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
HTTP_ADDRESS = "SHOW SETTINGS YIELD name, value WHERE name = 'server.http.listen_address' RETURN value"
MEMORY_BLUE = "#2D6CDF"


@pytest.fixture
async def page(graph_driver, neo4j_address) -> AsyncIterator[Page]:
    """Yield Neo4j Browser, opened as its users do, without access to other hosts."""
    (address,) = (await run(graph_driver, HTTP_ADDRESS)).records
    bolt = quote(f"bolt://{neo4j_address.user}@{urlsplit(neo4j_address.uri).netloc}", safe="")

    away: list[str] = []

    async def stay_here(route: Route) -> None:
        is_here = urlsplit(route.request.url).hostname == urlsplit(neo4j_address.uri).hostname
        if not is_here:
            away.append(route.request.url)
        await (route.continue_() if is_here else route.abort())

    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(executable_path=chromium_program(), args=QUIET)
        context = await chromium.new_context(
            viewport={"width": 1400, "height": 1200}, permissions=["clipboard-read", "clipboard-write"]
        )
        context.set_default_timeout(60_000)
        await context.route("**/*", stay_here)
        opened = await context.new_page()
        await opened.goto(f"http://{address['value']}/browser/?connectURL={bolt}")
        yield opened
        await chromium.close()
    assert away == [], "Neo4j Browser sends nothing home"


async def printed(*arguments: str) -> str:
    """Return the output of ``recollect browser …``."""
    result = await asyncio.to_thread(CliRunner().invoke, build(), ["browser", *arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


async def enter(page: Page, text: str, *, done: str) -> None:
    """Paste a text into the editor, run it and return once the result frame shows ``done``."""
    await page.evaluate("text => navigator.clipboard.writeText(text)", text)
    await page.locator(".monaco-editor textarea").first.focus()
    await page.keyboard.press("ControlOrMeta+a")
    await page.keyboard.press("ControlOrMeta+v")
    await page.get_by_test_id("editor-Run").click()
    await page.locator("article").first.locator(done).first.wait_for()


async def test_a_memorys_history_is_drawn_in_the_colours_of_its_style(
    page, services, workspace_id, neo4j_address, tmp_path: Path
) -> None:
    """E16, E17: the picture shows the memory with its versions, its source and its successor."""
    turn = MemoryDraft(
        content="Deploys run daily", source_conversation_id="conv_1", source_message_id="msg_1"
    )
    memory = (await services.memories.store.save(workspace_id, turn)).memory
    for content in ("Deploys run on Thursdays", "Deploys run on Fridays"):
        await services.memories.store.update(workspace_id, memory.id, MemoryChange(content=content))
    later = (
        await services.memories.store.save(workspace_id, MemoryDraft(content="No deploys on Fridays"))
    ).memory
    await services.memories.associations.associate(
        workspace_id, from_id=memory.id, to_id=later.id, type_=AssociationType.INVALIDATED_BY
    )
    given = [f"--param={name}={value}" for name, value in (("workspace_id", workspace_id), ("id", memory.id))]
    parameters, query = (await printed("queries", "memory_history", *given)).split("\n\n", 1)

    await page.get_by_test_id("username").fill(neo4j_address.user)
    await page.get_by_test_id("password").fill(neo4j_address.password)
    await page.get_by_test_id("connect").click()
    await page.get_by_text("You are connected as user").wait_for()
    await enter(page, await printed("style"), done="text=node.Memory")
    await enter(page, parameters, done="text=Successfully set your parameters")
    await enter(page, query, done="svg g.node")

    drawn = page.locator("article").first
    await expect(drawn.locator("svg g.node")).to_have_count(6)
    await expect(drawn.locator("svg g.relationship")).to_have_count(6)
    texts = " ".join(await drawn.locator("svg g.node text").all_text_contents())
    assert "Fridays" in texts
    colours = await drawn.locator("svg g.node circle.b-outline").evaluate_all(
        "circles => circles.map(circle => circle.getAttribute('fill'))"
    )
    assert colours.count(MEMORY_BLUE) == 2
    picture = tmp_path / "history.png"
    await page.screenshot(path=picture)
    assert picture.stat().st_size > 10_000
