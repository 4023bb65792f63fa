"""OpenAI's responses through the proxy, with OpenAI's client."""

import json

import pytest
from redis.asyncio import Redis

from graph.memories.models import MemoryFilter
from tests.fixtures.chat_proxy import serving_proxy
from tests.fixtures.prompts import NOTE, fenced
from tests.fixtures.upstream import RESPONSE_USAGE, Says, Sends

CHAT = {"x-recollect-conversation-id": "chat-1"}
QUESTION = "Which indentation does Ada prefer in Python?"
PREFERENCE = "Ada prefers tabs as indentation in Python"
TOLD = fenced(f"Memory context: {PREFERENCE}")
WEATHER = {"type": "function", "name": "weather", "parameters": {"type": "object", "properties": {}}}
OURS = ["x_save_memory", "x_recall_memory", "x_workspace_search"]


async def whole(client, **options):
    return await client.responses.create(model="gpt-test", **options)


async def streamed(client, **options):
    """Assemble a stream with OpenAI's client, which fails on inconsistent events."""
    async with client.responses.stream(model="gpt-test", **options) as stream:
        numbers = [event.sequence_number async for event in stream if hasattr(event, "sequence_number")]
        answer = await stream.get_final_response()
    assert numbers == sorted(set(numbers))
    return answer


@pytest.fixture(params=[whole, streamed], ids=["whole", "streamed"])
def asking(request):
    return request.param


@pytest.mark.parametrize("input_", [QUESTION, [{"role": "user", "content": QUESTION}]], ids=["text", "items"])
async def test_a_turn_receives_memories_and_is_captured(chat_proxy, upstream, asking, input_) -> None:
    """K12, J3: before the caller's instructions, which later responses do not inherit."""
    await chat_proxy.remembers(PREFERENCE)
    upstream.answers = [Says("Tabs, as far as I know.")]

    answer = await asking(chat_proxy.client(), input=input_, instructions="Be brief.", extra_headers=CHAT)

    assert answer.output_text == "Tabs, as far as I know."
    (request,) = upstream.requests
    assert (request.path, request.body["input"]) == ("/v1/responses", input_)
    assert request.body["instructions"] == f"{TOLD}\n\nBe brief."
    assert await chat_proxy.captured("chat-1") == [("user", QUESTION), ("assistant", answer.output_text)]


async def test_a_provider_without_a_system_role_receives_context_as_user(chat_proxy, upstream) -> None:
    """J4."""
    await chat_proxy.remembers(PREFERENCE)

    await chat_proxy.client().responses.create(model="zai/glm-4.6", input=QUESTION)

    assert upstream.requests[0].body["input"] == [
        {"role": "user", "content": TOLD},
        {"role": "user", "content": QUESTION},
    ]
    assert "instructions" not in upstream.requests[0].body


async def test_the_context_may_be_appended_to_the_users_message(chat_proxy, upstream) -> None:
    """J5."""
    await chat_proxy.remembers(PREFERENCE)
    asked = [{"role": "user", "content": [{"type": "input_text", "text": QUESTION}]}]

    await whole(chat_proxy.client(), input=asked, extra_headers={"x-recollect-format": "user_suffix"})

    (item,) = upstream.requests[0].body["input"]
    text, suffix = item["content"]
    assert (text, suffix["type"]) == (asked[0]["content"][0], "input_text")
    assert suffix["text"].startswith(f"{NOTE}\n\n---\n[MemoryX Context · 1 memory]")


async def test_turns_that_follow_each_other_by_id_are_captured_in_order(chat_proxy, upstream) -> None:
    """D9: a caller of responses sends only its latest message and the previous response's id."""
    client = chat_proxy.client()
    before = None
    for text in ("Hello", "Go on", "Go on"):
        answer = await whole(client, input=text, previous_response_id=before, extra_headers=CHAT)
        before = answer.id

    assert [text for role, text in await chat_proxy.captured("chat-1") if role == "user"] == [
        "Hello",
        "Go on",
        "Go on",
    ]
    assert [request.body.get("previous_response_id") for request in upstream.requests] == [
        None,
        "resp_1",
        "resp_2",
    ]


@pytest.mark.parametrize("conversation", ["conv_1", {"id": "conv_1"}], ids=["text", "object"])
async def test_the_upstreams_conversation_names_ours(chat_proxy, upstream, conversation) -> None:
    await whole(chat_proxy.client(), input="Hello", conversation=conversation)

    assert await chat_proxy.captured("conv_1") == [("user", "Hello"), ("assistant", "An answer.")]


async def test_a_model_recalls_before_it_answers(chat_proxy, upstream, asking) -> None:
    """K12, F§3: the proxy's calls are hidden, and the items are numbered without them."""
    (id_,) = await chat_proxy.remembers(PREFERENCE)
    upstream.answers = [
        Says("Let me look. ", calls=(("x_recall_memory", {"query": PREFERENCE}),)),
        Says("Tabs."),
    ]

    answer = await asking(chat_proxy.client(), input=QUESTION, extra_headers=CHAT)

    # A stream sends its id at the beginning.
    assert answer.id == ("resp_1" if asking is streamed else "resp_2")
    assert [item.content[0].text for item in answer.output] == ["Let me look. ", "Tabs."]
    assert (await chat_proxy.captured("chat-1"))[1] == ("assistant", "Let me look. \n\nTabs.")
    assert answer.usage.total_tokens == 2 * RESPONSE_USAGE["total_tokens"]
    first, second = upstream.requests
    assert [tool["name"] for tool in first.body["tools"]] == OURS
    asked, said, call, result = second.body["input"]
    assert asked == {"role": "user", "content": QUESTION}
    assert (said["type"], call["type"], call["name"]) == ("message", "function_call", "x_recall_memory")
    assert (result["type"], result["call_id"]) == ("function_call_output", call["call_id"])
    assert result["output"].startswith(
        f"# Recalled memories\n\n{NOTE}\n\n1. **{id_}** (uncategorized, score 0."
    )


async def test_a_round_of_hidden_calls_sends_no_start_event(chat_proxy, upstream, asking) -> None:
    """K12: the caller gets the id of the visible response, from which the next one continues."""
    upstream.answers = [Says(calls=(("x_recall_memory", {"query": "tabs"}),)), Says("Tabs.")]

    answer = await asking(chat_proxy.client(), input=QUESTION)

    assert (answer.id, answer.output_text) == ("resp_2", "Tabs.")


async def test_refused_tool_results_do_not_fail_the_turn(chat_proxy, upstream, asking) -> None:
    """N1: if the upstream refuses a tool's results, the proxy sends the original request."""
    refusal = b'{"error": {"message": "context_length_exceeded", "type": "x", "param": null, "code": null}}'
    call = Says(calls=(("x_recall_memory", {"query": "tabs"}),))
    upstream.answers = [call, Sends((refusal,), status=400), Says("Tabs?")]

    answer = await asking(chat_proxy.client(), input=QUESTION)

    assert (answer.id, answer.output_text) == ("resp_2", "Tabs?")
    assert upstream.requests[2].body["input"] == QUESTION
    assert "tools" not in upstream.requests[2].body


async def test_the_next_response_continues_from_the_last_round(chat_proxy, upstream) -> None:
    """K12: the upstream stored the last round under another id than the caller's first event."""
    upstream.answers = [Says("Wait. ", calls=(("x_recall_memory", {"query": "tabs"}),)), Says("Tabs.")]
    client = chat_proxy.client()
    answer = await streamed(client, input=QUESTION)

    await whole(client, input="And in C?", previous_response_id=answer.id)

    assert answer.id == "resp_1"
    assert upstream.requests[2].body["previous_response_id"] == "resp_2"


OFF = {"x-recollect-tools": "off"}


async def test_a_chat_continues_days_later_and_without_tools(chat_proxy, upstream, redis_url) -> None:
    """K12: the upstream refuses to continue from a round whose calls have no results."""
    upstream.answers = [Says("Wait. ", calls=(("x_recall_memory", {"query": "tabs"}),)), Says("Tabs.")]
    client = chat_proxy.client()
    answer = await streamed(client, input=QUESTION)
    async with Redis.from_url(redis_url) as redis:
        kept = redis.scan_iter(match=f"*{chat_proxy.workspace_id}*{answer.id}*")
        times = [await redis.ttl(key) async for key in kept]

    await whole(client, input="And in C?", previous_response_id=answer.id, extra_headers=OFF)

    assert times
    assert min(times) > 6 * 86_400
    assert upstream.requests[2].body["previous_response_id"] == "resp_2"
    assert "tools" not in upstream.requests[2].body


async def test_our_results_are_sent_even_if_the_caller_offers_no_tools_any_more(chat_proxy, upstream) -> None:
    """K12."""
    mixed = Says(calls=(("x_recall_memory", {"query": PREFERENCE}), ("weather", {})))
    upstream.answers = [mixed, Says("Tabs, it rains.")]
    client = chat_proxy.client()
    answer = await whole(client, input=QUESTION, tools=[WEATHER])
    result = {"type": "function_call_output", "call_id": answer.output[0].call_id, "output": "rain"}

    await whole(client, input=[result], previous_response_id=answer.id, tools=[WEATHER], extra_headers=OFF)

    outputs = [item["call_id"] for item in upstream.requests[1].body["input"]]
    assert outputs == ["call_1_0", "call_1_1"]


async def test_unstored_items_are_repeated_without_their_id(chat_proxy, upstream) -> None:
    """K12: the upstream refuses the id of an item that it did not store."""
    upstream.answers = [Says(calls=(("x_recall_memory", {"query": "tabs"}),)), Says("Tabs.")]

    await whole(chat_proxy.client(), input=QUESTION, store=False)

    call = upstream.requests[1].body["input"][1]
    assert (call["type"], "id" in call) == ("function_call", False)


async def test_in_the_upstreams_conversation_only_results_are_sent(chat_proxy, upstream) -> None:
    """K12: the message and the call are already there."""
    upstream.answers = [Says(calls=(("x_recall_memory", {"query": "tabs"}),)), Says("Tabs.")]

    await whole(chat_proxy.client(), input=QUESTION, conversation="conv_1")

    (item,) = upstream.requests[1].body["input"]
    assert item["type"] == "function_call_output"


@pytest.mark.parametrize("conversation", ["conv_1", {"id": "conv_1"}], ids=["id", "object"])
async def test_in_the_upstreams_conversation_results_wait_for_the_callers_as_well(
    chat_proxy, upstream, asking, conversation
) -> None:
    """K12: the next request there names no previous response."""
    (id_,) = await chat_proxy.remembers(PREFERENCE)
    mixed = Says(calls=(("x_recall_memory", {"query": PREFERENCE}), ("weather", {})))
    upstream.answers = [mixed, Says("Tabs, it rains.")]
    client = chat_proxy.client()
    answer = await asking(client, input=QUESTION, conversation=conversation, tools=[WEATHER])
    result = {"type": "function_call_output", "call_id": answer.output[0].call_id, "output": "rain"}

    await whole(client, input=[result], conversation=conversation, tools=[WEATHER])

    recalled, own = upstream.requests[1].body["input"]
    assert (recalled["type"], recalled["call_id"]) == ("function_call_output", "call_1_0")
    assert recalled["output"].startswith(f"# Recalled memories\n\n{NOTE}\n\n1. **{id_}**")
    assert own == result


async def test_a_request_with_only_results_receives_the_context_of_its_turn(
    chat_proxy, upstream, asking
) -> None:
    """K12: the upstream stores messages but no instructions; results of results are in the same turn."""
    await chat_proxy.remembers(PREFERENCE)
    upstream.answers = [*[Says(calls=(("weather", {}),))] * 2, Says("Tabs, it rains.")]
    client = chat_proxy.client()
    asked: dict = {"input": QUESTION}
    for _ in range(3):
        answer = await asking(client, **asked, tools=[WEATHER], instructions="Be brief.")
        results = [
            {"type": "function_call_output", "call_id": item.call_id, "output": "rain"}
            for item in answer.output
            if item.type == "function_call"
        ]
        asked = {"input": results, "previous_response_id": answer.id}

    told = [request.body["instructions"] for request in upstream.requests]
    assert told == [f"{TOLD}\n\nBe brief."] * 3


@pytest.mark.parametrize(
    "options", [{"x-recollect-format": "user_suffix"}, {"model": "zai/glm-4.6"}], ids=["suffix", "user"]
)
async def test_context_that_the_upstream_stores_is_not_added_again(chat_proxy, upstream, options) -> None:
    """J4, J5, J14: the first input contains it, and it does not count as used again."""
    await chat_proxy.remembers(PREFERENCE)
    upstream.answers = [Says(calls=(("weather", {}),)), Says("Tabs, it rains.")]
    responses = chat_proxy.client().responses
    asked = {"model": "gpt-test", "conversation": "conv_1", "tools": [WEATHER], **options}
    headers = {name: asked.pop(name) for name in options if name.startswith("x-")}
    answer = await responses.create(input=QUESTION, extra_headers=headers, **asked)
    result = {"type": "function_call_output", "call_id": answer.output[0].call_id, "output": "rain"}

    second = await responses.with_raw_response.create(input=[result], extra_headers=headers, **asked)

    assert PREFERENCE in json.dumps(upstream.requests[0].body["input"])
    assert upstream.requests[1].body["input"] == [result]
    assert "instructions" not in upstream.requests[1].body
    assert second.headers["x-recollect-memory"] == "injected=0"


async def test_calls_of_the_callers_tools_are_returned_and_ours_executed(
    chat_proxy, upstream, asking
) -> None:
    """K12."""
    upstream.answers = [
        Says(
            "Wait.",
            calls=(
                ("x_save_memory", {"content": "The user lives near a lake"}),
                ("weather", {"place": "here"}),
            ),
        )
    ]

    answer = await asking(chat_proxy.client(), input=QUESTION, tools=[WEATHER])

    message, call = answer.output
    assert (message.type, call.type, call.name) == ("message", "function_call", "weather")
    assert json.loads(call.arguments) == {"place": "here"}
    page = await chat_proxy.services.memories.store.page(chat_proxy.workspace_id, MemoryFilter())
    assert [memory.content for memory in page.items] == ["The user lives near a lake"]


@pytest.mark.parametrize("repeats", [True, False], ids=["repeated", "stored"])
async def test_our_tool_results_are_sent_with_the_callers_results(
    chat_proxy, upstream, asking, repeats
) -> None:
    """K12: an upstream that stored the calls needs only the results; another also needs the calls."""
    (id_,) = await chat_proxy.remembers(PREFERENCE)
    mixed = Says(calls=(("x_recall_memory", {"query": PREFERENCE}), ("weather", {})))
    upstream.answers = [mixed, Says("Tabs, it rains.")]
    client = chat_proxy.client()
    answer = await asking(client, input=QUESTION, tools=[WEATHER])
    (call,) = answer.output
    result = {"type": "function_call_output", "call_id": call.call_id, "output": "rain"}
    if repeats:
        own = {"type": "function_call", "call_id": call.call_id, "name": "weather", "arguments": "{}"}
        sent = {"input": [{"role": "user", "content": QUESTION}, own, result]}
    else:
        sent = {"input": [result], "previous_response_id": answer.id}

    await whole(client, **sent, tools=[WEATHER])

    items = upstream.requests[1].body["input"]
    kinds = [(item.get("type"), item.get("call_id")) for item in items]
    recalled = [("function_call_output", "call_1_0"), ("function_call_output", "call_1_1")]
    if repeats:
        assert kinds == [
            (None, None),
            ("function_call", "call_1_1"),
            ("function_call", "call_1_0"),
            *recalled,
        ]
    else:
        assert kinds == recalled
    assert items[-2]["output"].startswith(f"# Recalled memories\n\n{NOTE}\n\n1. **{id_}**")


async def test_a_model_that_keeps_calling_tools_must_finally_answer(
    services, settings, agents_workspace_id, upstream, asking
) -> None:
    """K12."""
    upstream.answers = [Says(calls=(("x_recall_memory", {"query": "tea"}),))]
    async with serving_proxy(services, settings, agents_workspace_id, upstream, most_rounds=2) as served:
        answer = await asking(served.client(), input=QUESTION)

    assert answer.output == []
    assert [request.body.get("tool_choice") for request in upstream.requests] == [None, None, "none"]


async def test_a_stream_without_calls_of_ours_passes_byte_for_byte(chat_proxy, upstream) -> None:
    """K12."""
    upstream.answers = [Says("One moment", calls=(("weather", {"place": "here"}),))]
    sent: list[bytes] = []
    rendered = upstream.rendered

    def remember(received, says):
        answer = rendered(received, says)
        sent.extend(answer.chunks)
        return answer

    upstream.rendered = remember
    async with chat_proxy.client().responses.with_streaming_response.create(
        model="gpt-test", input=QUESTION, tools=[WEATHER], stream=True
    ) as response:
        received = b"".join([chunk async for chunk in response.iter_bytes()])

    assert received == b"".join(sent)


async def test_a_request_that_opts_out_passes_unchanged(chat_proxy, upstream) -> None:
    """J7."""
    await chat_proxy.remembers(PREFERENCE)

    await whole(chat_proxy.client(), input=QUESTION, extra_headers={**CHAT, "x-omniroute-no-memory": "true"})

    assert upstream.requests[0].body == {"input": QUESTION, "model": "gpt-test"}
    assert await chat_proxy.captured("chat-1") == []
