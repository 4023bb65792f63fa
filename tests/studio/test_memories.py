"""The page Memories: live updates, corrections, undo and deletion."""

import asyncio
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

from playwright.async_api import Route, expect

from graph.core.text.budget import estimate_tokens
from graph.memories.models import MemoryChange, MemoryDraft, MemoryFilter
from graph.retrieval.recall.models import RecallQuery
from tests.fixtures.memories import MovingClock
from tests.fixtures.waiting import until
from tests.studio.conftest import (
    BUSY,
    answering,
    grave_faults,
    holding,
    operation_of,
    refused,
    settle,
    undo_of,
)


async def test_figures_show_entries_tokens_and_hit_rate(
    open_studio, services, heard, workspace_id, remembered
) -> None:
    """L5: also after a change; figures that fail to load appear as unknown."""
    await services.retrieval.recall.recall(workspace_id, RecallQuery(query="Who drinks espresso?"))

    async def is_counted() -> bool:
        (counts,) = (await services.operations.status.engine([workspace_id])).workspaces
        return counts.recalls == 1

    await until(is_counted)
    found = await services.memories.store.find_all(workspace_id, remembered)
    tokens = sum(estimate_tokens(memory.content) for memory in found.values())
    page = await open_studio("/memories")

    for figure, value in (("entries", "5"), ("tokens", str(tokens)), ("hitRate", "100%")):
        await expect(page.locator(f"[data-figure={figure}]")).to_have_text(value)

    await heard.by(workspace_id)
    now = "Bob drinks espresso every morning, and a second one after lunch"
    await services.memories.store.update(workspace_id, remembered[2], MemoryChange(content=now))
    tokens += estimate_tokens(now) - estimate_tokens(found[remembered[2]].content)
    await expect(page.locator("[data-figure=tokens]")).to_have_text(str(tokens))

    async with answering(page, "MemoryStatistics", refused):
        await page.reload()
        await expect(page.get_by_role("alert")).to_contain_text(BUSY)
        await expect(page.locator("[data-figure=tokens]")).to_have_text("–")


async def test_a_correction_by_keyboard_can_be_undone(open_studio, remembered) -> None:
    """L3: arrow keys select a row, `e` edits it, and Control+Enter saves."""
    page = await open_studio("/memories?type=preference")
    row = page.get_by_role("row").filter(has_text="Ada prefers tabs")
    await row.focus()

    await page.keyboard.press("e")
    await expect(row.get_by_label("Content")).to_be_focused()
    await row.get_by_label("Content").fill("Ada prefers spaces after all")
    await page.keyboard.press("Control+Enter")
    undo = await undo_of(page)
    await expect(page.get_by_text("Memory changed")).to_be_visible()
    await expect(page.get_by_role("row").filter(has_text="Ada prefers spaces after all")).to_be_visible()

    await undo.click()
    await expect(
        page.get_by_role("row").filter(has_text="Ada prefers tabs over spaces in Python")
    ).to_be_visible()
    assert page.complaints == []


async def test_a_correction_is_kept_while_saving_and_after_a_refusal(open_studio, remembered) -> None:
    """L3: until the response, it cannot be edited, closed or sent again."""
    page = await open_studio("/memories?type=preference")
    asked = []
    page.on("request", lambda each: asked.append(each) if operation_of(each) == "UpdateMemory" else None)
    await page.get_by_role("row").filter(has_text="Ada prefers tabs").focus()
    await page.keyboard.press("e")
    field = page.get_by_role("textbox", name="Content")
    await field.fill("Ada prefers spaces after all")
    async with holding(page, "UpdateMemory", refused({})) as is_asked:
        await page.keyboard.press("Control+Enter")
        await is_asked.wait()
        await page.keyboard.press("Control+Enter")
        await page.keyboard.press("Escape")
        await expect(field).not_to_be_editable()
        for name in ("Save", "Cancel"):
            await expect(page.get_by_role("button", name=name, exact=True)).to_be_disabled()
    await expect(page.get_by_text(BUSY)).to_be_visible()
    await expect(field).to_have_value("Ada prefers spaces after all")

    await page.get_by_role("button", name="Save", exact=True).click()
    await expect(field).to_have_count(0)
    await expect(page.get_by_text("Ada prefers spaces after all")).to_be_visible()
    assert len(asked) == 2


async def test_a_correction_continues_while_another_is_saved(open_studio, remembered) -> None:
    """L3: the other field stays open and receives the typed text."""
    page = await open_studio("/memories")
    lines = [page.get_by_role("row").filter(has_text=text) for text in ("Ada prefers", "Bob drinks")]
    field = page.get_by_role("textbox", name="Content")
    await lines[0].get_by_role("button", name="Edit").click()
    await field.fill("Ada prefers spaces after all")
    async with holding(page, "UpdateMemory") as is_asked:
        await page.keyboard.press("Control+Enter")
        await is_asked.wait()
        await lines[1].get_by_role("button", name="Edit").click()
        await field.fill("Bob drinks tea")
    await expect(page.get_by_text("Memory changed")).to_be_visible()
    await expect(field).to_be_focused()
    await page.keyboard.type(" by now")
    await expect(field).to_have_value("Bob drinks tea by now")


async def test_deleting_asks_first_and_can_be_undone(open_studio, remembered) -> None:
    """L3."""
    page = await open_studio("/memories")
    row = page.get_by_role("row").filter(has_text="Bob drinks espresso")
    await row.focus()
    await page.keyboard.press("Delete")
    dialog = page.get_by_role("dialog", name="Delete this memory?")
    await expect(dialog.get_by_text("Bob drinks espresso every morning")).to_be_visible()
    await settle(page)
    assert await grave_faults(page) == []

    await dialog.get_by_role("button", name="Delete").click()
    undo = await undo_of(page)
    await expect(row).to_have_count(0)
    await undo.click()
    await expect(row).to_be_visible()


async def test_a_memory_is_added_under_a_key_and_found_by_search_and_filter(open_studio, remembered) -> None:
    """L2, L3: the URL contains the search and the filters."""
    page = await open_studio("/memories")
    await page.get_by_role("button", name="Add memory").click()
    dialog = page.get_by_role("dialog", name="Add memory")
    await dialog.get_by_label("Content").fill("Carla is allergic to peanuts")
    await dialog.get_by_label("Key").fill("carla-allergy")
    await dialog.get_by_role("button", name="Save").click()
    await expect(page.get_by_text("Memory saved")).to_be_visible()

    await page.get_by_label("Search memories").fill("peanuts")
    await expect(page.get_by_text("1 memory")).to_be_visible()
    await expect(page.get_by_role("row").filter(has_text="carla-allergy")).to_be_visible()
    await page.wait_for_url("**/studio/memories?q=peanuts")
    await page.reload()
    await expect(page.get_by_text("1 memory")).to_be_visible()


async def test_versions_are_compared_and_restored(open_studio, services, workspace_id, remembered) -> None:
    store = services.memories.store
    await store.update(
        workspace_id, remembered[1], MemoryChange(content="Releases are cut on Fridays at ten")
    )
    page = await open_studio(f"/memories?memory={remembered[1]}")
    drawer = page.get_by_role("dialog", name="Memory")

    await expect(drawer.locator("del")).to_have_text("Thursdays")
    await expect(drawer.locator("ins")).to_have_text("Fridays")
    await drawer.get_by_role("button", name="Restore this version").click()
    await expect(drawer.get_by_label("Content")).to_have_value("Releases are cut on Thursdays at ten")


async def test_a_summary_is_rewritten_while_the_source_exists(
    open_studio, services, workspace_id, talk
) -> None:
    """A40, L3: the page reports a missing source."""
    draft = MemoryDraft(
        content="The user prefers aisle seats", source_conversation_id=talk, source_message_id="m1"
    )
    memory = (await services.memories.store.save(workspace_id, draft)).memory
    page = await open_studio(f"/memories?memory={memory.id}")
    again = page.get_by_role("button", name="Summarize again from the source")

    await again.click()
    await expect(page.get_by_text("Summary rewritten")).to_be_visible()

    await services.conversations.capture.delete(workspace_id, talk)
    await again.click()
    await expect(page.get_by_text("The summary was not rewritten")).to_be_visible()


async def test_a_pinned_memory_is_part_of_every_context(
    open_studio, services, workspace_id, remembered
) -> None:
    """C12, L3: a switch in the memory's form sets its tag."""
    injection = services.retrieval.injection
    page = await open_studio(f"/memories?memory={remembered[1]}")
    drawer = page.get_by_role("dialog", name="Memory")

    await drawer.get_by_label("Pinned").check()
    await drawer.get_by_role("button", name="Save", exact=True).click()
    await expect(page.get_by_text("Memory changed")).to_be_visible()
    given = await injection.for_turn(workspace_id, "What is the weather like?")
    assert [hit.memory.id for hit in given.hits] == [remembered[1]]

    await drawer.get_by_label("Pinned").uncheck()
    await drawer.get_by_role("button", name="Save", exact=True).click()
    await expect(drawer.get_by_role("button", name="Save", exact=True)).to_be_disabled()
    await expect(drawer.get_by_label("Pinned")).not_to_be_checked()

    async def is_given_no_more() -> bool:
        return (await injection.for_turn(workspace_id, "What is the weather like?")).hits == ()

    await until(is_given_no_more)
    assert page.complaints == []


async def test_a_form_keeps_changes_of_others(open_studio, services, workspace_id, remembered) -> None:
    """L3: a form without input is no draft, and a save sends only typed fields."""
    store = services.memories.store
    page = await open_studio(f"/memories?memory={remembered[1]}")
    drawer = page.get_by_role("dialog", name="Memory")
    await expect(drawer.get_by_label("Pinned")).not_to_be_checked()

    await store.update(workspace_id, remembered[1], MemoryChange(tags=("pinned",)))
    await page.reload()
    await expect(drawer.get_by_label("Pinned")).to_be_checked()
    await drawer.get_by_label("Importance").fill("0.35")
    await drawer.get_by_role("button", name="Save", exact=True).click()
    await expect(page.get_by_text("Memory changed")).to_be_visible()

    stored = await store.get(workspace_id, remembered[1])
    assert (stored.importance, stored.tags) == (0.35, ("pinned",))


async def test_text_typed_while_a_form_is_saved_stays(
    open_studio, services, workspace_id, remembered
) -> None:
    """L3."""
    page = await open_studio(f"/memories?memory={remembered[1]}")
    drawer = page.get_by_role("dialog", name="Memory")
    save = drawer.get_by_role("button", name="Save", exact=True)
    is_typed = asyncio.Event()

    async def hold(route: Route) -> None:
        response = await route.fetch()
        if operation_of(route.request) == "UpdateMemory":
            await is_typed.wait()
        await route.fulfill(response=response)

    await drawer.get_by_label("Importance").fill("0.35")
    await page.route("**/graphql", hold)
    await save.click()
    await drawer.get_by_role("combobox", name="Tags").fill("release")
    await page.keyboard.press("Enter")
    async with page.expect_response(lambda answer: operation_of(answer.request) == "Memory"):
        is_typed.set()
    await settle(page)
    await page.unroute_all(behavior="wait")
    await expect(drawer.get_by_text("release", exact=True)).to_be_visible()
    await save.click()
    await expect(save).to_be_disabled()

    stored = await services.memories.store.get(workspace_id, remembered[1])
    assert (stored.importance, stored.tags) == (0.35, ("release",))


async def test_typed_text_stays_when_others_change_the_memory(
    open_studio, services, heard, workspace_id, remembered
) -> None:
    """L2, L3: their change appears without a reload, and the memory then has both."""
    store = services.memories.store
    page = await open_studio(f"/memories?memory={remembered[1]}")
    drawer = page.get_by_role("dialog", name="Memory")
    await drawer.get_by_label("Importance").fill("0.35")
    await heard.by(workspace_id)

    now = "Releases are cut on Fridays at ten"
    await store.update(workspace_id, remembered[1], MemoryChange(content=now))
    await expect(drawer.get_by_label("Content")).to_have_value(now)
    await expect(drawer.get_by_label("Importance")).to_have_value("0.35")
    await drawer.get_by_role("button", name="Save", exact=True).click()
    await expect(page.get_by_text("Memory changed")).to_be_visible()

    stored = await store.get(workspace_id, remembered[1])
    assert (stored.importance, stored.content) == (0.35, now)


async def test_memories_are_exported_and_imported_again(open_studio, remembered, tmp_path: Path) -> None:
    """L4: as JSON."""
    page = await open_studio("/memories?q=espresso")
    await expect(page.get_by_text("1 memory")).to_be_visible()
    await page.get_by_role("button", name="More").click()
    async with page.expect_download() as downloading:
        await page.get_by_role("menuitem", name="Export this memory").click()
    file = tmp_path / "memories.json"
    await (await downloading.value).save_as(file)
    (exported,) = json.loads(file.read_text())
    assert (exported["key"], exported["type"]) == ("bob-espresso", "HABIT")

    exported.update(content="Bob drinks tea by now", key="bob-tea")
    file.write_text(json.dumps([exported]))
    await page.get_by_role("button", name="More").click()
    await page.get_by_role("menuitem", name="Import memories").click()
    await page.locator("input[type=file]").set_input_files(file)
    await expect(page.get_by_text("1 memory is ready to be imported.")).to_be_visible()
    await page.get_by_role("button", name="Import", exact=True).click()
    await expect(page.get_by_text("1 memory imported")).to_be_visible()


async def test_compacting_shows_candidates_before_anything_happens(open_studio, remembered) -> None:
    """L6."""
    page = await open_studio("/memories")
    await page.get_by_role("button", name="More").click()
    await page.get_by_role("menuitem", name="Compact old memories").click()
    dialog = page.get_by_role("dialog", name="Compact old memories")
    await expect(dialog.get_by_role("button", name="Compact", exact=True)).to_be_disabled()

    await dialog.get_by_role("button", name="Show candidates").click()

    await expect(dialog.get_by_text("No memory is that old")).to_be_visible()
    await expect(dialog.get_by_role("button", name="Compact", exact=True)).to_be_disabled()


async def test_only_the_previewed_memories_are_compacted(
    open_studio, services, workspace_id, memories_under, remembered
) -> None:
    """L6: each age has its own preview, and the user can confirm only after seeing it."""
    for days, name in ((100, "Ada"), (100, "Bob"), (10, "Carla")):
        long_ago = MovingClock(datetime.now(UTC) - timedelta(days=days))
        draft = MemoryDraft(
            content=f"{name} walked to work: {'and so on, at length, ' * 15}", summary=f"{name} walked"
        )
        await memories_under(clock=long_ago).save_all(workspace_id, [draft])
    page = await open_studio("/memories")
    await page.get_by_role("button", name="More").click()
    await page.get_by_role("menuitem", name="Compact old memories").click()
    dialog = page.get_by_role("dialog", name="Compact old memories")
    await dialog.get_by_label("Older than (days)").fill("90")
    await dialog.get_by_role("button", name="Show candidates").click()
    await expect(dialog.get_by_text("2 memories would be compacted")).to_be_visible()

    await dialog.get_by_label("Older than (days)").fill("1")
    await expect(dialog.get_by_text("2 memories would be compacted")).to_have_count(0)
    await expect(dialog.get_by_role("button", name="Compact", exact=True)).to_be_disabled()

    await dialog.get_by_label("Older than (days)").fill("90")
    await dialog.get_by_role("button", name="Compact 2 memories").click()
    await expect(page.get_by_text("2 memories compacted")).to_be_visible()
    listed = await services.memories.store.page(workspace_id, MemoryFilter(), first=20)
    assert sum(memory.content.startswith("Carla walked to work") for memory in listed.items) == 1
    assert len(listed.items) == len(remembered) + 2
    assert page.complaints == []
