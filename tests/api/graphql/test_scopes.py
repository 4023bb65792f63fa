"""Scopes: users and agents within one workspace, and keys bound to them."""

from datetime import UTC, datetime

import pytest

from graph.core import queries as jobs
from graph.core.models import JobKind
from graph.core.scope import ReadScope, seeing
from graph.memories.models import MemoryDraft
from graph.retrieval.recall.models import RecallQuery
from graph.tenancy.models import Scope
from tests.fixtures.app import GraphQLClient

SAVE = """mutation($input: SaveMemoryInput!) {
  saveMemory(input: $input) { outcome memory { id userId agentId content } }
}"""
RECALL = """query($text: String, $scope: ScopeInput, $limit: Int) {
  recall(input: {query: $text, scope: $scope, limit: $limit}) { hits { memory { id userId content } } }
}"""
LIST = """query($scope: ScopeInput) {
  memories(scope: $scope) { totalCount edges { node { content userId } } }
}"""
APPEND = """mutation($id: ID!, $user: ID) {
  appendMessages(input: {conversationId: $id, userId: $user, messages: [{role: USER, content: "Hello there"}]}) {
    id userId
  }
}"""
JOBS = "{ jobs { edges { node { id subjectId error updatedAt } } pageInfo { hasNextPage } } }"
CONVERSATIONS = "query($scope: ScopeInput) { conversations(scope: $scope) { edges { node { id userId } } } }"


@pytest.fixture(autouse=True)
async def memory_is_on(services, workspace_id):
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)


@pytest.fixture
def bound(http, services, workspace_id):
    """Return a function that gives a client whose key is bound to a user or an agent."""

    async def bound(**owner: str) -> GraphQLClient:
        _, secret = await services.tenancy.keys.create(
            workspace_id, name="bound", scopes=[Scope.READ, Scope.WRITE], **owner
        )
        return GraphQLClient(http, secret)

    return bound


async def saved(client, content: str, **fields):
    return (await client.ok(SAVE, input={"content": content, **fields}))["saveMemory"]


async def recalled(client, query: str, scope=None, limit: int = 5) -> list[str]:
    hits = (await client.ok(RECALL, text=query, scope=scope, limit=limit))["recall"]["hits"]
    return [hit["memory"]["content"] for hit in hits]


async def listed(client, scope=None) -> set[str]:
    page = (await client.ok(LIST, scope=scope))["memories"]
    contents = [edge["node"]["content"] for edge in page["edges"]]
    assert page["totalCount"] == len(contents)
    return set(contents)


async def test_two_people_of_one_workspace_recall_their_own_opposite_facts(graphql, bound):
    """A47, I2."""
    alice, bob = await bound(user_id="alice"), await bound(user_id="bob")
    await saved(alice, "The user does not like Python")
    await saved(bob, "The user likes Python")
    await saved(graphql, "The office language is English")

    assert await recalled(alice, "Does the user like Python?") == [
        "The user does not like Python",
        "The office language is English",
    ]
    assert "The user does not like Python" not in await recalled(bob, "Does the user like Python?")
    assert await listed(graphql, {"userId": "bob"}) == {
        "The user likes Python",
        "The office language is English",
    }
    assert await listed(graphql, {"userId": "bob", "includeShared": False}) == {"The user likes Python"}
    assert len(await listed(graphql)) == 3


async def test_each_user_has_keys_and_texts_of_their_own(graphql):
    """A2."""
    first = await saved(graphql, "The editor is vim", key="pref:editor", userId="alice")
    second = await saved(graphql, "The editor is emacs", key="pref:editor", userId="bob")
    third = await saved(graphql, "The editor is nano", key="pref:editor")
    changed = await saved(graphql, "The editor is helix", key="pref:editor", userId="bob")
    texts = [
        (await saved(graphql, "Tea is served at five", **owner))["outcome"]
        for owner in ({}, {"userId": "alice"}, {"userId": "alice", "agentId": "a"}, {"userId": "alice"})
    ]

    assert [each["outcome"] for each in (first, second, third, changed)] == [
        "CREATED", "CREATED", "CREATED", "UPDATED",
    ]  # fmt: skip
    assert changed["memory"]["id"] == second["memory"]["id"]
    assert texts == ["CREATED", "CREATED", "CREATED", "DEDUPLICATED"]


async def test_each_agent_of_a_user_has_keys_of_its_own(graphql, bound):
    """A2, I2: also for bound keys; another agent's key never conflicts."""
    tutors, coachs = [await bound(user_id="alice", agent_id=agent) for agent in ("tutor", "coach")]

    first = await saved(tutors, "The editor is vim", key="pref:editor")
    second = await saved(coachs, "The editor is emacs", key="pref:editor")
    shared = await saved(graphql, "The editor is nano", key="pref:editor", userId="alice")
    changed = await saved(coachs, "The editor is helix", key="pref:editor")

    outcomes = [each["outcome"] for each in (first, second, shared, changed)]
    assert outcomes == ["CREATED", "CREATED", "CREATED", "UPDATED"]
    assert changed["memory"]["id"] == second["memory"]["id"]
    assert await listed(tutors, {"includeShared": False}) == {"The editor is vim"}


async def test_a_bound_key_reaches_nothing_of_another_user(graphql, bound):
    """I2, K17."""
    alice = await bound(user_id="alice")
    theirs = (await saved(graphql, "The user keeps bees", userId="bob"))["memory"]["id"]
    await graphql.ok(APPEND, id="chat-of-bob", user="bob")

    found = await alice.ok("query($id: ID!) { memory(id: $id) { id } }", id=theirs)
    changed = await alice.error(
        'mutation($id: ID!) { updateMemory(id: $id, input: {content: "x y z"}) { id } }', id=theirs
    )
    deleted = await alice.ok("mutation($id: ID!) { deleteMemory(id: $id, hard: true) }", id=theirs)
    conversation = await alice.ok('{ conversation(id: "chat-of-bob") { id messages { edges { cursor } } } }')
    appended = await alice.error(APPEND, id="chat-of-bob", user=None)

    assert found == {"memory": None}
    assert changed["code"] == "NOT_FOUND"
    assert deleted == {"deleteMemory": False}
    assert conversation == {"conversation": None}
    assert (appended["code"], appended["field"]) == ("CONFLICT", "userId")
    assert await listed(graphql, {"userId": "bob"}) == {"The user keeps bees"}


@pytest.mark.parametrize("field", ["userId", "agentId"])
async def test_a_bound_key_that_names_somebody_else_is_refused(bound, field):
    """I2: with FORBIDDEN; the owner is never silently replaced."""
    client = await bound(user_id="alice", agent_id="planner")

    refused = [
        await client.error(SAVE, input={"content": "The user keeps bees", field: "bob"}),
        await client.error(RECALL, text="bees", scope={field: "bob"}),
        await client.error(LIST, scope={field: "bob"}),
    ]

    assert {each["code"] for each in refused} == {"FORBIDDEN"}
    assert await listed(client) == set()


@pytest.mark.parametrize("owner", [{"user_id": "alice"}, {"agent_id": "planner"}], ids=["user", "agent"])
async def test_a_bound_key_sees_no_jobs_and_retries_none(
    graphql, bound, services, workspace_id, owner
) -> None:
    """I2: jobs name others' memories, erased users, and texts at which a language model failed."""
    client, far = await bound(**owner), datetime(2126, 1, 1, tzinfo=UTC)
    kept = {"workspace_id": workspace_id, "kind": JobKind.ERASE, "subject_ids": ["bob"]}
    await jobs.enqueue_jobs(services.core.database, **kept, now=far, due_at=far)
    before = await graphql.ok(JOBS)

    shown = await client.ok(JOBS)
    (job,) = (edge["node"] for edge in before["jobs"]["edges"])
    refused = await client.error("mutation($id: ID!) { retryJob(id: $id) { subjectId error } }", id=job["id"])

    assert job["subjectId"] == "bob"
    assert shown == {"jobs": {"edges": [], "pageInfo": {"hasNextPage": False}}}
    assert refused["code"] == "FORBIDDEN"
    assert await graphql.ok(JOBS) == before


async def test_an_agent_sees_its_own_and_shared_memories(graphql):
    await saved(graphql, "The plan is A", userId="alice", agentId="planner")
    await saved(graphql, "The review is B", userId="alice", agentId="reviewer")
    await saved(graphql, "The goal is C", userId="alice")

    assert await listed(graphql, {"userId": "alice", "agentId": "planner"}) == {
        "The plan is A",
        "The goal is C",
    }
    assert len(await listed(graphql, {"userId": "alice"})) == 3


async def test_a_users_memory_ranks_first_despite_nearer_ones_of_others(services, workspace_id):
    """C11."""
    vector = tuple(float(place == 0) for place in range(384))
    aside = tuple(0.6 if place == 0 else 0.8 * (place == 1) for place in range(384))
    store = services.memories.store
    for start in range(0, 3000, 1000):
        drafts = [
            MemoryDraft(
                content=f"Bob tunes piano {start + place}", user_id="bob", embedding=vector, dedup=False
            )
            for place in range(1000)
        ]
        await store.save_all(workspace_id, drafts)
    own = await store.save(
        workspace_id, MemoryDraft(content="Alice tunes a harp", user_id="alice", embedding=aside)
    )

    with seeing(ReadScope(user_id="alice")):
        result = await services.retrieval.recall.recall(workspace_id, RecallQuery(query="Who tunes a piano?"))

    assert [hit.memory.id for hit in result.hits] == [own.memory.id]


async def test_a_conversation_and_its_facts_belong_to_its_user(graphql, services, workspace_id):
    """D1."""
    appended = (await graphql.ok(APPEND, id="chat-a", user="alice"))["appendMessages"]
    await graphql.ok(APPEND, id="chat-b", user=None)

    edges = (await graphql.ok(CONVERSATIONS, scope={"userId": "bob"}))["conversations"]["edges"]
    own = (await graphql.ok(CONVERSATIONS, scope={"userId": "alice", "includeShared": False}))[
        "conversations"
    ]

    assert appended["userId"] == "alice"
    assert [edge["node"]["id"] for edge in edges] == ["chat-b"]
    assert [edge["node"]["id"] for edge in own["edges"]] == ["chat-a"]


async def test_each_user_has_a_separate_working_set(services, workspace_id):
    """H1."""
    working_set = services.core.working_set
    for user, value in (("alice", 1), ("bob", 2)):
        with seeing(ReadScope(user_id=user)):
            await working_set.write(workspace_id, "chat", "plan", value)

    with seeing(ReadScope(user_id="alice")):
        assert await working_set.read(workspace_id, "chat", "plan") == 1
    assert await working_set.read(workspace_id, "chat", "plan") is None


async def test_a_bound_key_cannot_administer(admin, workspace_id):
    refused = await admin.error(
        """mutation($workspace: ID) {
          createApiKey(input: {name: "x", scopes: [ADMIN], userId: "alice", workspaceId: $workspace}) { secret }
        }""",
        workspace=workspace_id,
    )

    assert (refused["code"], refused["field"]) == ("INVALID_INPUT", "scopes")


USERS = """query($first: Int, $after: String) {
  users(first: $first, after: $after) {
    edges { node { id memories deletedMemories conversations runs since lastUsedAt } }
    pageInfo { hasNextPage endCursor }
  }
}"""


async def test_users_are_listed_with_their_counts(graphql, bound):
    """A47: paged by id; a bound key sees only its own user."""
    await saved(graphql, "Alice keeps bees", userId="alice")
    await saved(graphql, "Alice sells honey", userId="alice")
    await saved(graphql, "The office has bees")
    await graphql.ok(APPEND, id="chat-of-bob", user="bob")
    bob = await bound(user_id="bob")

    first = (await graphql.ok(USERS, first=1))["users"]
    second = (await graphql.ok(USERS, first=1, after=first["pageInfo"]["endCursor"]))["users"]
    (alice,), (bobs,) = ([edge["node"] for edge in page["edges"]] for page in (first, second))

    assert (alice["id"], alice["memories"], alice["conversations"]) == ("alice", 2, 0)
    assert (bobs["id"], bobs["conversations"]) == ("bob", 1)
    assert alice["since"] <= alice["lastUsedAt"]
    assert (first["pageInfo"]["hasNextPage"], second["pageInfo"]["hasNextPage"]) == (True, False)
    assert [edge["node"]["id"] for edge in (await bob.ok(USERS))["users"]["edges"]] == ["bob"]
    assert await bob.ok('{ user(id: "alice") { id } }') == {"user": None}
    assert (await graphql.ok('{ user(id: "alice") { memories } }')) == {"user": {"memories": 2}}


async def test_a_user_with_deleted_memories_only_is_listed_with_their_number(graphql):
    """A47, issue 35: they can be restored, and an erasure has to remove them."""
    kept = (await saved(graphql, "Alice keeps bees", userId="alice"))["memory"]["id"]
    alice = {"id": "alice", "memories": 1, "deletedMemories": 0, "conversations": 0, "runs": 0}
    shown = "{ users { edges { node { id memories deletedMemories conversations runs } } } }"
    assert [edge["node"] for edge in (await graphql.ok(shown))["users"]["edges"]] == [alice]

    await graphql.ok("mutation($id: ID!) { deleteMemory(id: $id) }", id=kept)
    gone = [edge["node"] for edge in (await graphql.ok(shown))["users"]["edges"]]

    assert gone == [{**alice, "memories": 0, "deletedMemories": 1}]
