"""Refusals of the proxy and failures of the upstream: errors in OpenAI's form."""

import asyncio
import json

import httpx
import openai
import pytest
from structlog.testing import capture_logs

from app.main import create_app
from app.surfaces.proxy.composing import Composer
from app.surfaces.proxy.service import ChatProxy
from graph.tenancy.models import Scope
from tests.fixtures.chat_proxy import serving_proxy
from tests.fixtures.listeners import unanswered_address
from tests.fixtures.timeouts import scaled_timeout
from tests.fixtures.upstream import ChatUpstream, Says, Sends, listening
from tests.fixtures.waiting import until

EVENTS = (("content-type", "text/event-stream"),)
HELLO = [{"role": "user", "content": "Hello"}]
PIECE = b'data: {"choices":[{"index":0,"delta":{"content":"Half an answ"}}]}\n\n'


async def send_chat(client: openai.AsyncOpenAI, seen: list[object] | None) -> None:
    """Send a turn; with a list, stream and append the events as they arrive."""
    options = {
        "model": "m",
        "messages": HELLO,
        "metadata": {"conversation_id": "chat-1"},
        "stream": seen is not None,
    }
    answer = await client.chat.completions.create(**options)
    if seen is not None:
        async for event in answer:
            seen.append(event)


async def send_response(client: openai.AsyncOpenAI, seen: list[object] | None) -> None:
    """Send a turn; see ``send_chat``."""
    options = {
        "model": "m",
        "input": "Hello",
        "metadata": {"conversation_id": "chat-1"},
        "stream": seen is not None,
    }
    answer = await client.responses.create(**options)
    if seen is not None:
        async for event in answer:
            seen.append(event)


SENDERS = {"chat": send_chat, "responses": send_response}


def the_error(error: openai.APIStatusError) -> tuple[int, str, str | None]:
    """Return status, type and code, after checking that the body has all four fields."""
    assert error.response.json().keys() == {"error"}
    assert error.response.json()["error"].keys() == {"message", "type", "param", "code"}
    return error.status_code, error.response.json()["error"]["type"], error.code


@pytest.mark.parametrize("path", ["chat/completions", "responses"])
async def test_without_an_upstream_the_proxy_answers_503(services, agents_workspace_id, path) -> None:
    """K12: nothing is sent without an address; a retry would not help."""
    _, key = await services.tenancy.keys.create(agents_workspace_id, name="x", scopes=[Scope.READ])
    async with listening(create_app(services)) as url, httpx.AsyncClient(timeout=scaled_timeout(60)) as http:
        response = await http.post(
            f"{url}/v1/{path}", json={"model": "m"}, headers={"Authorization": f"Bearer {key}"}
        )

    assert response.status_code == 503
    assert response.json() == {
        "error": {
            "message": "no upstream is configured: set RECOLLECT_PROXY_URL",
            "type": "server_error",
            "param": None,
            "code": "upstream_not_configured",
        }
    }
    assert response.headers["x-should-retry"] == "false"


async def test_wrong_keys_and_scopes_are_refused(chat_proxy, upstream, services) -> None:
    """I12: before anything is sent upstream."""
    _, writer = await services.tenancy.keys.create(
        chat_proxy.workspace_id, name="writer", scopes=[Scope.WRITE]
    )

    with pytest.raises(openai.AuthenticationError) as unknown:
        await chat_proxy.client(api_key="rk_nobody").chat.completions.create(model="m", messages=HELLO)
    with pytest.raises(openai.PermissionDeniedError) as denied:
        await chat_proxy.client(api_key=writer).responses.create(model="m", input="Hello")

    assert the_error(unknown.value) == (401, "authentication_error", "invalid_api_key")
    assert the_error(denied.value) == (403, "permission_error", "forbidden")
    assert upstream.requests == []


async def test_a_body_beyond_the_limit_is_refused(chat_proxy, upstream) -> None:
    messages = [{"role": "user", "content": "x" * (33 * 1024 * 1024)}]

    with pytest.raises(openai.APIStatusError) as refused:
        await chat_proxy.client().chat.completions.create(model="m", messages=messages)

    assert the_error(refused.value) == (413, "invalid_request_error", "invalid_input")
    assert upstream.requests == []


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"messages": "Hello"}',
        b'{"messages": [1]}',
        b'{"messages": [{"role": "user", "content": 5}], "tools": [1], "model": {}}',
        b'{"messages": [{"role": "user", "content": "\\ud800"}]}',
        b'{"messages": [{"role": "user", "content": "a\\u0000b"}], "tools": {"a": 1}}',
        b'{"input": {"role": "user"}}',
        b"\xff\xfe",
        b'{"messages": [{"role": "user", "content": "\xff"}]}',
        b'{"messages": [{"role": "user", "content": "a"}], "temperature": NaN}',
        b'{"input": "a", "messages": [{"role": "user", "content": "a"}], "top_p": 1e400}',
        b'{"messages": [], "input": "a", "messages": [{"role": "user", "content": "a"}]}',
        b'{"input": "a", "messages": [{"role": "user", "content": "a"}], "x": '
        + b"[" * 10_000
        + b"]" * 10_000
        + b"}",
    ],
    ids=repr,
)
@pytest.mark.parametrize("path", ["chat/completions", "responses"])
async def test_an_invalid_request_is_forwarded_unchanged(chat_proxy, upstream, path, body) -> None:
    """N1: the upstream explains its error best."""
    upstream.answers = [Sends((b'{"error": {"message": "no", "type": "t"}}',), status=400)]

    async with httpx.AsyncClient(timeout=scaled_timeout(60)) as http:
        response = await http.post(
            f"{chat_proxy.url}/v1/{path}",
            content=body,
            headers={"Authorization": f"Bearer {chat_proxy.key}", "x-recollect-conversation-id": "c"},
        )

    assert (response.status_code, response.json()["error"]["message"]) == (400, "no")
    assert upstream.requests[-1].raw == body
    assert await chat_proxy.captured("c") == []


@pytest.mark.parametrize("status", [401, 403, 429, 500, 503])
@pytest.mark.parametrize("stream", [False, True])
async def test_an_upstreams_error_is_passed_on(chat_proxy, upstream, status, stream) -> None:
    body = b'{"error": {"message": "not now", "type": "t", "param": "p", "code": "c"}}'
    headers = (("content-type", "application/json"), ("retry-after", "7"), ("x-request-id", "req_1"))
    upstream.answers = [Sends((body,), status=status, headers=headers)]

    with pytest.raises(openai.APIStatusError) as refused:
        await chat_proxy.client().chat.completions.create(
            model="m", messages=HELLO, stream=stream, metadata={"conversation_id": "chat-1"}
        )

    assert (refused.value.status_code, refused.value.response.content) == (status, body)
    assert refused.value.response.headers["retry-after"] == "7"
    assert refused.value.request_id == "req_1"
    assert await chat_proxy.captured("chat-1") == []


async def test_an_unreachable_upstream_is_a_bad_gateway(services, settings, agents_workspace_id) -> None:
    with unanswered_address() as url:
        nobody = ChatUpstream(url=f"{url}/v1")
        async with serving_proxy(services, settings, agents_workspace_id, nobody) as served:
            with pytest.raises(openai.APIStatusError) as failed:
                await served.client().chat.completions.create(model="m", messages=HELLO)

    assert the_error(failed.value) == (502, "server_error", "upstream_unreachable")


async def test_an_unresponsive_upstream_times_out(services, settings, agents_workspace_id, upstream) -> None:
    upstream.answers = [Sends((b"{", b"}"), gate=asyncio.Event())]
    async with serving_proxy(
        services, settings, agents_workspace_id, upstream, silent_seconds=scaled_timeout(1)
    ) as served:
        with pytest.raises(openai.APIStatusError) as failed:
            await served.client().chat.completions.create(model="m", messages=HELLO)
    upstream.answers[0].gate.set()

    assert the_error(failed.value) == (504, "server_error", "upstream_timeout")


@pytest.mark.parametrize("path", ["chat", "responses"])
async def test_an_upstream_disconnect_ends_a_stream_with_an_error(chat_proxy, upstream, path) -> None:
    """K12: the caller gets the partial answer and an error; the partial answer is captured."""
    piece = PIECE
    if path == "responses":
        piece = (
            b'event: response.output_text.delta\ndata: {"type":"response.output_text.delta",'
            b'"sequence_number":0,"output_index":0,"delta":"Half an answ"}\n\n'
        )
    upstream.answers = [Sends((piece, b'data: {"cho'), headers=EVENTS, cut=True), Says("Whole.")]
    client = chat_proxy.client()
    seen: list[object] = []

    with pytest.raises(openai.APIError, match="the upstream hung up in the middle of its answer"):
        await SENDERS[path](client, seen)

    assert len(seen) == 1
    assert await chat_proxy.captured("chat-1") == [("user", "Hello"), ("assistant", "Half an answ")]
    await SENDERS[path](client, None)
    assert await chat_proxy.captured("chat-1") == [("user", "Hello"), ("assistant", "Whole.")]


MALFORMED_CHAT = [
    {"choices": 5},
    {"choices": [None]},
    {"choices": [{"delta": []}]},
    *(
        {"choices": [{"index": 0, "delta": {"tool_calls": calls}}]}
        for calls in (
            [None],
            [1, "a"],
            "none",
            [{"index": []}],
            [{"index": None, "function": None}],
            [{"index": 1, "function": {"name": ["x"]}}],
        )
    ),
]
MALFORMED_RESPONSE = [
    {"type": []},
    {"type": "response.output_item.added", "output_index": [], "item": {}},
    {"type": "response.output_item.added", "output_index": 1, "item": None},
    {"type": "response.output_item.added", "output_index": 2, "item": {"type": [], "name": "n"}},
    {
        "type": "response.output_item.added",
        "output_index": 3,
        "item": {"type": "function_call", "name": {}},
    },
]
CHAT_ENDS = [
    {"choices": [{"index": 0, "delta": {"content": "Tea."}}]},
    {"choices": [{"finish_reason": "stop"}]},
]
RESPONSE_ENDS = [
    {"type": "response.output_text.delta", "output_index": 0, "delta": "Tea."},
    {"type": "response.completed", "response": {"id": 5, "output": [None, 1]}},
]


def as_events(*said: object) -> tuple[bytes, ...]:
    return tuple(b"data: " + json.dumps(each).encode() + b"\n\n" for each in said)


async def streamed_bytes(chat_proxy, path: str) -> bytes:
    """Return the raw bytes of a stream."""
    asked = {"messages": HELLO} if path == "chat/completions" else {"input": "Hello"}
    async with httpx.AsyncClient(timeout=scaled_timeout(60)) as http:
        response = await http.post(
            f"{chat_proxy.url}/v1/{path}",
            json={"model": "m", "stream": True, "metadata": {"conversation_id": "chat-1"}, **asked},
            headers={"Authorization": f"Bearer {chat_proxy.key}"},
        )
    return response.content


@pytest.mark.parametrize(
    ("path", "malformed", "ends"),
    [
        *(("chat/completions", each, CHAT_ENDS) for each in MALFORMED_CHAT),
        *(("responses", each, RESPONSE_ENDS) for each in MALFORMED_RESPONSE),
    ],
    ids=repr,
)
async def test_malformed_events_of_a_stream_are_skipped(chat_proxy, upstream, path, malformed, ends) -> None:
    """K12, N1: later events are forwarded and captured, also with tools offered."""
    upstream.answers = [Sends(as_events(malformed, *ends), headers=EVENTS)]

    told = await streamed_bytes(chat_proxy, path)

    assert b"Tea." in told
    assert b'"error"' not in told
    assert await chat_proxy.captured("chat-1") == [("user", "Hello"), ("assistant", "Tea.")]


@pytest.mark.parametrize("path", ["chat/completions", "responses"])
async def test_a_failure_in_a_stream_ends_it_with_an_error_and_is_logged(
    chat_proxy, upstream, path, monkeypatch
) -> None:
    """K12, M15: on any error the connection stays open, and the log has the traceback."""
    ends = CHAT_ENDS if path == "chat/completions" else RESPONSE_ENDS
    upstream.answers = [Sends(as_events(*ends), headers=EVENTS)]

    async def fails(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(ChatProxy, "_settle", fails)
    with capture_logs() as logged:
        told = await streamed_bytes(chat_proxy, path)

    assert json.loads(told.rpartition(b"data: ")[2])["error"]["code"] == "internal_error"
    (noted,) = [each for each in logged if each["event"] == "proxy.stream_failed"]
    assert (noted["reason"], isinstance(noted["exc_info"], RuntimeError)) == ("RuntimeError", True)


async def test_memory_that_fails_unexpectedly_is_logged_with_its_traceback(
    chat_proxy, upstream, monkeypatch
) -> None:
    """N1, M15: the original request is sent, and the log does not call it unreadable."""

    async def fails(*_: object) -> None:
        raise AttributeError

    monkeypatch.setattr(Composer, "prepare", fails)
    with capture_logs() as logged:
        answer = await chat_proxy.client().chat.completions.create(model="m", messages=HELLO)

    assert answer.choices[0].message.content == "An answer."
    noted = {each["event"]: each for each in logged if each["event"].startswith("proxy.")}
    assert isinstance(noted["proxy.memory_failed"]["exc_info"], AttributeError)
    assert "proxy.request_not_read" not in noted


async def test_an_upstream_disconnect_ends_a_stream_without_memory_too(chat_proxy, upstream) -> None:
    upstream.answers = [Sends((PIECE, b"data: {"), headers=EVENTS, cut=True)]

    async with httpx.AsyncClient(timeout=scaled_timeout(60)) as http:
        response = await http.post(
            f"{chat_proxy.url}/v1/chat/completions",
            json={"model": "m", "messages": HELLO, "stream": True},
            headers={"Authorization": f"Bearer {chat_proxy.key}", "x-omniroute-no-memory": "1"},
        )

    assert response.content.startswith(PIECE + b"data: {\n\ndata: ")
    assert b'"code":"upstream_disconnected"' in response.content


async def test_an_upstream_disconnect_in_a_complete_response_is_a_bad_gateway(chat_proxy, upstream) -> None:
    upstream.answers = [Sends((b'{"choices": [', b"{"), cut=True)]

    with pytest.raises(openai.APIStatusError) as failed:
        await chat_proxy.client().chat.completions.create(
            model="m", messages=HELLO, metadata={"conversation_id": "chat-1"}
        )

    assert the_error(failed.value) == (502, "server_error", "upstream_disconnected")


async def test_a_disconnected_callers_answer_is_captured_in_part(chat_proxy, upstream) -> None:
    """N1: and the connection to the upstream is closed."""
    gate = asyncio.Event()
    upstream.answers = [Sends((PIECE, b"data: [DONE]\n\n"), headers=EVENTS, gate=gate)]

    stream = await chat_proxy.client().chat.completions.create(
        model="m", messages=HELLO, stream=True, metadata={"conversation_id": "chat-1"}
    )
    async for _ in stream:
        break
    await stream.close()

    await until(lambda: chat_proxy.captured("chat-1"))
    gate.set()
    assert await chat_proxy.captured("chat-1") == [("user", "Hello"), ("assistant", "Half an answ")]
