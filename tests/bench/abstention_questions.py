"""Answerable and unanswerable questions, built deterministically from LoCoMo and from notes.

Each conversation of LoCoMo has fifty answerable questions, whose evidence turns the file names. It has fifty
unanswerable ones: about one person what the other one said (adversarial), unchanged questions of the next
conversation (foreign), and these with the names of this conversation's people (swapped). Swapped questions
may be answerable by chance; they were not checked one by one.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graph.memories.models import MemoryDraft
from tests.bench.locomo import CATEGORIES, evidence_turns, saves_of, turns_of
from tests.bench.script import Save

_NOTES = Path(__file__).with_name("abstention_notes.json")
_ADVERSARIAL = "adversarial"
_ANSWERABLE = 50  # per conversation; the four conversations have 200
_UNANSWERABLE: Mapping[str, int] = {_ADVERSARIAL: 16, "foreign": 17, "swapped": 17}


@dataclass(frozen=True)
class Asked:
    """One question.

    Attributes:
        kind: ``answerable``, or why it cannot be answered.
        gold: Labels of the turns that answer it; empty if none does, and for notes.
    """

    text: str
    kind: str
    gold: frozenset[str] = frozenset()

    @property
    def is_answerable(self) -> bool:
        """True if the workspace contains the answer."""
        return self.kind == "answerable"


@dataclass(frozen=True)
class Conversation:
    """Memories of one workspace, and questions about them.

    Attributes:
        place: Name of the set: ``conversations`` of LoCoMo, or short hand-written ``notes``.
    """

    place: str
    name: str
    saves: Sequence[Save]
    asked: Sequence[Asked]


def conversations(file: Path) -> list[Conversation]:
    """Return the conversations of LoCoMo, each with a hundred questions."""
    samples = json.loads(file.read_text(encoding="utf-8"))
    loaded = []
    for number, sample in enumerate(samples):
        saves = saves_of(sample)
        other = samples[(number + 1) % len(samples)]
        asked = [*_questions(sample, other, turns_of(saves))]
        loaded.append(Conversation("conversations", sample["sample_id"], saves, asked))
    return loaded


def notes() -> list[Conversation]:
    """Return the hand-written notes; half of their unanswerable questions are near misses."""
    return [
        Conversation(
            "notes",
            each["name"],
            [Save([MemoryDraft(content=text) for text in each["notes"]], each["notes"])],
            [Asked(text, kind) for kind in ("answerable", "unanswerable") for text in each[kind]],
        )
        for each in json.loads(_NOTES.read_text(encoding="utf-8"))
    ]


def _questions(sample: Mapping[str, Any], other: Mapping[str, Any], turns: set[str]) -> Iterator[Asked]:
    own = [
        Asked(each["question"], "answerable", gold)
        for each in _answered(sample)
        if (gold := evidence_turns(each["evidence"], turns))
    ]
    yield from _spread(own, _ANSWERABLE)
    adversarial = [each["question"] for each in sample["qa"] if _is_adversarial(each)]
    foreign = [each["question"] for each in _answered(other) if each["evidence"]]
    names = [*zip(_people(other), _people(sample), strict=True)]
    swapped = [_renamed(question, names) for question in foreign[1:]]
    of = {_ADVERSARIAL: adversarial, "foreign": foreign, "swapped": swapped}
    for kind, count in _UNANSWERABLE.items():
        yield from _spread([Asked(text, kind) for text in of[kind]], count)


def _answered(sample: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [each for each in sample["qa"] if not _is_adversarial(each)]


def _is_adversarial(question: Mapping[str, Any]) -> bool:
    return CATEGORIES[question["category"]] == _ADVERSARIAL


def _people(sample: Mapping[str, Any]) -> tuple[str, str]:
    return sample["conversation"]["speaker_a"], sample["conversation"]["speaker_b"]


def _renamed(question: str, names: Sequence[tuple[str, str]]) -> str:
    for old, new in names:
        question = question.replace(old, new)
    return question


def _spread(questions: Sequence[Asked], count: int) -> list[Asked]:
    """Return ``count`` questions, evenly spaced from first to last."""
    return [questions[index * len(questions) // count] for index in range(count)]
