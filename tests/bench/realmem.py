"""RealMem: chats of personas with an assistant; gold = the earlier sessions that the answer used.

A question is asked before its own session is saved, so that recall finds turns of earlier sessions only.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

from graph.memories.models import MemoryDraft
from tests.bench.script import Ask, DataSet, Save, Script

_MAX_CHARS = 32_000  # length at which an import truncates a turn; one message of the set is longer

_TARGETS = {"recall@10": 0.82, "MRR": 0.62}
_HITS = 100  # turns of one session rank close together, and a session counts once


def load_realmem(folder: Path) -> DataSet:
    """Read the personas of a folder."""
    files = sorted(folder.glob("*_dialogues_*.json"))
    if not files:
        raise FileNotFoundError(f"{folder} holds no *_dialogues_*.json")
    scripts = [_script(json.loads(file.read_text(encoding="utf-8"))) for file in files]
    return DataSet("realmem", "sessions", scripts, hits=_HITS, targets=_TARGETS)


def _script(data: Mapping[str, Any]) -> Script:
    person = data["_metadata"]["person_name"]
    steps: list[Save | Ask] = []
    saved: set[str] = set()
    for session in sorted(data["dialogues"], key=lambda session: _day(session["current_time"])):
        steps += _asks(session["dialogue_turns"], saved)
        steps.append(_save(person, session))
        saved.add(session["session_uuid"])
    return Script(person, steps)


def _day(text: str) -> datetime:
    """Read ``2025-12-15 (Monday)``."""
    return datetime.strptime(text[:10], "%Y-%m-%d").replace(tzinfo=UTC)


def _asks(turns: Sequence[Mapping[str, Any]], saved: set[str]) -> Iterator[Ask]:
    for turn, answer in pairwise(turns):
        if turn.get("is_query"):
            gold = frozenset(answer["memory_session_uuids"]) & saved
            if gold:
                yield Ask(turn["content"], gold, turn["category_name"])


def _save(person: str, session: Mapping[str, Any]) -> Save:
    uuid, day = session["session_uuid"], _day(session["current_time"])
    drafts = [
        MemoryDraft(
            content=turn["content"][:_MAX_CHARS],
            speaker=turn["speaker"],
            timestamp=day + timedelta(seconds=position),
            source_conversation_id=person,
            source_message_id=f"{uuid}/{position}",
            session_id=uuid,
            source_type="imported",
            dedup=False,
        )
        for position, turn in enumerate(session["dialogue_turns"])
    ]
    return Save(drafts, [uuid] * len(drafts))
