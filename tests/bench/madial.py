"""MADial: notes on what happened to two children; the dialogue so far should bring the fitting ones back.

A note's text holds what the authors embed: scene, emotion and event, without the day. The query is their text too:
the lines before the test turn, as they stand.
"""

import json
from pathlib import Path
from typing import Any

from graph.memories.models import MemoryDraft
from tests.bench.script import Ask, DataSet, Save, Script

_TARGETS = {"recall@10": 0.80, "MRR": 0.78}


def load_madial(folder: Path) -> DataSet:
    """Read the notes and dialogues of a folder."""
    notes = {id_: note for line in _lines(folder, "memory") for id_, note in line.items()}
    drafts = [
        MemoryDraft(
            content=f"scene: {note['scene']}, emotion: {note['emotion']}, event: {note['event']}",
            source_type="imported",
            dedup=False,
        )
        for note in notes.values()
    ]
    asks = [
        Ask(
            query="".join(dialogue["dialogue"][:turn]),
            gold=frozenset(str(id_) for id_ in dialogue["relevant-id"]),
            category=f"user {dialogue['user-id']}",
        )
        for dialogue in _lines(folder, "dialogue")
        for turn in dialogue["test-turn"]
    ]
    return DataSet(
        "madial",
        "memories",
        [Script("madial", [Save(drafts, list(notes)), *asks])],
        hits=20,
        targets=_TARGETS,
    )


def _lines(folder: Path, kind: str) -> list[dict[str, Any]]:
    """Read the file of one kind: one JSON object on each line."""
    (file,) = sorted(folder.glob(f"*-{kind}.json"))
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
