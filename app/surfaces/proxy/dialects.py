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
"""Between the texts of two rounds, which a reader takes for one message."""
_LONGEST_NAME = 512  # of what the store takes for a conversation's id


@dataclass(frozen=True)
class Turn:
    """Content of a request that concerns its turn.

    Attributes:
        texts: The user's latest messages; none for messages without text.
        conversation_id: None where nobody told.
        key: Identity of the turn: equal for every request with the same messages up to the user's last.
        is_first: True if the request has no earlier messages.
        answers: Number of the model's answers since, as between calls of the caller's tools.
        stored_in: The upstream's conversation with the earlier messages; None if the request names none.
        asked: The user's text in the previous request, if this one brings results only.
    """

    texts: Sequence[str]
    conversation_id: str | None
    key: str
    is_first: bool
    answers: int
    stored_in: str | None = None
    asked: str = ""

    @property
    def query(self) -> str:
        """Search text of the turn."""
        return self.texts[-1] if self.texts else self.asked


@dataclass(frozen=True)
class Injection:
    """Context and tools to add to a request.

    Attributes:
        blocks: The context, as one text or in parts.
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
        thought: The reasoning that came beside it.
        calls: Calls of tools that the proxy executes.
        others: Ids of the calls that the caller executes.
        said: Part of the response that the next request of this turn must repeat.
        usage: Tokens, as the upstream counts them.
        answer_id: The id that the caller has for the answer, where its next request may name that.
        renamed: The id that the caller has for the whole answer, and the upstream's, where they differ.
        is_whole: Whether the upstream ended it properly; calls of a truncated or failed one are not executed.
    """

    text: str = ""
    thought: str = ""
    calls: list[ToolCall] = field(default_factory=list)
    others: Sequence[str] = ()
    said: list[Json] = field(default_factory=list)
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
        """The text without the reasoning at its beginning."""
        return parted_reasoning(self.text)[1]

    @property
    def goes_on(self) -> bool:
        """True if the model waits for the proxy only."""
        return self.is_whole and bool(self.calls) and not self.others

    @property
    def is_mixed(self) -> bool:
        """True if the model waits for the caller and for the proxy."""
        return self.is_whole and bool(self.calls) and bool(self.others)


class StreamState(ABC):
    """One answer that comes as a stream; says of each event what the caller sees of it.

    Malformed events are ignored: the upstream may be any server.

    Attributes:
        names: Of the tools that the proxy executes.
        earlier: The state of the round before in the same turn.
        follows_text: True if an earlier round had text, and this one has none yet.
        is_last: True if no round may follow, whatever the model calls.
        is_complete: True once the upstream has ended the response.
        is_whole: True if it ended properly; see ``Round``.
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
        """True if another round follows, so that the end of this one is hidden."""
        return self.round().goes_on and not self.is_last

    @abstractmethod
    def shown(self, event: Event) -> bytes:
        """Return what the caller gets of an event: its own bytes wherever that can be, nothing where it is hidden."""

    def round(self) -> Round:
        """Return the round so far; rebuilds it only after new events."""
        if self._read_so_far is None:
            self._read_so_far = self._said()
        self._read_so_far.usage = self._usage or self._spent
        self._read_so_far.is_whole = self.is_whole
        return self._read_so_far

    def _goes_further(self) -> None:
        """Invalidate the last round, because more events have arrived."""
        self._read_so_far = None

    @abstractmethod
    def _said(self) -> Round:
        """Return the content so far, without usage and completeness."""


class Dialect(ABC):
    """One of OpenAI's protocols; stateless. Its methods return new bodies and leave arguments unchanged.

    Attributes:
        path: Of the upstream's operation.
        stream_state: State class for its streams.
        tells_saved: Whether comments of its streams report memories saved during the stream.
    """

    path: ClassVar[str]
    stream_state: ClassVar[type[StreamState]]
    tells_saved: ClassVar[bool] = False

    @abstractmethod
    def turn(self, body: Json, named_conversation: str | None) -> Turn | None:
        """Return what a request says, or None where neither the user nor a tool of the caller's says anything."""

    @abstractmethod
    def with_context(self, body: Json, injection: Injection) -> Json:
        """Return the request with context in it."""

    @abstractmethod
    def with_tools(self, body: Json, tools: Sequence[ToolDefinition]) -> Json | None:
        """Return the request with tools offered beside the caller's, or None where it cannot have any."""

    @abstractmethod
    def without_tools(self, body: Json, names: frozenset[str]) -> Json:
        """Return the request without these tools, so that the model has to answer."""

    @abstractmethod
    def read(self, answer: Json, names: frozenset[str]) -> Round:
        """Return what an answer says."""

    @abstractmethod
    def without_calls(self, answer: Json, names: frozenset[str]) -> Json:
        """Return an answer without the calls of these tools."""

    @abstractmethod
    def with_usage(self, answer: Json, usage: Json) -> Json:
        """Return an answer that counts the tokens of earlier rounds as well."""

    @abstractmethod
    def with_earlier(self, answer: Json, earlier: Sequence[Round]) -> Json:
        """Return a response with the text of earlier rounds before its own."""

    @abstractmethod
    def goes_on_from(self, body: Json) -> str | None:
        """Return the id of the response that a request continues, if it names one."""

    @abstractmethod
    def going_on_from(self, body: Json, id_: str) -> Json:
        """Return the request going on from another answer."""

    @abstractmethod
    def answered_calls(self, body: Json) -> Sequence[str]:
        """Return the ids of the calls whose results the caller sends."""

    @abstractmethod
    def with_results(self, body: Json, beside: str, done: Sequence[DoneCall]) -> Json:
        """Return the request with calls in it that were executed beside one of the caller's."""

    @abstractmethod
    def continued(self, body: Json, said: Round, results: Sequence[ToolResult]) -> Json:
        """Return the request of the next round."""


def dicts_in(value: Any) -> list[Json]:
    """Return those parts of a list that are objects; none of anything else."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def name_of(tool: Any) -> str | None:
    """Return the name of the function that a tool is or a call calls; other kinds of tools have none."""
    function = tool.get("function") if isinstance(tool, dict) else None
    name = function.get("name") if isinstance(function, dict) else None
    return name if isinstance(name, str) else None


def joined(texts: Iterable[str]) -> str:
    """Join the texts of all rounds to one text."""
    return TEXT_BREAK.join(text for text in texts if text)


def arguments_in(value: Any) -> str:
    """Return the arguments of a call as JSON, as which some upstreams send objects; empty for none."""
    if isinstance(value, str):
        return value
    return "" if value is None else to_json(value).decode()


def key_of(*parts: Any) -> str:
    """Return what tells one turn from another."""
    return hashlib.sha256(to_json(parts, inf_nan_mode="constants")).hexdigest()[:32]


def added_up(one: Mapping[str, Any], other: Mapping[str, Any]) -> Json:
    """Return the sum of two counts of tokens, with the parts they tell."""
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
    """Return the conversation that a request belongs to, or None.

    The first there is of: the header, ``metadata.conversation_id``, ``conversation``.
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
    """Return the user on whose behalf a request is made, or None.

    The first there is of: the header, ``safety_identifier``, ``user``.
    """
    return _first_name((header, body.get("safety_identifier"), body.get("user")))


def _first_name(named: Iterable[Any]) -> str | None:
    texts = (each.strip() for each in named if isinstance(each, str))
    return next((text for text in texts if 0 < len(text) <= _LONGEST_NAME and "\x00" not in text), None)
