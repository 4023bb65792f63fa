"""Events of automatic saves, which only the workspace's dashboards receive (D6, L16)."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest

from graph.conversations.distillation.models import DistillSource, Output
from graph.conversations.message_memories import MessageToRemember
from graph.memories.models import MemoryDraft
from graph.memories.policy import SourceType
from graph.tenancy.models import Scope
from tests.fixtures.timeouts import scaled_timeout
from tests.fixtures.upstream import Says
from tests.fixtures.waiting import background, until

EVENTS = "/chat/api/events"
THOUGHT = (
    "The narrow gate delays every delivery of the north side, as nine days of counting show. "
    "The wide gate stays closed in winter because its hinges freeze. "
    "Opening both gates an hour earlier costs nothing."
)


class Stream:
    """The events of an open response."""

    def __init__(self, answer: httpx.Response) -> None:
        self._lines = answer.aiter_lines()

    async def next(self) -> dict[str, str]:
        """Return the fields of the next event; a comment has an empty name."""
        fields: dict[str, str] = {}
        with background.awaited():
            async for line in self._lines:
                if not line:
                    return fields
                name, _, value = line.partition(": ")
                fields[name.rstrip(":")] = value
        raise EOFError


@pytest.fixture
def listening(api_url, services):
    """Return a function that signs in with a key and opens the stream."""

    @asynccontextmanager
    async def listening(workspace_id: str, **owner: str) -> AsyncIterator[tuple[Stream, str]]:
        api_key, secret = await services.tenancy.keys.create(workspace_id, name="person", scopes=[Scope.READ])
        async with httpx.AsyncClient(base_url=api_url, timeout=scaled_timeout(60)) as client:
            await client.post("/sign-in", data={"key": secret})
            async with client.stream("GET", EVENTS, params=owner) as answer:
                assert answer.status_code == 200
                assert answer.headers["content-type"].startswith("text/event-stream")
                stream = Stream(answer)
                assert await stream.next() == {"": "listening"}
                yield stream, api_key.id

    return listening


async def save(
    services, workspace_id: str, content: str, source: SourceType, user_id: str | None = None
) -> str:
    draft = MemoryDraft(
        content=content, source_type=source, source_conversation_id="chat_abc123", user_id=user_id
    )
    return (await services.memories.store.save(workspace_id, draft)).memory.id


async def test_the_stream_reports_the_saved_result_of_a_turn(
    services, capturing_workspace_id, listening
) -> None:
    """D6: the event's name, and the memory itself."""
    async with listening(capturing_workspace_id) as (stream, _):
        output = Output(
            source=DistillSource.RESEARCH, text=THOUGHT, conversation_id="chat_abc123", api_key_id="key_a"
        )
        await services.conversations.distillation.enqueue(capturing_workspace_id, output)
        events = [await stream.next() for _ in range(4)]  # from two channels, so in any order

    saved = [event for event in events if event["event"] == "x_memory.auto_saved"]
    memories = [json.loads(event["data"]) for event in saved]
    assert [event["id"] for event in saved] == [memory["id"] for memory in memories]
    assert {(memory["source_type"], memory["source_chat_id"]) for memory in memories} == {
        ("auto_research", "chat_abc123")
    }
    stored = [await services.memories.store.get(capturing_workspace_id, memory["id"]) for memory in memories]
    assert [memory["content"] for memory in memories] == [memory.content for memory in stored]
    assert len(memories) == THOUGHT.count(". ") + 1


async def test_the_stream_reports_only_results_of_turns(services, workspace_id, listening) -> None:
    """D6: saves of a person, a tool or extraction are not reported."""
    quiet = [SourceType.USER, SourceType.MODEL, SourceType.EXTRACTED, SourceType.IMPORTED]
    loud = [SourceType.AUTO_DEEP_THINK, SourceType.AUTO_RESEARCH, SourceType.AUTO_COMPACTION]
    async with listening(workspace_id) as (stream, _):
        for number, source in enumerate([*quiet, *loud]):
            await save(services, workspace_id, f"Crate {number} stands in row {number * 7}", source)
        told = [json.loads((await stream.next())["data"])["source_type"] for _ in loud]

    assert told == ["auto_deep_think", "auto_research", "auto_compaction"]


async def test_the_stream_reports_the_end_of_a_distillation(
    services, capturing_workspace_id, listening
) -> None:
    """L16: with the intake's id, beside the saved memory."""
    async with listening(capturing_workspace_id) as (stream, _):
        output = Output(source=DistillSource.RESEARCH, text=THOUGHT, api_key_id="key_a")
        intake = await services.conversations.distillation.enqueue(capturing_workspace_id, output)
        told = [await stream.next() for _ in range(4)]

    (ended,) = [each for each in told if each["event"] != "x_memory.auto_saved"]
    assert ended["event"] == "x_memory.distill_finished"
    assert json.loads(ended["data"]) == {"id": intake.id, "status": "done"}


async def test_the_stream_reports_the_end_of_a_rerun(services, workspace_id, listening) -> None:
    """A40, L16."""
    draft = MemoryDraft(
        content="The gate is green", source_conversation_id="chat_abc123", source_message_id="m1"
    )
    await services.memories.store.save(workspace_id, draft)
    request = MessageToRemember(message_id="m1", content="The gate has a colour")
    memory = (await services.conversations.message_memories.remember(workspace_id, request)).memory
    async with listening(workspace_id) as (stream, _):
        await services.conversations.reruns.request(workspace_id, memory.id)
        told = await stream.next()

    assert told["event"] == "x_memory.rerun_finished"
    assert json.loads(told["data"]) == {"id": memory.id, "status": "done"}


async def test_the_stream_reports_nothing_of_another_workspace(
    services, workspace_id, other_workspace_id, listening
) -> None:
    """I1, N12."""
    async with listening(workspace_id) as (stream, _):
        await save(services, other_workspace_id, "Theirs", SourceType.AUTO_RESEARCH)
        await save(services, workspace_id, "Ours", SourceType.AUTO_RESEARCH)

        assert json.loads((await stream.next())["data"])["content"] == "Ours"


async def test_the_stream_has_only_events_of_the_named_user(services, workspace_id, listening) -> None:
    """I1: in every event, not only in the first."""
    async with listening(workspace_id, user_id="ada") as (stream, _):
        for number, user in enumerate(["bob", "ada"] * 3):
            content = f"Crate {number} of {user} stands in row {number * 7}"
            await save(services, workspace_id, content, SourceType.AUTO_RESEARCH, user)
        told = [json.loads((await stream.next())["data"])["content"] for _ in range(3)]

    assert told == [f"Crate {number} of ada stands in row {number * 7}" for number in (1, 3, 5)]


async def test_the_stream_ends_when_the_key_is_revoked(services, workspace_id, listening) -> None:
    async with listening(workspace_id) as (stream, key_id):
        await services.tenancy.keys.revoke(key_id)
        await save(services, workspace_id, "Not for them", SourceType.AUTO_RESEARCH)

        with pytest.raises(EOFError):
            await stream.next()


async def test_a_disconnected_listener_is_removed(services, workspace_id, listening) -> None:
    inboxes = services.memories.subscriptions._bus._inboxes
    name = f"recollect:events:{workspace_id}:memories"
    async with listening(workspace_id):
        assert len(inboxes[name]) == 1

    async def is_gone():
        return not inboxes.get(name)

    await until(is_gone)


async def test_streams_of_the_chat_proxy_have_no_such_events(chat_proxy, upstream, services) -> None:
    """D6: saves during a stream do not change it."""
    upstream.answers = [Says("The gate is green, as far as I know, and has been for years.")]
    body = {"model": "gpt-test", "stream": True, "messages": [{"role": "user", "content": "The gate?"}]}
    headers = {"Authorization": f"Bearer {chat_proxy.key}"}
    async with (
        httpx.AsyncClient(base_url=chat_proxy.url, timeout=scaled_timeout(60)) as client,
        client.stream("POST", "/v1/chat/completions", json=body, headers=headers) as answer,
    ):
        lines = answer.aiter_lines()
        first = await anext(lines)
        await save(services, chat_proxy.workspace_id, "Saved meanwhile", SourceType.AUTO_RESEARCH)
        text = first + "".join([line async for line in lines])

    assert "[DONE]" in text
    assert "x_memory" not in text
    assert "event:" not in text
