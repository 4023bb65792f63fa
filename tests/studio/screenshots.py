"""Pictures of the Studio for ``make screenshots``: every page in both themes and sizes, in ``screenshots/``.

Four small ones go to ``docs/pictures/``.
"""

from pathlib import Path

import pytest
from PIL import Image
from playwright.async_api import Page

from app.adapters.embedding.onnx_model import OnnxEmbedder
from graph.retrieval.recall.models import RecallQuery
from graph.telemetry.models import SequenceFilter
from tests.studio.conftest import settle
from tests.studio.demo_data import remember_everything

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "screenshots"
PUBLISHED = ROOT / "docs" / "pictures"
MOST_PUBLISHED_BYTES = 400_000
QUALITY = 78  # of WebP: text stays sharp

ASKED = "when+is+the+next+release+of+Atlas"
PAGES = {
    "home": "",
    "memories": "/memories",
    "memory": "/memories?q=Borealis&memory={memory}",
    "memories-add": "/memories?dialog=add",
    "memories-none": "/memories?q=nothing-of-the-kind",
    "chat": "/chat?conversation=new",
    "conversations": "/conversations",
    "conversation": "/conversations?conversation=release-4-2",
    "conversation-handoff": "/conversations?conversation=move-2&tab=handoff",
    "conversations-import": "/conversations?dialog=import",
    "playground": f"/playground?q={ASKED}&threshold=0.2",
    "playground-compare": f"/playground?q={ASKED}&compare=1&b-strategy=exact",
    "playground-context": f"/playground?q={ASKED}&view=context",
    "graph": "/graph?from={Atlas}&from={Borealis}&from={Cassini}&from={Delphi}&node={Borealis}&without=agent_action",
    "graph-overview": "/graph",
    "knowledge": "/knowledge",
    "knowledge-entities": "/knowledge?tab=entities",
    "knowledge-entity": "/knowledge?tab=entities&entity={Borealis}",
    "knowledge-documents": "/knowledge?tab=documents",
    "knowledge-duplicates": "/knowledge?tab=duplicates",
    "knowledge-ask": "/knowledge?tab=ask",
    "changes": "/changes",
    "change-list": "/changes?tab=list",
    "agents": "/agents",
    "agents-run": "/agents?run={run}",
    "agents-actions": "/agents?tab=actions",
    "agents-patterns": "/agents?tab=patterns",
    "agents-outcomes": "/agents?tab=outcomes",
    "agents-metrics": "/agents?tab=metrics",
    "engine": "/engine",
    "settings": "/settings",
    "settings-model": "/settings?tab=model",
    "settings-keys": "/settings?tab=keys",
    "settings-users": "/settings?tab=users",
    "settings-webhooks": "/settings?tab=webhooks",
    "settings-audit": "/settings?tab=audit",
    "not-found": "/nowhere",
}
DOCUMENTED = ("home", "memories", "playground", "graph")
LARGE, SMALL = (1440, 900), (360, 740)
WARMING = 5  # recalls, after which the times are those of a warm service
DRAWN_MS = {"graph": 1500, "agents": 1500}  # until layouts and plots stand still


@pytest.fixture(scope="session")
def embedder(minilm: OnnxEmbedder) -> OnnxEmbedder:
    """Return the default model, so the pictures show its real results."""
    return minilm


@pytest.fixture(scope="session")
async def workspace_id(services) -> str:
    return (await services.tenancy.workspaces.create("Platform team")).id


@pytest.fixture(scope="session")
async def names(services, workspace_id) -> dict[str, str]:
    """Fill the workspace; return the ids for the URLs: of entities by name, and of one memory."""
    ids = await remember_everything(services, workspace_id)
    (run,) = (
        await services.telemetry.reader.sequences(workspace_id, SequenceFilter(session_id="deploy-3"))
    ).page.items
    for _ in range(WARMING):
        await services.retrieval.recall.recall(workspace_id, RecallQuery(query=ASKED.replace("+", " ")))
    return {**ids, "run": run.sequence.id}


async def take(page: Page, name: str, to: Path) -> None:
    """Write a page as PNG once nothing on it moves."""
    await settle(page)
    await page.wait_for_timeout(DRAWN_MS.get(name.partition("-")[0], 0))
    await page.screenshot(path=to)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [LARGE, SMALL], ids=["1440", "360"])
async def test_every_page_is_photographed(open_studio, api_url, names, size, scheme) -> None:
    folder = FOLDER / f"{size[0]}-{scheme}"
    folder.mkdir(parents=True, exist_ok=True)
    page = await open_studio(width=size[0], height=size[1], scheme=scheme)
    for name, address in PAGES.items():
        await page.goto(f"{api_url}/studio{address.format(**names)}")
        await take(page, name, folder / f"{name}.png")

    assert {path.stem for path in folder.iterdir()} >= set(PAGES)
    assert page.complaints == []


async def test_four_pictures_are_reduced_for_the_documentation(open_studio, api_url, names, tmp_path) -> None:
    PUBLISHED.mkdir(exist_ok=True)
    page = await open_studio(width=1280, height=800)
    for name in DOCUMENTED:
        await page.goto(f"{api_url}/studio{PAGES[name].format(**names)}")
        await take(page, name, tmp_path / f"{name}.png")
        with Image.open(tmp_path / f"{name}.png") as taken:
            taken.convert("RGB").save(PUBLISHED / f"{name}.webp", quality=QUALITY, method=6)

    published = {path.stem: path.stat().st_size for path in PUBLISHED.iterdir()}
    assert set(published) == set(DOCUMENTED)
    assert sum(published.values()) < MOST_PUBLISHED_BYTES
