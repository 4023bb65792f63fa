"""The page Changes: decisions on doubtful facts, and the undoing of automatic changes (issue 36, point 7)."""

import pytest
from playwright.async_api import expect

from graph.memories.models import MemoryDraft, MemoryFilter
from graph.memories.policy import SourceType
from tests.studio.conftest import grave_faults, settle, undo_of


@pytest.fixture
async def doubtful(services, workspace_id) -> None:
    """Save three facts with low confidence and one with high confidence."""
    for content, confidence in (
        ("The user lives for this stuff", 0.5),
        ("The user chose the wrong file", 0.5),
        ("The user restarts it", 0.4),
        ("The user prefers aisle seats", 0.9),
    ):
        draft = MemoryDraft(content=content, confidence=confidence, source_type=SourceType.EXTRACTED)
        await services.memories.store.save(workspace_id, draft)


async def contents(services, workspace_id) -> dict[str, float]:
    page = await services.memories.store.page(workspace_id, MemoryFilter())
    return {memory.content: memory.confidence for memory in page.items}


async def test_doubtful_facts_are_kept_corrected_and_forgotten(
    open_studio, services, workspace_id, doubtful
) -> None:
    page = await open_studio("/changes")
    rows = page.get_by_role("row")
    await expect(rows.filter(has_text="The user")).to_have_count(3)
    await settle(page)
    assert await grave_faults(page) == []

    await rows.filter(has_text="lives for").get_by_role("button", name="Keep").click()
    await expect(rows.filter(has_text="lives for")).to_have_count(0)
    wrong = rows.filter(has_text="restarts it")
    await wrong.get_by_role("button", name="Edit").click()
    edited = rows.filter(has=page.get_by_label("Content"))
    await edited.get_by_label("Content").fill("The user restarts the router")
    await edited.get_by_role("button", name="Save").click()
    await expect(edited).to_have_count(0)
    await rows.filter(has_text="wrong file").get_by_role("button", name="Forget").click()
    undo = await undo_of(page)

    await expect(page.get_by_text("No facts to review")).to_be_visible()
    assert await contents(services, workspace_id) == {
        "The user lives for this stuff": 1.0,
        "The user restarts the router": 1.0,
        "The user prefers aisle seats": 0.9,
    }
    await undo.click()
    await expect(rows.filter(has_text="wrong file")).to_be_visible()
    assert page.complaints == []


async def test_an_automatic_change_is_shown_with_its_previous_state_and_undone(
    open_studio, services, workspace_id
) -> None:
    for content, tags in (("Ada likes tea", ()), ("ada likes tea", ("x",))):
        await services.memories.store.save(workspace_id, MemoryDraft(content=content, tags=tags))
    page = await open_studio("/changes?tab=list")
    row = page.get_by_role("row").filter(has_text="Merged")
    await expect(row).to_contain_text("Before: ada likes tea")
    await settle(page)
    assert await grave_faults(page) == []

    await row.get_by_role("button", name="Undo").click()

    await expect(page.get_by_text("Change undone")).to_be_visible()
    await expect(row).to_contain_text("Undone")
    assert len(await contents(services, workspace_id)) == 2
    assert page.complaints == []


async def test_the_page_is_available_in_chinese(open_studio, doubtful) -> None:
    page = await open_studio("/changes", locale="zh-CN")

    await expect(page.get_by_role("heading", level=1)).to_have_text("变更")
    await expect(page.get_by_role("button", name="忘记")).to_have_count(3)
    assert page.complaints == []
