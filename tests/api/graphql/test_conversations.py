"""Conversations through GraphQL."""

from collections import Counter

import pytest

from tests.fixtures.waiting import until

APPEND = """mutation($input: AppendMessagesInput!) { appendMessages(input: $input) {
  id workspaceId platform title messageCount memoryCount
  capture { added changed known skipped leftOut { place reason } }
} }"""
READ = """query($id: ID!, $first: Int, $after: String) { conversation(id: $id) {
  id platform title messageCount capture { added }
  messages(first: $first, after: $after) {
    edges { node { messageId workspaceId conversationId sessionId position content speaker role saidAt } }
    pageInfo { hasNextPage endCursor }
    markdown
  }
} }"""
LIST = """query($first: Int, $after: String, $platform: String) {
  conversations(first: $first, after: $after, platform: $platform) {
    edges { node { id messageCount memoryCount lastActivityAt messages(first: 2) { edges { node { content } } } } }
    pageInfo { hasNextPage endCursor }
  }
}"""
DELETE = "mutation($id: ID!) { deleteConversation(id: $id) }"
MESSAGES = [
    {"id": "m1", "role": "USER", "content": "I am moving to *Oslo*", "saidAt": "2026-05-01T14:00:00+02:00"},
    {"id": "m2", "role": "ASSISTANT", "content": "When?", "speaker": "Ada", "sessionId": "s"},
]


@pytest.fixture
async def capturing(graphql, services, workspace_id):
    """Return a client of a workspace with memory on."""
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)
    return graphql


async def test_messages_are_appended_read_listed_and_deleted(capturing, workspace_id) -> None:
    """D7, D8, K1."""
    input_ = {"conversationId": "c", "platform": "Claude", "title": "Move", "messages": MESSAGES}

    appended = (await capturing.ok(APPEND, input=input_))["appendMessages"]
    again = (await capturing.ok(APPEND, input=input_))["appendMessages"]
    read = (await capturing.ok(READ, id="c", first=1))["conversation"]
    rest = (await capturing.ok(READ, id="c", after=read["messages"]["pageInfo"]["endCursor"]))["conversation"]

    assert appended == {
        "id": "c",
        "workspaceId": workspace_id,
        "platform": "Claude",
        "title": "Move",
        "messageCount": 2,
        "memoryCount": 0,
        "capture": {"added": 2, "changed": 0, "known": 0, "skipped": None, "leftOut": []},
    }
    assert again == {**appended, "capture": {**appended["capture"], "added": 0, "known": 2}}
    assert (read["messageCount"], read["capture"]) == (2, None)
    assert read["messages"]["pageInfo"]["hasNextPage"] is True
    assert read["messages"]["markdown"] == "### User\n\nI am moving to *Oslo*"
    assert [edge["node"] for edge in read["messages"]["edges"]] == [
        {
            "messageId": "m1",
            "workspaceId": workspace_id,
            "conversationId": "c",
            "sessionId": None,
            "position": 0,
            "content": "I am moving to *Oslo*",
            "speaker": None,
            "role": "USER",
            "saidAt": "2026-05-01T12:00:00+00:00",
        }
    ]
    assert [edge["node"]["content"] for edge in rest["messages"]["edges"]] == ["When?"]
    assert rest["messages"]["pageInfo"]["hasNextPage"] is False
    (edge,) = (await capturing.ok(LIST, platform="Claude"))["conversations"]["edges"]
    assert (edge["node"]["id"], edge["node"]["messageCount"]) == ("c", 2)
    assert (await capturing.ok(LIST, platform="Gemini"))["conversations"]["edges"] == []
    assert (await capturing.ok(DELETE, id="c"))["deleteConversation"] is True
    assert (await capturing.ok(DELETE, id="c"))["deleteConversation"] is False
    assert (await capturing.ok(READ, id="c"))["conversation"] is None


async def test_a_message_of_one_platform_is_recalled_on_another(capturing) -> None:
    """D9, D1: a message from one platform is remembered, and recall finds it everywhere in the workspace."""
    input_ = {"conversationId": "c", "platform": "ChatGPT", "messages": MESSAGES}
    await capturing.ok(APPEND, input=input_)
    remember = "mutation($input: RememberMessageInput!) { rememberMessage(input: $input) { memory { id } } }"
    saved = await capturing.ok(remember, input={"messageId": "m1", "conversationId": "c"})
    id_ = saved["rememberMessage"]["memory"]["id"]

    async def found() -> bool:
        recall = (
            '{ recall(input: {query: "moving to Oslo"}) { hits { memory { id sourceConversationId } } } }'
        )
        hits = (await capturing.ok(recall))["recall"]["hits"]
        return {"memory": {"id": id_, "sourceConversationId": "c"}} in hits

    assert await until(found)
    node = "query($id: ID!) { node(id: $id) { __typename ... on Conversation { platform memoryCount } } }"
    assert await capturing.ok(node, id="c") == {
        "node": {"__typename": "Conversation", "platform": "ChatGPT", "memoryCount": 1}
    }


async def test_the_response_reports_a_capture_while_memory_is_off(graphql) -> None:
    """F17, I5, N1: it is no error, so that capturing programs need not check."""
    appended = (await graphql.ok(APPEND, input={"conversationId": "c", "messages": MESSAGES}))[
        "appendMessages"
    ]

    assert appended["capture"]["skipped"] == "memory is off in this workspace"
    assert (appended["capture"]["added"], appended["messageCount"]) == (0, 0)
    assert (await graphql.ok(READ, id="c"))["conversation"] is None


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"messages": []}, "messages"),
        ({"conversationId": ""}, "conversationId"),
        ({"platform": "\x00"}, "platform"),
    ],
    ids=lambda value: repr(value)[:40],
)
async def test_invalid_messages_are_refused_with_their_field(capturing, change, field) -> None:
    """K18."""
    error = await capturing.error(
        APPEND, input={"conversationId": "c", "messages": [{"content": "x"}], **change}
    )

    assert (error["code"], error["field"]) == ("INVALID_INPUT", field)
    assert field in error["message"]
    assert (await capturing.ok(LIST))["conversations"]["edges"] == []


async def test_skipped_messages_are_named_and_the_others_stored(capturing) -> None:
    """Issue 35.3: a message of tool calls alone has a null content."""
    messages = [
        {"role": "ASSISTANT", "content": None},
        {"role": "USER", "content": "I prefer rooibos tea."},
        {"role": "ASSISTANT"},
        {"role": "ASSISTANT", "content": "x" * 32_001},
        {"content": "y", "id": "\x00"},
        {"content": "Tha\x00nks"},
    ]
    query = APPEND.replace("leftOut { place reason }", "leftOut { place reason isStored }")

    capture = (await capturing.ok(query, input={"conversationId": "c", "messages": messages}))[
        "appendMessages"
    ]["capture"]

    assert capture["added"] == 3
    assert [(each["place"], each["isStored"]) for each in capture["leftOut"]] == [
        (0, False), (2, False), (3, True), (4, False),
    ]  # fmt: skip


async def test_many_conversations_take_as_many_queries_as_one(capturing, services, monkeypatch) -> None:
    """K1: compares the queries for five parents and for one."""
    for number in range(5):
        messages = [{"content": f"first {number}"}, {"content": "second"}, {"content": "third"}]
        await capturing.ok(APPEND, input={"conversationId": f"c{number}", "messages": messages})
    asked: Counter[str] = Counter()
    run = services.core.database.run

    async def counting(statement, parameters):
        asked[statement.name] += 1
        return await run(statement, parameters)

    monkeypatch.setattr(services.core.database, "run", counting)
    counts = []
    for first in (1, 5):
        asked.clear()
        data = await capturing.ok(LIST, first=first)
        counts.append({name: asked[name] for name in ("list_messages", "count_of_conversations")})

    assert counts == [{"list_messages": 1, "count_of_conversations": 1}] * 2
    nodes = [edge["node"] for edge in data["conversations"]["edges"]]
    assert [node["id"] for node in nodes] == ["c4", "c3", "c2", "c1", "c0"]
    assert [len(node["messages"]["edges"]) for node in nodes] == [2] * 5
    assert {node["messageCount"] for node in nodes} == {3}


PAGE = """query($first: Int, $after: String, $last: Int, $before: String) { conversation(id: "c") {
  messages(first: $first, after: $after, last: $last, before: $before) {
    markdown edges { node { content } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
} }"""


async def test_messages_are_paged_from_the_end(capturing) -> None:
    """K1: like Relay's connections, in the order of the messages."""
    messages = [{"content": f"said {number}"} for number in range(5)]
    await capturing.ok(APPEND, input={"conversationId": "c", "messages": messages})

    last = (await capturing.ok(PAGE, last=2))["conversation"]["messages"]
    earlier = (await capturing.ok(PAGE, last=3, before=last["pageInfo"]["startCursor"]))["conversation"][
        "messages"
    ]
    again = (await capturing.ok(PAGE, first=2, after=earlier["pageInfo"]["endCursor"]))["conversation"][
        "messages"
    ]

    assert [edge["node"]["content"] for edge in last["edges"]] == ["said 3", "said 4"]
    assert last["markdown"].endswith("said 3\n\n### Unknown\n\nsaid 4")
    assert [edge["node"]["content"] for edge in earlier["edges"]] == ["said 0", "said 1", "said 2"]
    assert again["edges"] == last["edges"]
    ends = [
        (page["pageInfo"]["hasPreviousPage"], page["pageInfo"]["hasNextPage"]) for page in (last, earlier)
    ]
    assert ends == [(True, False), (False, True)]


@pytest.mark.parametrize(
    ("asked", "field"),
    [({"last": 2, "after": "x"}, "after"), ({"before": "x"}, "before"), ({"last": 0}, "last")],
)
async def test_a_page_needs_exactly_one_direction(capturing, asked, field) -> None:
    """K18."""
    await capturing.ok(APPEND, input={"conversationId": "c", "messages": MESSAGES})

    error = await capturing.error(PAGE, **asked)

    assert (error["code"], error["field"]) == ("INVALID_INPUT", field)


MOVE = """mutation($id: ID!, $from: ID, $to: ID!) { moveConversation(id: $id, workspaceId: $from, toWorkspaceId: $to) {
  id workspaceId messageCount memoryCount
} }"""


async def test_moving_a_conversation_requires_write_access_to_both_workspaces(
    capturing, admin, workspace_id, other_workspace_id
) -> None:
    """I15, I8: a key of one workspace does not know the other."""
    input_ = {"conversationId": "c", "messages": MESSAGES}
    await capturing.ok(APPEND, input=input_)
    places = {"from": workspace_id, "to": other_workspace_id}

    refused = await capturing.error(MOVE, id="c", **places)
    moved = (await admin.ok(MOVE, id="c", **places))["moveConversation"]
    gone = await admin.error(MOVE, id="c", **places)

    assert (refused["code"], refused["field"]) == ("NOT_FOUND", "workspaceId")
    assert moved == {"id": "c", "workspaceId": other_workspace_id, "messageCount": 2, "memoryCount": 0}
    assert (gone["code"], gone["field"]) == ("NOT_FOUND", "id")
    assert (await capturing.ok(READ, id="c"))["conversation"] is None
