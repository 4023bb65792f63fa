"""Batches of which some memories are refused (issue 16)."""

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
