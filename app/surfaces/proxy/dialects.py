"""The proxy's view of a protocol: how to read, change, answer and continue a turn."""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from pydantic_core import to_json

from app.surfaces.proxy.event_stream import Event
from app.surfaces.proxy.tools import DoneCall, ToolCall, ToolDefinition, ToolResult
from graph.conversations.capture.rules import parted_reasoning
from graph.retrieval.context.models import InjectionFormat

Json = dict[str, Any]
SPEAKERS = frozenset({"user", "assistant"})
TEXT_BREAK = "\n\n"
"""Separator between the texts of two rounds, which the caller sees as one message."""
_LONGEST_NAME = 512  # maximum length of a conversation id in the store


@dataclass(frozen=True)
class Turn:
    """The turn that a request belongs to.

    Attributes:
        texts: The user's latest messages, without those that have no text.
        conversation_id: Conversation that the request names; None if it names none.
        key: Identity of the turn: equal for all requests with the same messages up to the user's last one.
        is_first: Whether the request has no answer before the user's last message.
        answers: Number of the model's answers after the user's last message, between calls of the caller's tools.
        stored_in: Upstream conversation that contains the earlier messages; None if the request names none.
        user_text: User's text of the previous request, if this request contains only results of calls.
    """

    texts: Sequence[str]
    conversation_id: str | None
    key: str
    is_first: bool
    answers: int
    stored_in: str | None = None
    user_text: str = ""

    @property
    def query(self) -> str:
        """Search text of the turn."""
        return self.texts[-1] if self.texts else self.user_text


@dataclass(frozen=True)
class Injection:
    """Context to add to a request.

    Attributes:
        blocks: The context as one text or several.
        format: Place of the context.
        has_system_role: Whether the provider has a system role.
    """

    blocks: Sequence[str]
    format: InjectionFormat
    has_system_role: bool


@dataclass
class Round:
    """The parts of one upstream response that the proxy needs.

    Attributes:
        text: Text for the caller.
        thought: Reasoning in a separate field of the response.
        calls: Calls of tools that the proxy executes.
        others: Ids of the calls that the caller executes.
        items: Part of the response that the next request of this turn must repeat.
        usage: Token usage that the upstream reports.
        answer_id: Id of the response in the caller's view, which its next request may name.
        renamed: Id in the caller's view and the upstream's id of the last round, if they differ.
        is_whole: Whether the response is complete; calls of a truncated or failed response are not executed.
    """

    text: str = ""
    thought: str = ""
    calls: list[ToolCall] = field(default_factory=list)
    others: Sequence[str] = ()
    items: list[Json] = field(default_factory=list)
    usage: Json = field(default_factory=dict)
    answer_id: str | None = None
    renamed: tuple[str, str] | None = None
    is_whole: bool = True

    @property
    def reasoning(self) -> str:
        """Reasoning of the model, from its own field or from ``<think>`` … ``</think>`` before the text."""
        return joined((self.thought, parted_reasoning(self.text)[0]))

    @property
    def answer(self) -> str:
        """The text without ``<think>`` sections."""
        return parted_reasoning(self.text)[1]

    @property
    def goes_on(self) -> bool:
        """True if the model waits for results of the proxy only."""
        return self.is_whole and bool(self.calls) and not self.others

    @property
    def is_mixed(self) -> bool:
        """True if the model waits for results of both the caller and the proxy."""
        return self.is_whole and bool(self.calls) and bool(self.others)


class StreamState(ABC):
    """The state of one streamed response; decides what the caller sees of each event.

    Passes malformed events on unchanged, because the upstream may be any server.

    Attributes:
        names: Names of the tools that the proxy executes.
        earlier: State of the previous round of the turn.
        follows_text: Whether an earlier round had text and this one has none yet.
        is_last: Whether no round may follow, even if the model calls tools.
        is_complete: Whether the upstream has ended the response.
        is_whole: Whether the response is complete and has not failed; see ``Round``.
    """

    def __init__(self, names: frozenset[str], earlier: "StreamState | None" = None) -> None:
        self.names = names
        self.earlier = earlier
        self.follows_text: bool = earlier is not None and (earlier.follows_text or bool(earlier.round().text))
        self.is_last = False
        self.is_complete = False
        self.is_whole = False
        self._usage: Json = {}
        self._spent: Json = earlier.round().usage if earlier else {}
        self._read_so_far: Round | None = None

    @property
    def goes_on(self) -> bool:
        """True if another round follows, so that the caller must not see the end of this one."""
        return self.round().goes_on and not self.is_last

    @abstractmethod
    def shown(self, event: Event) -> bytes:
        """Return the caller's form of an event: its unchanged bytes if possible, empty if it is hidden."""

    def round(self) -> Round:
        """Return the round so far; rebuilds it only after new events."""
        if self._read_so_far is None:
            self._read_so_far = self._round_so_far()
        self._read_so_far.usage = self._usage or self._spent
        self._read_so_far.is_whole = self.is_whole
        return self._read_so_far

    def _goes_further(self) -> None:
        """Invalidate the cached round after new events."""
        self._read_so_far = None

    @abstractmethod
    def _round_so_far(self) -> Round:
        """Return the content so far, without usage and completeness."""


class Dialect(ABC):
    """One of OpenAI's protocols; stateless. Its methods return new bodies and leave arguments unchanged.

    Attributes:
        path: Path of the upstream's operation.
        stream_state: State class for its streams.
        reports_saved: Whether comments of its streams report memories saved during the stream.
    """

    path: ClassVar[str]
    stream_state: ClassVar[type[StreamState]]
    reports_saved: ClassVar[bool] = False

    @abstractmethod
    def turn(self, body: Json, named_conversation: str | None) -> Turn | None:
        """Return the turn of a request; None if it has neither a user message nor results of the caller's tools."""

    @abstractmethod
    def with_context(self, body: Json, injection: Injection) -> Json:
        """Return the request with a context."""

    @abstractmethod
    def with_tools(self, body: Json, tools: Sequence[ToolDefinition]) -> Json | None:
        """Return the request with further tools beside the caller's; None if the request excludes tools."""

    @abstractmethod
    def without_tools(self, body: Json, names: frozenset[str]) -> Json:
        """Return the request without these tools, so that the model has to answer."""

    @abstractmethod
    def read(self, answer: Json, names: frozenset[str]) -> Round:
        """Return the round of a complete response."""

    @abstractmethod
    def without_calls(self, answer: Json, names: frozenset[str]) -> Json:
        """Return a response without the calls of these tools."""

    @abstractmethod
    def with_usage(self, answer: Json, usage: Json) -> Json:
        """Return a response with another token usage, such as the sum of all rounds."""

    @abstractmethod
    def with_earlier(self, answer: Json, earlier: Sequence[Round]) -> Json:
        """Return a response with the text of earlier rounds before its own."""

    @abstractmethod
    def goes_on_from(self, body: Json) -> str | None:
        """Return the id of the response that a request continues, if it names one."""

    @abstractmethod
    def going_on_from(self, body: Json, id_: str) -> Json:
        """Return the request as the continuation of another response."""

    @abstractmethod
    def answered_calls(self, body: Json) -> Sequence[str]:
        """Return the ids of the calls whose results the caller sends."""

    @abstractmethod
    def with_results(self, body: Json, beside: str, done: Sequence[DoneCall]) -> Json:
        """Return the request with the calls, and results, that the proxy executed together with a call of the caller.

        Args:
            body: Request of the caller.
            beside: Id of the caller's call.
            done: Executed calls with their results.
        """

    @abstractmethod
    def continued(self, body: Json, response: Round, results: Sequence[ToolResult]) -> Json:
        """Return the next round's request, with the response so far and the results of the proxy's calls."""


def text_of(content: Any) -> str:
    """Return the text of a message's content, which is a text or parts of which some are."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else [content]
    texts = (part.get("text") if isinstance(part, dict) else part for part in parts)
    return "\n\n".join(text for text in texts if isinstance(text, str) and text)


def dicts_in(value: Any) -> list[Json]:
    """Return the objects in a list; an empty list for any other value."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def name_of(tool: Any) -> str | None:
    """Return the function name of a tool or a call; None for other kinds of tools."""
    function = tool.get("function") if isinstance(tool, dict) else None
    name = function.get("name") if isinstance(function, dict) else None
    return name if isinstance(name, str) else None


def joined(texts: Iterable[str]) -> str:
    """Join the texts of all rounds to one text."""
    return TEXT_BREAK.join(text for text in texts if text)


def arguments_in(value: Any) -> str:
    """Return the arguments of a call as a JSON text, as some upstreams send an object; empty if there are none."""
    if isinstance(value, str):
        return value
    return "" if value is None else to_json(value).decode()


def key_of(*parts: Any) -> str:
    """Return a hash of the parts that identify a turn."""
    return hashlib.sha256(to_json(parts, inf_nan_mode="constants")).hexdigest()[:32]


def added_up(one: Mapping[str, Any], other: Mapping[str, Any]) -> Json:
    """Return the sum of two token usages, including their nested details."""
    total = dict(other)
    for name, value in one.items():
        known = total.get(name)
        if isinstance(value, dict):
            total[name] = added_up(value, known if isinstance(known, dict) else {})
        elif isinstance(value, int | float) and isinstance(known, int | float):
            total[name] = value + known
        elif known is None:
            total[name] = value
    return total


def conversation_named(body: Mapping[str, Any], header: str | None) -> str | None:
    """Return the conversation id of a request, or None.

    Uses the first of the header, ``metadata.conversation_id`` and ``conversation``.
    """
    metadata = body.get("metadata")
    in_metadata = metadata.get("conversation_id") if isinstance(metadata, dict) else None
    return _first_name((header, in_metadata, upstream_conversation(body)))


def upstream_conversation(body: Mapping[str, Any]) -> str | None:
    """Return the id of the ``conversation`` that a request names, or None."""
    named = body.get("conversation")
    id_ = named.get("id") if isinstance(named, dict) else named
    return id_ if isinstance(id_, str) else None


def user_named(body: Mapping[str, Any], header: str | None) -> str | None:
    """Return the user that a request names, or None.

    Uses the first of the header, ``safety_identifier`` and ``user``.
    """
    return _first_name((header, body.get("safety_identifier"), body.get("user")))


def _first_name(named: Iterable[Any]) -> str | None:
    texts = (each.strip() for each in named if isinstance(each, str))
    return next((text for text in texts if 0 < len(text) <= _LONGEST_NAME and "\x00" not in text), None)
