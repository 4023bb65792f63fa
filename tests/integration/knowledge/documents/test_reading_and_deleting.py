"""Lists, pages, deletion and tenancy of documents."""

import pytest

from graph.core.errors import InvalidInput
from graph.knowledge.documents.models import DocumentDraft, DocumentFilter
from tests.fixtures.graphs import fingerprint


def draft(number: int, **more: object) -> DocumentDraft:
    return DocumentDraft(uri=f"file:///docs/{number}.txt", content=f"tea number {number}", **more)


async def test_documents_are_listed_newest_first_page_by_page(services, workspace_id) -> None:
    added = [await services.knowledge.documents.add(workspace_id, draft(number)) for number in range(5)]
    ids: list[str] = []
    after = None
    while True:
        page = await services.knowledge.documents.page(workspace_id, first=2, after=after)
        ids += [document.id for document in page.items]
        if not page.has_more:
            break
        after = page.cursors[-1].encode()

    assert ids == [document.id for document in reversed(added)]


@pytest.mark.parametrize(
    ("filter_", "numbers"),
    [
        (DocumentFilter(connection_id="con_1"), [1]),
        (DocumentFilter(media_type="text/markdown"), [2]),
        (DocumentFilter(text="DOCS/0"), [0]),
        (DocumentFilter(text="named"), [2]),
        (DocumentFilter(text="100%"), []),
    ],
    ids=repr,
)
async def test_lists_can_be_filtered(services, workspace_id, filter_, numbers) -> None:
    more = [{}, {"connection_id": "con_1"}, {"media_type": "text/markdown", "title": "Named"}]
    added = [
        await services.knowledge.documents.add(workspace_id, draft(n, **fields))
        for n, fields in enumerate(more)
    ]

    page = await services.knowledge.documents.page(workspace_id, filter_)

    assert [document.id for document in page.items] == [added[number].id for number in numbers]


async def test_chunks_are_paged_in_the_order_of_the_text(services, workspace_id) -> None:
    content = "\n".join(f"# {number}\ntext of {number}" for number in range(5))
    document = await services.knowledge.documents.add(
        workspace_id, DocumentDraft(key="k.md", content=content)
    )

    first = (await services.knowledge.documents.chunks_of(workspace_id, [document.id], first=3))[document.id]
    rest = await services.knowledge.documents.chunks_of(
        workspace_id, [document.id], first=3, after=first.cursors[-1].encode()
    )

    assert [chunk.headings for chunk in first.items] == [("0",), ("1",), ("2",)]
    assert (first.has_more, rest[document.id].has_more) == (True, False)
    assert [chunk.ordinal for chunk in rest[document.id].items] == [3, 4]


@pytest.mark.parametrize(("first", "after"), [(0, None), (201, None), (5, "x"), (5, "e30")])
async def test_a_bad_page_is_refused(services, workspace_id, first, after) -> None:
    with pytest.raises(InvalidInput):
        await services.knowledge.documents.page(workspace_id, first=first, after=after)
    with pytest.raises(InvalidInput):
        await services.knowledge.documents.chunks_of(workspace_id, ["doc_1"], first=first, after=after)


async def test_a_deleted_document_leaves_nothing(services, workspace_id, stored_memories) -> None:
    """E4: neither chunks nor jobs."""
    await services.tenancy.workspaces.update(workspace_id, settings={"store_document_text": True})
    before = await fingerprint(stored_memories.driver, workspace_id)
    document = await services.knowledge.documents.add(workspace_id, draft(1))

    assert await services.knowledge.documents.delete(workspace_id, document.id) is True
    assert await services.knowledge.documents.delete(workspace_id, document.id) is False
    assert await fingerprint(stored_memories.driver, workspace_id) == before


async def test_deleting_a_connection_deletes_its_documents(
    services, workspace_id, other_workspace_id, stored_memories
) -> None:
    """E9: documents of other connections, other workspaces or without a connection stay."""
    await services.knowledge.documents.add(workspace_id, draft(1, connection_id="con_1"))
    moved = await services.knowledge.documents.add(workspace_id, draft(2, connection_id="con_1"))
    await services.knowledge.documents.add(workspace_id, draft(2, connection_id="con_2"))
    plain = await services.knowledge.documents.add(workspace_id, draft(3))
    theirs = await services.knowledge.documents.add(other_workspace_id, draft(1, connection_id="con_1"))

    removed = await services.knowledge.connections.delete(workspace_id, "con_1")

    left = await services.knowledge.documents.page(workspace_id)
    assert removed == 1
    assert {document.id for document in left.items} == {moved.id, plain.id}
    assert await services.knowledge.documents.find(other_workspace_id, theirs.id) is not None
    held = await fingerprint(stored_memories.driver, workspace_id)
    assert sum("'labels': ['Connection']" in node for node in held) == 1


async def test_documents_are_separate_for_each_workspace(services, workspace_id, other_workspace_id) -> None:
    """N12: the same key is another document there, and its ids are unknown elsewhere."""
    ours = await services.knowledge.documents.add(workspace_id, draft(1))
    theirs = await services.knowledge.documents.add(other_workspace_id, draft(1))
    chunk = (await services.knowledge.documents.chunks_of(workspace_id, [ours.id]))[ours.id].items[0]

    assert ours.id != theirs.id
    assert await services.knowledge.documents.find(other_workspace_id, ours.id) is None
    assert await services.knowledge.documents.find_chunks(other_workspace_id, [chunk.id]) == {}
    assert (await services.knowledge.documents.chunks_of(other_workspace_id, [ours.id]))[ours.id].items == []
    assert await services.knowledge.documents.count_partly_embedded(other_workspace_id, [ours.id]) == {}
    assert await services.knowledge.documents.delete(other_workspace_id, ours.id) is False
    assert await services.knowledge.documents.find(workspace_id, ours.id) is not None


async def test_permanently_deleting_a_workspace_deletes_its_documents(
    services, other_workspace_id, stored_memories
) -> None:
    """I14."""
    await services.knowledge.documents.add(other_workspace_id, draft(1))

    await services.tenancy.workspaces.delete(other_workspace_id, hard=True)

    assert await fingerprint(stored_memories.driver, other_workspace_id) == []
