"""The page Graph: nodes are found, expanded, followed, hidden and shared."""

import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.async_api import expect

from graph.knowledge.ontology.models import EntityDraft, RelationDraft
from graph.memories.models import MemoryDraft
from tests.fixtures.graphs import run
from tests.studio.conftest import grave_faults, picture, settle
from tests.studio.drawn_graph import drawn

BEGAN = """CYPHER 25 MATCH (workspace:Workspace {id: $ws}) SET workspace.created_at = $moment"""
CAME = """CYPHER 25 MATCH (node:Entity {id: $id}) SET node.created_at = $moment
WITH node MATCH (node)-[edge]-() SET edge.created_at = $moment"""


@pytest.fixture
async def related(services, workspace_id) -> dict[str, str]:
    """Save a chain of relations: Ada, Atlas, Borealis, Cy; return the ids by name."""
    ontology = services.knowledge.ontology
    drafts = [EntityDraft(type="Person", name=name) for name in ("Ada", "Cy")]
    drafts += [EntityDraft(type="Service", name=name) for name in ("Atlas", "Borealis")]
    ids = {each.name: each.id for each in await ontology.upsert_entities(workspace_id, drafts)}
    await ontology.upsert_relations(
        workspace_id,
        [
            RelationDraft(from_name=ids["Ada"], to_name=ids["Atlas"], type="LEADS"),
            RelationDraft(from_name=ids["Atlas"], to_name=ids["Borealis"], type="DEPENDS_ON"),
            RelationDraft(from_name=ids["Cy"], to_name=ids["Borealis"], type="MAINTAINS"),
        ],
    )
    return ids


async def test_a_node_is_found_expanded_and_left_for_another(open_studio, related, tmp_path: Path) -> None:
    """Issue 17, page 6: by search, expansion by type, and a path; the URL contains all of it."""
    page = await open_studio("/graph")
    await drawn(page, 4, 3)
    await page.get_by_label("Find a node").fill("Ada")
    await page.get_by_role("option", name=re.compile("^Ada ")).click()
    await drawn(page, 2, 1)

    nodes = page.get_by_role("region", name="Selected node")
    await expect(nodes.get_by_role("heading", name="Ada")).to_be_visible()
    await nodes.get_by_role("button", name="Deselect").click()
    await page.get_by_role("region", name="Nodes").get_by_role("button", name="Atlas").click()
    await nodes.get_by_role("button", name="DEPENDS_ON 1").click()
    await drawn(page, 3, 2)

    await page.goto(f"{page.url.split('?')[0]}?from={related['Ada']}&way={related['Ada']}~{related['Cy']}")
    await drawn(page, 4, 3)
    await settle(page)
    await page.wait_for_timeout(500)  # until the nodes have moved to their places
    await page.screenshot(path=picture("graph", tmp_path))
    assert await grave_faults(page) == []
    assert page.complaints == []


async def test_a_path_between_two_visible_nodes_is_shown(open_studio, related) -> None:
    page = await open_studio(f"/graph?from={related['Ada']}&from={related['Cy']}&node={related['Ada']}")
    await drawn(page, 4, 2)
    await page.get_by_role("combobox", name="Path to").click()
    await page.get_by_role("option", name=re.compile("^Cy ")).click()
    await drawn(page, 4, 3)


async def test_nodes_and_kinds_are_hidden_and_shown_again(
    open_studio, services, workspace_id, related
) -> None:
    await services.memories.store.save(workspace_id, MemoryDraft(content="the kettle is full of scale"))
    page = await open_studio(f"/graph?node={related['Atlas']}")
    await page.get_by_role("button", name="Hide", exact=True).click()
    await expect(page.get_by_role("button", name="Show 1 hidden node")).to_be_visible()
    await expect(page.get_by_role("region", name="Nodes").get_by_role("button", name="Atlas")).to_have_count(
        0
    )
    await page.get_by_role("group", name="Node types").get_by_role("button", name="Memory").click()
    await drawn(page, 3, 1)

    await page.reload()
    await drawn(page, 3, 1)
    await page.get_by_role("button", name="Show 1 hidden node").click()
    await drawn(page, 4, 3)


async def test_the_server_shows_the_graph_as_of_a_day(
    open_studio, related, workspace_id, graph_driver, tmp_path: Path
) -> None:
    """Issue 17, page 6: two nodes are thirty days old, two are new; the URL contains the day."""
    today = datetime.now(UTC)
    past = today - timedelta(days=30)
    await run(graph_driver, BEGAN, ws=workspace_id, moment=past)
    for name, moment in (("Atlas", past), ("Borealis", past), ("Ada", today), ("Cy", today)):
        await run(graph_driver, CAME, id=related[name], moment=moment)
    page = await open_studio(f"/graph?from={related['Atlas']}&from={related['Borealis']}")
    await drawn(page, 4, 3)
    slider = page.get_by_role("slider", name="As of")
    async with page.expect_request(lambda request: "asOf" in (request.post_data or "")) as asking:
        await slider.press("ArrowLeft")
    sent = (await asking.value).post_data_json["variables"]
    assert (sent["input"]["asOf"] or "").startswith(str((today - timedelta(days=1)).date()))
    await drawn(page, 2, 1)
    await settle(page)
    await page.screenshot(path=picture("graph-as-of", tmp_path))
    assert await grave_faults(page) == []

    await page.reload()
    await drawn(page, 2, 1)
    await page.get_by_role("button", name="Back to the overview").click()
    await drawn(page, 4, 3)
    await slider.press("Home")
    await drawn(page, 2, 1)
    await page.get_by_role("button", name="Back to now").click()
    await drawn(page, 4, 3)
    assert page.complaints == []


async def test_hidden_nodes_are_shared_with_somebody_who_has_to_sign_in(open_studio, related) -> None:
    """Issue 17: the URL contains them, also through the sign-in."""
    page = await open_studio(f"/graph?node={related['Atlas']}")
    await page.get_by_role("button", name="Hide", exact=True).click()
    await expect(page.get_by_role("button", name="Show 1 hidden node")).to_be_visible()

    other = await open_studio(page.url.partition("/studio")[2])
    await expect(other.get_by_role("button", name="Show 1 hidden node")).to_be_visible()


async def test_a_node_that_was_deleted_does_not_fail_the_others(open_studio, related, tmp_path: Path) -> None:
    """Issue 17: the other nodes of the URL are drawn, with a notice; so it is with later failures."""
    page = await open_studio(f"/graph?from={related['Ada']}&from=ent_gone")
    await drawn(page, 2, 1)
    status = page.get_by_role("region", name="Drawing").get_by_role("status")
    await expect(status).to_contain_text("Could not load everything")
    await settle(page)
    await page.screenshot(path=picture("graph-partly", tmp_path))
    assert await grave_faults(page) == []

    await page.goto(f"{page.url.split('?')[0]}?from={related['Ada']}")
    await drawn(page, 2, 1)
    await expect(status).not_to_contain_text("Could not load")
    await page.route("**/graphql", lambda route: route.fulfill(status=500, body="out of order"))
    await page.get_by_role("region", name="Nodes").get_by_role("button", name="Atlas").click()
    await expect(page.get_by_role("region", name="Selected node").get_by_role("alert")).to_be_visible()
    await page.get_by_label("Find a node").fill("Borealis")
    await expect(page.get_by_role("listbox")).to_contain_text("Internal Server Error")
    await page.screenshot(path=picture("graph-failing", tmp_path))
    await page.get_by_label("Find a node").fill("")
    await page.get_by_role("region", name="Selected node").get_by_role("button", name="All").click()
    await expect(status).to_contain_text("Could not load everything")
    await page.unroute_all(behavior="wait")
    await status.get_by_role("button", name="Try again").click()
    await drawn(page, 3, 2)
    await expect(status).not_to_contain_text("Could not load")


async def test_a_node_deleted_elsewhere_is_not_drawn_from_the_cache(
    open_studio, services, workspace_id, related
) -> None:
    """Issue 17: opening the page always queries the server."""
    page = await open_studio(f"/graph?from={related['Atlas']}")
    await drawn(page, 3, 2)
    await page.get_by_role("link", name="Home").click()
    await expect(page.get_by_role("heading", level=1, name="Home")).to_be_visible()
    await services.knowledge.ontology.delete(workspace_id, related["Borealis"])
    await page.go_back()

    await drawn(page, 2, 1)


async def test_the_skip_link_keeps_hidden_nodes(open_studio, related) -> None:
    """Issue 17: the URL stays unchanged."""
    page = await open_studio(f"/graph?hide={related['Atlas']}")
    hidden = page.get_by_role("button", name="Show 1 hidden node")
    await expect(hidden).to_be_visible()
    address = page.url
    await page.get_by_role("link", name="Skip to the page").focus()
    await page.keyboard.press("Enter")

    await expect(page.locator("#page")).to_be_focused()
    await expect(hidden).to_be_visible()
    assert page.url == address


async def test_the_search_fits_a_narrow_screen(open_studio, related) -> None:
    """Issue 17: at 360 pixels."""
    page = await open_studio("/graph", width=360, height=740)
    await page.get_by_label("Find a node").fill("Ada")
    found = page.get_by_role("listbox")
    await expect(found.get_by_role("option", name=re.compile("^Ada "))).to_be_visible()

    for part in (page.get_by_label("Find a node"), found):
        box = await part.bounding_box()
        assert box is not None
        assert box["x"] >= 8
        assert box["x"] + box["width"] <= 352


async def test_the_graph_is_exported_as_data_picture_and_query(
    open_studio, related, workspace_id, tmp_path: Path
) -> None:
    page = await open_studio(f"/graph?from={related['Ada']}")
    await drawn(page, 2, 1)
    taken = {}
    for name, item in (("graph.json", "Data (JSON)"), ("graph.png", "Picture (PNG)")):
        await page.get_by_role("button", name="Export").click()
        async with page.expect_download() as downloading:
            await page.get_by_role("menuitem", name=item).click()
        taken[name] = tmp_path / name
        await (await downloading.value).save_as(taken[name])

    data = json.loads(taken["graph.json"].read_text())
    assert {node["id"] for node in data["nodes"]} == {related["Ada"], related["Atlas"]}
    assert [edge["type"] for edge in data["edges"]] == ["LEADS"]
    assert taken["graph.png"].read_bytes().startswith(b"\x89PNG")

    await page.get_by_role("button", name="Export").click()
    await page.get_by_role("menuitem", name="Open in Neo4j Browser").click()
    dialog = page.get_by_role("dialog", name="Open in Neo4j Browser")
    await expect(
        dialog.get_by_text(f'MATCH (node:Entity {{workspace_id: "{workspace_id}"}})')
    ).to_be_visible()
    there = await dialog.get_by_role("link", name="Open there").get_attribute("href")
    assert "cmd=edit&arg=CYPHER" in there
    assert related["Atlas"] in there
    assert page.complaints == []


async def test_an_empty_graph_explains_how_to_fill_it(open_studio) -> None:
    page = await open_studio("/graph")
    await expect(page.get_by_text("The graph is empty")).to_be_visible()
    assert await grave_faults(page) == []
