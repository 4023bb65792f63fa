"""LoCoMo: one workspace for each conversation, each turn one memory, gold = the evidence turns of a question."""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from app.cli.importers.locomo import read_locomo
from app.cli.importers.models import ImportItem, Part
from graph.memories.models import MemoryDraft
from tests.bench.script import Ask, DataSet, Save, Script

MOST_CHARS = 32_000
_EVIDENCE = re.compile(r"D:?(\d+):(\d+)")
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
    """Read the conversations with the project's own importer, and their questions."""
    samples = json.loads(file.read_text(encoding="utf-8"))
    parts = read_locomo(file, MOST_CHARS)
    scripts = [script_of(part, sample["qa"]) for part, sample in zip(parts, samples, strict=True)]
    return DataSet("locomo", "turns", scripts, hits=20, targets=_TARGETS, most_words=_MOST_WORDS)


def evidence_turns(evidence: Sequence[str], turns: Collection[str]) -> frozenset[str]:
    """Return the turns that evidence names, also where it is malformed (``'D8:6; D9:17'``, ``'D:11:26'``)."""
    named = {f"D{int(session)}:{int(turn)}" for text in evidence for session, turn in _EVIDENCE.findall(text)}
    return frozenset(named & set(turns))


def script_of(part: Part, questions: Sequence[Mapping[str, Any]]) -> Script:
    sessions: dict[str, list[MemoryDraft]] = {}
    labels: dict[str, list[str]] = {}
    for record in part.records:
        if isinstance(record, ImportItem):
            draft = MemoryDraft(**record.memory.model_dump(exclude_none=True))
            session = draft.session_id or ""
            sessions.setdefault(session, []).append(draft)
            labels.setdefault(session, []).append(_turn_id(draft))
    saves = [Save(drafts, labels[session]) for session, drafts in sessions.items()]
    turns = {label for names in labels.values() for label in names}
    return Script(part.name, [*saves, *_asks(questions, turns)])


def _turn_id(draft: MemoryDraft) -> str:
    return (draft.source_message_id or "").rpartition("/")[2]


def _asks(questions: Sequence[Mapping[str, Any]], turns: Collection[str]) -> Iterator[Ask]:
    for question in questions:
        gold = evidence_turns(question["evidence"], turns)
        if gold:
            yield Ask(question["question"], gold, CATEGORIES[question["category"]])
