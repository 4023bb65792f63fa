"""Comments in a chat's stream about memories saved during the turn (issue 16, point 3; D6)."""

import asyncio
import json
from contextlib import asynccontextmanager

import httpx
import pytest

from graph.memories.models import MemoryDraft, MemoryFilter
from graph.memories.policy import SourceType
from tests.fixtures.chat_proxy import serving_proxy
from tests.fixtures.timeouts import scaled_timeout
from tests.fixtures.upstream import Says, Sends, completion_events

CHAT = {"x-recollect-conversation-id": "chat-1"}
ASKED = {"model": "gpt-test", "messages": [{"role": "user", "content": "I drink green tea."}], "stream": True}
ASKS_FOR_COMMENTS = {"x-recollect-saved": "1"}
STREAM = (("content-type", "text/event-stream"),)
COMMENT = ": x_memory.auto_saved "


@pytest.fixture
def listening() -> asyncio.Event:
    """Return an event that is set once a listener is ready: earlier saves are missed."""
    return asyncio.Event()


@pytest.fixture
def told(monkeypatch, services, listening) -> asyncio.Event:
    """Return an event that is set once the listener has handled an event of a memory."""
    heard = asyncio.Event()
    of_memories = services.memories.subscriptions.of_memories

    @asynccontextmanager
    async def noting(workspace_id):
        async def events_of(events):
            async for event in events:
                yield event
                heard.set()

        async with of_memories(workspace_id) as events:
            listening.set()
            yield events_of(events)

    monkeypatch.setattr(services.memories.subscriptions, "of_memories", noting)
    return heard


def remembers(
    text: str, listening: asyncio.Event, gate: asyncio.Event, *, cut_at: int | None = None
) -> list[Sends]:
    """Return a turn in which the model saves a memory while listened to; it ends after the gate opens."""
    call = Says(calls=(("x_save_memory", {"content": text}),))
    answer = b"".join(completion_events(7, ASKED, Says("Noted.")))
    *most, done = answer.split(b"data: [DONE]")
    return [
        Sends(tuple(completion_events(6, ASKED, call)), headers=STREAM, gate=listening),
        Sends(
            (b"".join(most)[:cut_at], b"".join(most)[cut_at or len(answer) :] + b"data: [DONE]" + done),
            headers=STREAM,
            gate=gate,
        ),
    ]


async def lines_of(proxy, path: str = "chat/completions", body=ASKED, **more: str) -> list[str]:
    headers = {"Authorization": f"Bearer {proxy.key}", **CHAT, **ASKS_FOR_COMMENTS, **more}
    async with httpx.AsyncClient(timeout=scaled_timeout(60)) as client:
        answer = await client.post(f"{proxy.url}/v1/{path}", json=body, headers=headers)
    return answer.text.split("\n")


async def test_a_comment_of_the_stream_names_automatically_saved_memories(
    services, settings, agents_workspace_id, upstream, served_upstream, listening, told
) -> None:
    """D6: before the end, like the dashboard's events; clients read the same answer."""
    upstream.answers = remembers("The user drinks green tea", listening, told)

    async with serving_proxy(services, settings, agents_workspace_id, served_upstream) as proxy:
        lines = await lines_of(proxy)
        told.clear()
        listening.clear()
        upstream.answers = remembers("The user drinks it at nine", listening, told)
        headers = CHAT | ASKS_FOR_COMMENTS
        stream = await proxy.client().chat.completions.create(**ASKED, extra_headers=headers)
        chunks = [chunk async for chunk in stream]

    page = await services.memories.store.page(agents_workspace_id, MemoryFilter())
    (first,) = [memory for memory in page.items if memory.content == "The user drinks green tea"]
    (comment,) = [line for line in lines if line.startswith(":")]
    saved = json.loads(comment.removeprefix(COMMENT))
    assert (saved["id"], saved["content"]) == (first.id, first.content)
    assert (saved["source_chat_id"], saved["workspace_id"]) == ("chat-1", agents_workspace_id)
    assert lines.index(comment) < lines.index("data: [DONE]")
    assert lines[lines.index(comment) + 1] == ""
    assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks) == "Noted."


async def test_comments_never_split_an_event(
    services, settings, agents_workspace_id, upstream, served_upstream, listening, told
) -> None:
    """D6: a half-sent event is completed first."""
    upstream.answers = remembers("The user drinks green tea", listening, told, cut_at=40)

    async with serving_proxy(services, settings, agents_workspace_id, served_upstream) as proxy:
        lines = await lines_of(proxy)

    events = [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: {")]
    assert "".join(event["choices"][0]["delta"].get("content") or "" for event in events) == "Noted."
    assert [line for line in lines if line and not line.startswith(("data: ", COMMENT))] == []
    assert len([line for line in lines if line.startswith(COMMENT)]) == 1


async def test_the_comment_omits_memories_of_people_and_other_chats(
    services, settings, agents_workspace_id, upstream, served_upstream, listening, told
) -> None:
    """D6: only the turn's own conversation counts, and only automatic saves."""
    gate = asyncio.Event()
    upstream.answers = [Sends(tuple(completion_events(7, ASKED, Says("Noted."))), headers=STREAM, gate=gate)]
    store = services.memories.store
    others = MemoryDraft(
        content="Another chat", source_conversation_id="chat-2", source_type=SourceType.MODEL, dedup=False
    )
    own = MemoryDraft(
        content="I saved this", source_conversation_id="chat-1", source_type=SourceType.USER, dedup=False
    )

    async with serving_proxy(services, settings, agents_workspace_id, served_upstream) as proxy:
        reading = asyncio.create_task(lines_of(proxy))
        await listening.wait()
        await store.save(agents_workspace_id, others)
        await told.wait()
        await store.save(agents_workspace_id, own)
        told.clear()
        await store.save(agents_workspace_id, others)
        await told.wait()
        gate.set()
        lines = await reading

    assert [line for line in lines if line.startswith(":")] == []
    assert "data: [DONE]" in lines


@pytest.mark.parametrize("asked", ["", "0", "false"])
async def test_comments_are_sent_only_on_request(chat_proxy, upstream, monkeypatch, asked) -> None:
    """Issue 35, point 25: some clients do not expect comments; the proxy then does not listen at all."""
    subscribed = []
    monkeypatch.setattr(chat_proxy.services.memories.subscriptions, "of_memories", subscribed.append)
    upstream.answers = [Says(calls=(("x_save_memory", {"content": "Tea is green"}),)), Says("Noted.")]

    lines = await lines_of(chat_proxy, **{"x-recollect-saved": asked})

    assert [line for line in lines if line.startswith(":")] == []
    assert (subscribed, lines[-3]) == ([], "data: [DONE]")


@pytest.mark.parametrize("conversation_id", ["chat-1", ""], ids=["named", "of the day"])
async def test_saves_of_the_turns_own_calls_need_no_event(
    chat_proxy, upstream, monkeypatch, conversation_id
) -> None:
    """Issue 35, point 25: under load the event may come after the stream's end."""

    @asynccontextmanager
    async def silent(_workspace_id):
        async def nothing():
            await asyncio.Event().wait()
            yield

        yield nothing()

    monkeypatch.setattr(chat_proxy.services.memories.subscriptions, "of_memories", silent)
    call = Says(calls=(("x_save_memory", {"content": "The user drinks green tea"}),))
    upstream.answers = [call, Says("Noted."), call, Says("I know.")]

    lines = await lines_of(chat_proxy, **{"x-recollect-conversation-id": conversation_id})
    again = await lines_of(chat_proxy, **{"x-recollect-conversation-id": conversation_id})

    (comment,) = [line for line in lines if line.startswith(":")]
    saved = json.loads(comment.removeprefix(COMMENT))
    assert saved["content"] == "The user drinks green tea"
    assert saved["source_chat_id"] == conversation_id or not conversation_id
    assert lines.index(comment) < lines.index("data: [DONE]")
    assert [line for line in again if line.startswith(":")] == []
