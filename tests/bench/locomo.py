"""LoCoMo: one workspace per conversation, one memory per turn; gold = a question's evidence turns.

Each conversation is a list of sessions. Summaries and observations, which a model wrote, are skipped.
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from graph.memories.models import MemoryDraft
from tests.bench.script import Ask, DataSet, Save, Script

_MOST_CHARS = 32_000  # length at which an import truncates a turn
_EVIDENCE = re.compile(r"D:?(\d+):(\d+)")
_SESSION = re.compile(r"session_(\d+)")
_DATE_FORMAT = "%I:%M %p on %d %B, %Y"
"""``1:56 pm on 8 May, 2023``, read as UTC, because the source names no zone."""
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
_TARGETS = {
    "recall@5": 0.79,
    "recall@10": 0.89,
    "recall@20": 0.91,
    "MRR": 0.72,
    "multi-hop recall@10": 0.6,
}
_MOST_WORDS = 350.0


def load_locomo(file: Path) -> DataSet:
    """Read the conversations and their questions."""
    scripts = [
        Script(sample["sample_id"], [*(saves := saves_of(sample)), *_asks(sample["qa"], turns_of(saves))])
        for sample in json.loads(file.read_text(encoding="utf-8"))
    ]
    return DataSet("locomo", "turns", scripts, hits=20, targets=_TARGETS, most_words=_MOST_WORDS)


def saves_of(sample: Mapping[str, Any]) -> list[Save]:
    """Return one save per session of a conversation, in order."""
    conversation = sample["conversation"]
    numbers = sorted(int(found[1]) for name in conversation if (found := _SESSION.fullmatch(name)))
    return [_save(sample["sample_id"], f"session_{number}", conversation) for number in numbers]


def turns_of(saves: Sequence[Save]) -> set[str]:
    """Return the labels of all turns."""
    return {label for save in saves for label in save.labels}


def evidence_turns(evidence: Sequence[str], turns: Collection[str]) -> frozenset[str]:
    """Return the turns that the evidence names, even if malformed (``'D8:6; D9:17'``, ``'D:11:26'``)."""
    named = {f"D{int(session)}:{int(turn)}" for text in evidence for session, turn in _EVIDENCE.findall(text)}
    return frozenset(named & set(turns))


def _save(sample_id: str, session: str, conversation: Mapping[str, Any]) -> Save:
    started = datetime.strptime(conversation[f"{session}_date_time"], _DATE_FORMAT).replace(tzinfo=UTC)
    turns = conversation[session]
    drafts = [
        MemoryDraft(
            content=_content(turn)[:_MOST_CHARS],
            speaker=turn["speaker"],
            key=f"{sample_id}/{turn['dia_id']}",
            timestamp=started + timedelta(seconds=position),  # turns of a session share its time
            source_conversation_id=sample_id,
            source_message_id=f"{sample_id}/{turn['dia_id']}",
            session_id=session,
            source_type="imported",
            dedup=False,
        )
        for position, turn in enumerate(turns)
    ]
    return Save(drafts, [turn["dia_id"] for turn in turns])


def _content(turn: Mapping[str, Any]) -> str:
    text, caption = turn["text"].strip(), turn.get("blip_caption", "").strip()
    return f"{text} [shared a photo: {caption}]" if caption else text


def _asks(questions: Sequence[Mapping[str, Any]], turns: Collection[str]) -> Iterator[Ask]:
    for question in questions:
        gold = evidence_turns(question["evidence"], turns)
        if gold:
            yield Ask(question["question"], gold, CATEGORIES[question["category"]])
