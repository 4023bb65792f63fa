"""``recollect documents``."""

import json

import pytest

from graph.knowledge.documents.models import DocumentFilter
from tests.fixtures.document_files import pdf


@pytest.fixture
def folder(tmp_path):
    """Return a folder with documents of every format, and other files."""
    root = tmp_path / "docs"
    (root / "deep").mkdir(parents=True)
    (root / ".git").mkdir()
    (root / "guide.md").write_text("# Guide\n\nBoil the water.\n")
    (root / "deep" / "notes.txt").write_text("Wait for a while.")
    (root / "page.html").write_text("<title>Page</title><p>Small cups")
    (root / "leaflet.pdf").write_bytes(pdf("Serve hot."))
    (root / "broken.pdf").write_bytes(b"%PDF-1.7 broken")
    (root / "picture.png").write_bytes(b"\x89PNG")
    (root / ".git" / "hidden.md").write_text("hidden")
    (root / "link.md").symlink_to(root / "guide.md")
    return root


async def listed(services, workspace_id: str) -> dict[str, str]:
    page = await services.knowledge.documents.page(workspace_id, DocumentFilter())
    return {document.title: document.uri for document in page.items}


async def test_adding_a_folder_names_the_unreadable_files(cli, services, workspace_id, folder) -> None:
    shown = await cli.ok("documents", "add", str(folder))

    assert "documents: 4 created, 0 updated, 0 unchanged, 1 refused" in shown
    assert f"refused {folder}/broken.pdf: contentBase64 must be a PDF that can be read" in shown
    assert await listed(services, workspace_id) == {
        "Guide": (folder / "guide.md").as_uri(),
        "notes.txt": (folder / "deep" / "notes.txt").as_uri(),
        "Page": (folder / "page.html").as_uri(),
        "leaflet.pdf": (folder / "leaflet.pdf").as_uri(),
    }


async def test_a_second_run_updates_only_changed_documents(cli, services, workspace_id, folder) -> None:
    """N6."""
    for name in ("broken.pdf", "leaflet.pdf", "page.html"):
        (folder / name).unlink()
    await cli.ok("documents", "add", str(folder))
    before = await services.knowledge.documents.page(workspace_id)
    (folder / "guide.md").write_text("# Guide\n\nBoil the water first.\n")

    first = await cli.ok("documents", "add", str(folder))
    second = await cli.ok("documents", "add", str(folder), "--no-wait")

    after = await services.knowledge.documents.page(workspace_id)
    assert "documents: 0 created, 1 updated, 1 unchanged, 0 refused" in first
    assert "documents: 0 created, 0 updated, 2 unchanged, 0 refused" in second
    assert {each.id for each in after.items} == {each.id for each in before.items}


async def test_a_file_of_any_name_is_added_as_text(cli, services, workspace_id, tmp_path) -> None:
    (tmp_path / "LICENSE").write_text("Do what you want.")

    await cli.ok("documents", "add", str(tmp_path / "LICENSE"), "--connection", "con_1")

    (document,) = (await services.knowledge.documents.page(workspace_id)).items
    assert (document.title, document.media_type, document.connection_id) == ("LICENSE", "text/plain", "con_1")


async def test_texts_are_stored_if_the_workspace_allows_it(cli, services, workspace_id, tmp_path) -> None:
    path = tmp_path / "tea.txt"
    path.write_text("Boil the water.")

    refused = await cli.run("documents", "add", str(path), "--store-text")
    await services.tenancy.workspaces.update(workspace_id, settings={"store_document_text": True})
    shown = await cli.ok("documents", "add", str(path))

    assert refused.exit_code == 1
    assert "store_document_text" in refused.stdout
    assert "1 created" in shown
    (document,) = (await services.knowledge.documents.page(workspace_id)).items
    pages = await services.knowledge.documents.chunks_of(workspace_id, [document.id])
    assert [(chunk.text, chunk.state) for chunk in pages[document.id].items] == [
        ("Boil the water.", "EMBEDDED")
    ]


async def test_deleting_documents_names_missing_ones(cli, services, workspace_id, folder) -> None:
    await cli.ok("documents", "add", str(folder), "--no-wait")
    page = await services.knowledge.documents.page(workspace_id)
    ids = {document.title: document.id for document in page.items}

    shown = await cli.ok("documents", "delete", ids["Guide"], ids["Page"])
    refused = await cli.run("documents", "delete", "doc_none", ids["notes.txt"], "--json")

    assert shown == f"deleted {ids['Guide']}\ndeleted {ids['Page']}\n"
    assert refused.exit_code == 1
    assert json.loads(refused.stdout) == {"deleted": [ids["notes.txt"]], "unknown": ["doc_none"]}
    assert "there is no document doc_none to delete; see `recollect documents list`" in refused.stderr
    assert set(await listed(services, workspace_id)) == {"leaflet.pdf"}


async def test_nothing_to_add_is_an_error(cli, tmp_path) -> None:
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")

    assert "no files of a known kind" in await cli.error("documents", "add", str(tmp_path))
    assert "none of 1 files could be added" in await cli.error(
        "documents", "add", str(tmp_path / "picture.png")
    )
