"""MADial: notes on events in two children's lives; gold = the notes relevant to a dialogue.

As in the authors' benchmark, a note's text contains scene, emotion and event, but no day, and a query is the
unchanged lines before the test turn.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from graph.core.text.language import word_count
from graph.memories.models import MemoryDraft
from tests.bench.script import Ask, DataSet, Save, Script

_NAME = re.compile(r"^[A-Z][a-z]+('s)?")
_CLAUSE_END = re.compile(r", | and |[.\uff0c\u3002]")
_LEAST_WORDS = 3
_TARGETS = {"recall@10": 0.80, "MRR": 0.80}
_ACROSS = {"recall@10": 0.35}
LANGUAGES: Mapping[str, tuple[str, str, Mapping[str, float]]] = {
    "madial-zh": ("madial-zh", "madial-zh", {"recall@10": 0.55, "MRR": 0.50}),
    "madial-zh-en": ("madial-zh", "madial-en", _ACROSS),
    "madial-en-zh": ("madial-en", "madial-zh", _ACROSS),
}
"""Folders of notes and of dialogues, and targets; both languages have the same ids."""


def load_madial(folder: Path) -> DataSet:
    """Read the notes and dialogues of a folder."""
    return _load("madial", folder, folder, _TARGETS)


def load_language(name: str, data: Path) -> DataSet:
    """Read the notes and dialogues of one of ``LANGUAGES``; ``data`` is the folder of all sets."""
    notes, dialogues, targets = LANGUAGES[name]
    return _load(name, data / notes, data / dialogues, targets)


def _load(name: str, notes: Path, dialogues: Path, targets: Mapping[str, float]) -> DataSet:
    script = Script("madial", [_save(_notes(notes)), *_asks(dialogues)])
    return DataSet(name, "memories", [script], hits=20, targets=targets)


def load_children(notes: Path, dialogues: Path, *, children: Path) -> list[Script]:
    """Read one script per child: its notes in one language, and its dialogues, possibly in another.

    Args:
        notes: Folder of the notes.
        dialogues: Folder of the dialogues; ids are the same in all languages.
        children: Folder of the notes that name their child; the English ones do not.
    """
    about = {id_: note["user-id"] for id_, note in _notes(children).items()}
    known = _notes(notes)
    return [
        Script(
            f"user {child}",
            [
                _save({id_: note for id_, note in known.items() if about.get(id_) == child}),
                *(ask for ask in _asks(dialogues) if ask.category == f"user {child}"),
            ],
        )
        for child in sorted(set(about.values()))
    ]


def load_short(notes: Path, *, children: Path, template: str) -> list[Script]:
    """Read short questions for each child: each note's first clause in ``template``, without the name."""
    return [
        Script(
            script.name,
            [
                Ask(template.format(clause), frozenset({id_}), script.name)
                for save in script.steps
                if isinstance(save, Save)
                for draft, id_ in zip(save.drafts, save.labels, strict=True)
                if word_count(clause := _clause(draft.content)) >= _LEAST_WORDS
            ],
        )
        for script in load_children(notes, notes, children=children)
    ]


def _clause(content: str) -> str:
    """Return the first clause of the event, without its leading name."""
    event = content.partition("event: ")[2]
    return _NAME.sub("", _CLAUSE_END.split(event)[0]).strip()


def _notes(folder: Path) -> dict[str, Any]:
    return {id_: note for line in _lines(folder, "memory") for id_, note in line.items()}


def _save(notes: Mapping[str, Any]) -> Save:
    drafts = [
        MemoryDraft(
            content=f"scene: {note['scene']}, emotion: {note['emotion']}, event: {note['event']}",
            source_type="imported",
            dedup=False,
        )
        for note in notes.values()
    ]
    return Save(drafts, list(notes))


def _asks(folder: Path) -> list[Ask]:
    return [
        Ask(
            query="".join(dialogue["dialogue"][:turn]),
            gold=frozenset(str(id_) for id_ in dialogue["relevant-id"]),
            category=f"user {dialogue['user-id']}",
        )
        for dialogue in _lines(folder, "dialogue")
        for turn in dialogue["test-turn"]
    ]


def _lines(folder: Path, kind: str) -> list[dict[str, Any]]:
    """Read the file of one kind: one JSON object per line."""
    (file,) = sorted(folder.glob(f"*-{kind}.json"))
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
