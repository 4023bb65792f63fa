"""Open decisions on the page Home."""

from datetime import UTC, datetime

import pytest
from playwright.async_api import expect

from graph.conversations.queries import suggest_deletions
from graph.knowledge.ontology.models import EntityDraft, EntityFilter
from graph.memories.models import MemoryDraft
from tests.fixtures.twenty_languages import SENTENCES
from tests.fixtures.waiting import until
from tests.studio.conftest import BUSY, Answer, answering, grave_faults, refused, settle, undo_of


@pytest.fixture
async def undecided(services, workspace_id) -> None:
    """Save two contradicting memories, and two spellings of one service."""
    store = services.memories.store
    await store.save(workspace_id, MemoryDraft(content="Ada is allergic to peanuts"))
    await store.save(workspace_id, MemoryDraft(content="Ada is not allergic to peanuts"))
    for place, name in enumerate(("Checkout service", "Checkout-service")):
        draft = EntityDraft(type="Service", name=name, key=f"service/{place}")
        await services.knowledge.ontology.upsert_entities(workspace_id, [draft])
    await until(lambda: services.memories.contradictions.latest(workspace_id))


async def test_while_memory_is_off_a_button_turns_it_on(open_studio, services, workspace_id) -> None:
    """I4, issue "Nothing lost, nothing misleading"."""
    page = await open_studio()
    banner = page.get_by_role("region", name="Memory is off in this workspace")
    await banner.get_by_role("button", name="Turn memory on").click()

    await expect(page.get_by_text("Memory is on")).to_be_visible()
    await expect(banner).to_have_count(0)
    assert (await services.tenancy.workspaces.get(workspace_id)).memory_enabled
    assert page.complaints == []


@pytest.mark.parametrize("address", ["/chat", "/conversations"])
async def test_pages_of_chats_say_that_memory_is_off_and_turn_it_on(
    open_studio, services, workspace_id, address
) -> None:
    """Issue 35 point C: otherwise they would stay empty for no visible reason."""
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=False)
    page = await open_studio(address)
    banner = page.get_by_role("region", name="Memory is off in this workspace")
    await banner.get_by_role("button", name="Turn memory on").click()

    await expect(banner).to_have_count(0)
    assert (await services.tenancy.workspaces.get(workspace_id)).memory_enabled


async def test_unread_languages_are_shown_with_the_remedy(
    open_studio, services, workspace_id, monkeypatch
) -> None:
    """Issue 39: until the model reads them."""
    embeddings = services.vectors.embeddings
    drafts = [MemoryDraft(content=text) for language in ("en", "ja") for text in SENTENCES[language]]
    await services.memories.store.save_all(workspace_id, drafts)
    monkeypatch.setattr(embeddings, "reads_english_only", lambda _: True)
    page = await open_studio()
    told = f"50% of the newest memories are in languages that {embeddings.active.signature} does not support"
    banner = page.get_by_role("region", name=told)
    command = "recollect settings set embeddingProviderModel transformers/multilingual-e5-small-q4"
    await expect(banner.locator("code")).to_have_text(command)
    await settle(page)
    assert await grave_faults(page) == []

    monkeypatch.setattr(embeddings, "reads_english_only", lambda _: False)
    await page.reload()
    await expect(page.get_by_role("region", name="Learnt today")).to_be_visible()
    await expect(banner).to_have_count(0)
    assert page.complaints == []


async def test_a_contradiction_is_resolved_or_both_memories_kept(
    open_studio, services, workspace_id, undecided
) -> None:
    """Issue 17, page 1: one click compares them; two memories that both stay no longer need a decision."""
    page = await open_studio()
    waiting = page.get_by_role("region", name="Needs your decision")
    await expect(waiting).to_contain_text("disagrees with “Ada is allergic to peanuts”")
    await settle(page)
    assert await grave_faults(page) == []
    await waiting.get_by_role("link", name="Compare").first.click()
    await expect(page.get_by_role("dialog", name="Memory")).to_contain_text("Disagrees with another memory")

    await page.go_back()
    await waiting.get_by_role("button", name="Keep both").click()
    await expect(page.get_by_text("Both memories kept")).to_be_visible()
    await expect(waiting).not_to_contain_text("peanuts")
    assert await services.memories.contradictions.latest(workspace_id) == []
    assert page.complaints == []


async def test_possible_duplicates_are_merged_and_separated(
    open_studio, services, workspace_id, undecided
) -> None:
    """Issue 17, page 1."""
    page = await open_studio(width=360, height=740)
    waiting = page.get_by_role("region", name="Needs your decision")
    await expect(waiting).to_contain_text("Checkout-service may be the same as Checkout service")
    await waiting.get_by_role("button", name="Merge").click()
    undo = await undo_of(page)
    await expect(waiting).not_to_contain_text("Checkout")
    assert await services.knowledge.merging.alike(workspace_id) == []

    await undo.click()
    entities = await until(lambda: _live(services, workspace_id))
    assert entities == ["Checkout service", "Checkout-service"]
    assert page.complaints == []


async def _live(services, workspace_id) -> list[str]:
    """Return the names of the services once there are two again."""
    page = await services.knowledge.ontology.page(workspace_id, EntityFilter(types=("Service",)))
    names = sorted(entity.name for entity in page.items)
    return names if len(names) == 2 else []


async def test_a_suggested_deletion_can_be_undone(open_studio, services, workspace_id, remembered) -> None:
    """D32: one click deletes, and another restores."""
    await suggest_deletions(
        services.core.database,
        workspace_id=workspace_id,
        conversation_id="c",
        rows=[{"id": remembered[2], "reason": "Bob drinks tea now"}],
        now=datetime.now(UTC),
    )
    page = await open_studio()
    waiting = page.get_by_role("region", name="Needs your decision")
    await expect(waiting).to_contain_text("Bob drinks tea now")
    await waiting.get_by_role("button", name="Delete").click()
    undo = await undo_of(page)
    await expect(waiting).not_to_contain_text("Bob drinks")
    assert await services.memories.store.find_all(workspace_id, remembered[2:3]) == {}

    await undo.click()
    assert await until(lambda: services.memories.store.find_all(workspace_id, remembered[2:3]))
    assert page.complaints == []


def busy_workspace(answer: Answer) -> Answer:
    """Return the response of a workspace with more failed jobs and users than a page lists."""
    job = {"__typename": "Job", "id": "j", "kind": "EXTRACT_FACTS", "error": "no model", "attempts": 3}
    failed = answer["data"]["failedJobs"]
    failed["edges"] = [{**edge_like(failed), "node": job}]
    failed["pageInfo"]["hasNextPage"] = True
    person = {"__typename": "User", "id": "ada", "memories": 3, "lastUsedAt": None}
    users = answer["data"]["users"]
    users["edges"] = [{**edge_like(users), "node": person}]
    users["pageInfo"]["hasNextPage"] = True
    return answer


def edge_like(connection: Answer) -> Answer:
    """Return an edge without its node, in the form of the page's cache."""
    return {"__typename": connection["__typename"].replace("Connection", "Edge")}


async def test_a_count_marks_that_there_is_more(open_studio, remembered) -> None:
    """L1: a page of a list is not the whole list; kinds of jobs have readable names."""
    page = await open_studio()
    async with answering(page, "Home", busy_workspace):
        await page.reload()
        waiting = page.get_by_role("region", name="Needs your decision")
        await expect(waiting).to_contain_text("Extract facts failed after 3 attempts")
        await expect(waiting).to_contain_text("1+")
        await expect(page.get_by_role("region", name="People")).to_contain_text("1+")


async def test_a_failed_load_of_decisions_is_reported(open_studio, undecided) -> None:
    """L1: with the reason, and a retry."""
    page = await open_studio(events=False)
    waiting = page.get_by_role("region", name="Needs your decision")
    async with answering(page, "Decisions", refused):
        await page.reload()
        await expect(waiting.get_by_role("alert")).to_contain_text(BUSY)
        await expect(waiting).not_to_contain_text("No open decisions")
        await settle(page)
        assert await grave_faults(page) == []
    await waiting.get_by_role("button", name="Try again").click()
    await expect(waiting).to_contain_text("disagrees with “Ada is allergic to peanuts”")
    await expect(waiting.get_by_role("alert")).to_have_count(0)
    assert page.complaints == []


async def test_stale_content_stays_visible_with_a_notice(
    open_studio, services, heard, workspace_id, remembered
) -> None:
    """L1: the notice says that it is outdated."""
    page = await open_studio()
    learnt = page.get_by_role("region", name="Learnt today")
    await expect(learnt).to_contain_text("Ada prefers tabs")
    await heard.by(workspace_id)
    async with answering(page, "Home", refused):
        await services.memories.store.save(workspace_id, MemoryDraft(content="The archive is in Chur"))
        alert = page.get_by_role("alert")
        await expect(alert).to_contain_text(BUSY)
        await expect(learnt).to_contain_text("Ada prefers tabs")
    await services.memories.store.save(workspace_id, MemoryDraft(content="The office has moved to Bern"))
    await expect(learnt).to_contain_text("The office has moved to Bern")
    await expect(alert).to_have_count(0)
    assert page.complaints == []


async def test_a_page_that_stays_open_sees_the_next_day(open_studio, remembered) -> None:
    """L1: yesterday's facts leave the list of today's."""
    page = await open_studio()
    learnt = page.get_by_role("region", name="Learnt today")
    await expect(learnt).to_contain_text("Ada prefers tabs")
    await page.clock.install(time=datetime.now(UTC))
    await page.reload()
    await expect(learnt).to_contain_text("Ada prefers tabs")
    await page.clock.fast_forward("24:00:00")
    await expect(learnt).to_contain_text("Nothing new today")
