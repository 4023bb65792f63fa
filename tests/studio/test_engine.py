"""The page Engine: what works and why not, what a change costs, and work that failed is tried again."""

from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.studio.conftest import grave_faults, picture, settle

OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


async def test_the_parts_say_how_they_do_and_a_check_proves_it(open_studio, remembered) -> None:
    """L9: chips with reasons."""
    page = await open_studio("/engine")
    parts = page.get_by_role("list", name="Parts")
    await expect(parts.get_by_role("listitem").filter(has_text="Words · works")).to_be_visible()
    await expect(parts.get_by_role("listitem").filter(has_text="Qdrant · off")).to_be_visible()

    await page.get_by_role("button", name="Check").click()
    await expect(page.get_by_text("A memory was saved, found and deleted in")).to_be_visible()
    await page.get_by_role("button", name="Embed what is missing").click()
    await expect(
        page.get_by_text("Everything is embedded already").or_(page.get_by_text("being embedded"))
    ).to_be_visible()
    assert page.complaints == []


async def test_a_change_says_what_it_costs_and_a_refusal_its_reason(open_studio, remembered) -> None:
    """Issue 17, page 9: only the default workspace's administrator sets what is one for all."""
    page = await open_studio("/engine")
    card = page.get_by_role("region", name="Embedding", exact=True)
    await card.get_by_role("combobox", name="Source").click()
    await page.get_by_role("option", name="None: words only").click()
    await expect(card.get_by_text("5 memories of this workspace will be embedded again")).to_be_visible()
    await card.get_by_role("button", name="Save").click()
    await expect(card.get_by_text("default workspace")).to_be_visible()
    await card.get_by_role("button", name="Discard").click()
    await expect(card.get_by_role("combobox", name="Source")).not_to_have_value("None: words only")


@pytest.mark.parametrize(("width", "scheme"), [(1440, "light"), (360, "dark")])
async def test_the_engine_is_whole_and_accessible(
    open_studio, remembered, tmp_path: Path, width, scheme
) -> None:
    page = await open_studio("/engine", width=width, scheme=scheme)
    await expect(page.get_by_role("region", name="Jobs")).to_be_visible()
    await settle(page)
    await page.screenshot(path=picture(f"engine-{width}", tmp_path), full_page=True)
    assert await grave_faults(page) == []
    assert await page.evaluate(OVERFLOW) <= 0
    assert page.complaints == []
