"""Batches that refuse some of their memories (issue 16)."""

import pytest

from graph.core.errors import Conflict, Unavailable
from graph.memories.models import MemoryDraft
from graph.memories.service import Memories

BATCH = """mutation($inputs: [SaveMemoryInput!]!, $waitFor: MemoryState) {
  saveMemoryBatch(inputs: $inputs, waitFor: $waitFor) {
    receipts { outcome memory { content state } }
    errors { index code field message }
  }
}"""
ENTITY = 'mutation { upsertEntities(inputs: [{type: "Service", name: "checkout"}]) { id } }'
STORED = "{ memories { edges { node { content } } } }"


async def stored(graphql) -> set[str]:
    return {edge["node"]["content"] for edge in (await graphql.ok(STORED))["memories"]["edges"]}


@pytest.mark.parametrize("is_first", [True, False])
async def test_saved_items_keep_their_receipts_if_the_graph_goes_away(
    services, workspace_id, monkeypatch, is_first
) -> None:
    """N1: if a conflict splits the batch; if nothing was saved, the caller may repeat the whole."""
    save_all, calls = Memories.save_all, []

    async def away_later(self, workspace_id, drafts, **named):
        calls.append(len(drafts))
        if len(drafts) == 4:
            raise Conflict("taken", field="id")
        if is_first or len(calls) == 3:
            raise Unavailable("neo4j", "the graph does not answer")
        return await save_all(self, workspace_id, drafts, **named)

    monkeypatch.setattr(Memories, "save_all", away_later)
    drafts = [MemoryDraft(content=f"Statement {number}", key=str(number)) for number in range(4)]
    if is_first:
        with pytest.raises(Unavailable):
            await services.memories.store.save_each(workspace_id, drafts)
        return
    outcomes = await services.memories.store.save_each(workspace_id, drafts)

    assert calls == [4, 2, 2]
    assert [outcome.memory.content for outcome in outcomes[:2]] == ["Statement 0", "Statement 1"]
    assert [outcome.code for outcome in outcomes[2:]] == [Unavailable.code] * 2


@pytest.mark.usefixtures("patient_waits")
async def test_a_refused_item_is_named_by_its_index_and_the_others_are_saved(graphql) -> None:
    """An invalid value, a broken rule, a credential, and an id that another node has."""
    (entity,) = (await graphql.ok(ENTITY))["upsertEntities"]
    inputs = [
        {"content": "Releases are cut on Thursdays"},
        {"content": "Tabs", "importance": 2},
        {"content": "We indent with tabs", "key": "indent"},
        {"content": "An entity has this id", "id": entity["id"]},
        {"content": "   "},
        {"content": "The key is AKIAIOSFODNN7EXAMPLE"},
        {"content": "Reviews take a day"},
    ]

    batch = (await graphql.ok(BATCH, inputs=inputs, waitFor="EMBEDDED"))["saveMemoryBatch"]

    kept = [0, 2, 6]
    assert [place for place, receipt in enumerate(batch["receipts"]) if receipt] == kept
    assert [batch["receipts"][place]["memory"]["content"] for place in kept] == [
        inputs[place]["content"] for place in kept
    ]
    assert {batch["receipts"][place]["memory"]["state"] for place in kept} <= {"EMBEDDED", "LINKED"}
    assert [(error["index"], error["code"], error["field"]) for error in batch["errors"]] == [
        (1, "INVALID_INPUT", "importance"),
        (3, "CONFLICT", "id"),
        (4, "INVALID_INPUT", "content"),
        (5, "INVALID_INPUT", "content"),
    ]
    assert all(error["message"] for error in batch["errors"])
    assert await stored(graphql) == {inputs[place]["content"] for place in kept}


async def test_a_refused_batch_saves_nothing(graphql) -> None:
    inputs = [{"content": ""}, {"content": "Tabs", "confidence": -1}]

    batch = (await graphql.ok(BATCH, inputs=inputs))["saveMemoryBatch"]

    assert batch["receipts"] == [None, None]
    assert [error["index"] for error in batch["errors"]] == [0, 1]
    assert await stored(graphql) == set()


async def test_an_empty_batch_has_no_receipts_and_no_errors(graphql) -> None:
    assert (await graphql.ok(BATCH, inputs=[]))["saveMemoryBatch"] == {"receipts": [], "errors": []}


async def test_more_than_a_thousand_are_refused(graphql) -> None:
    error = await graphql.error(BATCH, inputs=[{"content": f"Fact {n}"} for n in range(1001)])

    assert (error["code"], error["field"]) == ("INVALID_INPUT", "inputs")
    assert await stored(graphql) == set()


IMPORT = """mutation($inputs: [SaveMemoryInput!]!, $restoreDeleted: Boolean) {
  saveMemoryBatch(inputs: $inputs, restoreDeleted: $restoreDeleted) {
    receipts { outcome }
    errors { index code field message }
  }
}"""
DELETE = "mutation($id: ID!, $hard: Boolean) { deleteMemory(id: $id, hard: $hard) }"
RESTORE = "mutation($id: ID!) { restoreMemory(id: $id) { id } }"
SAVE = """mutation($input: SaveMemoryInput!) { saveMemory(input: $input) { outcome memory { id } } }"""
IMPORTED = [
    {"content": "Ada keeps bees", "id": "bees", "dedup": False},
    {"content": "Ada drinks tea", "key": "mem0/7", "dedup": False},
    {"content": "Ada has a boat", "key": "csv/1", "dedup": False},
    {"content": "Thanks!", "key": "chatgpt/m1", "sourceConversationId": "c", "sourceMessageId": "m1"},
    {"content": "Thanks!", "key": "chatgpt/m2", "sourceConversationId": "c", "sourceMessageId": "m2"},
]


async def imported(graphql, inputs, restore: bool = False) -> list[str | None]:
    """Return the outcome of each imported memory, or None if it was refused as deleted."""
    batch = (await graphql.ok(IMPORT, inputs=inputs, restoreDeleted=restore))["saveMemoryBatch"]
    refused = [place for place, receipt in enumerate(batch["receipts"]) if receipt is None]
    assert [(error["index"], error["code"], error["field"]) for error in batch["errors"]] == [
        (place, "CONFLICT", "restoreDeleted") for place in refused
    ]
    assert all("was deleted in this workspace" in error["message"] for error in batch["errors"])
    return [receipt and receipt["outcome"] for receipt in batch["receipts"]]


async def ids(graphql) -> dict[str, str]:
    edges = (await graphql.ok("{ memories { edges { node { id key } } } }"))["memories"]["edges"]
    return {edge["node"]["key"] or edge["node"]["id"]: edge["node"]["id"] for edge in edges}


@pytest.mark.parametrize("hard", [False, True])
async def test_an_import_restores_deleted_memories_only_on_request(graphql, hard) -> None:
    """Issue 35: recognised by id or key; a turn by its own key only."""
    assert await imported(graphql, IMPORTED) == ["CREATED"] * 5
    known = await ids(graphql)
    for name in ("bees", "mem0/7", "chatgpt/m1"):
        await graphql.ok(DELETE, id=known[name], hard=hard)

    assert await imported(graphql, IMPORTED) == [None, None, "UNCHANGED", None, "UNCHANGED"]
    assert set(await ids(graphql)) == {"csv/1", "chatgpt/m2"}
    again = await imported(graphql, IMPORTED, restore=True)
    assert again == ["CREATED" if hard else "UPDATED"] * 2 + ["UNCHANGED", again[0], "UNCHANGED"]
    assert await imported(graphql, IMPORTED) == ["UNCHANGED"] * 5


@pytest.mark.parametrize("hard", [False, True])
async def test_an_import_does_not_restore_the_text_of_a_deleted_memory(graphql, hard) -> None:
    """Issue 35: recognised by the hash of its text, under any id or key; another user may save it."""
    await imported(graphql, IMPORTED[:1])
    await graphql.ok(DELETE, id="bees", hard=hard)

    for fields in ({"id": "other"}, {"key": "k"}, {}):
        assert await imported(graphql, [{"content": "Ada  keeps bees", "dedup": False, **fields}]) == [None]
    others = [{"content": "Ada keeps bees", "id": "ben", "userId": "ben"}, {"content": "Ada keeps bees now"}]
    assert await imported(graphql, others) == ["CREATED", "CREATED"]


async def test_a_restored_memory_is_updated_by_imports_again(graphql) -> None:
    """Issue 35."""
    await imported(graphql, IMPORTED[:3])
    known = await ids(graphql)
    for id_ in known.values():
        await graphql.ok(DELETE, id=id_)

    await graphql.ok(SAVE, input=IMPORTED[0])
    await graphql.ok(RESTORE, id=known["mem0/7"])
    assert await imported(graphql, IMPORTED[:3]) == ["UNCHANGED", "UNCHANGED", None]


async def test_deleting_a_question_does_not_delete_the_statement(graphql) -> None:
    """Issue 35 (4): they differ only in the question mark."""
    asked = (await graphql.ok(SAVE, input={"content": "Deploy on Friday?"}))["saveMemory"]["memory"]["id"]
    await graphql.ok(DELETE, id=asked, hard=True)

    inputs = [{"content": "Deploy on Friday"}, {"content": "Deploy on Friday?"}]
    assert await imported(graphql, inputs) == ["CREATED", None]
