"""``/v1/conversations/{id}/…``: capture, extraction and handover over REST (K21)."""

import pytest

from graph.memories.models import MemoryFilter
from tests.fixtures.waiting import until

CHAT = "/v1/conversations/chat-1"
SAID = [
    {"role": "user", "content": "I prefer window seats."},
    {"role": "assistant", "content": "Noted: a window seat."},
]


@pytest.fixture
async def on(services, workspace_id) -> None:
    """Memory is on."""
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)


@pytest.fixture
async def captured(rest, on) -> dict:
    body = {"platform": "a platform", "title": "Seats", "messages": SAID}
    return await rest.post(f"{CHAT}/messages", body, status=200)


async def test_a_conversation_is_captured(captured, services, workspace_id) -> None:
    """K21, D7."""
    conversation = await services.conversations.capture.find(workspace_id, "chat-1")
    page = (await services.conversations.capture.messages_of(workspace_id, ["chat-1"]))["chat-1"]

    assert captured == {
        "conversation_id": "chat-1",
        "added": 2,
        "changed": 0,
        "known": 0,
        "left_out": [],
        "skipped": None,
    }
    assert (conversation.platform, conversation.title) == ("a platform", "Seats")
    assert [(each.role, each.content) for each in page.items] == [
        (each["role"], each["content"]) for each in SAID
    ]


async def test_what_is_sent_again_is_stored_once(rest, captured) -> None:
    """D8: with what is new behind it."""
    more = {"messages": [*SAID, {"role": "user", "content": "And an early train."}]}

    answer = await rest.post(f"{CHAT}/messages", more, status=200)

    assert (answer["added"], answer["known"]) == (1, 2)


async def test_a_credential_is_left_out_and_the_rest_stored(rest, on) -> None:
    """A43."""
    token = "ghp_" + "a1B2" * 9
    body = {"messages": [*SAID, {"role": "user", "content": f"my token is {token}"}]}

    answer = await rest.post(f"{CHAT}/messages", body, status=200)

    assert answer["added"] == 2
    assert [left["place"] for left in answer["left_out"]] == [2]
    assert token not in answer["left_out"][0]["reason"]


async def test_a_conversation_is_read_for_facts_when_asked(rest, captured, services, workspace_id) -> None:
    """K21, D28: a job does it."""
    answer = await rest.post(f"{CHAT}/extract", status=202)

    async def facts():
        page = await services.memories.store.page(workspace_id, MemoryFilter(source_types=("extracted",)))
        return [memory.key for memory in page.items]

    assert answer.keys() == {"conversation_id", "job_id", "state"}
    assert answer["conversation_id"] == "chat-1"
    assert await until(facts) == ["preference:window_seats"]


async def test_a_conversation_is_handed_over(rest, captured) -> None:
    """K21, F11, F§13: in six sections, and as one text."""
    answer = await rest.post(f"{CHAT}/handoff-summary", status=200)

    assert list(answer) == [
        "conversation_id", "language", "user_background", "project_topic", "current_status", "key_information",
        "open_items", "continuation_point", "markdown", "summarised_by", "fallback", "message_count", "updated_at",
    ]  # fmt: skip
    assert (answer["language"], answer["summarised_by"], answer["message_count"]) == ("en", "rules", 2)
    assert "window seats" in answer["markdown"]


@pytest.mark.parametrize("word", ["extract", "handoff-summary"])
async def test_a_conversation_that_is_not_there_is_not_found(rest, on, word) -> None:
    answer = await rest.post(f"/v1/conversations/nowhere/{word}", status=404)

    assert answer["field"] == "conversation_id"


async def test_extraction_says_that_memory_is_off(rest, captured, services, workspace_id) -> None:
    """I4."""
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=False)

    assert (await rest.post(f"{CHAT}/extract", status=409))["field"] == "workspace_id"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "messages"),
        ({"messages": []}, "messages"),
        ({"messages": [{"content": " "}]}, "content"),
        ({"messages": [{"content": "x", "role": "robot"}]}, "messages.0.role"),
        ({"messages": [{"content": "x", "position": -1}]}, "messages.0.position"),
        ({"messages": [{"content": "x", "position": "5"}]}, "messages.0.position"),
        ({"messages": [{"content": "x", "author_id": " "}]}, "author_id"),
        ({"messages": [{"content": "x", "said_at": "0001-01-01T00:00:00+05:00"}]}, "said_at"),
        ({"messages": [{"content": "x"}], "user_id": " "}, "user_id"),
        ({"messages": [{"content": "x", "id": "1"}, {"content": "y"}]}, "messages"),
        ({"messages": [{"content": "x"}], "platform": "x" * 65}, "platform"),
        ({"messages": [{"content": "x"}], "more": 1}, "more"),
    ],
    ids=lambda value: repr(value)[:40],
)
async def test_what_cannot_be_captured_is_refused_and_nothing_is_stored(
    rest, on, services, workspace_id, body, field
) -> None:
    """K20."""
    assert (await rest.post(f"{CHAT}/messages", body, status=400))["field"] == field
    assert await services.conversations.capture.find(workspace_id, "chat-1") is None


async def test_another_workspaces_conversation_does_not_exist(their_rest, captured) -> None:
    """I8, N12: one of the same id is another one."""
    await their_rest.post(f"{CHAT}/extract", status=404)
    await their_rest.post(f"{CHAT}/handoff-summary", status=404)
