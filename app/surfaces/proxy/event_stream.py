"""Cuts a stream of server-sent events into its events without changing a byte.

The package for this, httpx-sse, hands out what an event says and not its bytes, which the caller of the proxy must get
unchanged; the only manual work is to find blank lines.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic_core import from_json, to_json

_BLANK_LINE = re.compile(rb"\r?\n\r?\n")
_LONGEST_EVENT = 8 * 1024 * 1024  # what is longer is passed on without being read
_DONE = "[DONE]"


@dataclass(frozen=True)
class Event:
    """One event, or any other text between two blank lines.

    Attributes:
        raw: Its bytes with the blank line that ends it.
        data: Its data, decoded; empty where there is none.
        name: Its type; empty where it has none.
    """

    raw: bytes
    data: str = ""
    name: str = ""

    @property
    def is_done(self) -> bool:
        """True for the event that ends a stream of chat completions."""
        return self.data.strip() == _DONE

    def json(self) -> dict[str, Any] | None:
        """Return its data where that is a JSON object."""
        try:
            read = from_json(self.data) if self.data.lstrip().startswith("{") else None
        except ValueError:
            return None
        return read if isinstance(read, dict) else None

    def saying(self, data: Mapping[str, Any]) -> "Event":
        """Return the same event with other data."""
        name = f"event: {self.name}\n".encode() if self.name else b""
        text = to_json(data)
        return Event(name + b"data: " + text + b"\n\n", text.decode(), self.name)


class EventReader:
    """Reads one stream; the bytes of all events and of ``rest`` together are the stream's."""

    def __init__(self) -> None:
        self._unread = b""

    @property
    def rest(self) -> bytes:
        """Return the bytes after the last blank line."""
        return self._unread

    @property
    def last(self) -> Event:
        """The same as the event that it is where a stream ends without a blank line."""
        return _event(self._unread)

    def feed(self, chunk: bytes) -> list[Event]:
        """Return the events that are complete by now."""
        known = max(len(self._unread) - 3, 0)  # of a blank line, three bytes may have come before
        unread = self._unread + chunk
        events = []
        start = 0
        for found in _BLANK_LINE.finditer(unread, known):
            events.append(_event(unread[start : found.end()]))
            start = found.end()
        self._unread = unread[start:]
        if len(self._unread) > _LONGEST_EVENT:
            events.append(Event(self._unread))
            self._unread = b""
        return events


def ends_an_event(sent: bytes) -> bool:
    """Tell whether something may stand between these bytes of a stream and the next."""
    return sent.endswith((b"\n\n", b"\n\r\n"))


def error_event(error: Mapping[str, Any]) -> bytes:
    """Return an event that ends a stream with an error, as OpenAI's streams do."""
    return b"data: " + to_json({"error": error}) + b"\n\n"


def _event(raw: bytes) -> Event:
    data: list[str] = []
    name = ""
    for line in raw.splitlines():  # of bytes: text would also be cut at U+2028, which JSON may hold
        field, _, value = line.decode("utf-8", "replace").partition(":")
        if field == "data":
            data.append(value.removeprefix(" "))
        elif field == "event":
            name = value.removeprefix(" ")
    return Event(raw, "\n".join(data), name)
