"""What was said in a stream is put together once, however often the proxy asks for it."""

import json

import pytest

from app.surfaces.proxy import chat, responses
from app.surfaces.proxy.chat import ChatStreamState
from app.surfaces.proxy.dialects import Json, StreamState
from app.surfaces.proxy.event_stream import Event
from app.surfaces.proxy.responses import ResponseStreamState

TOOL = "x_recall_memory"
CALL = {"index": 0, "id": "c", "function": {"name": TOOL, "arguments": "{}"}}
CHAT: list[Json] = [
    {"choices": [{"index": 0, "delta": {"tool_calls": [CALL]}}]},
    {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]},
    {"choices": [], "usage": {"total_tokens": 5}},
]
ITEM = {"type": "function_call", "call_id": "c", "name": TOOL, "arguments": "{}"}
RESPONSE: list[Json] = [
    {"type": "response.output_item.done", "output_index": 0, "item": ITEM},
    {"type": "response.completed", "response": {"output": [ITEM], "usage": {"total_tokens": 5}}},
]


@pytest.mark.parametrize(
    ("state", "module", "said"),
    [
        (ChatStreamState(frozenset({TOOL})), chat, CHAT),
        (ResponseStreamState(frozenset({TOOL})), responses, RESPONSE),
    ],
    ids=["chat", "responses"],
)
def test_a_complete_answer_is_put_together_once(state: StreamState, module, said, monkeypatch) -> None:
    """K14: its end asks whether the model waits for the proxy, and so do those who execute what it calls."""
    made = []
    put_together = module._round
    monkeypatch.setattr(module, "_round", lambda *given: made.append(1) or put_together(*given))

    shown = b"".join(state.shown(Event(b"e", json.dumps(each))) for each in said)
    rounds = [state.round() for _ in range(3)]

    assert (shown, state.is_complete, state.goes_on, len(made)) == (b"", True, True, 1)
    assert [call.name for call in rounds[0].calls] == [TOOL]
    assert rounds[-1].usage == {"total_tokens": 5}
