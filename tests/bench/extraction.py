"""Precision and recall of extraction without a language model.

The texts are the user turns of RealMem and hand-labelled sentences. A fact matches a reference memory of its
session if their cosine by the packaged model is at least 0.6; unrelated statements about one person have 0.2
to 0.4.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from graph.conversations.capture.models import MessageRole
from graph.conversations.extraction.facts import Category, Fact
from graph.conversations.extraction.models import ExtractionPolicy
from graph.conversations.extraction.own_sentences import own_sentences
from graph.conversations.extraction.reading import facts_in_message
from graph.conversations.extraction.reference_form import extract_facts
from graph.core.text.language import contains_cjk
from tests.bench.progress import Progress
from tests.bench.results import Table
from tests.fixtures.local_models import load

SAME = 0.6
SENTENCES = Path(__file__).with_name("extraction_sentences.jsonl")
_TOPIC = re.compile(r"^(?:\u3010[^\u3011]*\u3011\s*)+")
_POLICY = ExtractionPolicy()
Reader = Callable[[str], Sequence[Fact]]


@dataclass(frozen=True)
class Session:
    """The user's turns in one session, and the reference memories to extract from them."""

    turns: Sequence[str]
    reference: Sequence[str]


@dataclass(frozen=True)
class Counts:
    """Counts of facts: found, right among the found, wanted, and met among the wanted."""

    found: int
    right: int
    wanted: int
    met: int

    @property
    def precision(self) -> float:
        return self.right / self.found if self.found else 0.0

    @property
    def recall(self) -> float:
        return self.met / self.wanted if self.wanted else 0.0

    def cells(self) -> list[str]:
        """Return the cells of a table's row."""
        return [str(self.found), f"{self.precision:.3f}", f"{self.recall:.3f}"]


def read_at(least: float) -> Reader:
    """Return a reader that applies the rules to a user's turn and keeps facts of at least this confidence."""

    def read(text: str) -> list[Fact]:
        facts = facts_in_message(text, role=MessageRole.USER, speaker=None)
        return [fact for fact in facts if fact.confidence >= least]

    return read


def every_sentence(text: str) -> list[Fact]:
    """Return each of the author's own sentences in a turn as a fact."""
    return [Fact(Category.OTHER, sentence) for sentence in own_sentences(text)]


READERS: Mapping[str, Reader] = {
    "whoever keeps every sentence": every_sentence,
    "the reference's patterns alone": extract_facts,
    "rules, kept unasked": read_at(_POLICY.least_confidence),
    "rules, kept when asked for": read_at(_POLICY.least_confidence_on_request),
}


async def measure_extraction(folder: Path) -> list[Table]:
    """Return precision and recall over the personas of a folder and over the labelled sentences."""
    sessions = load_sessions(folder)
    judged = {name: await judge(name, sessions, read) for name, read in READERS.items()}
    told = [session for session in sessions if session.reference]
    within = {name: await judge(name, told, read) for name, read in READERS.items()}
    sentences = [json.loads(line) for line in SENTENCES.read_text(encoding="utf-8").splitlines()]
    halves = {name: judge_sentences(chosen) for name, chosen in parts_of(sentences).items()}
    return [_realmem_table(sessions, judged, within), _sentences_table(halves)]


def load_sessions(folder: Path) -> list[Session]:
    """Read the personas of a folder, without the assistant's turns and their reference memories."""
    files = sorted(folder.glob("*_dialogues_*.json"))
    if not files:
        raise FileNotFoundError(f"{folder} holds no *_dialogues_*.json")
    dialogues = [each for file in files for each in json.loads(file.read_text("utf-8"))["dialogues"]]
    return [
        Session(
            turns=[turn["content"] for turn in each["dialogue_turns"] if turn["speaker"] == "User"],
            reference=list(_reference(each["extracted_memory"])),
        )
        for each in dialogues
    ]


def _reference(memories: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for memory in memories:
        content = memory["content"]
        if memory.get("source_role_snapshot") == "User" and isinstance(content, str):
            yield _TOPIC.sub("", content)


async def judge(name: str, sessions: Sequence[Session], read: Reader) -> Counts:
    """Count the facts that match a reference of their session, and the references that a fact matches."""
    embedder = load()
    progress = Progress(f"extraction, {name}", len(sessions))
    found = right = met = 0
    for session in sessions:
        progress.step()
        facts = list(dict.fromkeys(fact.content for turn in session.turns for fact in read(turn)))
        found += len(facts)
        if facts and session.reference:
            vectors = await embedder.embed([*facts, *session.reference])
            cosines = vectors[: len(facts)] @ vectors[len(facts) :].T
            right += int(np.count_nonzero(cosines.max(axis=1) >= SAME))
            met += int(np.count_nonzero(cosines.max(axis=0) >= SAME))
    return Counts(found, right, sum(len(session.reference) for session in sessions), met)


def judge_sentences(sentences: Sequence[Mapping[str, Any]]) -> tuple[Counts, float]:
    """Count the sentences with facts, and return the share of the right ones with an expected category."""
    read = read_at(_POLICY.least_confidence)
    given = [(read(each["text"]), set(each["expect"])) for each in sentences]
    found = [(facts, expected) for facts, expected in given if facts]
    right = [(facts, expected) for facts, expected in found if expected]
    topical = sum(any(fact.category in expected for fact in facts) for facts, expected in right)
    wanted = sum(bool(expected) for _, expected in given)
    return Counts(len(found), len(right), wanted, len(right)), topical / len(right) if right else 0.0


def parts_of(sentences: Sequence[Mapping[str, Any]]) -> dict[str, list[Mapping[str, Any]]]:
    """Group the sentences by half, ``tune`` or ``test``, and language."""
    return {
        f"{half}, {language}": [
            each
            for each in sentences
            if each["half"] == half and contains_cjk(each["text"]) is (language == "Chinese")
        ]
        for half in ("tune", "test")
        for language in ("English", "Chinese")
    }


def _realmem_table(
    sessions: Sequence[Session], judged: Mapping[str, Counts], within: Mapping[str, Counts]
) -> Table:
    turns = sum(len(session.turns) for session in sessions)
    wanted = sum(len(session.reference) for session in sessions)
    return Table(
        f"RealMem: {turns} user turns of {len(sessions)} sessions, {wanted} reference memories of user turns",
        (
            "who reads",
            "facts",
            "precision",
            "recall",
            "facts where there is a reference",
            "precision",
            "recall",
        ),
        [[name, *counts.cells(), *within[name].cells()] for name, counts in judged.items()],
        f"A fact is right where a reference memory of its session has a cosine of at least {SAME} to it. A third of "
        "the turns belong to sessions without any reference; whatever is found there counts as wrong on the left. The "
        "reference is a language model's and mostly the state of a project, which no single sentence states: who keeps "
        "every sentence shows what recall can be had at all.",
    )


def _sentences_table(halves: Mapping[str, tuple[Counts, float]]) -> Table:
    return Table(
        "Sentences labelled by hand",
        ("half", "to be found", "found", "precision", "recall", "right topic"),
        [
            [name, str(counts.wanted), *counts.cells(), f"{topic:.3f}"]
            for name, (counts, topic) in halves.items()
        ],
        "Sentences and rules have the same author, so these figures flatter the rules; the rules were changed after "
        "looking at the half `tune` only. Half of the sentences are to give nothing.",
    )
