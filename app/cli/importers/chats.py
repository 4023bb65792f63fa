"""What the exports of chat programs have in common: conversations of a user and an assistant."""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from app.cli.importers.models import Record, Remark, read_item

_TICK = timedelta(milliseconds=1)


@dataclass(frozen=True)
class ChatMessage:
    """One message of an export; ``reason`` says why it is not to be kept."""

    id: str
    speaker: str
    text: str
    time: datetime | None = None
    reason: str | None = None


def read_chat(
    source: str,
    *,
    chat_id: str,
    title: str,
    started: datetime | None,
    messages: Iterable[ChatMessage],
    max_chars: int,
) -> Iterator[Record]:
    """Yield one record per message, in order, each with a key that stays the same in a later export."""
    chat = chat_id or _stand_in_id(title, started)
    clock = _RisingClock(started)
    for position, message in enumerate(messages, start=1):
        message_id = message.id or f"{chat}.{position}"
        where = f"{title or chat} #{position}"
        if message.reason:
            yield Remark(where, message.reason)
            continue
        fields = {
            "content": message.text,
            "speaker": message.speaker,
            "key": f"{source}/{message_id}",
            "timestamp": clock.next(message.time),
            "source_conversation_id": chat,
            "source_message_id": message_id,
            "metadata": {"conversation_title": title} if title else None,
            "dedup": False,
        }
        yield from read_item(where, fields, max_chars=max_chars)


def epoch_time(value: Any) -> datetime | None:
    """Read seconds since 1970; None where there is no such time."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    try:
        return datetime.fromtimestamp(value, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def iso_time(value: Any) -> datetime | None:
    """Read an ISO 8601 time, taken for UTC where it names no zone; None where there is no such time."""
    try:
        moment = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


class _RisingClock:
    """Gives messages times that rise with their order, also where an export lacks some or repeats them."""

    def __init__(self, started: datetime | None) -> None:
        self._last = started - _TICK if started else None

    def next(self, time: datetime | None) -> datetime | None:
        if self._last is None:
            self._last = time
        else:
            self._last = max(time, self._last + _TICK) if time else self._last + _TICK
        return self._last


def _stand_in_id(title: str, started: datetime | None) -> str:
    return hashlib.sha256(f"{title}\0{started}".encode()).hexdigest()[:24]
