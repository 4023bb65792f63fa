"""OpenAI's chat completions: the parts that the proxy reads and changes."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from typing_extensions import override

from app.surfaces.http.shapes import text_of
from app.surfaces.proxy.dialects import (
    SPEAKERS,
    TEXT_BREAK,
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
    name_of,
)
from app.surfaces.proxy.event_stream import Event
from app.surfaces.proxy.tools import DoneCall, ToolCall, ToolDefinition, ToolResult
from graph.retrieval.context.models import InjectionFormat

_SET_ONCE = frozenset(
    {"id", "type", "name", "role", "index"}
)  # the first value wins; other texts are appended


def grow(whole: Json, piece: Mapping[str, Any]) -> None:
    """Merge a delta of a streamed message: append texts, merge lists by ``index``."""
    for name, value in piece.items():
        known = whole.get(name)
        if isinstance(value, str) and isinstance(known, str) and name not in _SET_ONCE:
            whole[name] = known + value
        elif isinstance(value, dict):
            whole[name] = known if isinstance(known, dict) else {}
            grow(whole[name], value)
        elif isinstance(value, list):
            whole[name] = known if isinstance(known, list) else []
            _grow_list(whole[name], value, place_of_call if name == "tool_calls" else _place_of)
        elif value is not None and not (known and name in _SET_ONCE):
            whole[name] = value


def place_of_call(calls: Sequence[Any], piece: Mapping[str, Any]) -> int | None:
    """Return the index of the call that a delta continues; None if it begins a call.

    Some servers give all parallel calls the index 0. Others change a call's id from delta to delta, so a delta without
    a name never begins a call.
    """
    places = _places_of(calls, piece)
    id_ = piece.get("id")
    same = [place for place in places if not id_ or calls[place].get("id") in (None, "", id_)]
    if not same and not name_of(piece):
        same = places
    return same[-1] if same else None


def _grow_list(
    whole: list[Any],
    pieces: Sequence[Any],
    place_of: Callable[[Sequence[Any], Mapping[str, Any]], int | None],
) -> None:
    for piece in pieces:
        if not isinstance(piece, dict):
            whole.append(piece)
            continue
        place = place_of(whole, piece)
        if place is None:
            place = len(whole)
            whole.append({"index": _index_of(piece)})
        grow(whole[place], piece)


def _place_of(whole: Sequence[Any], piece: Mapping[str, Any]) -> int | None:
    """Return the index of the item that a delta continues; None if it begins an item."""
    places = _places_of(whole, piece)
    return places[0] if places else None


def _places_of(whole: Sequence[Any], piece: Mapping[str, Any]) -> list[int]:
    index = _index_of(piece)
    return [place for place, each in enumerate(whole) if isinstance(each, dict) and _index_of(each) == index]


def _index_of(piece: Mapping[str, Any]) -> int:
    index = piece.get("index")
    return index if isinstance(index, int) else 0


# Finish reasons of truncated and failed responses; servers choose their own names for others.
_IMPROPER_ENDS = (
    "length",
    "content_filter",
    "error",
    "model_length",
    "insufficient_system_resource",
    "abort",
)
_REASONING = ("reasoning_content", "reasoning")  # DeepSeek, Qwen, GLM and vLLM; OpenRouter and Ollama
_WITHOUT_TOOLS = ("functions", "function_call")  # the deprecated form, without parallel calls


class ChatStreamState(StreamState):
    """One streamed completion; hides the deltas of calls that the proxy executes and passes all others on."""

    def __init__(self, names: frozenset[str], earlier: StreamState | None = None) -> None:
        super().__init__(names, earlier)
        self._message: Json = {}
        self._places: dict[int, int] = {}
        self._has_failed = False
        self.head: Json = earlier.head if isinstance(earlier, ChatStreamState) else {}

    @override
    def shown(self, event: Event) -> bytes:
        if event.is_done:
            if not self.is_complete:  # some servers give no reason
                self.is_complete, self.is_whole = True, not self._has_failed
            return b"" if self.goes_on else event.raw
        chunk = event.json()
        if chunk is None:
            return event.raw
        if not self.head and chunk.get("id"):  # a first chunk with content filter results only has no id
            self.head = {name: chunk[name] for name in ("id", "created") if name in chunk}
        changed = self._read(chunk)
        if changed is None:
            return b""
        return event.raw if changed == chunk else event.with_data(changed).raw

    @override
    def _round_so_far(self) -> Round:
        calls = [
            {name: value for name, value in call.items() if name != "index"}
            for call in dicts_in(self._message.get("tool_calls"))
        ]
        return _round({**self._message, "role": "assistant", "tool_calls": calls}, self.names)

    def _read(self, chunk: Json) -> Json | None:
        """Merge a chunk; return its visible form, or None to hide it."""
        changed = {**chunk, **self.head} if self.earlier else dict(chunk)
        if isinstance(chunk.get("usage"), dict):
            self._usage = added_up(chunk["usage"], self._spent)
            changed["usage"] = self._usage
        if chunk.get("error"):
            self._has_failed, self.is_whole = True, False
        choices = dicts_in(chunk.get("choices"))
        if len(choices) != 1:
            return None if self.goes_on else changed
        choice = choices[0]
        if choice.get("index", 0) != 0:
            return changed
        raw_delta = choice.get("delta")
        delta = raw_delta if isinstance(raw_delta, dict) else {}
        if delta:
            grow(self._message, delta)
            self._goes_further()
        rest = self._visible(delta)
        if reason := choice.get("finish_reason"):
            self.is_complete = True
            self.is_whole = reason not in _IMPROPER_ENDS and not self._has_failed
            if self.goes_on:
                return None
            if self.round().goes_on:
                choice = {**choice, "finish_reason": "stop"}
        elif rest != delta and not any(rest.values()) and not (chunk.get("usage") or chunk.get("error")):
            return None
        changed["choices"] = [choice if rest == delta else {**choice, "delta": rest}]
        return changed

    def _visible(self, delta: Json) -> Json:
        """Return the visible part of a message delta."""
        rest = dict(delta)
        if self.earlier is not None:
            rest.pop("role", None)
        content = rest.get("content")
        if self.follows_text and isinstance(content, str) and content:
            self.follows_text = False
            rest["content"] = TEXT_BREAK + content
        pieces = delta.get("tool_calls")
        if not isinstance(pieces, list):
            return rest
        visible = [shown for piece in dicts_in(pieces) if (shown := self._visible_call(piece)) is not None]
        if visible:
            rest["tool_calls"] = visible
        else:
            del rest["tool_calls"]
        return rest

    def _visible_call(self, piece: Json) -> Json | None:
        calls = dicts_in(self._message["tool_calls"])
        number = place_of_call(calls, piece)
        assert number is not None  # noqa: S101 - the message has grown by this piece
        if name_of(calls[number]) in self.names:
            return None
        place = self._places.setdefault(number, len(self._places))
        return piece if place == piece.get("index", 0) else {**piece, "index": place}


class ChatCompletions(Dialect):
    """``/chat/completions``."""

    path = "/chat/completions"
    stream_state = ChatStreamState
    reports_saved = True

    @override
    def turn(self, body: Json, named_conversation: str | None) -> Turn | None:
        messages = _messages(body)
        last = _last_of_user(messages)
        if last is None:
            return None
        first = last
        while first > 0 and messages[first - 1].get("role") == "user":
            first -= 1
        texts = [text for message in messages[first : last + 1] if (text := text_of(message.get("content")))]
        conversation = conversation_named(body, named_conversation)
        return Turn(
            texts=texts,
            conversation_id=conversation,
            key=key_of(
                conversation,
                [
                    (message["role"], text_of(message.get("content")))
                    for message in messages[: last + 1]
                    if message.get("role") in SPEAKERS
                ],
            ),
            is_first=not any(message.get("role") == "assistant" for message in messages[:last]),
            answers=sum(message.get("role") == "assistant" for message in messages[last:]),
        )

    @override
    def with_context(self, body: Json, injection: Injection) -> Json:
        """Put the context before the caller's messages, or at the end of the user's last message."""
        messages = list(body["messages"])
        if injection.format is InjectionFormat.USER_SUFFIX:
            place = _last_of_user(messages)
            assert place is not None  # noqa: S101 - a turn has one
            content = with_suffix(messages[place].get("content"), "\n\n".join(injection.blocks), "text")
            messages[place] = {**messages[place], "content": content}
            return {**body, "messages": messages}
        role = "system" if injection.has_system_role else "user"
        put = [{"role": role, "content": block} for block in injection.blocks]
        return {**body, "messages": [*put, *messages]}

    @override
    def with_tools(self, body: Json, tools: Sequence[ToolDefinition]) -> Json | None:
        # The proxy does not offer tools in a request for several choices.
        refuses = (
            body.get("tool_choice") == "none"
            or body.get("n") not in (None, 1)
            or any(body.get(name) is not None for name in _WITHOUT_TOOLS)
        )
        own = body.get("tools") or []
        if refuses or not isinstance(own, list):
            return None
        named = {name_of(each) for each in own}
        offered = [
            {
                "type": "function",
                "function": {
                    "name": tool.name,
                    "description": tool.description,
                    "parameters": dict(tool.parameters),
                },
            }
            for tool in tools
            if tool.name not in named
        ]
        return {**body, "tools": [*own, *offered]} if offered else dict(body)

    @override
    def without_tools(self, body: Json, names: frozenset[str]) -> Json:
        # Without other tools, the proxy's stay and are disabled, because earlier messages contain calls of them.
        others = [each for each in body["tools"] if name_of(each) not in names]
        return {**body, "tools": others} if others else {**body, "tool_choice": "none"}

    @override
    def read(self, answer: Json, names: frozenset[str]) -> Round:
        read = _round(_message_of(answer), names)
        read.is_whole = _reason_in(answer) not in _IMPROPER_ENDS
        usage = answer.get("usage")
        read.usage = usage if isinstance(usage, dict) else {}
        return read

    @override
    def without_calls(self, answer: Json, names: frozenset[str]) -> Json:
        message = _message_of(answer)
        others = [call for call in dicts_in(message["tool_calls"]) if name_of(call) not in names]
        if others:
            choice = {**answer["choices"][0], "message": {**message, "tool_calls": others}}
            return {**answer, "choices": [choice]}
        rest = {name: value for name, value in message.items() if name != "tool_calls"}
        reason = _reason_in(answer)
        end = reason if reason in _IMPROPER_ENDS else "stop"
        return {**answer, "choices": [{**answer["choices"][0], "message": rest, "finish_reason": end}]}

    @override
    def with_usage(self, answer: Json, usage: Json) -> Json:
        return {**answer, "usage": usage}

    @override
    def with_earlier(self, answer: Json, earlier: Sequence[Round]) -> Json:
        message = _message_of(answer)
        text = joined([*(each.text for each in earlier), text_of(message.get("content"))])
        choice = {**_first_choice(answer), "message": {**message, "content": text}}
        return {**answer, "choices": [choice]}

    @override
    def goes_on_from(self, body: Json) -> str | None:
        # Every chat completion request contains the whole history.
        return None

    @override
    def going_on_from(self, body: Json, id_: str) -> Json:
        return body

    @override
    def answered_calls(self, body: Json) -> Sequence[str]:
        messages = _messages(body)
        behind = messages[(_last_of_user(messages) or 0) :]
        ids = (message.get("tool_call_id") for message in behind if message.get("role") == "tool")
        return [id_ for id_ in ids if isinstance(id_, str)]

    @override
    def with_results(self, body: Json, beside: str, done: Sequence[DoneCall]) -> Json:
        calls = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in done
        ]
        results = [{"role": "tool", "tool_call_id": call.id, "content": call.text} for call in done]
        messages: list[Json] = []
        for message in body["messages"]:
            own = message.get("tool_calls")
            if any(call.get("id") == beside for call in dicts_in(own)):
                messages += [{**message, "tool_calls": [*own, *calls]}, *results]
            else:
                messages.append(message)
        return {**body, "messages": messages}

    @override
    def continued(self, body: Json, response: Round, results: Sequence[ToolResult]) -> Json:
        items = [
            {"role": "tool", "tool_call_id": result.call_id, "content": result.text} for result in results
        ]
        return {**body, "messages": [*body["messages"], *response.items, *items]}


def with_suffix(content: Any, suffix: str, part_type: str) -> Any:
    """Return a message's content with a text appended."""
    if isinstance(content, list):
        return [*content, {"type": part_type, "text": suffix}]
    return f"{content}\n\n{suffix}" if content else suffix


def _messages(body: Json) -> list[Json]:
    found = body.get("messages")
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        return []
    return found


def _last_of_user(messages: Sequence[Mapping[str, Any]]) -> int | None:
    places = [place for place, message in enumerate(messages) if message.get("role") == "user"]
    return places[-1] if places else None


def _first_choice(answer: Json) -> Json:
    choices = answer.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    return first if isinstance(first, dict) else {}


def _message_of(answer: Json) -> Json:
    message = _first_choice(answer).get("message")
    return message if isinstance(message, dict) else {}


def _reason_in(answer: Json) -> str | None:
    """Return the finish reason of a response, or None."""
    reason = _first_choice(answer).get("finish_reason")
    return reason if isinstance(reason, str) else None


def _round(message: Json, names: frozenset[str]) -> Round:
    calls = dicts_in(message.get("tool_calls"))
    ours = [call for call in calls if name_of(call) in names]
    # Some servers refuse a request with the empty fields of their own response.
    repeated = {name: value for name, value in message.items() if value not in (None, [], {}, "")}
    return Round(
        text=text_of(message.get("content")),
        thought=next((thought for name in _REASONING if isinstance(thought := message.get(name), str)), ""),
        calls=[
            ToolCall(
                id=str(call.get("id", "")),
                name=call["function"]["name"],
                arguments=arguments_in(call["function"].get("arguments")),
            )
            for call in ours
        ],
        others=[str(call.get("id", "")) for call in calls if name_of(call) not in names],
        items=[{"role": "assistant", "content": None, **repeated}],
    )
