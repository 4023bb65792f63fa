"""Document texts in the graph, and the texts of its vectors (E10)."""

import json

import numpy as np
import pytest

from graph.core.errors import InvalidInput
from graph.core.ports import EmbeddingFailed
from graph.knowledge.documents.models import DocumentDraft, EmbeddedFrom
from graph.vectors.index import queries as embedding_queries
from tests.fixtures.graphs import fingerprint, texts_in
from tests.fixtures.waiting import until

BREW = "Oolong wants ninety degrees and three minutes of patience before anybody drinks it."
SERVE = "Small cups keep the tea warm while guests are talking about the weather."
GUIDE = f"# Brew\n\n{BREW}\n\n# Serve\n\n{SERVE}\n"
DRAFT = DocumentDraft(uri="file:///guide.md", content=GUIDE)


@pytest.fixture
async def storing(services, workspace_id) -> None:
    """Let the workspace store document texts."""
    await services.tenancy.workspaces.update(workspace_id, settings={"store_document_text": True})


async def chunks(documents, workspace_id: str):
    (document,) = (await documents.page(workspace_id)).items
    return (await documents.chunks_of(workspace_id, [document.id]))[document.id].items


async def until_embedded(documents, workspace_id: str):
    async def embedded():
        found = await chunks(documents, workspace_id)
        return found if all(chunk.state == "EMBEDDED" for chunk in found) else None

    return await until(embedded)


async def cosines(services, stored_documents, workspace_id: str, texts: list[str]) -> list[float]:
    """Return the cosine between each chunk's vector and that of a text."""
    name = services.vectors.embeddings.vector_property
    held = [np.array(chunk[name]) for chunk in await stored_documents.chunks(workspace_id)]
    wanted = await services.vectors.embeddings.embed(texts)
    return [float(one @ other) for one, other in zip(held, wanted, strict=True)]


async def test_without_the_setting_the_graph_holds_no_more_than_excerpts(
    services, workspace_id, stored_memories
) -> None:
    """E10: neither in chunks nor in jobs nor anywhere else."""
    await services.knowledge.documents.add(workspace_id, DRAFT)

    held = " ".join(texts_in(await fingerprint(stored_memories.driver, workspace_id)))
    first, last = await chunks(services.knowledge.documents, workspace_id)
    assert (first.excerpt, first.text) == ("Oolong wants ninety degrees and three…", None)
    assert (last.excerpt, last.text) == ("Small cups keep the tea warm…", None)
    assert "ninety degrees" in held
    for unsaid in ("minutes of patience", "anybody drinks", "talking", "weather"):
        assert unsaid not in held


async def test_vectors_cover_the_whole_text_even_if_only_an_excerpt_is_stored(
    services, workspace_id, stored_documents
) -> None:
    """E10, B27: text that is not stored is still found by its meaning."""
    added = await services.knowledge.documents.add(workspace_id, DRAFT)

    rows = await stored_documents.rows(workspace_id)
    near = await cosines(
        services, stored_documents, workspace_id, [f"# Brew\n\n{BREW}", f"# Serve\n\n{SERVE}"]
    )
    assert near == pytest.approx([1, 1], abs=1e-5)
    assert [chunk.embedded_from for chunk in await chunks(services.knowledge.documents, workspace_id)] == [
        "WHOLE"
    ] * 2
    assert [row["job"] for row in rows] == [None, None]
    assert await services.knowledge.documents.count_partly_embedded(workspace_id, [added.id]) == {added.id: 0}


async def test_with_the_setting_the_whole_text_is_stored_searched_and_embedded(
    services, workspace_id, storing, stored_documents
) -> None:
    added = await services.knowledge.documents.add(workspace_id, DRAFT)

    first, last = await until_embedded(services.knowledge.documents, workspace_id)
    assert added.stores_text
    assert (first.text, first.excerpt) == (f"# Brew\n\n{BREW}", BREW)
    assert (last.text, last.excerpt) == (f"# Serve\n\n{SERVE}", SERVE)
    assert {first.embedded_from, last.embedded_from} == {EmbeddedFrom.WHOLE}
    held = await stored_documents.chunks(workspace_id)
    assert [chunk["search_text"] for chunk in held] == [first.text, last.text]


async def test_a_document_may_store_less_than_its_workspace_allows(services, workspace_id, storing) -> None:
    added = await services.knowledge.documents.add(
        workspace_id, DRAFT.model_copy(update={"store_text": False})
    )

    assert not added.stores_text
    assert [chunk.text for chunk in await chunks(services.knowledge.documents, workspace_id)] == [None, None]


async def test_each_workspace_decides_whether_texts_are_stored(
    services, storing, workspace_id, other_workspace_id
) -> None:
    await services.tenancy.workspaces.update(other_workspace_id, settings={"store_document_text": False})
    documents = services.knowledge.documents

    added = [await documents.add(id_, DRAFT) for id_ in (workspace_id, other_workspace_id)]

    assert [document.stores_text for document in added] == [True, False]


@pytest.mark.parametrize("value", ["true", 1, [True]])
async def test_only_true_allows_texts_to_be_stored(services, workspace_id, value) -> None:
    with pytest.raises(InvalidInput, match="store_document_text"):
        await services.tenancy.workspaces.update(workspace_id, settings={"store_document_text": value})

    assert not (await services.knowledge.documents.add(workspace_id, DRAFT)).stores_text


async def test_disallowed_texts_are_removed_and_their_vectors_stay(
    services, workspace_id, storing, stored_documents
) -> None:
    """The chunks keep their ids, and neither change embeds anything again."""
    await services.knowledge.documents.add(workspace_id, DRAFT)
    await until_embedded(services.knowledge.documents, workspace_id)
    with_texts = await stored_documents.chunks(workspace_id)
    name = services.vectors.embeddings.vector_property

    await services.tenancy.workspaces.update(workspace_id, settings={"store_document_text": None})
    taken = await services.knowledge.documents.add(workspace_id, DRAFT)
    without = await stored_documents.rows(workspace_id)
    await services.tenancy.workspaces.update(workspace_id, settings={"store_document_text": True})
    given = await services.knowledge.documents.add(workspace_id, DRAFT)
    again = await stored_documents.rows(workspace_id)

    assert (taken.changes.kept, given.changes.kept) == (2, 2)
    assert not any("text" in row["chunk"] for row in without)
    assert "patience" not in json.dumps([row["chunk"]["search_text"] for row in without])
    for rows in (without, again):
        assert [row["job"] for row in rows] == [None, None]
        assert [row["chunk"][name] for row in rows] == [chunk[name] for chunk in with_texts]
        assert [row["chunk"]["id"] for row in rows] == [chunk["id"] for chunk in with_texts]
    assert [row["chunk"]["text"] for row in again] == [chunk["text"] for chunk in with_texts]
    assert [chunk.embedded_from for chunk in await chunks(services.knowledge.documents, workspace_id)] == [
        "WHOLE"
    ] * 2


class Away:
    """Embeddings without a model."""

    async def targets(self):
        raise EmbeddingFailed("the model is away")


@pytest.mark.parametrize("why", ["no model", "no time"])
async def test_a_text_that_cannot_be_embedded_in_time_uses_its_excerpt_and_says_so(
    services, documents_under, workspace_id, stored_documents, why
) -> None:
    """B15: the document is stored anyway; adding it again with a model repairs its vectors."""
    poor = documents_under(embeddings=Away()) if why == "no model" else documents_under(embed_seconds=0)
    added = await poor.add(workspace_id, DRAFT)
    found = await until_embedded(poor, workspace_id)
    near = await cosines(services, stored_documents, workspace_id, [f"Brew\n{found[0].excerpt}", "x"])

    again = await services.knowledge.documents.add(workspace_id, DRAFT)

    assert [chunk.embedded_from for chunk in found] == ["EXCERPT", "EXCERPT"]
    assert near[0] == pytest.approx(1, abs=1e-5)
    assert again.changes.model_dump() == {"outcome": "UPDATED", "added": 0, "removed": 0, "kept": 2}
    assert again.id == added.id
    mended = await chunks(services.knowledge.documents, workspace_id)
    assert [chunk.id for chunk in mended] == [chunk.id for chunk in found]
    assert [chunk.embedded_from for chunk in mended] == ["WHOLE", "WHOLE"]
    assert await services.knowledge.documents.count_partly_embedded(workspace_id, [added.id]) == {added.id: 0}
    assert (await services.knowledge.documents.add(workspace_id, DRAFT)).changes.outcome == "UNCHANGED"


async def test_chunks_embedded_in_part_are_counted(documents_under, workspace_id) -> None:
    documents = documents_under(embeddings=Away())

    added = await documents.add(workspace_id, DRAFT)

    assert await documents.count_partly_embedded(workspace_id, [added.id, "doc_none"]) == {added.id: 2}


async def test_reembedding_keeps_vectors_of_more_text_than_is_stored(
    services, workspace_id, stored_documents
) -> None:
    """B12: an embedding job leaves vectors of more than the stored text unchanged."""
    await services.knowledge.documents.add(workspace_id, DRAFT)
    before = await stored_documents.chunks(workspace_id)

    report = await services.vectors.embeddings.reindex(workspace_id, force=True)
    await services.core.wake_up.signal()

    async def done():
        rows = await stored_documents.rows(workspace_id)
        return rows if not any(row["job"] for row in rows) else None

    assert (report.started, report.pending) == (True, 0)  # the report counts memories; chunks are only queued
    assert [row["chunk"] for row in await until(done)] == before


async def test_a_vector_recomputed_from_the_excerpt_says_so(services, workspace_id, stored_documents) -> None:
    """A change of the embedder does this, even back to an earlier one."""
    await services.knowledge.documents.add(workspace_id, DRAFT)
    first, _ = await stored_documents.chunks(workspace_id)
    (target,) = await services.vectors.embeddings.targets()
    (vector,) = (await target.embed([first["search_text"]])).tolist()

    await embedding_queries.store_embeddings(
        services.core.database,
        rows=[
            {
                "workspace_id": workspace_id,
                "id": first["id"],
                "revision": first["revision"],
                "vectors": [{"property": target.index.vector_property, "embedding": vector}],
                "passages": [],
            }
        ],
        targets=[target.as_parameter()],
        replaces=True,
        cursor=None,
    )

    found = await chunks(services.knowledge.documents, workspace_id)
    assert [chunk.embedded_from for chunk in found] == ["EXCERPT", "WHOLE"]


class Changing:
    """Embeddings whose slots change before their vectors are written."""

    def __init__(self, embeddings) -> None:
        self._embeddings = embeddings
        self.asked = 0

    async def targets(self):
        self.asked += 1
        return [Former(target) for target in await self._embeddings.targets()]


class Former:
    """A slot that now belongs to another embedder."""

    def __init__(self, target) -> None:
        self.index = target.index
        self.embed = target.embed

    def as_parameter(self):
        return {"slot": self.index.slot, "signature": "former"}


async def test_a_change_of_vector_slots_rolls_back_the_add(services, documents_under, workspace_id) -> None:
    """The document is written once, and jobs embed it for the new slots."""
    embeddings = Changing(services.vectors.embeddings)

    added = await documents_under(embeddings=embeddings).add(workspace_id, DRAFT)

    found = await until_embedded(services.knowledge.documents, workspace_id)
    assert embeddings.asked == 3
    assert added.changes.outcome == "CREATED"
    assert [chunk.embedded_from for chunk in found] == ["EXCERPT", "EXCERPT"]
