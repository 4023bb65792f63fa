"""Automatic changes, listed and undone through GraphQL (issue 36, point 7)."""

import pytest

from graph.memories.models import MemoryDraft
from graph.memories.policy import SourceType
from tests.fixtures.waiting import until

APPEND = "mutation($input: AppendMessagesInput!) { appendMessages(input: $input) { extractedUpTo } }"
SAVE = "mutation($i: SaveMemoryInput!) { saveMemory(input: $i) { memory { id tags } outcome } }"
MEMORIES = "{ memories { edges { node { id content tags } } } }"
FIELDS = """id kind subjectKind subjectId causeId otherIds rule words before count job undoneAt canBeUndone
  memory { content }"""
CHANGES = f"""query($kinds: [AutomaticChangeKind!], $first: Int, $after: String) {{
  automaticChanges(kinds: $kinds, first: $first, after: $after) {{
    edges {{ node {{ {FIELDS} }} }} pageInfo {{ endCursor hasNextPage }}
  }} }}"""
UNDO = f"mutation($id: ID!) {{ undoAutomaticChange(id: $id) {{ {FIELDS} }} }}"
REREAD = 'mutation { extractMemories(conversationId: "c") { id } }'
JOBS = "{ jobs { edges { node { kind } } } }"


@pytest.fixture
async def capturing(graphql, services, workspace_id):
    """Return a client of a workspace with memory on."""
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)
    return graphql


async def changes_of(graphql, **arguments) -> list[dict]:
    found = await graphql.ok(CHANGES, **arguments)
    return [edge["node"] for edge in found["automaticChanges"]["edges"]]


async def texts_of(graphql) -> list[str]:
    return [edge["node"]["content"] for edge in (await graphql.ok(MEMORIES))["memories"]["edges"]]


async def say(graphql, id_: str, text: str) -> None:
    message = {"id": id_, "role": "USER", "content": text}
    await graphql.ok(APPEND, input={"conversationId": "c", "messages": [message]})
    await graphql.ok(REREAD)


def idle(graphql):
    async def is_idle() -> bool:
        return not any(
            edge["node"]["kind"].startswith("EXTRACT") for edge in (await graphql.ok(JOBS))["jobs"]["edges"]
        )

    return until(is_idle)


async def test_an_undone_learnt_fact_is_not_learnt_again(capturing) -> None:
    await say(capturing, "m1", "I prefer aisle seats.")
    await idle(capturing)
    (change,) = await changes_of(capturing)
    id_, subject_id = change.pop("id"), change.pop("subjectId")
    assert change == {
        "kind": "LEARNT",
        "subjectKind": "MEMORY",
        "causeId": None,
        "otherIds": [],
        "rule": "rules:preference",
        "words": "I prefer aisle seats.",
        "before": None,
        "count": 1,
        "job": "EXTRACT",
        "undoneAt": None,
        "canBeUndone": True,
        "memory": {"content": "The user prefers aisle seats"},
    }

    undone = (await capturing.ok(UNDO, id=id_))["undoAutomaticChange"]
    again = await capturing.error(UNDO, id=id_)
    await capturing.ok(REREAD)
    await idle(capturing)

    assert (undone["subjectId"], undone["canBeUndone"]) == (subject_id, False)
    assert undone["undoneAt"] is not None
    assert (again["code"], again["field"]) == ("CONFLICT", "id")
    assert await texts_of(capturing) == []
    assert [each["id"] for each in await changes_of(capturing)] == [id_]


async def test_undoing_a_learnt_change_restores_the_earlier_fact(capturing) -> None:
    await say(capturing, "m1", "I like olives.")
    await idle(capturing)
    await say(capturing, "m2", "I don't like olives.")
    await idle(capturing)
    assert await texts_of(capturing) == ["The user does not like olives"]
    changed, _ = await changes_of(capturing)
    assert (changed["before"]["content"], changed["before"]["metadata"]["polarity"]) == (
        "The user likes olives",
        "positive",
    )

    await capturing.ok(UNDO, id=changed["id"])
    await capturing.ok(REREAD)
    await idle(capturing)

    assert await texts_of(capturing) == ["The user likes olives"]


async def test_a_later_edit_prevents_undoing_a_learnt_fact(capturing) -> None:
    await say(capturing, "m1", "I prefer aisle seats.")
    await idle(capturing)
    (change,) = await changes_of(capturing)
    edit = 'mutation($id: ID!) { updateMemory(id: $id, input: {content: "Window seats, please"}) { id } }'
    await capturing.ok(edit, id=change["subjectId"])

    error = await capturing.error(UNDO, id=change["id"])

    assert (error["code"], error["field"]) == ("CONFLICT", "id")
    assert await texts_of(capturing) == ["Window seats, please"]
    assert [each["canBeUndone"] for each in await changes_of(capturing)] == [True]


async def test_a_confirmed_learnt_fact_is_not_undone(capturing) -> None:
    await say(capturing, "m1", "I prefer aisle seats.")
    await idle(capturing)
    (change,) = await changes_of(capturing)
    confirm = "mutation($id: ID!) { updateMemory(id: $id, input: {confidence: 1}) { id } }"
    await capturing.ok(confirm, id=change["subjectId"])

    error = await capturing.error(UNDO, id=change["id"])

    assert (error["code"], error["field"]) == ("CONFLICT", "id")
    assert await texts_of(capturing) == ["The user prefers aisle seats"]


async def test_undoing_a_merged_save_restores_it_as_a_memory(graphql) -> None:
    saved = (await graphql.ok(SAVE, i={"content": "Ada likes tea", "tags": ["home"]}))["saveMemory"]
    merged = (await graphql.ok(SAVE, i={"content": "ada likes tea!", "tags": ["work"]}))["saveMemory"]
    known = saved["memory"]["id"]
    assert (merged["outcome"], merged["memory"]) == ("DEDUPLICATED", {"id": known, "tags": ["home", "work"]})
    (change,) = await changes_of(graphql, kinds=["MERGED"])
    assert (change["subjectId"], change["rule"], change["job"]) == (known, "says_the_same", None)
    assert change["before"]["saved"].pop("apiKeyId").startswith("key_")
    assert change["before"] == {"saved": {"content": "ada likes tea!", "tags": ["work"]}, "tags": ["home"]}

    await graphql.ok(UNDO, id=change["id"])
    repeated = (await graphql.ok(SAVE, i={"content": "ada likes tea!", "tags": ["work"]}))["saveMemory"]

    found = (await graphql.ok(MEMORIES))["memories"]["edges"]
    assert [(edge["node"]["content"], edge["node"]["tags"]) for edge in found] == [
        ("ada likes tea!", ["work"]),
        ("Ada likes tea", ["home"]),
    ]
    assert repeated["outcome"] == "DEDUPLICATED"
    assert len(await changes_of(graphql)) == 1


@pytest.mark.parametrize(
    "saved",
    [
        {"content": "The user prefers aisle seats"},
        {"content": "The user prefers aisle seats", "confidence": 0.1},
        {"content": "the user prefers aisle seats!", "tags": ["travel"]},
        {"content": "The user prefers aisle seats", "id": "the learnt one"},
    ],
    ids=["the_same_text", "less_certain", "other_writing", "by_id"],
)
async def test_a_fact_that_a_caller_also_saved_survives_the_undo(capturing, saved) -> None:
    """The save is an entry of its own; undoing the fact leaves the saved memory alone."""
    await say(capturing, "m1", "I prefer aisle seats.")
    await idle(capturing)
    (learnt,) = await changes_of(capturing)
    if "id" in saved:
        saved = {**saved, "id": learnt["subjectId"]}
    for _ in range(2):
        answer = (await capturing.ok(SAVE, i=saved))["saveMemory"]
        assert answer["memory"]["id"] == learnt["subjectId"]

    error = await capturing.error(UNDO, id=learnt["id"])
    merged, _ = await changes_of(capturing)

    assert (error["code"], error["field"]) == ("CONFLICT", "id")
    assert (merged["kind"], merged["job"]) == ("MERGED", None)
    assert merged["before"]["saved"]["content"] == saved["content"]
    assert await texts_of(capturing) == ["The user prefers aisle seats"]
    await capturing.ok(UNDO, id=merged["id"])
    await capturing.ok(UNDO, id=learnt["id"])
    assert await texts_of(capturing) == [saved["content"]]


async def test_saving_a_doubtful_fact_removes_it_from_the_list(capturing, services, workspace_id) -> None:
    content = "The user may like rain"
    draft = MemoryDraft(content=content, confidence=0.5, source_type=SourceType.EXTRACTED)
    await services.memories.store.save(workspace_id, draft)
    assert [each["content"] for each in await doubtful(capturing)] == [content]

    await capturing.ok(SAVE, i={"content": content})

    assert await doubtful(capturing) == []
    assert await texts_of(capturing) == [content]


async def test_a_repeated_save_is_not_listed_as_a_change(graphql) -> None:
    for _ in range(2):
        await graphql.ok(SAVE, i={"content": "Ada likes tea", "tags": ["home"]})

    assert await changes_of(graphql) == []


async def test_pages_are_contiguous(graphql) -> None:
    for number in range(3):
        await graphql.ok(SAVE, i={"content": f"Ada has {number} cats"})
        await graphql.ok(SAVE, i={"content": f"Ada has {number} cats", "tags": ["pets"]})

    first = (await graphql.ok(CHANGES, first=2))["automaticChanges"]
    rest = await changes_of(graphql, first=2, after=first["pageInfo"]["endCursor"])

    shown = [*(edge["node"] for edge in first["edges"]), *rest]
    assert [each["memory"]["content"] for each in shown] == [f"Ada has {number} cats" for number in (2, 1, 0)]
    assert first["pageInfo"]["hasNextPage"] is True


async def test_an_unknown_change_is_not_found(graphql) -> None:
    error = await graphql.error(UNDO, id="chg_nowhere")

    assert (error["code"], error["field"]) == ("NOT_FOUND", "id")


async def test_doubtful_facts_wait_until_somebody_decides(capturing, services, workspace_id) -> None:
    def fact(content: str, confidence: float, source_type: SourceType) -> MemoryDraft:
        return MemoryDraft(content=content, confidence=confidence, source_type=source_type)

    drafts = [
        fact("The user may like rain", 0.5, SourceType.EXTRACTED),
        fact("The user may like snow", 0.59, SourceType.EXTRACTED),
        fact("The user likes sun", 0.6, SourceType.EXTRACTED),
        fact("Somebody may like fog", 0.5, SourceType.API),
    ]
    await services.memories.store.save_all(workspace_id, drafts)
    snow, rain = await doubtful(capturing)
    assert [each["content"] for each in (snow, rain)] == ["The user may like snow", "The user may like rain"]

    keep = "mutation($id: ID!) { updateMemory(id: $id, input: {confidence: 1}) { id } }"
    await capturing.ok(keep, id=snow["id"])
    await capturing.ok("mutation($id: ID!) { deleteMemory(id: $id) }", id=rain["id"])
    assert await doubtful(capturing) == []

    await services.tenancy.workspaces.update(workspace_id, settings={"extractionConfidence": 0.7})
    assert [each["content"] for each in await doubtful(capturing)] == ["The user likes sun"]


async def doubtful(graphql) -> list[dict]:
    found = await graphql.ok("{ doubtfulFacts { edges { node { id content } } } }")
    return [edge["node"] for edge in found["doubtfulFacts"]["edges"]]
