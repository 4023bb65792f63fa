"""Documents that are added, and added again."""

import asyncio
import base64

import pytest

from graph.core.errors import InvalidInput, NotFound
from graph.knowledge.documents.models import DocumentDraft, ImportOutcome
from tests.fixtures.document_files import pdf
from tests.fixtures.graphs import fingerprint
from tests.fixtures.memories import MovingClock

GUIDE = """\
# Guide

Boil the water before anything else is done with the tea.

## Brew

Oolong wants ninety degrees and three minutes of patience.

## Serve

Small cups keep the tea warm while guests are talking.
"""


def guide(content: str = GUIDE, **more: object) -> DocumentDraft:
    return DocumentDraft(uri="file:///tea/guide.md", content=content, **more)


def shown(rows: list[dict]) -> list[tuple[int, list[str], int | None]]:
    return [(row["chunk"]["ordinal"], row["chunk"]["headings"], row["following"]) for row in rows]


async def test_a_document_becomes_chunks_that_follow_each_other(
    services, workspace_id, stored_documents
) -> None:
    """E10, B27."""
    added = await services.knowledge.documents.add(
        workspace_id, guide(metadata={"by": "Ada"}, connection_id="con_tea")
    )

    rows = await stored_documents.rows(workspace_id)
    assert (added.id[:4], added.title, added.key, added.media_type) == (
        "doc_",
        "Guide",
        "file:///tea/guide.md",
        "text/markdown",
    )
    assert (added.chunk_count, added.stores_text, added.active) == (3, False, True)
    assert (added.metadata, added.connection_id) == ({"by": "Ada"}, "con_tea")
    assert added.changes.model_dump() == {"outcome": "CREATED", "added": 3, "removed": 0, "kept": 0}
    assert shown(rows) == [(0, ["Guide"], 1), (1, ["Guide", "Brew"], 2), (2, ["Guide", "Serve"], None)]
    assert [sorted(row["labels"]) for row in rows] == [["Chunk", "Searchable"]] * 3
    brew = rows[1]["chunk"]
    assert (brew["id"][:4], brew["search_kind"], brew["active"], brew["state"]) == (
        "chk_",
        "chunk",
        True,
        "EMBEDDED",
    )
    assert GUIDE[brew["char_start"] : brew["char_end"]].startswith("## Brew\n\nOolong")
    assert brew["search_keys"] == "Guide guide.md"
    assert await services.knowledge.documents.find(workspace_id, added.id) == added.model_copy(
        update={"changes": None}
    )


async def test_adding_it_again_writes_nothing_but_the_time(
    services, workspace_id, documents_under, stored_memories
) -> None:
    """N6."""
    clock = MovingClock()
    documents = documents_under(clock=clock)
    first = await documents.add(workspace_id, guide(metadata={"by": "Ada"}))
    before = await fingerprint(stored_memories.driver, workspace_id)
    clock.move(hours=1)

    again = await documents.add(workspace_id, guide(metadata={"by": "Ada"}))

    after = await fingerprint(stored_memories.driver, workspace_id)
    changed = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
    assert again.changes.model_dump() == {"outcome": "UNCHANGED", "added": 0, "removed": 0, "kept": 3}
    assert (again.id, again.updated_at) == (first.id, clock.now())
    assert len(changed) == 1
    assert "'labels': ['Document']" in changed[0][0]
    old, new = (each.split("'updated_at': ") for each in changed[0])
    assert old[0] == new[0]
    assert old[1].partition(")")[2] == new[1].partition(")")[2]


async def test_only_changed_chunks_are_written_and_embedded(
    services, workspace_id, documents_under, stored_documents
) -> None:
    """A chunk with unchanged text keeps its id, vector and edges, even at another position."""
    embeddings = Counting(services.vectors.embeddings)
    documents = documents_under(embeddings=embeddings)
    first = await documents.add(workspace_id, guide())
    before = {chunk["headings"][-1]: chunk for chunk in await stored_documents.chunks(workspace_id)}
    embeddings.texts.clear()

    changed = GUIDE.replace("ninety", "eighty").replace("# Guide\n", "# Guide\n\nTea is easy.\n", 1)
    again = await documents.add(
        workspace_id, guide(changed + "\n## Clean\n\nRinse the pot with nothing but water.")
    )

    rows = await stored_documents.rows(workspace_id)
    after = {row["chunk"]["headings"][-1]: row["chunk"] for row in rows}
    assert again.changes.model_dump() == {"outcome": "UPDATED", "added": 3, "removed": 2, "kept": 1}
    assert again.id == first.id
    assert [text.split("\n")[0] for text in embeddings.texts] == ["# Guide", "Guide", "Guide"]
    assert shown(rows) == [
        (0, ["Guide"], 1),
        (1, ["Guide", "Brew"], 2),
        (2, ["Guide", "Serve"], 3),
        (3, ["Guide", "Clean"], None),
    ]
    moved = {"char_start", "char_end"}
    assert {name for name, value in after["Serve"].items() if before["Serve"].get(name) != value} == moved
    assert after["Brew"]["id"] != before["Brew"]["id"]


async def test_reordered_chunks_are_linked_again(services, workspace_id, stored_documents) -> None:
    await services.knowledge.documents.add(
        workspace_id, guide("# A\nfirst of all\n# B\nsecond to none\n# C\nthird time")
    )
    before = {chunk["headings"][0]: chunk["id"] for chunk in await stored_documents.chunks(workspace_id)}

    again = await services.knowledge.documents.add(
        workspace_id, guide("# C\nthird time\n# A\nfirst of all\n# B\nsecond to none")
    )

    rows = await stored_documents.rows(workspace_id)
    assert again.changes.kept == 3
    assert shown(rows) == [(0, ["C"], 1), (1, ["A"], 2), (2, ["B"], None)]
    assert {row["chunk"]["headings"][0]: row["chunk"]["id"] for row in rows} == before


async def test_equal_sections_are_separate_chunks(services, workspace_id, stored_documents) -> None:
    same = "# A\nthe same words again"

    await services.knowledge.documents.add(workspace_id, guide(f"{same}\n\n{same}"))
    first = await stored_documents.rows(workspace_id)
    again = await services.knowledge.documents.add(workspace_id, guide(f"{same}\n\n{same}\n\n{same}"))

    rows = await stored_documents.rows(workspace_id)
    assert [row["chunk"]["id"] for row in rows[:2]] == [row["chunk"]["id"] for row in first]
    assert (again.changes.kept, again.changes.added, len(rows)) == (2, 1, 3)
    assert all(row["chunk"]["embedded_whole_by"] == "fake:hashing:384" for row in rows)


async def test_a_new_title_changes_the_words_that_find_it_and_no_vector(
    services, workspace_id, documents_under, stored_documents
) -> None:
    embeddings = Counting(services.vectors.embeddings)
    documents = documents_under(embeddings=embeddings)
    await documents.add(workspace_id, guide())
    embeddings.texts.clear()

    again = await documents.add(workspace_id, guide(title="Tea for all", metadata={"x": 1}))

    assert (again.title, again.metadata, again.changes.outcome) == (
        "Tea for all",
        {"x": 1},
        ImportOutcome.UPDATED,
    )
    assert {chunk["search_keys"] for chunk in await stored_documents.chunks(workspace_id)} == {
        "Tea for all guide.md"
    }
    assert embeddings.texts == []


async def test_metadata_is_merged_and_omitted_fields_stay(services, workspace_id) -> None:
    await services.knowledge.documents.add(
        workspace_id, guide(metadata={"a": 1, "b": 2}, connection_id="con_1")
    )

    again = await services.knowledge.documents.add(workspace_id, guide(metadata={"b": None, "c": 3}))
    kept = await services.knowledge.documents.add(workspace_id, guide())

    assert (again.metadata, again.connection_id) == ({"a": 1, "c": 3}, "con_1")
    assert kept.metadata == again.metadata


async def test_a_document_is_identified_by_its_key_else_its_uri_else_its_content(
    services, workspace_id
) -> None:
    async def add(**fields: str) -> str:
        added = await services.knowledge.documents.add(
            workspace_id, DocumentDraft(**{"content": "tea", **fields})
        )
        return added.id

    by_key = await add(key="k", uri="file:///a.txt")
    by_uri = await add(uri="file:///a.txt")
    by_content = await add()

    assert len({by_key, by_uri, by_content}) == 3
    assert await add(key="k", uri="file:///elsewhere.txt", content="coffee") == by_key
    assert await add(uri="file:///a.txt", content="coffee") == by_uri
    assert await add() == by_content
    assert await add(content="other tea") not in {by_key, by_uri, by_content}


async def test_every_format_is_read(services, workspace_id) -> None:
    """C23."""
    html = "<title>Tea page</title><h1>Brew</h1><p>hot"
    file = pdf("Boil water.", "Serve hot.", title="Tea leaflet")
    drafts = [
        DocumentDraft(uri="http://tea.test/brew.html?x=1", content=html),
        DocumentDraft(key="leaflet", content_base64=base64.b64encode(file).decode()),
        DocumentDraft(key="note", content="plain tea", media_type="text/plain; charset=utf-8"),
        DocumentDraft(key="readme.MD", content="# Read me\nplease"),
    ]

    added = [await services.knowledge.documents.add(workspace_id, draft) for draft in drafts]

    assert [(each.title, each.media_type, each.chunk_count) for each in added] == [
        ("Tea page", "text/html", 1),
        ("Tea leaflet", "application/pdf", 2),
        ("note", "text/plain", 1),
        ("Read me", "text/markdown", 1),
    ]
    pages = await services.knowledge.documents.chunks_of(workspace_id, [added[1].id])
    assert [(chunk.page, chunk.excerpt) for chunk in pages[added[1].id].items] == [(1, "Boil…"), (2, "Serv…")]


@pytest.mark.parametrize(
    ("fields", "field", "said"),
    [
        ({"content": None}, "content", "content or contentBase64 is required"),
        ({"content_base64": "eA=="}, "content", "give either content or contentBase64, not both"),
        ({"content": " \n\t"}, "content", "must not be empty"),
        ({"content": "x" * 1001}, "content", "at most 1000 bytes, got 1001"),
        ({"content": "\u00a0"}, "content", "must contain text; none was found"),
        ({"content": "<script>x()</script>", "media_type": "text/html"}, "content", "must contain text"),
        ({"content": "a\x00b"}, "content", "NUL"),
        ({"content": "a\ud800"}, "content", "lone surrogates"),
        ({"content": "%PDF-1.4", "media_type": "application/pdf"}, "content", "as contentBase64"),
        ({"content": None, "content_base64": "%%%"}, "contentBase64", "must be base64"),
        ({"content": None, "content_base64": "A" * 1400}, "contentBase64", "at most 1000 bytes"),
        (
            {"content": None, "content_base64": "//8="},
            "contentBase64",
            "must be text in UTF-8; byte 0 is not",
        ),
        (
            {"content": None, "content_base64": "JVBERi1x", "uri": "a.pdf"},
            "contentBase64",
            "must be a PDF that can be read",
        ),
        ({"media_type": "image/png"}, "mediaType", "must be one of text/plain, text/markdown"),
        ({"title": " "}, "title", "must not be blank"),
        ({"title": "x" * 513}, "title", "at most 512"),
        ({"uri": "x" * 2049}, "uri", "at most 2048"),
        ({"key": ""}, "key", "must not be blank"),
        ({"connection_id": " "}, "connectionId", "must not be blank"),
        ({"metadata": {"x": float("nan")}}, "metadata", "JSON values only"),
        ({"store_text": True}, "storeText", "store_document_text"),
        ({"content": "a " * 300}, "content", "at most 1 chunks"),
        ({"content": f"aws AKIAIOSFODNN7ABCDEFG {'tea ' * 20}"}, "content", "credential"),
        ({"metadata": {"k": "AKIAIOSFODNN7ABCDEFG"}}, "metadata", "credential"),
    ],
    ids=lambda value: repr(value)[:40],
)
async def test_a_bad_document_is_refused_and_nothing_is_written(
    documents_under, workspace_id, stored_documents, fields, field, said
) -> None:
    """K18, A43: the error names the field and the expected value."""
    documents = documents_under(max_bytes=1000, max_chunks=1)

    with pytest.raises(InvalidInput, match=said.replace("(", r"\(")) as refused:
        await documents.add(workspace_id, DocumentDraft(**{"content": "tea", **fields}))

    assert refused.value.field == field
    assert await stored_documents.rows(workspace_id) == []


async def test_a_missing_workspace_has_no_documents(services) -> None:
    with pytest.raises(NotFound):
        await services.knowledge.documents.add("ws_missing", guide())


async def test_concurrent_adds_of_one_document_create_one(services, workspace_id, stored_documents) -> None:
    """N10."""
    contents = [GUIDE, GUIDE.replace("ninety", "eighty")] * 3

    added = await asyncio.gather(
        *(services.knowledge.documents.add(workspace_id, guide(each)) for each in contents)
    )

    rows = await stored_documents.rows(workspace_id)
    assert len({document.id for document in added}) == 1
    assert [outcome for each in added if (outcome := each.changes.outcome) == "CREATED"] == ["CREATED"]
    assert shown(rows) == [(0, ["Guide"], 1), (1, ["Guide", "Brew"], 2), (2, ["Guide", "Serve"], None)]


class Counting:
    """The running engine's embeddings, which record the texts embedded in advance."""

    def __init__(self, embeddings) -> None:
        self._embeddings = embeddings
        self.texts: list[str] = []

    async def targets(self):
        return [Noting(target, self.texts) for target in await self._embeddings.targets()]


class Noting:
    """A vector slot that records the texts embedded for it."""

    def __init__(self, target, texts: list[str]) -> None:
        self._target = target
        self._texts = texts
        self.index = target.index
        self.as_parameter = target.as_parameter

    async def embed(self, texts, *, as_query=False):
        self._texts += texts
        return await self._target.embed(texts)
