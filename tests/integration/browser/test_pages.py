"""GraphiQL and the REST viewer in a real Chromium that can reach only this service."""

from collections.abc import AsyncIterator
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Page, Route, async_playwright, expect

from graph.memories.models import MemoryDraft
from graph.tenancy.models import Scope
from tests.fixtures.chromium import chromium_program
from tests.fixtures.timeouts import scaled_timeout

expect.set_options(timeout=1000 * scaled_timeout(60))  # other tests keep the machine busy
QUIET = ["--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"]


@pytest.fixture
def complaints() -> list[str]:
    """Return the list of requests to other hosts and violations of the page's policy."""
    return []


@pytest.fixture
async def page(api_url, complaints) -> AsyncIterator[Page]:
    async def stay_here(route: Route) -> None:
        if urlsplit(route.request.url).netloc == urlsplit(api_url).netloc:
            await route.continue_()
        else:
            complaints.append(route.request.url)
            await route.abort()

    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(executable_path=chromium_program(), args=QUIET)
        context = await chromium.new_context(viewport={"width": 1400, "height": 1000})
        context.set_default_timeout(60_000)
        await context.route("**/*", stay_here)
        opened = await context.new_page()
        opened.on(
            "console",
            lambda told: complaints.append(told.text) if "Content Security Policy" in told.text else None,
        )
        yield opened
        await chromium.close()


@pytest.fixture
async def key(services, workspace_id) -> str:
    await services.memories.store.save(workspace_id, MemoryDraft(content="Prefers tabs as indentation"))
    scopes = [Scope.READ, Scope.WRITE]
    return (await services.tenancy.keys.create(workspace_id, name="a person's", scopes=scopes))[1]


async def test_a_person_enters_a_key_and_runs_an_example(page, api_url, key, complaints) -> None:
    """GraphiQL shows example tabs and the schema's documentation; it keeps the key while the tab is open."""
    await page.goto(f"{api_url}/graphql")
    await page.get_by_label("API key").fill(key)
    await page.keyboard.press("Enter")

    for name in ("Recall", "Remember", "Browse", "Ask", "Watch"):
        await expect(page.get_by_role("tab", name=name)).to_be_visible()
    await page.get_by_role("button", name="Show Documentation Explorer").click()
    await expect(page.locator(".graphiql-doc-explorer")).to_contain_text("Query")
    await expect(page.locator(".graphiql-query-editor")).to_contain_text("query Recall")
    await page.get_by_role("button", name="Execute query").click()
    await expect(page.locator(".graphiql-response")).to_contain_text("Prefers tabs as indentation")

    await page.reload()
    await expect(page.get_by_label("API key")).to_have_value(key)
    await page.get_by_role("tab", name="Browse").click()
    await expect(page.locator(".graphiql-query-editor")).to_contain_text("query Browse")
    await page.get_by_role("button", name="Execute query").click()
    await expect(page.locator(".graphiql-response")).to_contain_text("Prefers tabs as indentation")
    assert complaints == []


async def test_a_key_opens_no_empty_tab(page, api_url, key) -> None:
    """Even if the user types slowly and GraphiQL has already stored its tabs."""
    await page.goto(f"{api_url}/graphql")
    await page.wait_for_function("sessionStorage.getItem('graphiql:tabState') !== null")
    await page.get_by_label("API key").fill(key)
    await page.keyboard.press("Enter")

    await expect(page.get_by_role("tab")).to_contain_text(["Recall", "Remember", "Browse", "Ask", "Watch"])
    await expect(page.locator(".graphiql-query-editor")).to_contain_text("query Recall")


async def test_a_subscription_reports_saves_of_another_tab(page, api_url, key, services, complaints) -> None:
    """Over a websocket with the entered key."""
    await page.goto(f"{api_url}/graphql")
    await page.get_by_label("API key").fill(key)
    await page.keyboard.press("Enter")
    await page.get_by_role("tab", name="Watch").click()
    await page.get_by_role("button", name="Execute query").click()
    await page.get_by_role("button", name="Stop query").wait_for()

    principal = await services.tenancy.access.authenticate(key)
    seen = page.locator(".graphiql-response")
    for number in range(100):
        await services.memories.store.save(
            principal.workspace_id, MemoryDraft(content=f"Zebra {number}", dedup=False)
        )
        if "Zebra" in await seen.inner_text():
            break
        await page.wait_for_timeout(100)
    await expect(seen).to_contain_text("Zebra")
    assert complaints == []


async def test_the_routes_are_listed_and_can_be_tried(page, api_url, key, complaints) -> None:
    """K19: by tag with their parameters; the page sends the entered key."""
    await page.goto(f"{api_url}/docs")

    await expect(page.get_by_role("heading", name="Recollect")).to_be_visible()
    await page.get_by_role("button", name="Authorize").first.click()
    bearer = page.locator(".auth-container").filter(has_text="bearer").first
    await bearer.locator("input").fill(key)
    await bearer.locator("button.authorize").click()
    await page.locator(".btn-done").first.click()
    await page.locator("#operations-tag-omniroute").click()
    listing = page.locator(".opblock-get").filter(has=page.locator("[data-path='/api/memory']"))
    await listing.locator(".opblock-summary-control").click()
    await listing.get_by_role("button", name="Try it out").click()
    await listing.get_by_role("button", name="Execute").click()
    await expect(listing.locator(".live-responses-table")).to_contain_text("Prefers tabs as indentation")
    assert complaints == []
