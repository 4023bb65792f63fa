"""The page Agents: the actions of agents, their outcomes, and warnings."""

import asyncio
from pathlib import Path

import pytest
from playwright.async_api import Route, expect

from graph.telemetry.models import Outcome
from tests.fixtures.telemetry import action, failing
from tests.fixtures.waiting import until
from tests.studio.conftest import grave_faults, picture, settle

OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture
async def acted(services, workspace_id) -> None:
    """Record five runs whose deployment failed with the same error, and two that succeeded."""
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)
    drafts = [failing(f"failed-{number}") for number in range(5)]
    drafts += [action(f"fine-{number}", Outcome.SUCCESS, latency_ms=120.0) for number in range(2)]
    assert await services.telemetry.recorder.record(workspace_id, drafts) == len(drafts)


async def test_runs_show_their_actions_filtered_by_outcome(open_studio, acted) -> None:
    """Issue 17, page 7."""
    page = await open_studio("/agents")
    run = page.get_by_role("row").filter(has_text="failed-3")
    await run.get_by_role("button").click()
    drawer = page.get_by_role("dialog", name="failed-3")
    await expect(drawer.get_by_role("row").filter(has_text="E_QUOTA")).to_contain_text("Error")
    await settle(page)
    assert await grave_faults(page) == []
    assert "run=seq_" in page.url
    await drawer.get_by_role("button", name="Close").click()

    await page.get_by_role("tab", name="Actions").click()
    await page.get_by_role("combobox", name="Outcome").click()
    await page.get_by_role("option", name="Success").click()
    await expect(page.get_by_role("row").filter(has_text="120 ms")).to_have_count(2)
    await expect(page.get_by_role("row").filter(has_text="E_QUOTA")).to_have_count(0)
    assert page.complaints == []


async def test_a_pattern_is_previewed_promoted_annotated_and_hidden(
    open_studio, services, workspace_id, acted
) -> None:
    """L14: with evidence; a dry run previews the promotion."""
    page = await open_studio("/agents?tab=patterns")
    await page.get_by_role("button", name="Look for patterns").click()
    dialog = page.get_by_role("dialog", name="Proposed changes")
    await expect(dialog).to_be_visible()
    promote = dialog.get_by_role("button", name="Promote now")
    if await promote.is_enabled():  # unless a worker has promoted it
        await promote.click()
    else:
        await dialog.get_by_role("button", name="Cancel").click()
        await page.reload()

    pattern = page.get_by_role("article").filter(has_text="E_QUOTA")
    await pattern.get_by_role("button", name="Note and evidence").click()
    await expect(
        pattern.get_by_role("region", name="Runs with this failure").get_by_role("link")
    ).to_have_count(5)
    await pattern.get_by_label("Note", exact=True).fill("The quota grows on Monday")
    await pattern.get_by_role("button", name="Save the note").click()
    await expect(pattern.get_by_role("button", name="Save the note")).to_be_disabled()
    await pattern.get_by_role("switch", name="Hide from agents").press("Space")
    await settle(page)
    assert await grave_faults(page) == []

    await page.reload()
    await expect(pattern.get_by_role("switch", name="Hide from agents")).to_be_checked()
    await pattern.get_by_role("button", name="Note and evidence").click()
    await expect(pattern.get_by_label("Note", exact=True)).to_have_value("The quota grows on Monday")
    assert page.complaints == []


async def test_quick_changes_of_a_pattern_are_applied_in_order(
    open_studio, services, workspace_id, acted
) -> None:
    """L14: even if the first response is late."""
    await services.telemetry.promoter.promote(workspace_id)
    page = await open_studio("/agents?tab=patterns")
    switch = page.get_by_role("article").filter(has_text="E_QUOTA").get_by_role("switch")
    asked, answered, are_pressed = [], [], asyncio.Event()

    async def delay(route: Route) -> None:
        if "AnnotatePattern" not in (route.request.post_data or ""):
            await route.continue_()
            return
        asked.append(route.request.post_data_json["variables"]["suppressed"])
        await are_pressed.wait()
        await route.fulfill(response=await route.fetch())
        answered.append(route)

    async def are_answered() -> bool:
        return len(answered) == 3

    await page.route("**/graphql", delay)
    for _ in range(3):
        await switch.press("Space")
    await expect(switch).to_be_checked()
    are_pressed.set()
    await until(are_answered)
    await expect(switch).to_be_checked()
    await page.reload()

    await expect(switch).to_be_checked()
    assert asked == [True, False, True]


async def test_a_metric_of_the_workspace_s_own_is_plotted_and_deleted(
    open_studio, acted, tmp_path: Path
) -> None:
    """Issue 17, page 7."""
    page = await open_studio("/agents?tab=metrics")
    await expect(page.get_by_role("img", name="Success rate, now 29%")).to_be_visible()
    await page.get_by_role("button", name="Add metric").click()
    dialog = page.get_by_role("dialog", name="Add metric")
    await dialog.get_by_label("Name").fill("quota_errors")
    await dialog.get_by_label("Error code").fill("E_QUOTA")
    await dialog.get_by_role("button", name="Add metric").click()
    await expect(page.get_by_role("img", name="quota_errors, now 5")).to_be_visible()
    await page.wait_for_timeout(1600)  # the plot is drawn
    await page.screenshot(path=picture("metrics", tmp_path))

    await page.get_by_role("button", name="Delete quota_errors").click()
    await page.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()
    await expect(page.get_by_role("img", name="Success rate, now 29%")).to_be_visible()
    assert page.complaints == []


@pytest.mark.parametrize(("width", "scheme"), [(1440, "dark"), (360, "light")])
async def test_every_part_loads_and_is_accessible(
    open_studio, api_url, acted, tmp_path: Path, width, scheme
) -> None:
    page = await open_studio(width=width, scheme=scheme)
    for tab in ("runs", "actions", "patterns", "outcomes", "metrics"):
        await page.goto(f"{api_url}/studio/agents?tab={tab}")
        await settle(page)
        await page.screenshot(path=picture(f"{tab}-{width}", tmp_path))
        assert await grave_faults(page) == [], tab
        assert await page.evaluate(OVERFLOW) <= 0, tab
    assert page.complaints == []
