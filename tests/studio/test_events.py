"""Live updates: events, reloaded lists, and lost connections."""

import asyncio

from playwright.async_api import Page, Route, WebSocketRoute, expect

from graph.memories.models import MemoryChange, MemoryDraft
from tests.fixtures.waiting import until
from tests.fixtures.websockets import Heard
from tests.studio.conftest import BUSY, answering, grave_faults, operation_of, refused, settle


async def test_changes_of_another_client_appear_automatically(
    open_studio, services, heard, workspace_id, remembered
) -> None:
    """L2: saved, changed and deleted memories, without a reload."""
    page = await open_studio("/memories")
    await expect(page.get_by_text("Ada prefers tabs over spaces")).to_be_visible()
    await heard.by(workspace_id)
    store = services.memories.store

    saved = (await store.save(workspace_id, MemoryDraft(content="The office has moved to Bern"))).memory
    await expect(page.get_by_text("The office has moved to Bern")).to_be_visible()
    await expect(page.get_by_text("6 memories")).to_be_visible()

    await store.update(workspace_id, saved.id, MemoryChange(content="The office has moved to Basel"))
    await expect(page.get_by_text("The office has moved to Basel")).to_be_visible()

    await services.memories.deletion.delete(workspace_id, saved.id)
    await expect(page.get_by_text("The office has moved to Basel")).to_have_count(0)
    assert page.complaints == []


async def scrolled_to(page: Page, row: int) -> bool:
    """Scroll to the end of the loaded list; tell whether that row or a later one is visible."""
    await page.get_by_role("rowgroup").last.evaluate("element => element.scrollTop = element.scrollHeight")
    shown = await page.locator("[aria-rowindex]").evaluate_all(
        "rows => rows.map(row => Number(row.getAttribute('aria-rowindex')))"
    )
    return max(shown, default=0) > row  # the first row has the column names


async def test_a_list_scrolled_far_stays_up_to_date(open_studio, services, workspace_id) -> None:
    """L2: although it is longer than a page; if the reload fails, the user sees it and can retry."""
    store = services.memories.store
    drafts = [MemoryDraft(content=f"The lift of house {number} is out of order") for number in range(280)]
    await store.save_all(workspace_id, drafts)
    page = await open_studio("/memories")
    await expect(page.get_by_text("280 memories", exact=True)).to_be_visible()
    await until(lambda: scrolled_to(page, 240))
    await store.save(workspace_id, MemoryDraft(content="The office has moved to Bern"))
    await expect(page.get_by_text("281 memories", exact=True)).to_be_visible()
    await until(lambda: scrolled_to(page, 281))

    async with answering(page, "Memories", refused):
        await store.save(workspace_id, MemoryDraft(content="The archive is in Chur"))
        alert = page.get_by_role("alert").filter(has_text="This could not be loaded")
        await expect(alert).to_contain_text(BUSY)
        await settle(page)
        assert await grave_faults(page) == []
    await alert.get_by_role("button", name="Try again").click()
    await expect(page.get_by_text("282 memories", exact=True)).to_be_visible()
    await until(lambda: scrolled_to(page, 282))
    await expect(alert).to_have_count(0)
    assert page.complaints == []


async def test_a_long_list_is_loaded_to_its_end_while_more_happens(
    open_studio, services, heard, workspace_id
) -> None:
    """L2: events do not restart it, and memories deleted meanwhile stay away."""
    store = services.memories.store
    drafts = [MemoryDraft(content=f"The lift of house {number} is out of order") for number in range(280)]
    saved = await store.save_all(workspace_id, drafts)
    page = await open_studio("/engine")
    await page.goto(page.url.replace("/engine", "/memories"))
    await expect(page.get_by_text("280 memories", exact=True)).to_be_visible()
    await heard.by(workspace_id)
    lines = page.get_by_role("rowgroup").last

    await until(lambda: scrolled_to(page, 280))  # all of it is loaded
    await lines.evaluate("element => element.scrollTop = 0")
    gates = [asyncio.Event(), asyncio.Event()]
    held: list[Route] = []

    async def hold(route: Route) -> None:
        response = await route.fetch()
        if operation_of(route.request) == "Memories" and route.request.post_data_json["variables"]["after"]:
            held.append(route)
            await gates[min(len(held), 2) - 1].wait()
        await route.fulfill(response=response)

    async def is_held() -> bool:
        return len(held) == 1

    await page.route("**/graphql", hold)
    await store.save(workspace_id, MemoryDraft(content="The office has moved to Bern"))
    await until(is_held)
    await store.save(workspace_id, MemoryDraft(content="The archive is in Chur"))
    newest = page.get_by_role("row").nth(1)
    content = await newest.inner_text()
    deleted = next(each.memory for each in saved if content.startswith(each.memory.content))
    gone = page.get_by_role("row").filter(has_text=deleted.content)
    await services.memories.deletion.delete(workspace_id, deleted.id)
    await expect(gone).to_have_count(0)
    await page.evaluate("() => new Promise(done => setTimeout(done, 300))")  # after the queued reloads
    gates[0].set()
    await expect(page.get_by_text("The office has moved to Bern")).to_be_visible()
    await expect(gone).to_have_count(0)

    gates[1].set()
    await expect(page.get_by_text("The archive is in Chur")).to_be_visible()
    await expect(page.get_by_text("281 memories", exact=True)).to_be_visible()
    await until(lambda: scrolled_to(page, 281))
    assert page.complaints == []


async def test_changes_before_the_subscription_are_loaded(
    open_studio, services, workspace_id, remembered
) -> None:
    """L2: formerly a list loaded before its subscription missed saves in between."""
    page = await open_studio("/engine")
    may_connect = asyncio.Event()

    async def late(socket: WebSocketRoute) -> None:
        await may_connect.wait()
        socket.connect_to_server()

    await page.route_web_socket("**/graphql", late)
    await page.goto(page.url.replace("/engine", "/memories"))
    await expect(page.get_by_text("5 memories", exact=True)).to_be_visible()
    await services.memories.store.save(workspace_id, MemoryDraft(content="The office has moved to Bern"))
    may_connect.set()
    await expect(page.get_by_text("6 memories", exact=True)).to_be_visible()


async def test_a_connection_that_died_unnoticed_is_replaced(
    open_studio, services, heard, workspace_id, remembered
) -> None:
    """L2: no message arrives on it, and nobody closes it."""
    page = await open_studio("/engine")
    connections: list[WebSocketRoute] = []
    died: list[WebSocketRoute] = []

    async def relay(socket: WebSocketRoute) -> None:
        connections.append(socket)
        server = socket.connect_to_server()
        server.on_message(lambda message: None if socket in died else socket.send(message))

    async def is_replaced() -> bool:
        return len(connections) > len(died)

    await page.route_web_socket("**/graphql", relay)
    await page.goto(page.url.replace("/engine", "/memories"))
    await expect(page.get_by_text("5 memories", exact=True)).to_be_visible()
    await heard.by(workspace_id)
    await settle(page)
    died.extend(connections)
    await services.memories.store.save(workspace_id, MemoryDraft(content="The office has moved to Bern"))

    await until(is_replaced)
    await expect(page.get_by_text("The office has moved to Bern")).to_be_visible()
    assert page.complaints == []


async def read_unheard(page: Page, heard: Heard, workspace_id: str) -> tuple[list[WebSocketRoute], str]:
    """Extract the conversation while no job event arrives; return the connections and the job's id."""
    connections: list[WebSocketRoute] = []

    async def deaf(socket: WebSocketRoute) -> None:
        """Forward all messages except the first connection's job events."""
        connections.append(socket)
        server, is_first = socket.connect_to_server(), len(connections) == 1
        server.on_message(
            lambda message: None if is_first and "jobEvents" in str(message) else socket.send(message)
        )

    await page.route_web_socket("**/graphql", deaf)
    await page.goto(page.url.replace("/engine", "/conversations?conversation=chat-42"))
    await heard.by(workspace_id)  # nobody receives earlier events
    button = page.get_by_role("button", name="Extract now")
    async with page.expect_response(lambda told: operation_of(told.request) == "ExtractMemories") as answer:
        await button.click()
    await expect(button).to_have_attribute("data-loading", "true")
    await expect(page.get_by_role("link", name="The user prefers aisle seats")).to_be_visible()
    return connections, (await (await answer.value).json())["data"]["extractMemories"]["id"]


async def test_an_extraction_that_ended_offline_is_shown_as_finished(
    open_studio, heard, workspace_id, talk
) -> None:
    """Issue 17: the page queries the job, whose event was missed."""
    page = await open_studio("/engine")
    connections, _ = await read_unheard(page, heard, workspace_id)
    await connections[0].close(code=4000, reason="lost")

    await expect(page.get_by_text("Extraction finished")).to_be_visible()
    await expect(page.get_by_role("button", name="Extract now")).not_to_have_attribute("data-loading", "true")


async def test_an_older_extraction_is_still_shown_as_running(open_studio, heard, workspace_id, talk) -> None:
    """Issue 17: a job that is not listed has ended only if the list is complete."""
    page = await open_studio("/engine")
    connections, id_ = await read_unheard(page, heard, workspace_id)
    failed = {"node": {"id": id_, "state": "FAILED", "error": "The rules broke"}}
    for listed, has_more in (([], True), ([failed], False)):
        jobs = {"edges": listed, "pageInfo": {"hasNextPage": has_more}}
        async with (
            answering(page, "LatestJobs", lambda _, jobs=jobs: {"data": {"jobs": jobs}}),
            page.expect_response(lambda told: operation_of(told.request) == "LatestJobs"),
        ):
            await connections[-1].close(code=4000, reason="lost")

    await expect(page.get_by_text("The rules broke")).to_be_visible()
    await expect(page.get_by_text("Extraction finished")).to_have_count(0)
