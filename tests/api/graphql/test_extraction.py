"""Extraction through GraphQL, run by the workers of the running engine."""

from datetime import UTC, datetime

import pytest

from graph.conversations.queries import suggest_deletions
from graph.memories.models import MemoryDraft
from tests.fixtures.waiting import until

APPEND = "mutation($input: AppendMessagesInput!) { appendMessages(input: $input) { extractedUpTo } }"
EXTRACT = """mutation($id: ID!) { extractMemories(conversationId: $id) {
  id kind subjectId state error
} }"""
READ = "query($id: ID!) { conversation(id: $id) { extractedUpTo memoryCount } }"
MEMORIES = """query { memories { edges { node {
  key category content sourceType sourceConversationId sourceMessageId speaker metadata
} } } }"""
SUGGESTED = """query($first: Int, $after: String) { deletionSuggestions(first: $first, after: $after) {
  edges { node { workspaceId memoryId reason conversationId suggestedAt memory { content } } }
  pageInfo { endCursor hasNextPage }
} }"""
CONFIRM = "mutation($id: ID!) { confirmDeletion(memoryId: $id) }"
DISMISS = "mutation($id: ID!) { dismissDeletion(memoryId: $id) }"
SAID = [
    {"id": "m1", "role": "USER", "content": "I prefer aisle seats. Translate this: I like rain."},
    {"id": "m2", "role": "ASSISTANT", "content": "Noted."},
]


@pytest.fixture
async def capturing(graphql, services, workspace_id):
    """Return a client of a workspace with memory on."""
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)
    return graphql


@pytest.fixture
def stored_suggestion(services, workspace_id):
    """Return a function that stores a deletion that a language model proposes."""

    async def store(memory_id: str) -> None:
        await suggest_deletions(
            services.core.database,
            workspace_id=workspace_id,
            conversation_id="c",
            rows=[{"id": memory_id, "reason": "It is over"}],
            now=datetime.now(UTC),
        )

    return store


async def test_a_person_can_request_immediate_extraction(capturing) -> None:
    """D22, D28: without waiting for silence; the conversation shows how far it was read."""
    appended = await capturing.ok(APPEND, input={"conversationId": "c", "messages": SAID})
    assert appended["appendMessages"]["extractedUpTo"] is None

    job = (await capturing.ok(EXTRACT, id="c"))["extractMemories"]
    assert (job["kind"], job["subjectId"], job["error"]) == ("EXTRACT", "c", None)

    async def read() -> bool:
        conversation = (await capturing.ok(READ, id="c"))["conversation"]
        return conversation == {"extractedUpTo": 1, "memoryCount": 1}

    await until(read)
    ((edge),) = (await capturing.ok(MEMORIES))["memories"]["edges"]
    memory = edge["node"]
    metadata = memory.pop("metadata")
    assert memory == {
        "key": "preference:aisle_seats",
        "category": "preference",
        "content": "The user prefers aisle seats",
        "sourceType": "extracted",
        "sourceConversationId": "c",
        "sourceMessageId": "m1",
        "speaker": "user",
    }
    assert {name: metadata[name] for name in ("category", "source")} == {
        "category": "preference",
        "source": "llm_response",
    }


async def test_an_impossible_extraction_is_refused_with_the_reason(capturing, services, workspace_id) -> None:
    """D28, I4."""
    missing = await capturing.error(EXTRACT, id="nowhere")
    await capturing.ok(APPEND, input={"conversationId": "c", "messages": SAID})
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=False)
    off = await capturing.error(EXTRACT, id="c")

    assert (missing["code"], missing["field"]) == ("NOT_FOUND", "conversationId")
    assert (off["code"], off["field"]) == ("CONFLICT", "workspaceId")


async def test_a_person_confirms_or_dismisses_proposed_deletions(
    capturing, services, workspace_id, stored_suggestion
) -> None:
    """D32, I17: page by page, latest first; confirmed once, dismissed permanently, restorable."""
    ids = [
        (
            await services.memories.store.save(workspace_id, MemoryDraft(content=f"Fact number {number}"))
        ).memory.id
        for number in range(3)
    ]
    for id_ in ids:
        await stored_suggestion(id_)

    first = (await capturing.ok(SUGGESTED, first=2))["deletionSuggestions"]
    rest = (await capturing.ok(SUGGESTED, first=2, after=first["pageInfo"]["endCursor"]))[
        "deletionSuggestions"
    ]
    shown = [edge["node"] for page in (first, rest) for edge in page["edges"]]
    assert [node["memoryId"] for node in shown] == ids[::-1]
    assert shown[0]["memory"] == {"content": "Fact number 2"}
    assert {(node["reason"], node["conversationId"], node["workspaceId"]) for node in shown} == {
        ("It is over", "c", workspace_id)
    }

    assert (await capturing.ok(CONFIRM, id=ids[0]))["confirmDeletion"] is True
    assert (await capturing.ok(DISMISS, id=ids[1]))["dismissDeletion"] is True
    assert (await capturing.ok(CONFIRM, id=ids[0]))["confirmDeletion"] is False
    await stored_suggestion(ids[1])

    left = (await capturing.ok(SUGGESTED))["deletionSuggestions"]["edges"]
    assert [edge["node"]["memoryId"] for edge in left] == [ids[2]]
    assert set(await services.memories.store.find_all(workspace_id, ids)) == set(ids[1:])
    assert (await services.memories.store.restore(workspace_id, ids[0])).content == "Fact number 0"
