"""OpenAI's responses API: the parts that the proxy reads and changes."""

from collections.abc import Mapping, Sequence
from typing import Any

from typing_extensions import override

from app.surfaces.http.shapes import text_of
from app.surfaces.proxy.chat import with_suffix
from app.surfaces.proxy.dialects import (
    SPEAKERS,
    Dialect,
    Injection,
    Json,
    Round,
    StreamState,
    Turn,
    added_up,
    arguments_in,
    conversation_named,
    dicts_in,
    joined,
    key_of,
    upstream_conversation,
)
from app.surfaces.proxy.event_stream import Event
from app.surfaces.proxy.tools import DoneCall, ToolCall, ToolDefinition, ToolResult
from graph.retrieval.context.models import InjectionFormat

REASONING = "reasoning"
# Items that the caller executes or answers.
_CALLERS = frozenset(
    (
        "function_call custom_tool_call computer_call local_shell_call shell_call apply_patch_call "
        "mcp_approval_request"
    ).split()
)


def is_ours(item: Mapping[str, Any], names: frozenset[str]) -> bool:
    """Tell whether an item is a call of a tool that the proxy executes."""
    name = item.get("name")
    return item.get("type") == "function_call" and isinstance(name, str) and name in names


def shown_items(items: Sequence[Json], names: frozenset[str]) -> list[Json]:
    """Return items without the proxy's calls and without reasoning that belongs only to those calls."""
    shown: list[Json] = []
    held: list[Json] = []
    led_to_ours = False
    for item in items:
        if is_ours(item, names):
            led_to_ours = True
            continue
        if kind_of(item) != REASONING:
            shown += [*held, item]
            held = []
        elif led_to_ours:
            held = [item]
        else:
            held.append(item)
        led_to_ours = False
    return shown if led_to_ours else [*shown, *held]


def kind_of(value: Mapping[str, Any]) -> str:
    """Return the type of an event or an item; empty if it has none."""
    kind = value.get("type")
    return kind if isinstance(kind, str) else ""


def round_of(output: Sequence[Json], names: frozenset[str]) -> Round:
    """Return the round of a response's items."""
    return Round(
        thought=joined(
            text_of(item.get(part))
            for item in output
            if kind_of(item) == REASONING
            for part in ("summary", "content")
        ),
        text="\n\n".join(
            text
            for item in output
            if item.get("type") == "message" and (text := text_of(item.get("content")))
        ),
        calls=[
            ToolCall(
                id=str(item.get("call_id", "")),
                name=item["name"],
                arguments=arguments_in(item.get("arguments")),
            )
            for item in output
            if is_ours(item, names)
        ],
        others=[
            str(item.get("call_id") or item.get("id") or "")
            for item in output
            if kind_of(item) in _CALLERS and not is_ours(item, names)
        ],
        items=list(output),
    )


def repeatable(item: Json) -> Json | None:
    """Return an item of an unstored response in the form that a request may repeat; None if it must not."""
    if kind_of(item) == REASONING and not item.get("encrypted_content"):
        return None
    return {name: value for name, value in item.items() if name != "id"}


_BEGINNINGS = frozenset({"response.created", "response.queued", "response.in_progress"})
_PROPER_END = "response.completed"
_ENDS = frozenset({_PROPER_END, "response.incomplete", "response.failed"})


class ResponseStreamState(StreamState):
    """One streamed response; hides items that are the proxy's calls, and renumbers all others.

    Holds reasoning back until a visible event follows, because upstreams refuse a later request that contains
    reasoning without the item that followed it.
    """

    def __init__(self, names: frozenset[str], earlier: StreamState | None = None) -> None:
        super().__init__(names, earlier)
        known = earlier if isinstance(earlier, ResponseStreamState) else None
        self.next_number: int = known.next_number if known else 0
        self.visible: list[Json] = list(known.visible) if known else []
        self.id: str | None = known.id if known else None
        self._renamed: tuple[str, str] | None = None
        self._held: list[tuple[Event, Json]] = []
        self._first_place = len(self.visible)
        self._places: dict[int, int] = {}
        self._hidden: set[int] = set()
        self._items: dict[int, Json] = {}
        self._pieces: list[str] = []

    @override
    def shown(self, event: Event) -> bytes:
        data = event.json()
        if data is None:
            return event.raw
        if kind_of(data) in _BEGINNINGS:
            return self._begun(event, data)
        changed = self._read(data)
        if changed is None:
            return b""
        self._held.append((event, changed))
        if self.names and self._is_reasoning(data):
            return b""
        shown = b"".join(self._numbered(*held) for held in self._held)
        self._held = []
        return shown

    @override
    def round(self) -> Round:
        read = super().round()
        read.answer_id, read.renamed = self.id, self._renamed
        return read

    @override
    def _round_so_far(self) -> Round:
        read = round_of([self._items[place] for place in sorted(self._items)], self.names)
        read.text = "".join(self._pieces) or read.text
        return read

    def _begun(self, event: Event, data: Json) -> bytes:
        """Hold the beginning of a response back until a visible event follows; drop it in later rounds.

        A round with hidden calls only has no visible event. The caller sees one response with one id.
        """
        if self.id is None and (self.names or self.earlier):
            self._held.append((event, data))
            return b""
        return b"" if self.earlier else self._numbered(event, data)

    def _numbered(self, event: Event, data: Json) -> bytes:
        """Return an event with the next sequence number and output index; unchanged bytes if they are already right."""
        response = data.get("response")
        if self.id is None and isinstance(response, dict) and isinstance(response.get("id"), str):
            self.id = response["id"]
        if "sequence_number" in data:
            data = {**data, "sequence_number": self.next_number}
            self.next_number += 1
        place = data.get("output_index")
        if isinstance(place, int):
            shown = self._places.setdefault(place, self._first_place + len(self._places))
            data = {**data, "output_index": shown}
        if kind_of(data) == "response.output_item.done" and isinstance(data.get("item"), dict):
            self.visible.append(data["item"])
        return event.raw if data == event.json() else event.with_data(data).raw

    def _read(self, data: Json) -> Json | None:
        """Merge an event; return its visible form, or None to hide it."""
        kind = kind_of(data)
        if kind in _ENDS:
            self.is_whole = kind == _PROPER_END
            return self._ended(data)
        place, item = data.get("output_index"), data.get("item")
        if isinstance(item, dict) and isinstance(place, int):
            self._items[place] = item
            self._goes_further()
            if is_ours(item, self.names):
                self._hidden.add(place)
            elif kind_of(item) == REASONING:
                self._hide_what_led_to_hidden()
        if isinstance(place, int) and place in self._hidden:
            return None
        if kind == "response.output_text.delta" and isinstance(data.get("delta"), str):
            self._pieces.append(data["delta"])
            self._goes_further()
        return dict(data)

    def _hide_what_led_to_hidden(self) -> None:
        """Drop held reasoning that a hidden call has followed."""
        last = max(self._hidden, default=-1)
        self._held = [
            (event, data)
            for event, data in self._held
            if not self._is_reasoning(data) or data["output_index"] > last
        ]

    def _is_reasoning(self, data: Json) -> bool:
        place = data.get("output_index")
        return isinstance(place, int) and kind_of(self._items.get(place, {})) == REASONING

    def _ended(self, data: Json) -> Json | None:
        self.is_complete = True
        self._hide_what_led_to_hidden()
        response = data.get("response")
        if not isinstance(response, dict):
            return None if self.goes_on else dict(data)
        output = dicts_in(response.get("output"))
        if output:
            self._items = dict(enumerate(output))
            self._goes_further()
        if isinstance(response.get("usage"), dict):
            self._usage = added_up(response["usage"], self._spent)
        if self.goes_on:
            return None
        rest = shown_items(output, self.names)
        changed = {**response, "output": [*self.visible[: self._first_place], *rest]}
        if self._usage:
            changed["usage"] = self._usage
        if self.id is not None and self.id != changed.get("id"):
            self._renamed = (self.id, str(changed.get("id")))
            changed["id"] = self.id
        return {**data, "response": changed}


class Responses(Dialect):
    """``/responses``."""

    path = "/responses"
    stream_state = ResponseStreamState

    @override
    def turn(self, body: Json, named_conversation: str | None) -> Turn | None:
        items = _items(body)
        last = _last_of_user(items)
        if last is None:
            return self._turn_between(body, named_conversation)
        first = last
        while first > 0 and items[first - 1].get("role") == "user":
            first -= 1
        conversation = conversation_named(body, named_conversation)
        before = body.get("previous_response_id")
        spoken = [
            (item["role"], text_of(item.get("content")))
            for item in items[: last + 1]
            if item.get("role") in SPEAKERS
        ]
        return Turn(
            texts=[text for item in items[first : last + 1] if (text := text_of(item.get("content")))],
            conversation_id=conversation,
            key=key_of(conversation, before, spoken),
            is_first=before is None and not any(role == "assistant" for role, _ in spoken),
            answers=_answers(items[last + 1 :]),
            stored_in=upstream_conversation(body),
        )

    def _turn_between(self, body: Json, named_conversation: str | None) -> Turn | None:
        """Return the turn of a request that contains only results; the upstream has stored the messages."""
        results = self.answered_calls(body)
        if not results:
            return None
        conversation = conversation_named(body, named_conversation)
        key = key_of(conversation, body.get("previous_response_id"), results)
        return Turn(
            texts=(),
            conversation_id=conversation,
            key=key,
            is_first=False,
            answers=0,
            stored_in=upstream_conversation(body),
        )

    @override
    def with_context(self, body: Json, injection: Injection) -> Json:
        """Put the context before the instructions, which later responses do not inherit, or into the input.

        Instructions require a system role; the input is used for ``USER_SUFFIX`` and without a system role.
        """
        whole = "\n\n".join(injection.blocks)
        if injection.format is not InjectionFormat.USER_SUFFIX and injection.has_system_role:
            own = body.get("instructions")
            return {**body, "instructions": f"{whole}\n\n{own}" if own else whole}
        items = _items(body)
        place = _last_of_user(items)
        if place is None:
            return body  # the upstream has stored the context of the previous request
        if injection.format is not InjectionFormat.USER_SUFFIX:
            put = [{"role": "user", "content": block} for block in injection.blocks]
            return {**body, "input": [*put, *items]}
        content = with_suffix(items[place].get("content"), whole, "input_text")
        items[place] = {**items[place], "content": content}
        return {**body, "input": items}

    @override
    def with_tools(self, body: Json, tools: Sequence[ToolDefinition]) -> Json | None:
        # Nobody reads a background response, so the proxy could not execute its calls.
        own = body.get("tools") or []
        if body.get("tool_choice") == "none" or body.get("background") or not isinstance(own, list):
            return None
        named = {each["name"] for each in dicts_in(own) if isinstance(each.get("name"), str)}
        offered = [
            {
                "type": "function",
                "name": tool.name,
                "description": tool.description,
                "parameters": dict(tool.parameters),
                "strict": False,
            }
            for tool in tools
            if tool.name not in named
        ]
        return {**body, "tools": [*own, *offered]} if offered else dict(body)

    @override
    def without_tools(self, body: Json, names: frozenset[str]) -> Json:
        # Without other tools, the proxy's stay and are disabled, because earlier items contain calls of them.
        others = [
            each for each in body["tools"] if not (isinstance(each, dict) and each.get("name") in names)
        ]
        return {**body, "tools": others} if others else {**body, "tool_choice": "none"}

    @override
    def read(self, answer: Json, names: frozenset[str]) -> Round:
        read = round_of(dicts_in(answer.get("output")), names)
        read.is_whole = answer.get("status") in (None, "completed")
        read.answer_id = id_ if isinstance(id_ := answer.get("id"), str) else None
        usage = answer.get("usage")
        read.usage = usage if isinstance(usage, dict) else {}
        return read

    @override
    def without_calls(self, answer: Json, names: frozenset[str]) -> Json:
        return {**answer, "output": shown_items(dicts_in(answer["output"]), names)}

    @override
    def with_usage(self, answer: Json, usage: Json) -> Json:
        return {**answer, "usage": usage}

    @override
    def with_earlier(self, answer: Json, earlier: Sequence[Round]) -> Json:
        # All calls of earlier rounds are the proxy's, because otherwise no further round would have followed.
        ours = [frozenset(call.name for call in each.calls) for each in earlier]
        shown = [
            item for each, names in zip(earlier, ours, strict=True) for item in shown_items(each.items, names)
        ]
        return {**answer, "output": [*shown, *dicts_in(answer.get("output"))]}

    @override
    def goes_on_from(self, body: Json) -> str | None:
        before = body.get("previous_response_id")
        return before if isinstance(before, str) else None

    @override
    def going_on_from(self, body: Json, id_: str) -> Json:
        return {**body, "previous_response_id": id_}

    @override
    def answered_calls(self, body: Json) -> Sequence[str]:
        items = _items(body)
        behind = items[(_last_of_user(items) or 0) :]
        ids = (item.get("call_id") for item in behind if item.get("type") == "function_call_output")
        return [id_ for id_ in ids if isinstance(id_, str)]

    @override
    def with_results(self, body: Json, beside: str, done: Sequence[DoneCall]) -> Json:
        # If the caller does not repeat its calls, the upstream has stored all of them.
        items = _items(body)
        repeats = any(item.get("type") == "function_call" and item.get("call_id") == beside for item in items)
        put: list[Json] = []
        for call in done:
            if repeats:
                call_fields = {"call_id": call.id, "name": call.name, "arguments": call.arguments}
                put.append({"type": "function_call", **call_fields})
            put.append({"type": "function_call_output", "call_id": call.id, "output": call.text})
        place = next(
            place
            for place, item in enumerate(items)
            if item.get("type") == "function_call_output" and item.get("call_id") == beside
        )
        return {**body, "input": [*items[:place], *put, *items[place:]]}

    @override
    def continued(self, body: Json, response: Round, results: Sequence[ToolResult]) -> Json:
        # An upstream conversation already contains the earlier items.
        items = [
            {"type": "function_call_output", "call_id": result.call_id, "output": result.text}
            for result in results
        ]
        if body.get("conversation") is not None:
            return {**body, "input": items}
        repeated = (
            [repeatable(item) for item in response.items] if body.get("store") is False else response.items
        )
        visible = [item for item in repeated if item is not None]
        return {**body, "input": [*_items(body), *visible, *items]}


def _items(body: Mapping[str, Any]) -> list[Json]:
    """Return the input as items; a string is one user message."""
    found = body.get("input")
    if isinstance(found, str):
        return [{"role": "user", "content": found}]
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        return []
    return list(found)


def _last_of_user(items: Sequence[Mapping[str, Any]]) -> int | None:
    places = [place for place, item in enumerate(items) if item.get("role") == "user"]
    return places[-1] if places else None


def _answers(items: Sequence[Mapping[str, Any]]) -> int:
    """Return the number of responses after the user's last message: each ends with outputs of calls."""
    kinds = [item.get("type") for item in items]
    return sum(
        kind == "function_call_output" and before != kind
        for before, kind in zip([None, *kinds], kinds, strict=False)
    )
