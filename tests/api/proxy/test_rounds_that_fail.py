"""Turns with a round that the upstream refuses, truncates or ends in its own way (K12)."""

import gzip
import json
from dataclasses import replace

import httpx
import openai
import pytest

from tests.fixtures.timeouts import scaled_timeout
from tests.fixtures.upstream import Says, Sends

CHAT = {"x-recollect-conversation-id": "chat-1"}
ASKED = [{"role": "user", "content": "What do I drink in the morning?"}]
REFUSAL = b'{"error": {"message": "context_length_exceeded", "type": "x", "param": null, "code": null}}'
RECALLS = (("x_recall_memory", {"query": "tea"}),)
EVENTS = (("content-type", "text/event-stream"),)
PIECE = b'data: {"choices":[{"index":0,"delta":{"content":"Half an answ"}}]}\n\n'
CUT_CALL = {"index": 0, "id": "a", "function": {"name": "x_save_memory", "arguments": '{"content": "The us'}}
OVERLOADED = {"error": {"message": "overloaded", "type": "server_error", "param": None, "code": None}}


async def whole(client: openai.AsyncOpenAI) -> str | None:
    answer = await client.chat.completions.create(model="gpt-test", messages=ASKED, extra_headers=CHAT)
    return answer.choices[0].message.content


async def streamed(client: openai.AsyncOpenAI) -> str | None:
    """Assemble a stream with OpenAI's client, which fails on inconsistent events."""
    async with client.chat.completions.stream(model="gpt-test", messages=ASKED, extra_headers=CHAT) as stream:
        answer = await stream.get_final_completion()
    return answer.choices[0].message.content


@pytest.mark.parametrize("asking", [whole, streamed])
@pytest.mark.parametrize("status", [400, 413, 422])
async def test_refused_tool_results_do_not_fail_the_turn(chat_proxy, upstream, asking, status) -> None:
    """N1: if the upstream refuses a tool's results, the proxy sends the original request."""
    upstream.answers = [Says(calls=RECALLS), Sends((REFUSAL,), status=status), Says("Tea?")]

    assert await asking(chat_proxy.client()) == "Tea?"

    *_, last = upstream.requests
    assert len(upstream.requests) == 3
    assert (last.body["messages"], "tools" in last.body) == (ASKED, False)
    assert await chat_proxy.captured("chat-1") == [("user", ASKED[0]["content"]), ("assistant", "Tea?")]


async def test_a_retried_round_does_not_repeat_text(chat_proxy, upstream) -> None:
    upstream.answers = [Says("Let me look. ", calls=RECALLS), Sends((REFUSAL,), status=400)]

    with pytest.raises(openai.APIError, match="context_length_exceeded"):
        await streamed(chat_proxy.client())

    assert len(upstream.requests) == 2


@pytest.mark.parametrize("end", [b"data: [DONE]", b"data: [DONE]\n"])
async def test_a_round_may_end_without_a_blank_line(chat_proxy, upstream, monkeypatch, end) -> None:
    """The caller sees no end in the middle of the turn."""
    upstream.answers = [Says(calls=RECALLS), Says("Well.")]
    rendered = upstream.rendered

    def cut(received, says):
        answer = rendered(received, says)
        return replace(answer, chunks=(*answer.chunks[:-1], end)) if says.calls else answer

    monkeypatch.setattr(upstream, "rendered", cut)
    client = chat_proxy.client()
    async with client.chat.completions.with_streaming_response.create(
        model="gpt-test", messages=ASKED, stream=True
    ) as response:
        received = b"".join([chunk async for chunk in response.iter_bytes()])

    assert received.count(b"[DONE]") == 1
    assert received.endswith(b"data: [DONE]\n\n")
    assert b"Well." in received


async def test_an_error_inside_a_hidden_call_ends_the_turn_with_the_error(chat_proxy, upstream) -> None:
    """Nothing is executed with half of its arguments."""
    begun = {"choices": [{"index": 0, "delta": {"tool_calls": [CUT_CALL]}, "finish_reason": None}]}
    events = tuple(f"data: {json.dumps(chunk)}\n\n".encode() for chunk in (begun, OVERLOADED))
    upstream.answers = [Sends((*events, b"data: [DONE]\n\n"), headers=EVENTS), Says("Never asked for.")]

    with pytest.raises(openai.APIError, match="overloaded"):
        await streamed(chat_proxy.client())

    assert len(upstream.requests) == 1


async def test_an_upstream_disconnect_in_a_compressed_stream_is_detected(chat_proxy, upstream) -> None:
    """An uncompressed event after compressed bytes would be unreadable."""
    compressed = (*EVENTS, ("content-encoding", "gzip"))
    upstream.answers = [Sends((gzip.compress(PIECE)[:20],), headers=compressed, cut=True)]

    async with httpx.AsyncClient(timeout=scaled_timeout(60)) as http:
        with pytest.raises(httpx.RemoteProtocolError):
            await http.post(
                f"{chat_proxy.url}/v1/chat/completions",
                json={"model": "m", "messages": ASKED, "stream": True},
                headers={"Authorization": f"Bearer {chat_proxy.key}", "x-omniroute-no-memory": "1"},
            )
