"""Splits a stream of server-sent events into events without changing a byte.

The package httpx-sse returns only the content of events, but the proxy must forward their exact bytes. Splitting only
requires finding blank lines.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic_core import from_json, to_json

_BLANK_LINE = re.compile(rb"\r?\n\r?\n")
_LONGEST_EVENT = 8 * 1024 * 1024  # a longer event is forwarded without being parsed
_DONE = "[DONE]"


@dataclass(frozen=True)
class Event:
    """One event, or any other text between two blank lines.

    Attributes:
        raw: Bytes of the event, with the blank line at its end.
        data: Decoded data; empty if there is none.
        name: Type of the event; empty if it has none.
    """

    raw: bytes
    data: str = ""
    name: str = ""

    @property
    def is_done(self) -> bool:
        """True for the event ``[DONE]``, which ends a stream of chat completions."""
        return self.data.strip() == _DONE

    def json(self) -> dict[str, Any] | None:
        """Return the data if it is a JSON object, else None."""
        try:
            read = from_json(self.data) if self.data.lstrip().startswith("{") else None
        except ValueError:
            return None
        return read if isinstance(read, dict) else None

    def with_data(self, data: Mapping[str, Any]) -> "Event":
        """Return an event of the same type with other data."""
        name = f"event: {self.name}\n".encode() if self.name else b""
        text = to_json(data)
        return Event(name + b"data: " + text + b"\n\n", text.decode(), self.name)


class EventReader:
    """Reads one stream; the bytes of all events and ``rest`` together equal the stream."""

    def __init__(self) -> None:
        self._unread = b""

    @property
    def rest(self) -> bytes:
        """Return the bytes after the last blank line."""
        return self._unread

    @property
    def last(self) -> Event:
        """``rest`` as an event, for a stream that ends without a blank line."""
        return _event(self._unread)

    def feed(self, chunk: bytes) -> list[Event]:
        """Add a chunk and return the events that it completes."""
        known = max(len(self._unread) - 3, 0)  # up to three bytes of a blank line may be in earlier chunks
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
    """Tell whether these bytes of a stream end with a complete event, so that others may follow."""
    return sent.endswith((b"\n\n", b"\n\r\n"))


def error_event(error: Mapping[str, Any]) -> bytes:
    """Return the event that ends a stream with an error, in the form of OpenAI's streams."""
    return b"data: " + to_json({"error": error}) + b"\n\n"


def _event(raw: bytes) -> Event:
    data: list[str] = []
    name = ""
    for line in (
        raw.splitlines()
    ):  # of bytes, because str.splitlines would also split at U+2028, which JSON may contain
        field, _, value = line.decode("utf-8", "replace").partition(":")
        if field == "data":
            data.append(value.removeprefix(" "))
        elif field == "event":
            name = value.removeprefix(" ")
    return Event(raw, "\n".join(data), name)
