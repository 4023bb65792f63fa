"""The life of a memory through GraphQL."""

import pytest

from graph.memories.models import MemoryDraft

UNIT = [1.0] + [0.0] * 383
FIELDS = """
  id workspaceId content summary category type kind facet key tags keywords importance importanceBand confidence
  metadata sourceType sourceConversationId sourceMessageId sessionId apiKeyId speaker timestamp createdAt updatedAt
  lastAccessedAt tValid tInvalid expiresAt deletedAt oldText usageCount lastUsedAt enriched state failure version
  needsReindex duplicateOf versions { version content createdAt } associations { id }
"""
RECEIPT = "outcome deduplicated warnings suggestedAssociations summarized originalLength summarizedLength memory { %s }"
SAVE = f"""mutation($input: SaveMemoryInput!, $waitFor: MemoryState, $timeoutMs: Int) {{
  saveMemory(input: $input, waitFor: $waitFor, timeoutMs: $timeoutMs) {{ {RECEIPT % FIELDS} }}
}}"""
GET = f"query($id: ID!) {{ memory(id: $id) {{ {FIELDS} }} }}"
UPDATE = f"""mutation($id: ID!, $input: UpdateMemoryInput!) {{ updateMemory(id: $id, input: $input) {{ {FIELDS} }} }}"""
LIST = """query($filter: MemoryFilter, $orderBy: MemoryOrder, $first: Int, $after: String) {
  memories(filter: $filter, orderBy: $orderBy, first: $first, after: $after) {
    totalCount edges { cursor node { id content } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}"""
DELETE = "mutation($id: ID!, $hard: Boolean) { deleteMemory(id: $id, hard: $hard) }"
RESTORE = """mutation($id: ID!, $version: Int) {
  restoreMemory(id: $id, version: $version) { content version deletedAt }
}"""
CLEAR = "mutation($input: ClearMemoriesInput!, $hard: Boolean) { clearMemories(input: $input, hard: $hard) }"

GIVEN = {
    "content": "Ada prefers tabs",
    "category": "taste",
    "type": "PREFERENCE",
    "kind": "SEMANTIC",
    "facet": "OBJECTIVE",
    "key": "indentation",
    "tags": ["Code:Style"],
    "keywords": ["tabs"],
    "importance": 0.95,
    "confidence": 0.5,
    "metadata": {"a": {"b": [1, None]}},
    "timestamp": "2024-05-01T12:00:00+00:00",
    "tValid": "2024-01-01T00:00:00+00:00",
    "tInvalid": "2099-01-01T00:00:00+00:00",
    "expiresAt": "2098-01-01T00:00:00+00:00",
    "speaker": "Ada",
    "sessionId": "s",
}


async def save(graphql, **input_):
    data = await graphql.ok(SAVE, input=input_)
    return data["saveMemory"]


async def listed(graphql, **filter_):
    data = await graphql.ok(LIST, filter=filter_)
    edges = data["memories"]["edges"]
    assert data["memories"]["totalCount"] == len(edges)
    return [edge["node"]["content"] for edge in edges]


async def test_every_field_of_an_input_is_stored_and_shown(graphql, workspace_id) -> None:
    """A1, A10, A12: together with the key that wrote it."""
    saved = await save(graphql, **GIVEN)

    memory = (await graphql.ok(GET, id=saved["memory"]["id"]))["memory"]
    assert {name: memory[name] for name in GIVEN} == GIVEN
    assert (memory["workspaceId"], memory["importanceBand"]) == (workspace_id, "CRITICAL")
    assert memory["apiKeyId"].startswith("key_")
    assert (memory["sourceType"], memory["version"], memory["versions"]) == ("api", 1, [])
    assert (saved["outcome"], saved["deduplicated"], saved["summarized"]) == ("CREATED", False, False)


@pytest.mark.usefixtures("patient_waits")
async def test_a_caller_can_wait_until_a_memory_is_embedded(graphql) -> None:
    """B14: in the receipt, and in a later read."""
    saved = await graphql.ok(
        SAVE,
        input={"content": "Ada said so", "sourceConversationId": "c"},
        waitFor="EMBEDDED",
        timeoutMs=10_000,
    )
    memory = saved["saveMemory"]["memory"]
    assert memory["state"] in ("EMBEDDED", "LINKED")

    waiting = "query($id: ID!) { memory(id: $id, waitFor: EMBEDDED, timeoutMs: 0) { state } }"
    assert (await graphql.ok(waiting, id=memory["id"]))["memory"]["state"] in ("EMBEDDED", "LINKED")


async def test_a_duplicate_returns_the_existing_memory(graphql) -> None:
    """A21."""
    first = await save(graphql, content="Ada lives in Oslo")
    second = await save(graphql, content="ada lives in oslo.")
    third = await save(graphql, content="ada lives in oslo.", dedup=False)

    assert (second["outcome"], second["deduplicated"]) == ("DEDUPLICATED", True)
    assert second["memory"]["id"] == first["memory"]["id"] != third["memory"]["id"]


async def test_changes_are_stored_as_versions_and_reverted(graphql) -> None:
    """A19, A27, A29, A33."""
    id_ = (await save(graphql, content="one", metadata={"a": 1, "b": 2}, tags=["x"]))["memory"]["id"]
    changed = await graphql.ok(
        UPDATE,
        id=id_,
        input={
            "content": "two",
            "summary": "s",
            "metadata": {"a": None},
            "tags": ["y/z"],
            "type": "DECISION",
        },
    )

    memory = changed["updateMemory"]
    assert (memory["content"], memory["oldText"], memory["version"]) == ("two", "one", 2)
    assert (memory["metadata"], memory["tags"], memory["summary"]) == ({"b": 2}, ["y/z"], "s")
    assert (memory["type"], memory["confidence"]) == ("DECISION", 0.9)
    assert [(version["version"], version["content"]) for version in memory["versions"]] == [(1, "one")]
    assert await listed(graphql, anyTags=["Y"]) == ["two"]
    assert await listed(graphql, anyTags=["x"]) == []

    restored = await graphql.ok(RESTORE, id=id_, version=1)
    assert restored["restoreMemory"] == {"content": "one", "version": 3, "deletedAt": None}
    error = await graphql.error(RESTORE, id=id_, version=9)
    assert (error["code"], error["field"]) == ("NOT_FOUND", "version")


async def test_a_delete_is_soft_unless_asked_otherwise(graphql) -> None:
    """A25, A30, A32."""
    id_ = (await save(graphql, content="one"))["memory"]["id"]

    assert (await graphql.ok(DELETE, id=id_))["deleteMemory"] is True
    assert (await graphql.ok(DELETE, id=id_))["deleteMemory"] is False
    assert (await graphql.ok(GET, id=id_))["memory"] is None
    assert await listed(graphql) == []
    assert (await graphql.ok(RESTORE, id=id_))["restoreMemory"]["content"] == "one"
    assert (await graphql.ok(DELETE, id=id_, hard=True))["deleteMemory"] is True
    error = await graphql.error(RESTORE, id=id_)
    assert (error["code"], error["field"]) == ("NOT_FOUND", "id")


async def test_clearing_returns_the_number_of_deleted_memories(graphql) -> None:
    """A41: a null filter matches everything."""
    for content, type_ in (("one", "HABIT"), ("two", "HABIT"), ("three", "STYLE")):
        await save(graphql, content=content, type=type_)

    assert (await graphql.ok(CLEAR, input={"types": ["DECISION"]}))["clearMemories"] == 0
    assert (await graphql.ok(CLEAR, input={"olderThan": "2020-01-01T00:00:00Z"}))["clearMemories"] == 0
    assert (await graphql.ok(CLEAR, input={"types": ["HABIT"], "kinds": None}))["clearMemories"] == 2
    assert await listed(graphql) == ["three"]
    assert (await graphql.ok(CLEAR, input={}, hard=True))["clearMemories"] == 3


@pytest.mark.parametrize("field", ["types", "kinds", "facets"])
async def test_clearing_with_an_empty_list_is_refused(graphql, field) -> None:
    await save(graphql, content="one")

    error = await graphql.error(CLEAR, input={field: []})

    assert (error["code"], error["field"]) == ("INVALID_INPUT", field)
    assert await listed(graphql) == ["one"]


@pytest.mark.parametrize(
    ("filter_", "expected"),
    [
        ({}, ["three", "two", "one"]),
        ({"types": ["HABIT", "STYLE"]}, ["two", "one"]),
        ({"kinds": ["PROCEDURAL"]}, ["three"]),
        ({"facets": ["PREFERENCE"]}, ["two"]),
        ({"categories": ["c"]}, ["one"]),
        ({"sourceTypes": ["api"]}, ["three", "two", "one"]),
        ({"sourceTypes": ["user"]}, []),
        ({"anyTags": ["a", "x"]}, ["three", "one"]),
        ({"allTags": ["a:b", "d"]}, ["one"]),
        ({"minImportance": 0.5}, ["three", "two"]),
        ({"minConfidence": 0.95}, ["three"]),
        ({"sessionId": "s"}, ["two"]),
        ({"conversationId": "none"}, []),
        ({"since": "2024-05-01T00:00:00Z"}, ["three", "two"]),
        ({"until": "2024-05-01T00:00:00+00:00"}, ["two", "one"]),
        ({"since": "2024-05", "until": "2024-05"}, ["two"]),
        ({"until": "2024"}, ["three", "two", "one"]),
        ({"since": 1_714_521_600, "until": 1_714_521_600_000}, ["two"]),
        ({"text": "O"}, ["two", "one"]),
        ({"types": ["HABIT"], "text": "tw"}, []),
    ],
    ids=repr,
)
async def test_a_list_applies_its_filter(graphql, filter_, expected) -> None:
    """A45, K1: also to its count."""
    await save(
        graphql,
        content="one",
        type="HABIT",
        category="c",
        tags=["A:B:c", "d"],
        importance=0.4,
        timestamp="2024-04-01T00:00:00Z",
    )
    await save(graphql, content="two", type="STYLE", sessionId="s", timestamp="2024-05-01T00:00:00Z")
    await save(
        graphql,
        content="three",
        type="PATTERN",
        tags=["x"],
        confidence=1.0,
        timestamp="2024-06-01T00:00:00Z",
    )

    assert await listed(graphql, **filter_) == expected


async def test_a_list_shows_the_memories_of_one_key(graphql, admin, workspace_id) -> None:
    """A10, A47."""
    mine = (await save(graphql, content="mine"))["memory"]
    other = await admin.ok(
        'mutation($ws: ID) { saveMemory(input: {content: "other"}, workspaceId: $ws) { memory { apiKeyId } } }',
        ws=workspace_id,
    )

    assert other["saveMemory"]["memory"]["apiKeyId"] != mine["apiKeyId"]
    assert await listed(graphql, apiKeyId=mine["apiKeyId"]) == ["mine"]
    assert await listed(graphql) == ["other", "mine"]


@pytest.mark.parametrize("order", ["CREATED_AT", "TIMESTAMP", "UPDATED_AT", "IMPORTANCE", "USAGE_COUNT"])
async def test_pages_are_contiguous(graphql, services, workspace_id, order) -> None:
    """K1."""
    await services.memories.store.save_all(
        workspace_id,
        [MemoryDraft(content=f"{number}", dedup=False, embedding=tuple(UNIT)) for number in range(5)],
    )
    shown, after = [], None
    for size in (2, 2, 1):
        data = await graphql.ok(LIST, orderBy=order, first=2, after=after)
        page = data["memories"]
        assert (len(page["edges"]), page["totalCount"]) == (size, 5)
        assert page["pageInfo"]["hasPreviousPage"] is (after is not None)
        assert page["pageInfo"]["hasNextPage"] is (size == 2)
        assert page["pageInfo"]["endCursor"] == page["edges"][-1]["cursor"]
        shown += [edge["node"]["content"] for edge in page["edges"]]
        after = page["pageInfo"]["endCursor"]
    assert sorted(shown) == ["0", "1", "2", "3", "4"]
