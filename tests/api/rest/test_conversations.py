"""``/v1/conversations/{id}/…``: capture, extraction and handoff over REST (K21)."""

import json

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
    """Turn memory on."""
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


async def test_a_repeated_request_is_stored_once(rest, captured) -> None:
    """D8: with the new messages after it."""
    more = {"messages": [*SAID, {"role": "user", "content": "And an early train."}]}

    answer = await rest.post(f"{CHAT}/messages", more, status=200)

    assert (answer["added"], answer["known"]) == (1, 2)


async def test_a_message_with_a_credential_is_skipped_and_the_others_stored(rest, on) -> None:
    """A43."""
    token = "ghp_" + "a1B2" * 9
    body = {"messages": [*SAID, {"role": "user", "content": f"my token is {token}"}]}

    answer = await rest.post(f"{CHAT}/messages", body, status=200)

    assert answer["added"] == 2
    assert [left["place"] for left in answer["left_out"]] == [2]
    assert token not in answer["left_out"][0]["reason"]


@pytest.mark.parametrize("spaces", ["", " " * 300_000], ids=["small", "parsed elsewhere"])
async def test_half_an_emoji_refuses_no_message(rest, on, services, workspace_id, spaces) -> None:
    """Issue 35.3: a page truncated it; the other messages are stored as well."""
    messages = [{"role": "user", "content": "a cut \ud83d emoji"}, *SAID]
    body = json.dumps({"messages": messages}) + spaces

    answer = await rest.send(
        "POST", f"{CHAT}/messages", content=body.encode(), headers={"content-type": "application/json"}
    )

    assert answer.status_code == 200, answer.text
    page = (await services.conversations.capture.messages_of(workspace_id, ["chat-1"]))["chat-1"]
    assert [each.content for each in page.items] == [
        "a cut \ufffd emoji",
        *(each["content"] for each in SAID),
    ]


async def test_facts_are_extracted_on_request(rest, captured, services, workspace_id) -> None:
    """K21, D28: in a job."""
    answer = await rest.post(f"{CHAT}/extract", status=202)

    async def facts():
        page = await services.memories.store.page(workspace_id, MemoryFilter(source_types=("extracted",)))
        return [memory.key for memory in page.items]

    assert answer.keys() == {"conversation_id", "job_id", "state"}
    assert answer["conversation_id"] == "chat-1"
    assert await until(facts) == ["preference:window_seats"]


async def test_a_handoff_summary_is_written(rest, captured) -> None:
    """K21, F11, F§13: in six sections, and as a single text."""
    answer = await rest.post(f"{CHAT}/handoff-summary", status=200)

    assert list(answer) == [
        "conversation_id", "language", "user_background", "project_topic", "current_status", "key_information",
        "open_items", "continuation_point", "markdown", "summarised_by", "fallback", "message_count", "updated_at",
    ]  # fmt: skip
    assert (answer["language"], answer["summarised_by"], answer["message_count"]) == ("en", "rules", 2)
    assert "window seats" in answer["markdown"]


@pytest.mark.parametrize("word", ["extract", "handoff-summary"])
async def test_an_unknown_conversation_is_not_found(rest, on, word) -> None:
    answer = await rest.post(f"/v1/conversations/nowhere/{word}", status=404)

    assert answer["field"] == "conversation_id"


async def test_extraction_reports_that_memory_is_off(rest, captured, services, workspace_id) -> None:
    """I4."""
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=False)

    assert (await rest.post(f"{CHAT}/extract", status=409))["field"] == "workspace_id"


@pytest.mark.parametrize(
    ("unfit", "reason"),
    [
        ({"role": "assistant", "content": ""}, "content has no text"),
        ({"role": "assistant", "content": None, "tool_calls": [{"id": "1"}]}, "content has no text"),
        ({"role": "assistant", "tool_calls": []}, "content has no text"),
        ({"role": "assistant", "content": "\0"}, "content has no text"),
        ({"role": "assistant", "content": [{"type": "image_url"}]}, "content has no text"),
        (
            {"role": "assistant", "content": "<think>Tea?</think>"},
            "content has no text besides the reasoning",
        ),
        ({"role": "assistant", "content": 5}, "content: Input should be a valid string"),
        ({"content": "x", "role": "robot"}, "role: Input should be 'user', 'assistant', 'system' or 'tool'"),
        ({"content": "x", "position": -1}, "position: Input should be greater than or equal to 0"),
        ({"content": "x", "author_id": " "}, "authorId must not be blank; leave it out instead"),
        ({"content": "x", "saidAt": "2026"}, "saidAt: Extra inputs are not permitted"),
        ("x", "message: Input should be a valid dictionary or instance of MessageToCapture"),
        (None, "message: Input should be a valid dictionary or instance of MessageToCapture"),
    ],
    ids=lambda value: repr(value)[:40],
)
async def test_one_invalid_message_does_not_affect_the_others(
    rest, on, services, workspace_id, unfit, reason
) -> None:
    """Issue 35.3."""
    tea = {"role": "user", "content": "I prefer rooibos tea."}

    answer = await rest.post(f"{CHAT}/messages", {"messages": [unfit, tea]}, status=200)

    page = (await services.conversations.capture.messages_of(workspace_id, ["chat-1"]))["chat-1"]
    assert answer["left_out"] == [{"place": 0, "reason": reason, "is_stored": False}]
    assert [each.content for each in page.items] == ["I prefer rooibos tea."]


async def test_messages_in_the_form_of_openai_are_read(rest, on, services, workspace_id) -> None:
    """Issue 35.3: with text parts, and with OpenAI's own role names."""
    messages = [
        {"role": "developer", "content": "Be brief."},
        {"role": "user", "name": "ada", "content": [{"type": "text", "text": "Tea"}, {"type": "image_url"}]},
        {"role": "function", "name": "kettle", "content": "boiling"},
    ]

    answer = await rest.post(f"{CHAT}/messages", {"messages": messages}, status=200)

    page = (await services.conversations.capture.messages_of(workspace_id, ["chat-1"]))["chat-1"]
    assert (answer["added"], answer["left_out"]) == (3, [])
    assert [(each.role, each.content) for each in page.items] == [
        ("system", "Be brief."), ("user", "Tea"), ("tool", "boiling"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "messages"),
        ({"messages": []}, "messages"),
        ({"messages": [{"content": "x"}], "user_id": " "}, "user_id"),
        ({"messages": [{"content": "x"}], "platform": "x" * 65}, "platform"),
        ({"messages": [{"content": "x"}], "more": 1}, "more"),
    ],
    ids=lambda value: repr(value)[:40],
)
async def test_an_invalid_capture_is_refused_and_stores_nothing(
    rest, on, services, workspace_id, body, field
) -> None:
    """K20."""
    assert (await rest.post(f"{CHAT}/messages", body, status=400))["field"] == field
    assert await services.conversations.capture.find(workspace_id, "chat-1") is None


async def test_another_workspaces_conversation_does_not_exist(their_rest, captured) -> None:
    """I8, N12: the same id is another conversation."""
    await their_rest.post(f"{CHAT}/extract", status=404)
    await their_rest.post(f"{CHAT}/handoff-summary", status=404)
