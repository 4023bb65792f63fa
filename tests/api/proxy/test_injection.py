"""``POST /v1/inject``: a user's text with the relevant memories, before it is sent."""

import json
from datetime import UTC, datetime

import pytest

from app.surfaces.proxy import composing
from graph.memories.models import MemoryFacet
from graph.tenancy.models import Scope
from tests.fixtures.prompts import NOTE as DATA
from tests.fixtures.prompts import fenced
from tests.fixtures.waiting import until

TEXT = "Which indentation for Python?\n"
NOTE = "(Above is user background info. Answer the question directly; refer to context only when relevant.)"
MARCH = datetime(2026, 3, 7, tzinfo=UTC)


@pytest.fixture
async def inject(http, services, agents_workspace_id):
    """Return a function that posts with a read key and returns the response."""
    _, key = await services.tenancy.keys.create(agents_workspace_id, name="page", scopes=[Scope.READ])

    async def post(json=None, headers=None, **options):
        given = {"Authorization": f"Bearer {key}", **(headers or {})}
        return await http.post("/v1/inject", json=json, headers=given, **options)

    return post


@pytest.fixture
async def remembered(chat_proxy):
    return await chat_proxy.remembers(
        "Prefers tabs as indentation in Python",
        facet=MemoryFacet.PREFERENCE,
        timestamp=MARCH,
    )


async def test_the_block_of_memories_follows_the_text(inject, remembered) -> None:
    """J11, J5: in the format of F§4."""
    answer = await inject({"text": TEXT, "conversation_id": "chat-1"})

    assert answer.status_code == 200
    assert answer.json() == {
        "text": (
            f"{TEXT}\n\n{DATA}\n\n---\n[MemoryX Context · 1 memory]\n"
            f"- [preference·Mar] Prefers tabs as indentation in Python\n{NOTE}\n---"
        ),
        "messages": [],
        "memory_ids": remembered,
        "skipped": [],
    }


async def test_labels_follow_the_language_of_the_text(inject, remembered) -> None:
    """J5: Chinese labels for a Chinese text."""
    answer = await inject({"text": "Python 的 indentation 用 tabs 吗？"})

    assert "- [偏好·3月] Prefers tabs as indentation in Python\n" in answer.json()["text"]


@pytest.mark.parametrize("format_", ["system_prompt", "system_message"])
async def test_other_formats_return_messages_and_keep_the_text(inject, remembered, format_) -> None:
    """J5."""
    answer = (await inject({"text": TEXT, "format": format_, "provider": "zai"})).json()

    assert answer["text"] == TEXT
    told = "Memory context: Prefers tabs as indentation in Python"
    contents = [fenced(told)] if format_ == "system_prompt" else [DATA, told]
    assert answer["messages"] == [{"role": "user", "content": content} for content in contents]


async def test_half_an_emoji_is_replaced(inject, remembered) -> None:
    """Issue 35.3: an editor cut it off at the end of the text."""
    body = json.dumps({"text": f"{TEXT} \ud83d"}).encode()

    answer = await inject(content=body, headers={"content-type": "application/json"})

    assert answer.json()["text"].startswith(f"{TEXT} \ufffd\n\n")


async def test_earlier_injected_blocks_are_not_searched(inject, remembered) -> None:
    """D18: a text that consists of such a block stays unchanged."""
    block = (await inject({"text": TEXT})).json()["text"].removeprefix(TEXT).strip()

    alone = (await inject({"text": block})).json()
    behind = (await inject({"text": f"Nothing is known of whales\n\n{block}"})).json()

    assert (alone["text"], alone["memory_ids"]) == (block, [])
    assert behind["memory_ids"] == []


@pytest.mark.parametrize("text", ["", " \n", "Nothing is known of whales"])
async def test_a_text_without_relevant_memories_stays_unchanged(inject, remembered, text) -> None:
    """J11: an empty result changes nothing."""
    answer = await inject({"text": text})

    assert (answer.json()["text"], answer.json()["memory_ids"]) == (text, [])


async def test_while_memory_is_off_a_text_stays_unchanged(
    inject, remembered, services, agents_workspace_id
) -> None:
    """I4, I5."""
    await services.tenancy.workspaces.update(agents_workspace_id, memory_enabled=False)

    answer = (await inject({"text": TEXT})).json()

    assert answer["text"] == TEXT
    assert answer["skipped"][0] == (
        "memories: memory is off in this workspace; "
        f"`recollect settings set enabled true --workspace {agents_workspace_id}` turns it on"
    )


async def test_a_caller_that_opts_out_gets_the_text_unchanged(inject, remembered) -> None:
    """J7."""
    answer = await inject({"text": TEXT}, headers={"x-omniroute-no-memory": "yes"})

    assert answer.json()["text"] == TEXT


async def test_unavailable_memory_leaves_the_text_unchanged(inject, remembered, monkeypatch) -> None:
    """N1, J12: within the deadline of turns plus a moment."""

    async def never(self, workspace_id, asked, **_):
        raise RuntimeError

    monkeypatch.setattr(composing.AgentContexts, "compose", never)

    answer = (await inject({"text": TEXT})).json()

    assert (answer["text"], answer["skipped"]) == (TEXT, ["context: it failed; the log says why"])


async def test_uses_are_counted_after_the_reply(inject, remembered, services, agents_workspace_id) -> None:
    """J11, A37."""
    await inject({"text": TEXT})

    async def counted() -> bool:
        return (await services.memories.store.get(agents_workspace_id, remembered[0])).usage_count == 1

    assert await until(counted)


async def test_another_workspaces_memories_are_not_injected(
    inject, chat_proxy, services, other_workspace_id
) -> None:
    """I1, I8."""
    await services.tenancy.workspaces.update(other_workspace_id, memory_enabled=True)
    await chat_proxy.remembers("Prefers spaces as indentation in Python", workspace_id=other_workspace_id)

    assert (await inject({"text": TEXT})).json()["text"] == TEXT


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"json": {}}, "text"),
        ({"json": {"text": 5}}, "text"),
        ({"json": {"text": "x", "format": "shout"}}, "format"),
        ({"json": {"text": "x", "conversation_id": ""}}, "conversation_id"),
        ({"json": {"text": "x", "conversation_id": "\f"}}, "conversation_id"),
        ({"json": {"text": " ", "user_id": " "}}, "user_id"),
        ({"json": {"text": "x", "more": 1}}, "more"),
        ({"json": []}, "body"),
        ({"content": b"{"}, "body"),
    ],
    ids=repr,
)
async def test_an_invalid_body_is_refused_with_the_field(inject, options, field) -> None:
    """C25: in REST's form."""
    answer = await inject(**options)

    assert answer.status_code == 400
    assert answer.json().keys() == {"error", "field"}
    assert answer.json()["field"] == field
