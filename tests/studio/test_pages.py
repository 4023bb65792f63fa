"""Every page of the Studio in both themes and sizes: accessible, without overflow and without errors."""

from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.studio.conftest import grave_faults, picture, settle

PAGES = {
    "home": "",
    "memories": "/memories",
    "memory": "/memories?memory={id}",
    "add": "/memories?dialog=add",
    "none-match": "/memories?q=nothing-of-the-kind",
    "chat": "/chat?conversation=new",
    "conversations": "/conversations",
    "conversation": "/conversations?conversation=chat-42&message=m2",
    "handoff": "/conversations?conversation=chat-42&tab=handoff",
    "episodes": "/conversations?conversation=chat-42&tab=episodes",
    "import-conversations": "/conversations?dialog=import",
    "playground": "/playground?q=when+are+releases+cut&threshold=0.2",
    "compare": "/playground?q=when+are+releases+cut&compare=1&b-strategy=exact",
    "context": "/playground?q=when+are+releases+cut&view=context",
    "graph": "/graph",
    "knowledge": "/knowledge",
    "changes": "/changes",
    "change-list": "/changes?tab=list",
    "engine": "/engine",
    "settings": "/settings",
    "model": "/settings?tab=model",
    "keys": "/settings?tab=keys",
    "not-found": "/nowhere",
}
LOOKS = [(1440, "light"), (360, "dark")]  # each width and each scheme; axe-core takes a second a page
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
async def test_every_page_is_complete_and_accessible(
    open_studio, api_url, talk, remembered, tmp_path: Path, width, scheme
) -> None:
    """L1: at 1440 pixels in light, and at 360 in dark."""
    page = await open_studio(width=width, height=900 if width == 1440 else 740, scheme=scheme)
    faults = {}
    for name, address in PAGES.items():
        await page.goto(f"{api_url}/studio{address.format(id=remembered[-1])}")
        await settle(page)
        await page.screenshot(path=picture(f"{name}-{width}-{scheme}", tmp_path))
        found = await grave_faults(page)
        overflow = await page.evaluate(OVERFLOW)
        if found or overflow > 0:
            faults[name] = (found, overflow)

    assert faults == {}
    assert page.complaints == []


async def test_every_page_is_available_in_chinese(
    open_studio, api_url, talk, remembered, tmp_path: Path
) -> None:
    page = await open_studio("/memories", locale="zh-CN")

    for name, address, title in (
        ("memories", "/memories", "记忆"),
        ("chat", "/chat?conversation=new", "聊天"),
        ("conversations", "/conversations?conversation=chat-42", "对话"),
        ("playground", "/playground?q=release", "试验场"),
        ("graph", "/graph", "图谱"),
        ("knowledge", "/knowledge", "知识"),
        ("changes", "/changes", "变更"),
        ("engine", "/engine", "引擎"),
        ("settings", "/settings", "设置"),
        ("home", "", "首页"),
    ):
        await page.goto(f"{api_url}/studio{address}")
        await expect(page.get_by_role("heading", level=1)).to_have_text(title)
        await settle(page)
        await page.screenshot(path=picture(f"{name}-zh", tmp_path))
        assert await page.locator("html").get_attribute("lang") == "zh"
        assert await grave_faults(page) == []
    await expect(page.get_by_text("Memories", exact=True)).to_have_count(0)


async def test_an_empty_workspace_explains_the_first_steps(open_studio, tmp_path: Path) -> None:
    page = await open_studio()

    await expect(page.get_by_text("recollect import chats.json --format chatgpt")).to_be_visible()
    await expect(page.get_by_text("claude mcp add --transport http recollect")).to_be_visible()
    await settle(page)
    assert await grave_faults(page) == []
    await page.get_by_role("link", name="Add memory").click()
    await expect(page.get_by_role("dialog").get_by_label("Content")).to_be_focused()


async def test_language_and_colours_are_chosen_and_kept(open_studio) -> None:
    page = await open_studio("/settings")

    await page.get_by_role("button", name="Account, colours and language").click()
    await page.get_by_role("menuitem", name="Dark").click()
    await page.get_by_role("button", name="Account, colours and language").click()
    await page.get_by_role("menuitem", name="中文").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("设置")
    await page.reload()

    await expect(page.get_by_role("heading", level=1)).to_have_text("设置")
    assert await page.locator("html").get_attribute("data-mantine-color-scheme") == "dark"
