"""Chats through the proxy with OpenAI's client: context is injected, and the turn captured."""

import asyncio

import httpx
import pytest

from graph.core.models import JobKind
from graph.tenancy.models import Scope
from tests.fixtures.chat_proxy import serving_proxy
from tests.fixtures.prompts import NOTE, fenced
from tests.fixtures.timeouts import scaled_timeout
from tests.fixtures.upstream import Says, Sends

CHAT = {"x-recollect-conversation-id": "chat-1"}
QUESTION = "Which indentation does Ada prefer in Python?"
PREFERENCE = "Ada prefers tabs as indentation in Python"
TOLD = fenced(f"Memory context: {PREFERENCE}")


def user(text: str) -> dict:
    return {"role": "user", "content": text}


async def ask(client, *messages, **options) -> str:
    answer = await client.chat.completions.create(model="gpt-test", messages=list(messages), **options)
    return answer.choices[0].message.content


async def ask_streaming(client, *messages, **options) -> str:
    stream = await client.chat.completions.create(
        model="gpt-test", messages=list(messages), stream=True, **options
    )
    return "".join([chunk.choices[0].delta.content or "" async for chunk in stream if chunk.choices])


@pytest.fixture(params=[ask, ask_streaming], ids=["whole", "streamed"])
def asking(request):
    return request.param


async def test_a_turn_receives_memories_and_is_captured(chat_proxy, upstream, asking) -> None:
    """K12, J1, J3, D20: the context precedes the caller's own system message and is not captured."""
    await chat_proxy.remembers(PREFERENCE)
    upstream.answers = [Says("Tabs, as far as I know.")]
    own = [{"role": "system", "content": "Be brief."}, user(QUESTION)]

    answer = await asking(chat_proxy.client(), *own, extra_headers=CHAT)

    assert answer == "Tabs, as far as I know."
    (request,) = upstream.requests
    injected, *rest = request.body["messages"]
    assert rest == own
    assert injected == {"role": "system", "content": TOLD}
    assert await chat_proxy.captured("chat-1") == [("user", QUESTION), ("assistant", answer)]


async def test_a_conversation_sent_whole_each_turn_is_captured_once(chat_proxy, upstream, asking) -> None:
    """D9, N1: turn by turn, even if a turn is repeated and gets another answer."""
    client = chat_proxy.client()
    history = []
    for number in range(3):
        upstream.answers = [Says(f"Answer {number}")]
        history.append(user("And then?"))
        answer = await asking(client, *history, extra_headers=CHAT)
        history.append({"role": "assistant", "content": answer})
    upstream.answers = [Says("Another answer")]
    await asking(client, *history[:-1], extra_headers=CHAT)

    assert await chat_proxy.captured("chat-1") == [
        ("user", "And then?"),
        ("assistant", "Answer 0"),
        ("user", "And then?"),
        ("assistant", "Answer 1"),
        ("user", "And then?"),
        ("assistant", "Another answer"),
    ]


async def test_a_caller_may_repeat_its_only_message(chat_proxy, upstream) -> None:
    """N1: no message is lost if the history does not distinguish the turns."""
    client = chat_proxy.client()
    for text in ("Hello", "Go on", "Go on"):
        await ask(client, user(text), extra_headers=CHAT)

    assert await chat_proxy.captured("chat-1") == [
        (role, text)
        for question in ("Hello", "Go on", "Go on")
        for role, text in (("user", question), ("assistant", "An answer."))
    ]


async def test_a_history_truncated_at_its_beginning_continues_its_conversation(chat_proxy, upstream) -> None:
    """D9: some clients send only what fits their model."""
    client = chat_proxy.client()
    history = []
    for number in range(4):
        upstream.answers = [Says(f"Answer {number}")]
        history.append(user(f"Question {number}"))
        answer = await ask(client, *history[-3:], extra_headers=CHAT)
        history.append({"role": "assistant", "content": answer})

    assert [text for _, text in await chat_proxy.captured("chat-1")] == [
        f"{word} {number}" for number in range(4) for word in ("Question", "Answer")
    ]


@pytest.mark.parametrize(
    "named",
    [
        {"extra_headers": {"x-recollect-conversation-id": "named"}, "user": "someone"},
        {"metadata": {"conversation_id": "named"}, "user": "someone"},
    ],
    ids=["header", "metadata"],
)
async def test_the_first_named_conversation_id_applies(chat_proxy, upstream, named) -> None:
    await ask(chat_proxy.client(), user("Hello"), **named)

    assert await chat_proxy.captured("named") == [("user", "Hello"), ("assistant", "An answer.")]
    assert await chat_proxy.captured("someone") == []


@pytest.mark.parametrize("value", ["true", "1", "yes", "YES", "True"])
async def test_a_request_that_opts_out_passes_unchanged(chat_proxy, upstream, value) -> None:
    """J7: no injection, no tools, no capture."""
    await chat_proxy.remembers(PREFERENCE)
    body = b'{"model": "m", "messages": [{"role":"user","content":"indentation in Python?"}]}'

    async with httpx.AsyncClient(timeout=scaled_timeout(60)) as client:
        await client.post(
            f"{chat_proxy.url}/v1/chat/completions",
            content=body,
            headers={
                "Authorization": f"Bearer {chat_proxy.key}",
                "Content-Type": "application/json",
                "x-omniroute-no-memory": value,
            },
        )

    assert upstream.requests[0].raw == body
    assert await chat_proxy.captured("chat-1") == []


async def test_captured_messages_are_extracted_unless_the_caller_opted_out(
    chat_proxy, upstream, services
) -> None:
    """D20: extraction waits for silence; an opted-out conversation is not extracted either."""
    client = chat_proxy.client()
    await ask(client, user("I prefer tea"), extra_headers={**CHAT, "x-omniroute-no-memory": "true"})
    await chat_proxy.captured("chat-1")
    before = await services.core.jobs.page(chat_proxy.workspace_id, first=50)

    await ask(client, user("I prefer tea"), extra_headers=CHAT)
    await chat_proxy.captured("chat-1")
    after = await services.core.jobs.page(chat_proxy.workspace_id, first=50)

    assert before.items == []
    assert (JobKind.EXTRACT, "chat-1") in {(job.kind, job.subject_id) for job in after.items}


@pytest.mark.parametrize("value", ["false", "0", "no", ""])
async def test_other_values_do_not_opt_out(chat_proxy, upstream, value) -> None:
    """J7."""
    await ask(chat_proxy.client(), user("Hello"), extra_headers={**CHAT, "x-omniroute-no-memory": value})

    assert len(await chat_proxy.captured("chat-1")) == 2


async def test_while_memory_is_off_bytes_are_forwarded_unchanged(chat_proxy, upstream) -> None:
    """I4, I5: nothing is injected or captured, and a header reports it."""
    await chat_proxy.remembers(PREFERENCE)
    await chat_proxy.services.tenancy.workspaces.update(chat_proxy.workspace_id, memory_enabled=False)
    body = b'{"model":"m", "messages":[ {"role":"user","content":"indentation in Python?"} ]}'
    answer = b'{ "choices" : [ {"message": {"role": "assistant", "content": "A\\u00e4"}} ] }'
    upstream.answers = [Sends((answer[:9], answer[9:]))]

    async with httpx.AsyncClient(timeout=scaled_timeout(60)) as client:
        response = await client.post(
            f"{chat_proxy.url}/v1/chat/completions",
            content=body,
            headers={"Authorization": f"Bearer {chat_proxy.key}", "x-recollect-tools": "off", **CHAT},
        )

    assert upstream.requests[0].raw == body
    assert response.content == answer
    assert response.headers["x-recollect-memory"] == (
        "injected=0; skipped=episodes(off),ontology(off),patterns(off),memories(off),capture(off)"
    )
    assert await chat_proxy.captured("chat-1") == []


async def test_tools_are_offered_while_memory_is_off(chat_proxy, upstream) -> None:
    """I5, J2: the proxy executes a model's calls regardless of the switch."""
    await chat_proxy.services.tenancy.workspaces.update(chat_proxy.workspace_id, memory_enabled=False)

    await ask(chat_proxy.client(), user(QUESTION), extra_headers=CHAT)

    offered = [tool["function"]["name"] for tool in upstream.requests[0].body["tools"]]
    assert offered == ["x_save_memory", "x_recall_memory", "x_workspace_search"]
    assert await chat_proxy.captured("chat-1") == []


async def test_a_stream_is_forwarded_immediately_byte_for_byte(chat_proxy, upstream) -> None:
    """K12: with spaces, comments, unknown fields and line ends; no event waits for the last one."""
    gate = asyncio.Event()
    chunks = (
        b': keep-alive\n\ndata:  {"choices":[{"index":0,"delta":{"content":"Hel"}}],"x":1.0}\r\n\r',
        b'\nid: 7\ndata: {"choices": [{"index":0,"delta":{"content":"lo\xe2\x80\xa8"}}]}\n\nda',
        b'ta: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
        b": the end",
    )
    upstream.answers = [Sends(chunks, headers=(("content-type", "text/event-stream"),), gate=gate)]
    body = {
        "model": "m",
        "stream": True,
        "metadata": {"conversation_id": "chat-1"},
        "messages": [user("Hello")],
    }

    async with (
        httpx.AsyncClient(
            timeout=scaled_timeout(60), headers={"Authorization": f"Bearer {chat_proxy.key}"}
        ) as client,
        client.stream("POST", f"{chat_proxy.url}/v1/chat/completions", json=body) as response,
    ):
        received = b""
        async for chunk in response.aiter_raw():
            received += chunk
            if b"Hel" in received:
                gate.set()

    assert received == b"".join(chunks)
    assert await chat_proxy.captured("chat-1") == [("user", "Hello"), ("assistant", "Hello")]


@pytest.mark.parametrize(
    ("model", "provider", "role"),
    [
        ("gpt-test", None, "system"),
        ("o1-mini", None, "user"),
        ("o1-mini-2024-09-12", None, "user"),
        ("zai/glm-4.6", None, "user"),
        ("glm-4.6", "zai", "user"),
        ("nobody-knows", "nobody", "system"),
    ],
)
async def test_a_provider_without_a_system_role_receives_context_as_user(
    services, settings, agents_workspace_id, upstream, model, provider, role
) -> None:
    """J4."""
    async with serving_proxy(services, settings, agents_workspace_id, upstream, provider=provider) as served:
        await served.remembers(PREFERENCE)
        await served.client().chat.completions.create(model=model, messages=[user(QUESTION)])

    assert upstream.requests[0].body["messages"] == [
        {"role": role, "content": TOLD},
        user(QUESTION),
    ]


@pytest.mark.parametrize("content", [QUESTION, [{"type": "text", "text": QUESTION}]], ids=["text", "parts"])
async def test_the_context_may_be_appended_to_the_users_message(chat_proxy, upstream, content) -> None:
    """J5: in the format of F§4."""
    await chat_proxy.remembers(PREFERENCE)
    asked = {"role": "user", "content": content}

    await ask(
        chat_proxy.client(), user("Hi"), asked, extra_headers={**CHAT, "x-recollect-format": "user_suffix"}
    )

    first, last = upstream.requests[0].body["messages"]
    assert first == user("Hi")
    told = last["content"] if isinstance(content, str) else last["content"][1]["text"]
    block = told.removeprefix(f"{QUESTION}\n\n")
    assert block.startswith(f"{NOTE}\n\n---\n[MemoryX Context · 1 memory]\n- [")
    assert f"] {PREFERENCE}\n(Above is user background info." in block
    assert [text for _, text in await chat_proxy.captured("chat-1")] == ["Hi", QUESTION, "An answer."]


async def test_an_injected_block_is_neither_searched_nor_captured(chat_proxy, upstream) -> None:
    """J11, D20: the block was injected before the message reached the proxy."""
    await chat_proxy.remembers(PREFERENCE)
    note = (
        "(Above is user background info. Answer the question directly; refer to context only when relevant.)"
    )
    block = f"---\n[MemoryX Context · 1 memory]\n- [preference·Mar] Walks by a lake\n{note}\n---"
    completed = user(f"{QUESTION}\n\n{block}")

    await ask(chat_proxy.client(), completed, extra_headers=CHAT)

    assert upstream.requests[0].body["messages"] == [
        {"role": "system", "content": TOLD},
        completed,
    ]
    assert await chat_proxy.captured("chat-1") == [("user", QUESTION), ("assistant", "An answer.")]


async def test_a_turn_receives_no_memories_of_another_workspace(
    chat_proxy, upstream, services, other_workspace_id
) -> None:
    """I1, I8, I12: only the key determines the workspace, not the conversation's id."""
    await services.tenancy.workspaces.update(other_workspace_id, memory_enabled=True)
    await chat_proxy.remembers(PREFERENCE)
    await chat_proxy.remembers("Ada prefers spaces in Python", workspace_id=other_workspace_id)
    _, other_key = await services.tenancy.keys.create(
        other_workspace_id, name="other", scopes=[Scope.READ, Scope.WRITE]
    )

    await ask(chat_proxy.client(), user(QUESTION), extra_headers=CHAT)
    await ask(chat_proxy.client(api_key=other_key), user("Python, Ada?"), extra_headers=CHAT)

    mine, theirs = (request.body["messages"][0]["content"] for request in upstream.requests)
    assert (mine, theirs) == (TOLD, fenced("Memory context: Ada prefers spaces in Python"))
    assert await chat_proxy.captured("chat-1") == [("user", QUESTION), ("assistant", "An answer.")]
    assert await chat_proxy.captured("chat-1", other_workspace_id) == [
        ("user", "Python, Ada?"),
        ("assistant", "An answer."),
    ]


async def test_a_read_only_key_receives_memories_and_captures_nothing(chat_proxy, upstream, services) -> None:
    await chat_proxy.remembers(PREFERENCE)
    _, reader = await services.tenancy.keys.create(
        chat_proxy.workspace_id, name="reader", scopes=[Scope.READ]
    )

    await ask(chat_proxy.client(api_key=reader), user(QUESTION), extra_headers=CHAT)

    body = upstream.requests[0].body
    assert PREFERENCE in body["messages"][0]["content"]
    assert [tool["function"]["name"] for tool in body["tools"]] == ["x_recall_memory", "x_workspace_search"]
    assert await chat_proxy.captured("chat-1") == []


async def test_credentials_are_not_forwarded_to_the_upstream(
    services, settings, agents_workspace_id, upstream
) -> None:
    """I16: the upstream gets its own key or the caller's upstream key, but no identity of the caller."""
    headers = {"x-api-key": "rk_something", "cookie": "session=1", "x-forwarded-for": "10.0.0.1", **CHAT}
    async with serving_proxy(services, settings, agents_workspace_id, upstream, key="sk-service") as served:
        client = served.client()
        await ask(client, user("Hello"), extra_headers={**headers, "openai-organization": "org-1"})
        await ask(client, user("Hello"), extra_headers={**headers, "x-recollect-upstream-key": "sk-callers"})

    first, second = (request.headers for request in upstream.requests)
    assert (first["authorization"], second["authorization"]) == ("Bearer sk-service", "Bearer sk-callers")
    assert first["openai-organization"] == "org-1"
    for sent in (first, second):
        assert not {"x-api-key", "cookie", "x-forwarded-for"} & sent.keys()
        assert not [name for name in sent if name.startswith("x-recollect")]
        assert served.key not in str(sent)


async def test_cookies_of_the_upstream_are_not_shared_between_callers(chat_proxy, upstream) -> None:
    """I8: callers share a connection."""
    cookie = ("set-cookie", "who=first; Path=/")
    upstream.answers = [
        Sends((b"{}",), headers=(("content-type", "application/json"), cookie)),
        Says("An answer."),
    ]
    key = {"Authorization": f"Bearer {chat_proxy.key}"}
    async with httpx.AsyncClient(timeout=scaled_timeout(60), headers=key) as client:
        for _ in range(2):
            response = await client.post(
                f"{chat_proxy.url}/v1/chat/completions", json={"model": "m", "messages": [user("Hi")]}
            )
            assert "set-cookie" not in response.headers

    assert "cookie" not in upstream.requests[1].headers


async def test_headers_that_are_not_ascii_reach_the_upstream(chat_proxy, upstream) -> None:
    """N1: header values are bytes in HTTP; formerly the proxy failed on them."""
    async with httpx.AsyncClient(timeout=scaled_timeout(60)) as client:
        response = await client.post(
            f"{chat_proxy.url}/v1/chat/completions",
            json={"model": "m", "messages": [user("Hello")]},
            headers=[
                (b"authorization", f"Bearer {chat_proxy.key}".encode()),
                (b"x-title", "Café".encode("latin-1")),
                (b"x-recollect-upstream-key", "ké".encode("latin-1")),
            ],
        )

    assert response.is_success
    assert upstream.requests[0].headers["x-title"] == "Café"
    assert upstream.requests[0].headers["authorization"] == "Bearer ké"
