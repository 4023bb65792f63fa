"""The page Knowledge: types, entities with duplicates, documents, sources, and answers with citations."""

import json
import re
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from graph.knowledge.documents.models import DocumentDraft
from graph.knowledge.models import ConnectionChange
from graph.knowledge.ontology.models import EntityDraft, RelationDraft
from tests.studio.conftest import BUSY, answering, grave_faults, picture, refused, settle
from tests.studio.drawn_graph import drawn

ONTOLOGY = {
    "entityTypes": [
        {"name": "Vessel", "properties": {"type": "object", "properties": {"tons": {"type": "number"}}}},
        {"name": "Harbour"},
    ],
    "relationTypes": [{"name": "MOORS_AT", "fromTypes": ["Vessel"], "toTypes": ["Harbour"]}],
}


@pytest.fixture
async def known(services, workspace_id) -> dict[str, str]:
    """Save two spellings of a service, one from a connection, and a document; return the ids by name."""
    knowledge = services.knowledge
    await knowledge.connections.upsert(workspace_id, "crm", ConnectionChange(name="The CRM"))
    drafts = [
        EntityDraft(type="Service", name="Checkout service", description="Takes the money"),
        EntityDraft(type="Service", name="Checkout-service", connection_id="crm"),
    ]
    ids = {each.name: each.id for each in await knowledge.ontology.upsert_entities(workspace_id, drafts)}
    text = "# Runbook\n\nRestart the checkout service after each release.\n"
    document = await knowledge.documents.add(
        workspace_id, DocumentDraft(title="Runbook", content=text, media_type="text/markdown")
    )
    return {**ids, "Runbook": document.id}


async def test_types_are_imported_after_a_preview(open_studio, tmp_path: Path) -> None:
    """Issue 17, page 8: a dry run comes first; types have counts and schemas and can be exported."""
    page = await open_studio("/knowledge")
    await page.get_by_role("button", name="Import types").click()
    dialog = page.get_by_role("dialog", name="Import types")
    await dialog.get_by_label("Ontology").fill(json.dumps(ONTOLOGY))
    await expect(dialog.get_by_role("button", name="Import", exact=True)).to_be_disabled()
    await dialog.get_by_role("button", name="Preview changes").click()
    await expect(dialog.get_by_role("status")).to_contain_text("3 new: Harbour, Vessel, MOORS_AT")
    await settle(page)
    assert await grave_faults(page) == []
    await expect(page.get_by_role("region", name="Entity types")).to_have_count(0)

    await dialog.get_by_label("Ontology").fill("{}")
    await expect(dialog.get_by_role("button", name="Import", exact=True)).to_be_disabled()
    await dialog.get_by_label("Ontology").fill(json.dumps(ONTOLOGY))
    await dialog.get_by_role("button", name="Import", exact=True).click()
    row = page.get_by_role("row").filter(has_text="Vessel").first
    await row.get_by_role("button", name="Show").click()
    await expect(row.get_by_text('"tons"')).to_be_visible()
    await expect(page.get_by_role("row").filter(has_text="MOORS_AT")).to_contain_text("Vessel → Harbour")

    async with page.expect_download() as downloading:
        await page.get_by_role("button", name="Export").click()
    file = tmp_path / "ontology.json"
    await (await downloading.value).save_as(file)
    names = {each["name"] for each in json.loads(file.read_text())["entityTypes"]}
    assert {"Vessel", "Harbour"} <= names
    assert page.complaints == []


async def test_duplicates_are_merged_and_separated_again(open_studio, known) -> None:
    """Issue 17, page 8."""
    page = await open_studio(f"/knowledge?tab=entities&entity={known['Checkout service']}")
    drawer = page.get_by_role("dialog", name="Entity")
    await drawer.get_by_role("button", name="Merge Checkout-service").click()
    await settle(page)
    await (
        page.get_by_role("dialog", name="Merge Checkout-service into Checkout service?")
        .get_by_role("button", name="Merge")
        .click()
    )
    await expect(page.get_by_text("Checkout-service is now part of Checkout service")).to_be_visible()
    await drawer.get_by_role("button", name="Close").click()
    await expect(page.get_by_role("row").filter(has_text="Checkout-service")).to_have_count(0)

    await page.get_by_role("tab", name="Duplicates").click()
    await page.get_by_role("button", name="Undo the merge").click()
    await expect(page.get_by_text("is a separate entity again")).to_be_visible()
    await page.get_by_role("tab", name="Entities").click()
    await expect(page.get_by_role("button", name="Checkout-service", exact=True)).to_be_visible()
    assert page.complaints == []


async def test_removing_a_connection_previews_the_deletion(open_studio, known) -> None:
    """Issue 17, page 8."""
    page = await open_studio("/knowledge?tab=connections")
    await page.get_by_role("button", name="Remove").click()
    dialog = page.get_by_role("dialog", name="Remove The CRM and its data?")
    await expect(dialog.get_by_text("Checkout-service")).to_be_visible()
    await dialog.get_by_role("button", name="Remove").click()
    await expect(page.get_by_text("No connections")).to_be_visible()
    await page.get_by_role("tab", name="Entities").click()
    await expect(page.get_by_role("button", name="Checkout service", exact=True)).to_be_visible()
    await expect(page.get_by_role("button", name="Checkout-service", exact=True)).to_have_count(0)


async def test_a_connection_is_removed_only_after_its_preview(
    open_studio, services, workspace_id, known
) -> None:
    """Issue 17, page 8: the preview marks a count that exceeds the listed rows."""
    drafts = [EntityDraft(type="Service", name=f"Service {n}", connection_id="crm") for n in range(60)]
    await services.knowledge.ontology.upsert_entities(workspace_id, drafts)
    page = await open_studio("/knowledge?tab=connections")
    async with answering(page, "ConnectionContents", refused):
        await page.get_by_role("button", name="Remove").click()
        dialog = page.get_by_role("dialog", name="Remove The CRM and its data?")
        await expect(dialog.get_by_role("alert")).to_contain_text(BUSY)
        await expect(dialog.get_by_role("button", name="Remove")).to_be_disabled()
    await dialog.get_by_role("button", name="Try again").click()
    await expect(dialog).to_contain_text("Entities to remove: 50+")
    await expect(dialog).to_contain_text("Showing 50 of 61 entities.")
    await expect(dialog.get_by_role("button", name="Remove")).to_be_enabled()
    await settle(page)
    assert await grave_faults(page) == []
    assert page.complaints == []


@pytest.fixture
async def hub(services, workspace_id) -> str:
    """Save an entity with 60 relations; return its id."""
    ontology = services.knowledge.ontology
    drafts = [EntityDraft(type="Service", name="Gateway", key="gateway")]
    drafts += [EntityDraft(type="Service", name=f"Service {n}", key=f"s-{n}") for n in range(60)]
    entities = await ontology.upsert_entities(workspace_id, drafts)
    relations = [RelationDraft(from_name="gateway", to_name=f"s-{n}", type="CALLS") for n in range(60)]
    await ontology.upsert_relations(workspace_id, relations)
    return next(each.id for each in entities if each.name == "Gateway")


async def test_more_rows_are_loaded_and_failures_shown(open_studio, services, workspace_id, hub) -> None:
    """Issue 17, page 8: no list ends silently."""
    page = await open_studio(f"/knowledge?tab=entities&entity={hub}")
    relations = page.get_by_role("dialog").get_by_role("region", name="Relations")
    await expect(relations.get_by_text("CALLS →")).to_have_count(50)
    await relations.get_by_role("button", name="Show more").click()
    await expect(relations.get_by_text("CALLS →")).to_have_count(60)
    await expect(relations.get_by_role("button", name="Show more")).to_have_count(0)
    await page.get_by_role("dialog").get_by_role("button", name="Close").click()

    rows = page.get_by_role("table").get_by_role("row")
    await expect(rows).to_have_count(1 + 50)
    async with answering(page, "Entities", refused):
        await page.get_by_role("button", name="Show more").click()
        alert = page.get_by_role("alert")
        await expect(alert).to_contain_text(BUSY)
        await expect(rows).to_have_count(1 + 50)
        await settle(page)
        assert await grave_faults(page) == []
    await alert.get_by_role("button", name="Try again").click()
    await expect(rows).to_have_count(1 + 61)
    await expect(alert).to_have_count(0)
    assert page.complaints == []


async def test_a_document_shows_its_chunks_and_is_deleted(open_studio, known) -> None:
    page = await open_studio("/knowledge?tab=documents")
    await page.get_by_role("button", name="Runbook", exact=True).click()
    chunk = page.get_by_role("dialog", name="Runbook").get_by_role("article")
    await expect(chunk).to_contain_text("Restart the checkout")
    await expect(chunk).to_contain_text("Embedded")
    await page.get_by_role("dialog").get_by_role("button", name="Close").click()

    await page.get_by_role("button", name="Delete Runbook").click()
    await page.get_by_role("dialog", name="Delete Runbook?").get_by_role("button", name="Delete").click()
    await expect(page.get_by_text("No documents yet")).to_be_visible()


async def test_an_answer_cites_its_evidence_and_is_recorded(open_studio, remembered, tmp_path: Path) -> None:
    page = await open_studio("/knowledge?tab=ask")
    await page.get_by_label("Question").fill("When are releases cut?")
    await page.get_by_role("button", name="Ask", exact=True).click()
    answer = page.get_by_role("region", name="Answer", exact=True)
    await expect(answer.get_by_role("link", name="Releases are cut on Thursdays at ten")).to_be_visible()
    await expect(page.get_by_role("region", name="Answers given").get_by_text("Answered")).to_be_visible()
    assert "q=When+are+releases+cut" in page.url
    await page.screenshot(path=picture("ask", tmp_path))
    assert page.complaints == []


async def test_an_answer_links_to_its_cited_relation(open_studio, services, workspace_id) -> None:
    """Issue 17: the link shows the two ends of the relation."""
    ontology = services.knowledge.ontology
    drafts = [EntityDraft(type="Person", name="Ada"), EntityDraft(type="Service", name="Atlas")]
    ada, atlas = await ontology.upsert_entities(workspace_id, drafts)
    relation = RelationDraft(from_name=ada.id, to_name=atlas.id, type="LEADS")
    await ontology.upsert_relations(workspace_id, [relation])
    page = await open_studio("/knowledge?tab=ask&q=Who+leads+Atlas%3F")
    answer = page.get_by_role("region", name="Answer", exact=True)
    cited = answer.locator("div").filter(has_text="Relation").get_by_role("link").first
    await expect(cited).to_have_attribute("href", re.compile(f"way={ada.id}%7E{atlas.id}"))
    await cited.click()

    await drawn(page, 2, 1)


async def test_an_earlier_question_can_be_repeated(open_studio, remembered) -> None:
    """Issue 17: the URL contains the question, and each answer is listed, even a repeated one."""
    page = await open_studio("/knowledge?tab=ask")
    question = page.get_by_label("Question")
    for asked in ("When are releases cut?", "What does Bob drink?"):
        await question.fill(asked)
        await page.get_by_role("button", name="Ask", exact=True).click()
        await expect(page.get_by_role("region", name="Answer", exact=True)).to_be_visible()
    runs = page.get_by_role("region", name="Answers given").get_by_role("row")
    await expect(runs).to_have_count(3)
    await page.go_back()
    await expect(question).to_have_value("When are releases cut?")

    await expect(runs).to_have_count(4)
    await page.get_by_role("button", name="Ask", exact=True).click()
    await expect(runs).to_have_count(5)


@pytest.mark.parametrize(("width", "scheme"), [(1440, "light"), (360, "dark")])
async def test_every_part_loads_and_is_accessible(
    open_studio, api_url, known, tmp_path: Path, width, scheme
) -> None:
    page: Page = await open_studio(width=width, scheme=scheme)
    for tab in ("types", "entities", "duplicates", "documents", "connections", "ask"):
        await page.goto(f"{api_url}/studio/knowledge?tab={tab}")
        await settle(page)
        await page.screenshot(path=picture(f"{tab}-{width}", tmp_path))
        assert await grave_faults(page) == [], tab
        overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert await page.evaluate(overflow) <= 0, tab
    assert page.complaints == []
