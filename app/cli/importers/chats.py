"""Shared by the exports of chat programs: conversations of a user and an assistant."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from app.cli.importers.models import ChatItem, ImportItem, Record, Remark, read_item, read_moment
from graph.conversations.capture.rules import without_reasoning

_TICK = timedelta(milliseconds=1)
_MOST_SENT_CHARS = 1_000_000
"""Maximum length of a message that is sent whole, so that the service cuts it; the body limit bounds it."""


@dataclass(frozen=True)
class ChatMessage:
    """One message of an export.

    Attributes:
        time: As the export has it.
        reason: Why it is not to be kept; None: it is.
        left_out: Kinds of its skipped parts.
    """

    id: str
    speaker: str
    text: str
    time: Any = None
    reason: str | None = None
    left_out: Sequence[str] = ()


@dataclass(frozen=True)
class Chat:
    """One conversation of an export.

    Attributes:
        source: The first part of its memories' keys.
        platform: Its platform.
    """

    source: str
    platform: str
    id: str
    title: str
    started: datetime | None
    messages: Iterable[ChatMessage]


def count_others(document: Any, chats: Sequence[Any]) -> int:
    """Return how many values of an export are no conversations."""
    return len(document) - len(chats) if isinstance(document, list) else 0


def read_chats(
    chats: Iterable[Chat], max_chars: int, *, is_extracted: bool, others: int = 0
) -> Iterator[Record]:
    """Yield a record for each message in order and, behind all of them, one for each conversation.

    Keys are the same in a later export. A conversation whose facts are to be extracted is one record with its messages.
    ``others`` counts the values of the export that are no conversations.
    """
    for _ in range(others):
        yield Remark("export", "not a conversation")
    named: list[ChatItem] = []
    for chat in chats:
        messages: list[dict[str, Any]] = []
        where = chat.title or _id_of(chat)
        for record in _read_messages(chat, _MOST_SENT_CHARS if is_extracted else max_chars):
            if isinstance(record, ImportItem):
                messages.append(_message(record, is_whole=is_extracted))
                if is_extracted:
                    continue
            yield record
        if messages:
            named.append(
                ChatItem(where, _id_of(chat), chat.platform, chat.title or None, messages, is_extracted)
            )
    yield from named


def _message(item: ImportItem, *, is_whole: bool) -> dict[str, Any]:
    """Return the input of ``appendMessages``; a message already stored as a memory needs only id and text."""
    fields = item.memory.to_input()
    message = {"id": fields["sourceMessageId"], "content": fields["content"]}
    if is_whole:
        message["role"] = fields["speaker"].upper()
        if "timestamp" in fields:
            message["saidAt"] = fields["timestamp"]
    return message


def _read_messages(chat: Chat, max_chars: int) -> Iterator[Record]:
    chat_id = _id_of(chat)
    clock = _RisingClock(chat.started)
    for position, message in enumerate(chat.messages, start=1):
        message_id = message.id or f"{chat_id}.{position}"
        where = f"{chat.title or chat_id} #{position}"
        if message.reason:
            yield Remark(where, message.reason)
            continue
        for kind in message.left_out:
            yield Remark(where, f"{kind} left out", "changed")
        try:
            time = read_moment(message.time)
        except ValueError as error:
            yield Remark(where, f"time left out: {error}", "changed")
            time = None
        fields = {
            "content": without_reasoning(message.text, message.speaker),
            "speaker": message.speaker,
            "key": f"{chat.source}/{message_id}",
            "timestamp": clock.next(time),
            "source_conversation_id": chat_id,
            "source_message_id": message_id,
            "metadata": {"conversation_title": chat.title} if chat.title else None,
            "dedup": False,
        }
        yield from read_item(where, fields, max_chars=max_chars)


def _id_of(chat: Chat) -> str:
    return chat.id or _stand_in_id(chat.title, chat.started)


def started_at(value: Any) -> datetime | None:
    """Return when a conversation or a message began; None where the export states no time that can be read."""
    try:
        return read_moment(value)
    except ValueError:
        return None


class _RisingClock:
    """Gives messages times that rise with their order, also where an export lacks some or repeats them."""

    def __init__(self, started: datetime | None) -> None:
        self._last = _moved(started, -_TICK)

    def next(self, time: datetime | None) -> datetime | None:
        following = _moved(self._last, _TICK)
        self._last = max(time, following) if time and following else time or following
        return self._last


def _moved(moment: datetime | None, by: timedelta) -> datetime | None:
    """Return a moment before or after another; None where there is none, as before the year 1."""
    try:
        return moment + by if moment else None
    except OverflowError:
        return None


def _stand_in_id(title: str, started: datetime | None) -> str:
    return hashlib.sha256(f"{title}\0{started}".encode()).hexdigest()[:24]
