"""Reads LoCoMo (snap-research/LoCoMo): long conversations between two people, session by session.

Each conversation is a part of its own and each turn one memory. Summaries and observations, which a model
wrote, are not read.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from app.cli.importers.document import objects, read_document, text_of
from app.cli.importers.models import Part, Record, Remark, UnreadableFileError, read_item

_SESSION = re.compile(r"session_(\d+)")
_DATE_FORMAT = "%I:%M %p on %d %B, %Y"
"""``1:56 pm on 8 May, 2023``; the source names no zone, so UTC."""


def read_locomo(path: Path, max_chars: int) -> Sequence[Part]:
    """Return one part per conversation.

    Raises:
        UnreadableFileError: The file holds no LoCoMo conversation.
    """
    samples = [s for s in objects(read_document(path)) if isinstance(s.get("conversation"), dict)]
    if not samples:
        raise UnreadableFileError(
            "no conversation found; LoCoMo is a list of {sample_id, conversation: {session_1, …}}"
        )
    return [_read_part(sample, position, max_chars) for position, sample in enumerate(samples, start=1)]


def _read_part(sample: Mapping[str, Any], position: int, max_chars: int) -> Part:
    sample_id = text_of(sample.get("sample_id")) or f"conversation-{position}"
    conversation = sample["conversation"]
    sessions = sorted((int(m[1]), name) for name in conversation if (m := _SESSION.fullmatch(name)))
    names = [name for _, name in sessions if isinstance(conversation[name], list)]
    records = (r for name in names for r in _read_session(sample_id, name, conversation, max_chars))
    return Part(sample_id, records, sum(len(conversation[name]) for name in names))


def _read_session(
    sample_id: str, session: str, conversation: Mapping[str, Any], max_chars: int
) -> Iterator[Record]:
    started = _parse_date(conversation.get(f"{session}_date_time"))
    if started is None:
        yield Remark(f"{sample_id} {session}", "no readable date; its turns carry no time", "changed")
    for position, turn in enumerate(conversation[session]):
        if not isinstance(turn, dict):
            yield Remark(f"{sample_id} {session} turn {position + 1}", "not a turn")
            continue
        turn_id = text_of(turn.get("dia_id")) or f"{session}.{position + 1}"
        fields = {
            "content": _content(turn),
            "speaker": text_of(turn.get("speaker")) or None,
            "key": f"{sample_id}/{turn_id}",
            # Turns of a session share its time; the seconds keep their order.
            "timestamp": started + timedelta(seconds=position) if started else None,
            "source_conversation_id": sample_id,
            "source_message_id": f"{sample_id}/{turn_id}",
            "session_id": session,
            "dedup": False,
        }
        yield from read_item(f"{sample_id} {turn_id}", fields, max_chars=max_chars)


def _content(turn: Mapping[str, Any]) -> str:
    text = text_of(turn.get("text")).strip()
    caption = text_of(turn.get("blip_caption")).strip()
    return f"{text} [shared a photo: {caption}]".strip() if caption else text


def _parse_date(value: Any) -> datetime | None:
    try:
        return datetime.strptime(text_of(value).strip(), _DATE_FORMAT).replace(tzinfo=UTC)
    except ValueError:
        return None
