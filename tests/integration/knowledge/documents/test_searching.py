"""Chunks and artifacts in the results of a workspace-wide search."""

from graph.knowledge.documents.models import DocumentDraft
from graph.knowledge.models import ArtifactDraft
from graph.retrieval.search.markdown import render
from graph.retrieval.search.models import SearchKind

GUIDE = (
    "# Guide to tea\n\n## Brew\n\nOolong wants ninety degrees and three minutes of patience.\n\n"
    "## Serve\n\nSmall cups keep the tea warm while guests are talking."
)


async def test_search_finds_a_chunk_by_words_and_by_text_that_is_not_stored(services, workspace_id) -> None:
    """C23, E10: words match headings, title and excerpt; meaning covers the whole text."""
    document = await services.knowledge.documents.add(
        workspace_id, DocumentDraft(uri="file:///tea.md", title="Kettle lore", content=GUIDE)
    )
    chunks = (await services.knowledge.documents.chunks_of(workspace_id, [document.id]))[document.id].items
    brew, serve = (
        next(each.id for each in chunks if each.headings[-1] == name) for name in ("Brew", "Serve")
    )

    async def found(query: str):
        return (await services.retrieval.search.search(workspace_id, query)).hits[0]

    by_excerpt, by_heading = await found("ninety degrees oolong"), await found("how to serve")
    by_meaning = await found("guests talking")

    assert (by_excerpt.kind, by_excerpt.id, by_heading.id) == (SearchKind.CHUNK, brew, serve)
    assert any("best match in words" in reason for reason in by_excerpt.why)
    assert (by_meaning.id, by_meaning.coverage) == (serve, 0)
    assert by_meaning.why == ["closest in meaning of its kind"]
    assert "guests" not in by_meaning.text
    assert {hit.id for hit in (await services.retrieval.search.search(workspace_id, "kettle lore")).hits} == {
        chunk.id for chunk in chunks
    }


async def test_search_finds_an_artifact_beside_chunks(services, workspace_id, other_workspace_id) -> None:
    """C23, N12."""
    await services.knowledge.documents.add(workspace_id, DocumentDraft(key="tea.md", content=GUIDE))
    for id_ in (workspace_id, other_workspace_id):
        await services.knowledge.artifacts.add(
            id_, ArtifactDraft(name="kettle.png", kind="image", summary="A photo of the copper kettle.")
        )

    hits = (await services.retrieval.search.search(workspace_id, "copper kettle photo")).hits
    only = (
        await services.retrieval.search.search(workspace_id, "kettle tea", kinds=[SearchKind.ARTIFACT])
    ).hits

    (artifact,) = (await services.knowledge.artifacts.page(workspace_id)).items
    assert (hits[0].kind, hits[0].id) == (SearchKind.ARTIFACT, artifact.id)
    assert [hit.id for hit in only] == [artifact.id]


async def test_chunks_of_a_deleted_document_are_not_found(services, workspace_id) -> None:
    document = await services.knowledge.documents.add(
        workspace_id, DocumentDraft(key="tea.md", content=GUIDE)
    )

    await services.knowledge.documents.delete(workspace_id, document.id)

    assert (await services.retrieval.search.search(workspace_id, "oolong degrees")).hits == ()


NOTES = (
    "It was a long day and it was good. We were there and it was all right. "
    "The samovar of Yerevan holds eleven litres of water. "
    "Then we went on and did what was to be done. So it was that day, and so it went on for all of us."
)


async def test_a_hit_marks_an_excerpt_and_gives_the_texts_location(services, workspace_id) -> None:
    """Issue 35, point 16; E10."""
    await services.knowledge.documents.add(
        workspace_id, DocumentDraft(uri="file:///notes.txt", title="Notes", content=NOTES)
    )

    found = await services.retrieval.search.search(workspace_id, "the samovar of Yerevan")

    (hit,) = found.hits
    assert "The samovar of Yerevan holds eleven litres of water." in hit.passage
    assert (hit.is_excerpt, hit.location) == (True, f"file:///notes.txt, characters 0 to {len(NOTES)}")
    said = f"excerpt only, whole text in file:///notes.txt, characters 0 to {len(NOTES)}"
    assert said in render(found)


async def test_search_shows_the_sentences_of_a_stored_text_that_match(services, workspace_id) -> None:
    """Issue 35, point 16; with store_document_text."""
    await services.tenancy.workspaces.update(workspace_id, settings={"store_document_text": True})
    filling = "Nothing of it is of any use to anybody here. "
    text = f"{filling * 14}The samovar holds eleven litres. {filling * 4}"
    await services.knowledge.documents.add(workspace_id, DocumentDraft(key="notes.txt", content=text))

    found = await services.retrieval.search.search(workspace_id, "what does the samovar hold")

    (hit,) = found.hits
    assert "The samovar holds eleven litres." in hit.passage
    assert len(hit.passage) <= 500
    assert (hit.is_excerpt, hit.location) == (False, f"notes.txt, characters 0 to {len(text.strip())}")
    assert "The samovar holds eleven litres." in render(found)
    assert "excerpt" not in render(found)
