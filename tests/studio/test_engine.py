"""The page Engine: the state of its parts with reasons, the cost of a change, and retries of failed jobs."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Page, Route, expect

from graph.memories.models import MemoryDraft
from graph.tenancy.models import Scope
from tests.fixtures.waiting import until
from tests.studio.conftest import (
    BUSY,
    Answer,
    answering,
    grave_faults,
    operation_of,
    picture,
    refused,
    settle,
)

OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


async def test_the_parts_show_their_state_and_a_check_verifies_it(open_studio, remembered) -> None:
    """L9: chips show the reasons."""
    page = await open_studio("/engine")
    parts = page.get_by_role("list", name="Parts")
    await expect(parts.get_by_role("listitem").filter(has_text="Words · works")).to_be_visible()
    await expect(parts.get_by_role("listitem").filter(has_text="Qdrant · off")).to_be_visible()

    await page.get_by_role("button", name="Check").click()
    await expect(page.get_by_text("A memory was saved, found and deleted in")).to_be_visible()
    await page.get_by_role("button", name="Embed missing vectors").click()
    await expect(
        page.get_by_text("All memories have a vector").or_(page.get_by_text(re.compile(r"^Embedding \d")))
    ).to_be_visible()
    assert page.complaints == []


async def test_a_change_names_its_cost_and_a_refusal_its_reason(open_studio, remembered) -> None:
    """Issue 17, page 9: only the default workspace's administrator changes settings of the deployment."""
    page = await open_studio("/engine")
    card = page.get_by_role("region", name="Embedding", exact=True)
    await card.get_by_role("combobox", name="Source").click()
    await page.get_by_role("option", name="None: words only").click()
    await expect(card.get_by_text("This embeds 5 memories of the workspace again")).to_be_visible()
    await card.get_by_role("button", name="Save").click()
    await expect(card.get_by_text("default workspace")).to_be_visible()
    await card.get_by_role("button", name="Discard").click()
    await expect(card.get_by_role("combobox", name="Source")).not_to_have_value("None: words only")


@pytest.mark.parametrize("scope", [Scope.READ, Scope.WRITE])
async def test_a_non_administrator_sees_the_state_of_the_engine(
    open_studio, remembered, scope, tmp_path: Path
) -> None:
    """L9: settings need an administrator; state, figures and jobs need only read scope."""
    page = await open_studio("/engine", scopes={Scope.READ, scope})
    parts = page.get_by_role("list", name="Parts").get_by_role("listitem")
    await expect(parts.filter(has_text="Embedding · works")).to_be_visible()
    await expect(parts).to_have_count(4)
    await expect(page.get_by_text("Only administrators can see the settings of the engine.")).to_be_visible()
    await expect(page.get_by_role("region", name="Qdrant").get_by_text("off")).to_be_visible()
    await expect(page.get_by_role("region", name="Jobs")).to_be_visible()
    await expect(page.get_by_role("button", name="Save")).to_have_count(0)
    missing = page.get_by_role("button", name="Embed missing vectors")
    if scope is Scope.WRITE:
        await expect(missing).to_be_enabled()
    else:
        await expect(missing).to_be_disabled()
    await settle(page)
    await page.screenshot(path=picture(f"engine-{scope.value}", tmp_path), full_page=True)
    assert await grave_faults(page) == []
    assert page.complaints == []


async def test_typed_text_survives_a_failed_request_and_a_reload(open_studio, remembered) -> None:
    """L9: the old state stays as well, marked as outdated. No browser stores keys."""
    page = await open_studio("/engine")
    card = page.get_by_role("region", name="Qdrant")
    await card.get_by_label("Host").fill("vectors.example")
    await card.get_by_label("Key", exact=True).fill("typed-key")
    async with answering(page, "EngineState", refused), answering(page, "EngineSettings", refused):
        alert = page.get_by_role("alert").filter(has_text="This could not be loaded")
        await expect(alert).to_contain_text(BUSY)
        await expect(card.get_by_label("Host")).to_have_value("vectors.example")
        await expect(card.get_by_label("Key", exact=True)).to_have_value("typed-key")
    await expect(alert).to_have_count(0)

    await page.reload()
    await expect(card.get_by_label("Host")).to_have_value("vectors.example")
    await expect(card.get_by_label("Key", exact=True)).to_have_value("")


async def sent(page: Page, card_name: str, operation: str) -> object:
    """Save a card; return the input that it sent."""
    card = page.get_by_role("region", name=card_name, exact=True)
    async with page.expect_request(
        lambda request: (request.post_data_json or {}).get("operationName") == operation
    ) as request:
        await card.get_by_role("button", name="Save").click()
    return (await request.value).post_data_json["variables"]["input"]


async def test_a_list_of_jobs_is_loaded_to_its_end_while_more_happens(
    open_studio, services, heard, workspace_id
) -> None:
    """L9: an event does not restart the list."""
    page = await open_studio("/settings")
    gates = [asyncio.Event(), asyncio.Event()]
    begun, held, events = [], [], []
    is_holding = asyncio.Event()

    async def answer(route: Route) -> None:
        """Answer one of two jobs a page; hold back the second page of a reloaded list."""
        if operation_of(route.request) != "Jobs":
            await route.fallback()
            return
        is_first = route.request.post_data_json["variables"]["after"] is None
        begun.extend([route] if is_first else [])
        said = f"{'first' if is_first else 'last'} of round {len(begun)}"
        if is_holding.is_set() and not is_first:
            held.append(said)
            await gates[min(len(held), 2) - 1].wait()
        job = {"id": said, "kind": "EMBED", "subjectId": "x", "state": "FAILED", "attempts": 1, "error": said}
        times = {"createdAt": "2026-01-01T00:00:00Z", "dueAt": None}
        told = {"hasNextPage": is_first, "endCursor": "1" if is_first else None}
        jobs = {"edges": [{"node": job | times}], "pageInfo": told}
        await route.fulfill(json={"data": {"jobs": jobs}})

    def hear(frame: str | bytes) -> None:
        if "jobEvents" in str(frame):
            events.append(frame)

    async def is_told(number: int) -> bool:
        return len(events) >= number

    async def is_held() -> bool:
        return bool(held)

    await page.route("**/graphql", answer)
    page.on("websocket", lambda socket: socket.on("framereceived", hear))
    await page.goto(page.url.replace("/settings", "/engine"))
    await page.get_by_role("button", name="Show more").click()
    await expect(page.get_by_text("last of round")).to_be_visible()
    await heard.by(workspace_id, "jobs")
    is_holding.set()
    store = services.memories.store
    await store.save(workspace_id, MemoryDraft(content="The office has moved to Bern"))
    await until(is_held)
    told = len(events)
    await store.save(workspace_id, MemoryDraft(content="The archive is in Chur"))
    await until(lambda: is_told(told + 1))
    await page.evaluate("() => new Promise(done => setTimeout(done, 600))")  # after the queued reloads
    gates[0].set()
    await expect(page.get_by_text(held[0])).to_be_visible()
    gates[1].set()
    await expect(page.get_by_text(held[0])).to_have_count(0)
    await expect(page.get_by_text("last of round")).to_be_visible()


def with_settings(answer: Answer, changed: Answer) -> Answer:
    """Return the response of a deployment with changed settings."""
    return {"data": {"settings": {**answer["data"]["settings"], **changed}}}


@asynccontextmanager
async def saving(
    page: Page,
    operation: str,
    taken: Answer,
    after: Callable[[Answer], Answer],
    *,
    before: Callable[[Answer], Answer] = lambda told: told,
) -> AsyncIterator[None]:
    """Answer that a change succeeded, and return changed settings from then on, even to the page's polls."""
    is_taken = asyncio.Event()

    def take(_: Answer) -> Answer:
        is_taken.set()
        return taken

    def tell(told: Answer) -> Answer:
        return after(told) if is_taken.is_set() else before(told)

    async with answering(page, operation, take), answering(page, "EngineSettings", tell):
        yield


async def test_the_local_models_for_automatic_are_chosen(open_studio, remembered) -> None:
    """L9: with the switches of the embedding card."""
    page = await open_studio("/engine")
    static = page.get_by_role("switch", name="Automatic may use the static model")
    transformer = page.get_by_role("switch", name="Automatic may use a transformer on this machine")
    wanted = {
        "staticEnabled": not await static.is_checked(),
        "transformersEnabled": not await transformer.is_checked(),
    }
    for each in (static, transformer):
        await each.press("Space")
    taken: Answer = {"data": {"updateSettings": {"embeddingSource": "auto"}}}
    async with saving(page, "ChangeEngine", taken, lambda told: with_settings(told, wanted)):
        assert await sent(page, "Embedding", "ChangeEngine") == wanted
        await expect(page.get_by_text("Settings saved")).to_be_visible()
        card = page.get_by_role("region", name="Embedding", exact=True)
        await expect(card.get_by_role("button", name="Save")).to_be_disabled()
        for each, is_wanted in zip((static, transformer), wanted.values(), strict=True):
            await expect(each).to_be_checked(checked=is_wanted)


def with_store(answer: Answer) -> Answer:
    """Return the response of a deployment that has an external store with a key."""
    data = answer["data"]
    if "engine" in data:
        data["engine"]["vectorTier"].update(enabled=True, healthy=True, latencyMs=4.2, reason=None)
    if "settings" in data:
        data["settings"]["vectorTier"].update(enabled=True, hasKey=True)
    return answer


def without_key(answer: Answer) -> Answer:
    """Return the response of a deployment whose external store has no key any more."""
    told = with_store(answer)
    told["data"]["settings"]["vectorTier"].update(hasKey=False)
    return told


async def test_the_external_store_is_tested_searched_and_its_key_removed(
    open_studio, remembered, tmp_path: Path
) -> None:
    """L9: tests of the connection and of a search, and the removal of the stored key."""
    page = await open_studio("/engine")
    card = page.get_by_role("region", name="Qdrant")
    await expect(card.get_by_role("button", name="Test the connection")).to_be_disabled()
    async with (
        answering(page, "EngineState", with_store),
        answering(page, "EngineSettings", with_store),
        answering(page, "TestVectorTier", with_store),
    ):
        await page.reload()
        await card.get_by_role("button", name="Test the connection").click()
        await expect(page.get_by_text("Qdrant answered in 4.2 ms")).to_be_visible()
        await settle(page)
        await page.screenshot(path=picture("engine-store", tmp_path), full_page=True)
        assert await grave_faults(page) == []

        await card.get_by_role("button", name="Remove the key").click()
        await expect(card.get_by_placeholder("The key is removed when you save")).to_be_visible()
        await expect(card.get_by_role("button", name="Test the connection")).to_be_enabled()
        await card.get_by_role("button", name="Discard").click()
        await expect(card.get_by_placeholder("Stored; type to replace it")).to_be_visible()
        await card.get_by_role("button", name="Remove the key").click()
        taken: Answer = {"data": {"updateVectorTier": {"enabled": True}}}
        async with saving(page, "ChangeVectorTier", taken, without_key, before=with_store):
            assert await sent(page, "Qdrant", "ChangeVectorTier") == {"apiKey": ""}
            await expect(page.get_by_text("Settings saved")).to_be_visible()
            await expect(card.get_by_placeholder("None", exact=True)).to_be_visible()
            await expect(card.get_by_role("button", name="Remove the key")).to_have_count(0)
            await expect(card.get_by_role("button", name="Save")).to_be_disabled()

        await card.get_by_label("Search test").fill("espresso")
        search = card.get_by_role("button", name="Simulate")
        await search.click()
        await expect(page.get_by_role("alert").filter(has_text="The action failed")).to_be_visible()
        await expect(search).to_be_enabled()


@pytest.mark.parametrize(("width", "scheme"), [(1440, "light"), (360, "dark")])
async def test_the_engine_page_is_complete_and_accessible(
    open_studio, remembered, tmp_path: Path, width, scheme
) -> None:
    page = await open_studio("/engine", width=width, scheme=scheme)
    await expect(page.get_by_role("region", name="Jobs")).to_be_visible()
    await settle(page)
    await page.screenshot(path=picture(f"engine-{width}", tmp_path), full_page=True)
    assert await grave_faults(page) == []
    assert await page.evaluate(OVERFLOW) <= 0
    assert page.complaints == []
