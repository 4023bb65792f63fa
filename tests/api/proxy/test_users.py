"""The owner whose memory a turn of the chat proxy reads and writes."""

import asyncio
import json
from collections.abc import AsyncGenerator

import httpx
import openai
import pytest

from app.surfaces.proxy.chat import ChatCompletions
from app.surfaces.proxy.service import ProxyRequest
from graph.core.scope import ReadScope, seeing
from graph.memories.models import MemoryFilter
from graph.tenancy.models import Scope
from tests.fixtures.timeouts import scaled_timeout
from tests.fixtures.waiting import until

QUESTION = [{"role": "user", "content": "Does the user like Python as a language?"}]
ALICES, BOBS = "The user does not like Python as a language", "The user likes Python as a language"
TURN = [("user", QUESTION[0]["content"]), ("assistant", "An answer.")]


@pytest.fixture
async def remembered(chat_proxy) -> None:
    await chat_proxy.remembers(ALICES, user_id="alice")
    await chat_proxy.remembers(BOBS, user_id="bob")


@pytest.mark.parametrize(
    "named",
    [
        {"user": "alice"},
        {"safety_identifier": "alice", "user": "bob"},
        {"extra_headers": {"x-recollect-user-id": "alice"}, "user": "bob"},
    ],
    ids=["user", "safety identifier", "header"],
)
async def test_a_turn_reads_and_writes_memories_of_its_user(chat_proxy, upstream, remembered, named) -> None:
    """J1, I2."""
    client = chat_proxy.client()
    headers = {**named.pop("extra_headers", {}), "x-recollect-conversation-id": "of alice"}

    await client.chat.completions.create(model="m", messages=QUESTION, extra_headers=headers, **named)

    sent = upstream.requests[-1].raw.decode()
    assert ALICES in sent
    assert BOBS not in sent
    assert await chat_proxy.captured("of alice") == TURN
    conversations = chat_proxy.services.conversations.capture
    conversation = await conversations.find(chat_proxy.workspace_id, "of alice")
    assert conversation is not None
    assert conversation.user_id == "alice"


async def test_a_turn_belongs_to_its_user_whichever_task_closes_its_stream(chat_proxy, upstream) -> None:
    """J1, N1: also if the caller has disconnected."""
    body = {"model": "m", "messages": QUESTION, "stream": True, "user": "alice"}
    headers = {"x-recollect-conversation-id": "of alice"}
    principal = await chat_proxy.services.tenancy.access.authenticate(chat_proxy.key)

    async def begun() -> AsyncGenerator[bytes]:
        asked = ProxyRequest(principal=principal, headers=headers, query="", body=json.dumps(body).encode())
        answer = await chat_proxy.proxy.answer(ChatCompletions(), asked)
        assert not isinstance(answer.body, bytes)
        await anext(answer.body)
        return answer.body

    stream = await asyncio.create_task(begun())
    with seeing(ReadScope(user_id="bob")):
        await stream.aclose()

    assert await chat_proxy.captured("of alice") == [TURN[0]]
    conversations = chat_proxy.services.conversations.capture
    conversation = await conversations.find(chat_proxy.workspace_id, "of alice")
    assert conversation is not None
    assert conversation.user_id == "alice"


async def test_the_users_id_is_not_sent_to_the_upstream(chat_proxy, upstream) -> None:
    """The rest of the query is forwarded unchanged."""
    query = "?api_key=rk_1&user_id=alice&b=%20%2F&user%5Fid=bob&agent_id=helper&a&b="
    async with httpx.AsyncClient(timeout=scaled_timeout(60)) as http:
        for path, body in (("chat/completions", {"messages": QUESTION}), ("responses", {"input": "Hello"})):
            response = await http.post(
                f"{chat_proxy.url}/v1/{path}{query}",
                json={"model": "m", **body},
                headers={"Authorization": f"Bearer {chat_proxy.key}"},
            )
            assert response.status_code == 200

    assert [request.query for request in upstream.requests] == ["b=%20%2F&a&b="] * 2
    assert not any("x-recollect" in name for request in upstream.requests for name in request.headers)


async def test_a_bound_key_answers_its_user_in_any_conversation(
    chat_proxy, upstream, remembered, services
) -> None:
    """I2: naming another user is FORBIDDEN, and nothing reaches the model."""
    _, key = await services.tenancy.keys.create(
        chat_proxy.workspace_id, name="alice's", scopes=[Scope.READ, Scope.WRITE], user_id="alice"
    )
    client = chat_proxy.client(api_key=key)
    headers = {"x-recollect-conversation-id": "of alice"}

    await client.chat.completions.create(model="m", messages=QUESTION, extra_headers=headers)
    told = upstream.requests[-1].raw.decode()
    with pytest.raises(openai.PermissionDeniedError):
        await client.chat.completions.create(model="m", messages=QUESTION, user="bob", extra_headers=headers)

    assert (ALICES in told, BOBS in told) == (True, False)
    assert len(upstream.requests) == 1
    assert await chat_proxy.captured("of alice") == TURN


async def test_each_user_is_answered_with_their_own_facts(chat_proxy, upstream, services) -> None:
    """Issue 15: stated in their own chats, extracted after silence, and recalled in another chat."""
    await services.tenancy.workspaces.update(
        chat_proxy.workspace_id, settings={"extractionWindowSeconds": 0, "extractionMode": "regex"}
    )
    client = chat_proxy.client()
    store, facts = services.memories.store, {}
    for user, text in (("alice", "I don't like Python."), ("bob", "I like Python.")):
        await client.chat.completions.create(
            model="m",
            messages=[{"role": "user", "content": text}],
            user=user,
            extra_headers={"x-recollect-conversation-id": f"chat of {user}"},
        )

    async def are_extracted() -> bool:
        page = await store.page(chat_proxy.workspace_id, MemoryFilter(), first=10)
        facts.update({memory.user_id: memory for memory in page.items})
        return len(page.items) == 2 and all(memory.enriched for memory in page.items)

    await until(are_extracted)
    told = {}
    for user in ("alice", "bob"):
        headers = {"x-recollect-conversation-id": f"later chat of {user}"}
        await client.chat.completions.create(model="m", messages=QUESTION, user=user, extra_headers=headers)
        sent = upstream.requests[-1].raw.decode()
        told[user] = [owner for owner, memory in facts.items() if memory.content in sent]

    assert told == {"alice": ["alice"], "bob": ["bob"]}
