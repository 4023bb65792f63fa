"""The x_ tools in chats: offered to the model, executed by the proxy, hidden from the caller (K12, F§3)."""

import json

import pytest

from graph.core.errors import InvalidInput
from graph.memories.models import MemoryFilter
from tests.fixtures.chat_proxy import serving_proxy
from tests.fixtures.prompts import NOTE
from tests.fixtures.upstream import USAGE, Says, Sends

CHAT = {"x-recollect-conversation-id": "chat-1"}
ASKED = [{"role": "user", "content": "What do I drink in the morning?"}]
WEATHER = {
    "type": "function",
    "function": {"name": "weather", "parameters": {"type": "object", "properties": {}}},
}
OURS = ["x_save_memory", "x_recall_memory", "x_workspace_search"]


async def whole(client, **options) -> dict:
    answer = await client.chat.completions.create(model="gpt-test", messages=ASKED, **options)
    (choice,) = answer.choices
    calls = choice.message.tool_calls or []
    return {
        "text": choice.message.content,
        "calls": [(call.id, call.function.name, call.function.arguments) for call in calls],
        "reason": choice.finish_reason,
        "tokens": answer.usage.total_tokens,
    }


async def streamed(client, **options) -> dict:
    """Assemble a stream with OpenAI's client, which fails on inconsistent events."""
    async with client.chat.completions.stream(
        model="gpt-test", messages=ASKED, stream_options={"include_usage": True}, **options
    ) as stream:
        ids = {event.chunk.id async for event in stream if event.type == "chunk"}
        answer = await stream.get_final_completion()
    assert len(ids) == 1
    (choice,) = answer.choices
    calls = choice.message.tool_calls or []
    return {
        "text": choice.message.content,
        "calls": [(call.id, call.function.name, call.function.arguments) for call in calls],
        "reason": choice.finish_reason,
        "tokens": answer.usage.total_tokens,
    }


@pytest.fixture(params=[whole, streamed], ids=["whole", "streamed"])
def asking(request):
    return request.param


def tools_of(request) -> list[str]:
    return [tool["function"]["name"] for tool in request.body.get("tools", [])]


def results_in(request) -> list[tuple[str, str]]:
    return [
        (message["tool_call_id"], message["content"])
        for message in request.body["messages"]
        if message["role"] == "tool"
    ]


async def test_a_model_recalls_before_it_answers(chat_proxy, upstream, asking) -> None:
    """C22, F§3: the caller sees only the last answer, with the tokens of both rounds."""
    (id_,) = await chat_proxy.remembers("The user drinks green tea in the morning", category="preference")
    upstream.answers = [
        Says(calls=(("x_recall_memory", {"query": "green tea in the morning"}),)),
        Says("Green tea."),
    ]

    answer = await asking(chat_proxy.client(), extra_headers=CHAT)

    assert answer == {
        "text": "Green tea.",
        "calls": [],
        "reason": "stop",
        "tokens": 2 * USAGE["total_tokens"],
    }
    first, second = upstream.requests
    assert tools_of(first) == tools_of(second) == OURS
    assert second.body["messages"][-2] == {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {
                "id": "call_1_0",
                "type": "function",
                "function": {
                    "name": "x_recall_memory",
                    "arguments": json.dumps({"query": "green tea in the morning"}),
                },
            }
        ],
    }
    ((call_id, text),) = results_in(second)
    assert call_id == "call_1_0"
    heading, note, entry = text.split("\n\n")
    assert (heading, note) == ("# Recalled memories", NOTE)
    first_line, content = entry.split("\n")
    assert first_line.startswith(f"1. **{id_}** (preference, score 0.")
    assert content == "   The user drinks green tea in the morning"
    assert await chat_proxy.captured("chat-1") == [
        ("user", ASKED[0]["content"]),
        ("assistant", "Green tea."),
    ]


async def test_a_model_saves_and_searches_concurrently(chat_proxy, upstream, asking) -> None:
    """D2, A9, C23: a saved memory has its source and its conversation."""
    upstream.answers = [
        Says(
            calls=(
                ("x_save_memory", {"content": "The user drinks black coffee", "category": "habit"}),
                ("x_workspace_search", {"query": "coffee", "limit": 3}),
            )
        ),
        Says("Noted."),
    ]

    answer = await asking(chat_proxy.client(), extra_headers=CHAT)

    assert answer["text"] == "Noted."
    (saved, text), (searched, found) = results_in(upstream.requests[1])
    assert (saved, searched) == ("call_1_0", "call_1_1")
    memory = await chat_proxy.services.memories.store.get(
        chat_proxy.workspace_id, text.removeprefix("Saved as ").removesuffix(".")
    )
    assert (memory.content, memory.category, memory.source_type, memory.summary) == (
        "The user drinks black coffee",
        "habit",
        "model",
        None,
    )
    assert memory.source_conversation_id == "chat-1"
    assert found.startswith("# Search results\n\n")


async def test_text_before_a_call_is_separated_from_text_after_it(chat_proxy, upstream, asking) -> None:
    """K12, D9: for the caller and in the capture, streamed or not."""
    recall = (("x_recall_memory", {"query": "tea"}),)
    upstream.answers = [Says("Let me look.", calls=recall), Says(calls=recall), Says("Nothing there.")]

    answer = await asking(chat_proxy.client(), extra_headers=CHAT)

    assert answer["text"] == "Let me look.\n\nNothing there."
    assert (await chat_proxy.captured("chat-1"))[1] == ("assistant", "Let me look.\n\nNothing there.")


async def test_calls_of_the_callers_tools_are_returned_and_ours_executed(
    chat_proxy, upstream, asking
) -> None:
    """K12: in a mixture, the caller's calls are numbered as if they were alone."""
    upstream.answers = [
        Says(
            calls=(
                ("x_save_memory", {"content": "The user lives near a lake"}),
                ("weather", {"place": "here"}),
            )
        )
    ]

    answer = await asking(chat_proxy.client(), tools=[WEATHER], extra_headers=CHAT)

    assert tools_of(upstream.requests[0]) == ["weather", *OURS]
    assert answer["calls"] == [("call_1_1", "weather", json.dumps({"place": "here"}))]
    assert answer["reason"] == "tool_calls"
    page = await chat_proxy.services.memories.store.page(chat_proxy.workspace_id, MemoryFilter())
    assert [memory.content for memory in page.items] == ["The user lives near a lake"]


async def test_our_tool_results_are_sent_with_the_callers_results(chat_proxy, upstream, asking) -> None:
    """K12: hidden from the caller, and in any process, since they wait in Redis."""
    (id_,) = await chat_proxy.remembers("The user drinks green tea in the morning")
    mixed = Says(calls=(("weather", {}), ("x_recall_memory", {"query": "green tea"})))
    upstream.answers = [mixed, Says("Green tea, it rains.")]
    client = chat_proxy.client()
    answer = await asking(client, tools=[WEATHER])
    ((call_id, name, arguments),) = answer["calls"]
    call = {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}
    said = {"role": "assistant", "content": None, "tool_calls": [call]}
    result = {"role": "tool", "tool_call_id": call_id, "content": "rain"}

    for _ in range(2):
        await client.chat.completions.create(model="m", messages=[*ASKED, said, result], tools=[WEATHER])

    assert len(upstream.requests) == 3
    for request in upstream.requests[1:]:
        *_, with_calls, recalled, sent = request.body["messages"]
        assert [call["function"]["name"] for call in with_calls["tool_calls"]] == [
            "weather",
            "x_recall_memory",
        ]
        assert recalled["tool_call_id"] == with_calls["tool_calls"][1]["id"] == "call_1_1"
        assert recalled["content"].startswith(f"# Recalled memories\n\n{NOTE}\n\n1. **{id_}**")
        assert sent == result


async def test_calls_of_the_callers_tools_pass_unchanged(chat_proxy, upstream) -> None:
    """K12: a stream without the proxy's calls is the upstream's."""
    upstream.answers = [Says("One moment", calls=(("weather", {"place": "here"}),))]
    sent: list[bytes] = []
    rendered = upstream.rendered

    def remember(received, says):
        answer = rendered(received, says)
        sent.extend(answer.chunks)
        return answer

    upstream.rendered = remember
    client = chat_proxy.client()
    async with client.chat.completions.with_streaming_response.create(
        model="gpt-test", messages=ASKED, tools=[WEATHER], stream=True
    ) as response:
        received = b"".join([chunk async for chunk in response.iter_bytes()])

    assert received == b"".join(sent)


async def test_a_turn_between_the_callers_calls_is_captured_as_one(chat_proxy, upstream) -> None:
    """D9: the user wrote one message, however many answers follow."""
    client = chat_proxy.client()
    upstream.answers = [Says("Looking.", calls=(("weather", {}),)), Says("It rains.")]
    first = await client.chat.completions.create(
        model="m", messages=ASKED, tools=[WEATHER], extra_headers=CHAT
    )
    said = first.choices[0].message.model_dump(exclude_none=True)
    result = {"role": "tool", "tool_call_id": said["tool_calls"][0]["id"], "content": "rain"}
    await client.chat.completions.create(
        model="m", messages=[*ASKED, said, result], tools=[WEATHER], extra_headers=CHAT
    )

    assert await chat_proxy.captured("chat-1") == [
        ("user", ASKED[0]["content"]),
        ("assistant", "Looking."),
        ("assistant", "It rains."),
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("not JSON", "error: arguments: Invalid JSON"),
        ({}, "error: query: Field required"),
        ({"query": " "}, "# Recalled memories"),
        ({"query": "x", "limit": 0}, "error: limit: Input should be greater than or equal to 1"),
        ({"query": "x", "offset": -1}, "error: offset: Input should be greater than or equal to 0"),
        ({"query": "x" * 9000}, "# Recalled memories\n\nNo matching memories."),
        ({"query": "x", "limit": 500, "more": 1}, "# Recalled memories\n\nNo matching memories."),
    ],
    ids=lambda value: repr(value)[:30],
)
async def test_an_invalid_call_returns_its_error_to_the_model(chat_proxy, upstream, arguments, said) -> None:
    """C22: a limit above 20 becomes 20; no argument of a model fails the turn."""
    upstream.answers = [Says(calls=(("x_recall_memory", arguments),)), Says("Well.")]

    answer = await whole(chat_proxy.client())

    assert answer["text"] == "Well."
    ((_, text),) = results_in(upstream.requests[1])
    assert text.startswith(said)


async def test_a_model_that_keeps_calling_tools_must_finally_answer(
    services, settings, agents_workspace_id, upstream, asking
) -> None:
    """K12: the last round forbids calls, and hides any that come regardless."""
    upstream.answers = [Says(calls=(("x_recall_memory", {"query": "tea"}),))]
    async with serving_proxy(services, settings, agents_workspace_id, upstream, most_rounds=2) as served:
        answer = await asking(served.client())

    assert (answer["text"] or "", answer["calls"], answer["reason"]) == ("", [], "stop")
    assert [request.body.get("tool_choice") for request in upstream.requests] == [None, None, "none"]


async def test_the_last_round_keeps_the_callers_tools(
    services, settings, agents_workspace_id, upstream
) -> None:
    upstream.answers = [Says(calls=(("x_recall_memory", {"query": "tea"}),)), Says("Well.")]
    async with serving_proxy(services, settings, agents_workspace_id, upstream, most_rounds=1) as served:
        await whole(served.client(), tools=[WEATHER])

    assert tools_of(upstream.requests[1]) == ["weather"]


@pytest.mark.parametrize(
    "options",
    [
        {"extra_headers": {"x-recollect-tools": "off"}},
        {"extra_headers": {"x-omniroute-no-memory": "1"}},
        {"n": 2},
        {"tool_choice": "none", "tools": [WEATHER]},
        {"extra_body": {"functions": [{"name": "weather"}]}},
    ],
    ids=["switched off", "opted out", "several answers", "no tools wanted", "older functions"],
)
async def test_tools_are_offered_only_if_possible_and_allowed(chat_proxy, upstream, options) -> None:
    """J7."""
    client = chat_proxy.client()
    await client.chat.completions.create(model="gpt-test", messages=ASKED, **options)

    assert not {*OURS} & {*tools_of(upstream.requests[0])}


async def test_chats_of_a_workspace_offer_its_skills(chat_proxy, upstream, services) -> None:
    """J9: if enabled, by key; the caller executes them, and a caller's tool overrides a skill."""
    (key,) = await services.tenancy.keys.list_live(chat_proxy.workspace_id)
    schema = {"type": "object", "properties": {"place": {"type": "string"}}}
    skills = {
        key.id: [{"name": "weather", "description": "Tells the weather", "parameters": schema}],
        "key_other": [{"name": "others"}],
        "*": [{"name": "tides"}, {"name": "weather", "description": "Of every key"}],
    }
    client = chat_proxy.client(default_headers={"x-recollect-tools": "off"})
    for settings in ({"skills": skills}, {"skillsEnabled": True}):
        await services.tenancy.workspaces.update(chat_proxy.workspace_id, settings=settings)
        await whole(client)
    await whole(client, tools=[WEATHER])
    await whole(client, extra_headers={"x-omniroute-no-memory": "1"})

    assert [tools_of(request) for request in upstream.requests] == [
        [],
        ["weather", "tides"],
        ["weather", "tides"],
        [],
    ]
    assert upstream.requests[1].body["tools"][0]["function"] == {
        "name": "weather",
        "description": "Tells the weather",
        "parameters": schema,
    }
    assert upstream.requests[2].body["tools"][0] == WEATHER


@pytest.mark.parametrize("name", ["x_mine", "", "no spaces", "x" * 65])
async def test_a_skill_with_an_invalid_name_is_refused(services, agents_workspace_id, name) -> None:
    """J9: the service executes tools with ``x_``."""
    with pytest.raises(InvalidInput) as refused:
        await services.tenancy.workspaces.update(
            agents_workspace_id, settings={"skills": {"*": [{"name": name}]}}
        )

    assert refused.value.field == "settings.skills"


async def test_tools_can_be_off_by_default(services, settings, agents_workspace_id, upstream) -> None:
    async with serving_proxy(services, settings, agents_workspace_id, upstream, tools=False) as served:
        await whole(served.client())
        await whole(served.client(), extra_headers={"x-recollect-tools": "on"})

    assert [tools_of(request) for request in upstream.requests] == [[], OURS]


async def test_a_model_without_tool_support_still_answers(chat_proxy, upstream, asking) -> None:
    """N1: if the upstream refuses a request with memory, the proxy sends the original."""
    await chat_proxy.remembers("The user drinks green tea in the morning")
    refusal = b'{"error": {"message": "this model does not support tools", "type": "x", "code": null}}'
    upstream.answers = [Sends((refusal,), status=400), Says("Tea?")]

    answer = await asking(chat_proxy.client(), extra_headers=CHAT)

    assert answer["text"] == "Tea?"
    first, second = upstream.requests
    assert len(first.body["messages"]) == 2
    assert second.body["messages"] == ASKED
    assert "tools" not in second.body
    assert len(await chat_proxy.captured("chat-1")) == 2


async def test_an_upstream_failure_between_rounds_reaches_the_caller(chat_proxy, upstream) -> None:
    """K12: with its body and status; in a stream that has begun, as its last event."""
    error = {"message": "overloaded", "type": "server_error", "param": None, "code": None}
    failure = Sends((json.dumps({"error": error}).encode(),), status=503)
    call = Says("Hm. ", calls=(("x_recall_memory", {"query": "tea"}),))
    client = chat_proxy.client()

    upstream.answers = [call, failure]
    response = await client.with_options(max_retries=0).chat.completions.with_raw_response.create(
        model="m", messages=ASKED, stream=True
    )
    with pytest.raises(Exception, match="overloaded"):
        _ = [chunk async for chunk in response.parse()]
    upstream.answers = [call, failure]
    with pytest.raises(Exception, match="overloaded"):
        await client.chat.completions.create(model="m", messages=ASKED)
