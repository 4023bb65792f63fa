"""Batches of which some memories are refused (issue 16)."""

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
async def test_what_is_saved_keeps_its_receipts_when_the_graph_goes_away(
    services, workspace_id, monkeypatch, is_first
) -> None:
    """N1: in a batch that is saved in parts because one conflicts; with nothing saved yet the whole may be repeated."""
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
async def test_what_is_refused_is_named_by_its_place_and_the_others_are_saved(graphql) -> None:
    """A value that does not fit, a rule, a credential, and an id that something else has."""
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


async def test_a_batch_that_is_refused_whole_saves_nothing(graphql) -> None:
    inputs = [{"content": ""}, {"content": "Tabs", "confidence": -1}]

    batch = (await graphql.ok(BATCH, inputs=inputs))["saveMemoryBatch"]

    assert batch["receipts"] == [None, None]
    assert [error["index"] for error in batch["errors"]] == [0, 1]
    assert await stored(graphql) == set()


async def test_a_batch_of_nothing_has_neither_receipts_nor_errors(graphql) -> None:
    assert (await graphql.ok(BATCH, inputs=[]))["saveMemoryBatch"] == {"receipts": [], "errors": []}


async def test_more_than_a_thousand_are_refused(graphql) -> None:
    error = await graphql.error(BATCH, inputs=[{"content": f"Fact {n}"} for n in range(1001)])

    assert (error["code"], error["field"]) == ("INVALID_INPUT", "inputs")
    assert await stored(graphql) == set()
