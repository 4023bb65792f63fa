"""The message of a stream, which is assembled once however often the proxy reads it."""

import json

import pytest

from app.surfaces.proxy.chat import ChatCompletions, ChatStreamState
from app.surfaces.proxy.dialects import Json, StreamState
from app.surfaces.proxy.event_stream import Event
from app.surfaces.proxy.responses import Responses, ResponseStreamState

TOOL = "x_recall_memory"
CALL = {"index": 0, "id": "c", "function": {"name": TOOL, "arguments": "{}"}}
CHAT: list[Json] = [
    {"choices": [{"index": 0, "delta": {"tool_calls": [CALL]}}]},
    {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]},
    {"choices": [], "usage": {"total_tokens": 5}},
]
ITEM = {"type": "function_call", "call_id": "c", "name": TOOL, "arguments": "{}"}
MESSAGE = {"type": "message", "content": [{"type": "output_text", "text": "a"}]}
RESPONSE: list[Json] = [
    {"type": "response.output_item.done", "output_index": 0, "item": ITEM},
    {"type": "response.completed", "response": {"output": [ITEM], "usage": {"total_tokens": 5}}},
]


NAMES = frozenset({TOOL})
HALF = {**CALL, "function": {"name": TOOL, "arguments": '{"que'}}
CUT = {"choices": [{"index": 0, "delta": {"tool_calls": [HALF]}}]}
OVERLOADED = {"message": "overloaded", "code": 529}


def shown_by(state: StreamState, *said: Json) -> list[Json]:
    """Return the chunks or events that a caller sees, one by one."""
    events = (Event(f"data: {json.dumps(each)}\n\n".encode(), json.dumps(each)) for each in said)
    seen = b"".join(map(state.shown, events)).split(b"\n\n")
    return [json.loads(each.removeprefix(b"data: ")) for each in seen if each]


def ended(reason: str, **more: object) -> Json:
    return {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}], **more}


@pytest.mark.parametrize(
    "failure",
    [
        {"error": OVERLOADED},
        {"error": OVERLOADED, "choices": []},
        ended("error", error=OVERLOADED),
        ended("length"),
        ended("content_filter"),
        ended("insufficient_system_resource"),
        ended("stop", error=OVERLOADED),
    ],
    ids=json.dumps,
)
def test_a_completion_that_fails_after_a_hidden_call_reports_it_and_executes_nothing(failure) -> None:
    state = ChatStreamState(NAMES)

    shown = shown_by(state, CUT, failure)
    done = state.shown(Event(b"data: [DONE]\n\n", "[DONE]"))

    assert shown == [failure]
    assert done == b"data: [DONE]\n\n"
    assert (state.goes_on, state.round().is_mixed) == (False, False)


def piece_of(id_: str | None, name: str | None, arguments: str, index: int | None = 0) -> Json:
    call = {"index": index, "id": id_, "function": {"name": name, "arguments": arguments}}
    return {"choices": [{"index": 0, "delta": {"tool_calls": [call]}}]}


def test_parallel_calls_with_one_index_are_distinguished_by_id() -> None:
    state = ChatStreamState(NAMES)
    said = [
        piece_of("a", "weather", '{"place": '),
        piece_of(None, None, '"here"}'),
        piece_of("b", TOOL, '{"query": '),
        piece_of("b", None, '"tea"}'),
        piece_of("c", "tides", "{"),
        piece_of("", None, "}"),
        ended("tool_calls"),
    ]

    shown = shown_by(state, *said)

    calls = [chunk["choices"][0]["delta"].get("tool_calls") for chunk in shown]
    assert [call and (call[0]["index"], call[0]["id"]) for call in calls] == [
        (0, "a"),
        (0, None),
        (1, "c"),
        (1, ""),
        None,
    ]
    read = state.round()
    assert [(call.id, call.name, call.arguments) for call in read.calls] == [("b", TOOL, '{"query": "tea"}')]
    assert (list(read.others), read.is_mixed) == (["a", "c"], True)


def test_a_call_with_changing_ids_is_one_call() -> None:
    state = ChatStreamState(NAMES)
    said = [
        piece_of("a", TOOL, '{"query": '),
        piece_of("b", None, '"te'),
        piece_of("c", "", 'a"}'),
        piece_of("d", "weather", "{", 1),
        piece_of("e", None, "}", 1),
        ended("tool_calls"),
    ]

    shown = shown_by(state, *said)

    assert [chunk["choices"][0]["delta"].get("tool_calls") for chunk in shown] == [
        [{"index": 0, "id": "d", "function": {"name": "weather", "arguments": "{"}}],
        [{"index": 0, "id": "e", "function": {"name": None, "arguments": "}"}}],
        None,
    ]
    read = state.round()
    assert [(call.id, call.name, call.arguments) for call in read.calls] == [("a", TOOL, '{"query": "tea"}')]
    assert (list(read.others), read.is_mixed) == (["d"], True)


@pytest.mark.parametrize("reason", ["tool", "tool_call", "eos", "end_turn"])
def test_any_finish_reason_counts_as_a_proper_end(reason) -> None:
    state = ChatStreamState(NAMES)

    assert shown_by(state, CHAT[0], ended(reason)) == []

    assert state.goes_on


def test_a_stream_that_is_done_without_a_reason_has_ended_properly() -> None:
    state = ChatStreamState(NAMES)

    shown = shown_by(state, CHAT[0])
    done = state.shown(Event(b"data: [DONE]\n\n", "[DONE]"))

    assert (shown, done, state.is_complete, state.goes_on) == ([], b"", True, True)


def test_calls_of_one_chunk_are_distinguished_as_well() -> None:
    state = ChatStreamState(NAMES)
    pieces = [piece_of(id_, name, "{}")["choices"][0]["delta"]["tool_calls"][0] for id_, name in
              (("a", "weather"), ("b", TOOL), ("c", "tides"))]  # fmt: skip

    (shown,) = shown_by(state, {"choices": [{"index": 0, "delta": {"tool_calls": pieces}}]})

    calls = shown["choices"][0]["delta"]["tool_calls"]
    assert [(call["index"], call["id"]) for call in calls] == [(0, "a"), (1, "c")]


def test_the_text_of_a_later_round_is_separated_from_earlier_text() -> None:
    """K12: once, even if a round without text lies between."""
    said = [
        {"choices": [{"index": 0, "delta": {"role": "assistant", "content": text}}]}
        for text in ("", "a", "b")
    ]
    first = ChatStreamState(NAMES)
    shown_by(first, *said, *CHAT)
    between = ChatStreamState(NAMES, first)
    shown_by(between, *CHAT)

    shown = shown_by(ChatStreamState(NAMES, between), *said)

    texts = [chunk["choices"][0]["delta"]["content"] for chunk in shown]
    assert "".join(texts) == "\n\nab"
    assert first.round().text == "ab"


def test_a_whole_answer_includes_earlier_text() -> None:
    """K12."""
    earlier = [
        ChatCompletions().read({"choices": [{"message": {"content": text}}]}, NAMES) for text in ("a", None)
    ]
    called = Responses().read({"output": [MESSAGE, ITEM]}, NAMES)

    completion = ChatCompletions().with_earlier({"choices": [{"message": {"content": "b"}}]}, earlier)
    response = Responses().with_earlier({"output": [MESSAGE]}, [called])

    assert completion == {"choices": [{"message": {"content": "a\n\nb"}}]}
    assert response == {"output": [MESSAGE, MESSAGE]}


THOUGHT = {"type": "reasoning", "id": "rs_1", "summary": []}
WEATHER = {"type": "function_call", "call_id": "w", "name": "weather", "arguments": "{}"}


def events_of(*items: Json) -> list[Json]:
    begun = {"type": "response.created", "response": {"id": "r"}}
    done = [
        {"type": f"response.output_item.{step}", "output_index": place, "item": item}
        for place, item in enumerate(items)
        for step in ("added", "done")
    ]
    return [begun, *done, {"type": "response.completed", "response": {"id": "r", "output": list(items)}}]


def test_reasoning_that_led_to_a_hidden_call_is_hidden_with_it() -> None:
    """K12: upstreams refuse it without the call; later places do not count it."""
    first = ResponseStreamState(NAMES)
    hidden = shown_by(first, *events_of(THOUGHT, ITEM))
    last = shown_by(ResponseStreamState(NAMES, first), *events_of(THOUGHT, MESSAGE))
    whole = Responses().with_earlier(
        {"output": [MESSAGE]}, [Responses().read({"output": [MESSAGE, THOUGHT, ITEM]}, NAMES)]
    )
    final = Responses().without_calls({"output": [THOUGHT, ITEM]}, NAMES)

    assert hidden == []
    assert last == events_of(THOUGHT, MESSAGE)
    assert (whole, final) == ({"output": [MESSAGE, MESSAGE]}, {"output": []})


@pytest.mark.parametrize("items", [(THOUGHT, MESSAGE), (THOUGHT, WEATHER), (THOUGHT,)], ids=len)
def test_reasoning_stays_with_its_call(items) -> None:
    """K12: a caller's call after a hidden one keeps it visible; so does the end of the answer."""
    state = ResponseStreamState(NAMES)

    assert shown_by(state, *events_of(*items)) == events_of(*items)
    assert Responses().without_calls({"output": [*items]}, NAMES) == {"output": [*items]}

    beside = ResponseStreamState(NAMES)
    seen = [each.get("item") for each in shown_by(beside, *events_of(THOUGHT, ITEM, WEATHER))]
    assert seen == [None, THOUGHT, THOUGHT, WEATHER, WEATHER, None]


AGAIN = {**THOUGHT, "id": "rs_2"}


@pytest.mark.parametrize(
    ("items", "shown"),
    [
        ((THOUGHT, WEATHER, AGAIN, ITEM), (THOUGHT, WEATHER)),
        ((THOUGHT, ITEM, AGAIN, WEATHER), (AGAIN, WEATHER)),
        ((THOUGHT, AGAIN, ITEM, WEATHER), (THOUGHT, AGAIN, WEATHER)),
        ((THOUGHT, ITEM, ITEM, WEATHER, ITEM), (THOUGHT, WEATHER)),
        ((WEATHER, ITEM, THOUGHT), (WEATHER, THOUGHT)),
    ],
    ids=["behind", "before", "both", "beside", "end"],
)
def test_a_stream_shows_the_reasoning_that_the_whole_answer_shows(items, shown) -> None:
    """K12: a hidden call hides it unless a caller's item follows at once; places skip hidden items."""
    assert shown_by(ResponseStreamState(NAMES), *events_of(*items)) == events_of(*shown)
    assert Responses().without_calls({"output": [*items]}, NAMES) == {"output": [*shown]}


def test_an_incomplete_completion_executes_nothing() -> None:
    """A call that was cut off has only half of its arguments."""
    state = ChatStreamState(NAMES)

    shown_by(state, CUT)

    assert not state.goes_on


@pytest.mark.parametrize("kind", ["response.failed", "response.incomplete"])
def test_a_response_that_fails_after_a_hidden_call_reports_it_and_executes_nothing(kind) -> None:
    state = ResponseStreamState(NAMES)
    failed = {"type": kind, "response": {"id": "r", "error": OVERLOADED, "output": [ITEM]}}

    shown = shown_by(state, RESPONSE[0], failed)

    assert shown == [{**failed, "response": {**failed["response"], "output": []}}]
    assert (state.is_complete, state.goes_on) == (True, False)


@pytest.mark.parametrize(
    ("dialect", "answer", "goes_on"),
    [
        (Responses(), {"status": "failed", "output": [ITEM]}, False),
        (Responses(), {"status": "incomplete", "output": [ITEM]}, False),
        (Responses(), {"status": "completed", "output": [ITEM]}, True),
        (ChatCompletions(), {"choices": [{"message": {"tool_calls": [CALL]}, "finish_reason": "length"}]}, False),
        (ChatCompletions(), {"choices": [{"message": {"tool_calls": [CALL]}, "finish_reason": "stop"}]}, True),
        (ChatCompletions(), {"choices": [{"message": {"tool_calls": [CALL]}, "finish_reason": "tool"}]}, True),
        (ChatCompletions(), {"choices": [{"message": {"tool_calls": [CALL]}}]}, True),
    ],
)  # fmt: skip
def test_a_whole_answer_continues_only_after_a_proper_end(dialect, answer, goes_on) -> None:
    assert dialect.read(answer, NAMES).goes_on == goes_on


def test_a_truncated_answer_says_so_without_its_hidden_calls() -> None:
    choice = {"message": {"tool_calls": [CALL]}, "finish_reason": "length"}

    shown = ChatCompletions().without_calls({"choices": [choice]}, NAMES)

    assert shown == {"choices": [{"message": {}, "finish_reason": "length"}]}


@pytest.mark.parametrize(
    ("state", "said"),
    [(ChatStreamState(NAMES), CHAT), (ResponseStreamState(NAMES), RESPONSE)],
    ids=["chat", "responses"],
)
def test_a_complete_answer_is_assembled_once(state: StreamState, said, monkeypatch) -> None:
    """K14: both the end of the stream and the executor of its calls read it."""
    made = []
    put_together = state._round_so_far
    monkeypatch.setattr(state, "_round_so_far", lambda: made.append(1) or put_together())

    shown = b"".join(state.shown(Event(b"e", json.dumps(each))) for each in said)
    rounds = [state.round() for _ in range(3)]

    assert (shown, state.is_complete, state.goes_on, len(made)) == (b"", True, True, 1)
    assert [call.name for call in rounds[0].calls] == [TOOL]
    assert rounds[-1].usage == {"total_tokens": 5}


def test_a_completion_has_the_id_of_the_first_chunk_that_has_one() -> None:
    """K12: Azure begins with a chunk of filter results; text after a hidden call is the same completion."""
    first = ChatStreamState(NAMES)
    shown_by(
        first,
        {"id": "", "created": 0, "choices": [], "prompt_filter_results": []},
        {"id": "a", "created": 7, **CHAT[0]},
        {"id": "a", "created": 7, **CHAT[1]},
    )

    (told,) = shown_by(
        ChatStreamState(NAMES, first),
        {"id": "b", "created": 9, "choices": [{"index": 0, "delta": {"content": "x"}}]},
    )

    assert (told["id"], told["created"]) == ("a", 7)
