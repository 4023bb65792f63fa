"""Invalid input to memories and recall: the error names the field, and nothing is written."""

import math

import pytest

SAVE = "mutation($input: SaveMemoryInput!) { saveMemory(input: $input) { memory { id } } }"
SAVE_ALL = "mutation($inputs: [SaveMemoryInput!]!) { saveMemories(inputs: $inputs) { memory { id } } }"
UPDATE = "mutation($id: ID!, $input: UpdateMemoryInput!) { updateMemory(id: $id, input: $input) { id } }"
RECALL = "query($input: RecallInput!) { recall(input: $input) { hits { memory { id content } } } }"
EVERYTHING = (
    "{ memories { totalCount edges { node { id content key tags importance metadata version } } } "
    "jobs { edges { node { id } } } }"
)
DIMENSION = 384
UNIT = [1.0] + [0.0] * (DIMENSION - 1)
JSON = {"Content-Type": "application/json"}
NUL = "must not hold NUL characters"

# input, the field that the error names, and its sentence (None: any)
REFUSED = [
    ({"content": ""}, "content", "content must have at least 1 character after trimming"),
    ({"content": " \t\r\n\u3000"}, "content", "content must have at least 1 character after trimming"),
    ({"content": "x" * 2001}, "content", "content must have at most 2000 characters, got 2001"),
    (
        {"content": "x" * 32_001, "sourceConversationId": "c"},
        "content",
        "content must have at most 32000 characters, got 32001",
    ),
    ({"content": "a\x00b"}, "content", f"content {NUL}"),
    ({"content": "x", "key": ""}, "key", "key must not be blank; leave it out instead"),
    ({"content": "x", "key": "a\x00"}, "key", f"key {NUL}"),
    ({"content": "x", "key": "k" * 513}, "key", "key must have at most 512 characters, got 513"),
    ({"content": "x", "category": "\x00"}, "category", f"category {NUL}"),
    ({"content": "x", "speaker": " "}, "speaker", "speaker must not be blank; leave it out instead"),
    ({"content": "x", "id": "has space"}, "id", None),
    ({"content": "x", "id": ""}, "id", None),
    ({"content": "x", "id": "mem_\x00"}, "id", None),
    ({"content": "x", "tags": ["a\x00"]}, "tags", f"tags {NUL}"),
    (
        {"content": "x", "tags": [f"t{i}" for i in range(101)]},
        "tags",
        "tags must have at most 100 entries, got 101",
    ),
    ({"content": "x", "importance": 1.01}, "importance", "importance must be a number between 0.0 and 1.0"),
    ({"content": "x", "importance": -0.01}, "importance", "importance must be a number between 0.0 and 1.0"),
    ({"content": "x", "confidence": 2}, "confidence", "confidence must be a number between 0.0 and 1.0"),
    ({"content": "x", "metadata": [1]}, "metadata", None),
    ({"content": "x", "metadata": "text"}, "metadata", None),
    ({"content": "x", "metadata": {"a": "x" * 70_000}}, "metadata", None),
    (
        {"content": "x", "tValid": "2026-02-01T00:00:00Z", "tInvalid": "2026-01-01T00:00:00Z"},
        "tInvalid",
        "tInvalid must not be before tValid",
    ),
    ({"content": "x", "embedding": []}, "embedding", "embedding must have 384 numbers, got 0"),
    ({"content": "x", "embedding": UNIT[1:]}, "embedding", "embedding must have 384 numbers, got 383"),
    ({"content": "x", "embedding": [*UNIT, 0.0]}, "embedding", "embedding must have 384 numbers, got 385"),
    ({"content": "x", "embedding": [0.0] * DIMENSION}, "embedding", "embedding must not be all zeros"),
]


async def everything(graphql) -> dict:
    return await graphql.ok(EVERYTHING)


def assert_unchanged(after: dict, before: dict) -> None:
    """Check that memories are the same and that there is no new job; earlier jobs may have finished."""
    assert after["memories"] == before["memories"]
    assert {edge["node"]["id"] for edge in after["jobs"]["edges"]} <= {
        edge["node"]["id"] for edge in before["jobs"]["edges"]
    }


@pytest.mark.parametrize(("input_", "field", "message"), REFUSED, ids=lambda value: repr(value)[:44])
async def test_a_save_that_breaks_a_rule_names_the_field_and_writes_nothing(
    graphql, input_, field, message
) -> None:
    error = await graphql.error(SAVE, input=input_)

    assert (error["code"], error["field"]) == ("INVALID_INPUT", field)
    assert message is None or error["message"] == message
    assert await everything(graphql) == {"memories": {"totalCount": 0, "edges": []}, "jobs": {"edges": []}}


@pytest.mark.parametrize("position", [0, 2, 4])
@pytest.mark.parametrize(("bad", "field", "_"), REFUSED[::5], ids=lambda value: repr(value)[:24])
async def test_one_bad_item_of_a_batch_stores_none(graphql, bad, field, _, position) -> None:
    """Neither new memories, nor changes, turns or jobs."""
    await graphql.ok(SAVE, input={"content": "stored before", "key": "old", "embedding": UNIT})
    before = await everything(graphql)
    inputs = [
        {"content": "new one"},
        {"content": "changed", "key": "old"},
        {"content": "a turn", "sourceConversationId": "c", "sessionId": "s"},
        {"content": "new two", "key": "another"},
    ]
    inputs.insert(position, bad)

    error = await graphql.error(SAVE_ALL, inputs=inputs)

    assert (error["code"], error["field"]) == ("INVALID_INPUT", field)
    assert_unchanged(await everything(graphql), before)


@pytest.mark.parametrize("count", [0, 1001])
async def test_a_batch_of_a_size_out_of_range_is_refused(graphql, count) -> None:
    error = await graphql.error(SAVE_ALL, inputs=[{"content": "x"}] * count)

    assert error == {
        "message": f"inputs must hold 1 to 1000 memories, got {count}",
        "code": "INVALID_INPUT",
        "field": "inputs",
    }


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
async def test_nan_is_refused_with_its_path(graphql, http, number) -> None:
    """JSON has no such numbers, though Python's parser accepts them."""
    body = f'{{"query": "{SAVE}", "variables": {{"input": {{"content": "x", "embedding": [{number}]}}}}}}'

    response = await http.post("/graphql", content=body, headers={"X-API-Key": graphql.key, **JSON})

    assert response.status_code == 400
    assert response.json()["errors"][0]["extensions"] == {"code": "INVALID_INPUT", "field": "body"}
    assert (await everything(graphql))["memories"]["totalCount"] == 0


async def test_a_number_too_large_for_a_float_is_refused(graphql) -> None:
    error = await graphql.error(SAVE, input={"content": "x", "embedding": [10**400, *UNIT[1:]]})

    assert error["code"] == "INVALID_INPUT"
    assert math.isinf(float("1e400"))


async def test_a_number_too_large_for_the_index_is_refused(graphql) -> None:
    """Vectors have single precision, in which such a value would become infinite."""
    error = await graphql.error(SAVE, input={"content": "x", "embedding": [1e300, *UNIT[1:]]})

    assert (error["code"], error["field"]) == ("INVALID_INPUT", "embedding")
    assert (await everything(graphql))["memories"]["totalCount"] == 0


@pytest.mark.parametrize("escape", ["\\ud800", "\\udfff", "x\\udc00\\ud800y"])
async def test_a_lone_surrogate_is_refused(graphql, http, escape) -> None:
    body = f'{{"query": "{SAVE}", "variables": {{"input": {{"content": "{escape}"}}}}}}'

    response = await http.post("/graphql", content=body, headers={"X-API-Key": graphql.key, **JSON})

    assert response.status_code == 400
    assert response.json()["errors"][0]["extensions"] == {
        "code": "INVALID_INPUT",
        "field": "variables.input.content",
    }


async def test_a_surrogate_pair_is_one_character(graphql, http) -> None:
    body = f'{{"query": "{SAVE}", "variables": {{"input": {{"content": "\\ud83d\\ude00"}}}}}}'

    response = await http.post("/graphql", content=body, headers={"X-API-Key": graphql.key, **JSON})

    assert "errors" not in response.json()
    (edge,) = (await everything(graphql))["memories"]["edges"]
    assert edge["node"]["content"] == "\U0001f600"


@pytest.mark.parametrize(
    ("input_", "field"),
    [
        ({"content": None}, "content"),
        ({"content": ""}, "content"),
        ({"content": "a\x00"}, "content"),
        ({"key": ""}, "key"),
        ({"importance": 7}, "importance"),
        ({"importance": None}, "importance"),
        ({"type": None}, "type"),
        ({"summary": "a\x00"}, "summary"),
        ({"tags": ["\x00"]}, "tags"),
        ({"metadata": [1]}, "metadata"),
        ({"embedding": UNIT[1:]}, "embedding"),
        ({"embedding": [0.0] * DIMENSION}, "embedding"),
        ({"tValid": "2026-02-01T00:00:00Z", "tInvalid": "2026-01-01T00:00:00Z"}, "tInvalid"),
    ],
    ids=lambda value: repr(value)[:44],
)
async def test_a_change_that_breaks_a_rule_changes_nothing(graphql, input_, field) -> None:
    saved = await graphql.ok(SAVE, input={"content": "before", "key": "k", "embedding": UNIT})
    before = await everything(graphql)

    error = await graphql.error(
        UPDATE, id=saved["saveMemory"]["memory"]["id"], input={"category": "new", **input_}
    )

    assert (error["code"], error["field"]) == ("INVALID_INPUT", field)
    assert_unchanged(await everything(graphql), before)


@pytest.mark.parametrize("id_", ["mem_unknown", "", " ", "\x00", "*", "x" * 5000, "' OR 1=1", "é"])
async def test_an_unknown_id_finds_nothing(graphql, id_) -> None:
    assert await graphql.ok("query($id: ID!) { memory(id: $id) { id } }", id=id_) == {"memory": None}
    assert await graphql.ok("mutation($id: ID!) { deleteMemory(id: $id) }", id=id_) == {"deleteMemory": False}
    error = await graphql.error(UPDATE, id=id_, input={"content": "x"})
    assert (error["code"], error["field"]) == ("NOT_FOUND", "id")


async def test_the_memory_of_another_workspace_cannot_be_touched(graphql, admin, other_workspace_id) -> None:
    """Each operation that takes an id answers as if that id did not exist."""
    saved = await admin.ok(
        'mutation($ws: ID) { saveMemory(input: {content: "theirs", key: "k"}, workspaceId: $ws) { memory { id } } }',
        ws=other_workspace_id,
    )
    theirs = saved["saveMemory"]["memory"]["id"]
    read = (
        "query($ws: ID, $id: ID!) { memory(id: $id, workspaceId: $ws) { id content key version deletedAt } }"
    )
    before = await admin.ok(read, ws=other_workspace_id, id=theirs)

    assert await graphql.ok("query($id: ID!) { memory(id: $id) { id } }", id=theirs) == {"memory": None}
    for hard in (False, True):
        assert await graphql.ok(
            "mutation($id: ID!, $hard: Boolean) { deleteMemory(id: $id, hard: $hard) }", id=theirs, hard=hard
        ) == {"deleteMemory": False}
    refused = await graphql.error(UPDATE, id=theirs, input={"content": "mine now"})
    missing = await graphql.error(UPDATE, id="mem_missing", input={"content": "mine now"})
    assert refused == {**missing, "message": missing["message"].replace("mem_missing", theirs)}
    mine = await graphql.ok(SAVE, input={"content": "mine", "key": "k"})
    assert mine["saveMemory"]["memory"]["id"] != theirs

    assert await admin.ok(read, ws=other_workspace_id, id=theirs) == before


async def test_an_id_that_another_workspace_owns_cannot_be_claimed(
    graphql, admin, other_workspace_id
) -> None:
    await admin.ok(
        'mutation($ws: ID) { saveMemory(input: {content: "theirs", id: "mine:1"}, workspaceId: $ws) { outcome } }',
        ws=other_workspace_id,
    )

    body = (await graphql.post(SAVE, input={"content": "mine", "id": "mine:1"})).json()

    read = 'query($ws: ID) { memory(id: "mine:1", workspaceId: $ws) { content } }'
    assert (await admin.ok(read, ws=other_workspace_id))["memory"] == {"content": "theirs"}
    if "errors" in body:
        assert body["errors"][0]["extensions"]["code"] == "CONFLICT"
        assert other_workspace_id not in repr(body)
    else:
        assert (await graphql.ok(read.replace("$ws: ID", "$ws: ID = null")))["memory"] == {"content": "mine"}


@pytest.mark.parametrize(
    ("input_", "field"),
    [
        ({"query": "a\x00b"}, "query"),
        ({"query": "x", "limit": 0}, "limit"),
        ({"query": "x", "limit": 101}, "limit"),
        ({"query": "x", "offset": -1}, "offset"),
        ({"query": "x", "minScore": 1.5}, "minScore"),
    ],
    ids=lambda value: repr(value)[:36],
)
async def test_a_recall_that_breaks_a_rule_names_the_field(graphql, input_, field) -> None:
    error = await graphql.error(RECALL, input=input_)

    assert (error["code"], error["field"]) == ("INVALID_INPUT", field)
