"""Further kinds of memories, each a small hand-written set in ``sets``.

The kinds are a person's notes, agents' logs, code decisions, sections of documents, messages between two
friends, short messages of three pairs (``messages``), a person's chats with an assistant, and work on
projects with one. Recall ranks memories only, so each section is a memory with its document's title; chunks
of documents are left to search.
"""

import json
from datetime import datetime
from pathlib import Path

from graph.memories.models import MemoryDraft
from tests.bench.script import Ask, DataSet, Save, Script

FOLDER = Path(__file__).with_name("sets")
KINDS = (
    "notes", "logs", "decisions", "documents", "friends", "messages", "assistant", "projects",
)  # fmt: skip
_OF_A_TURN = ("speaker", "source_conversation_id", "session_id")


def load_kinds(folder: Path = FOLDER) -> dict[str, DataSet]:
    """Read every kind: ``KIND/KIND.jsonl`` in the import format, its questions in ``KIND/KIND.q.json``.

    Raises:
        FileNotFoundError: The folder lacks a kind.
        ValueError: A gold label is not a key of its kind.
    """
    return {kind: load_kind(kind, folder) for kind in KINDS}


def load_kind(kind: str, folder: Path = FOLDER) -> DataSet:
    """Read one kind."""
    file = folder / kind / f"{kind}.jsonl"
    memories = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    questions = json.loads(file.with_suffix(".q.json").read_text(encoding="utf-8"))
    keys = [memory["key"] for memory in memories]
    for each in questions:
        if unknown := set(each["gold"]) - set(keys):
            raise ValueError(f"{file.stem}: gold of {each['q']!r} is no key: {sorted(unknown)}")
    drafts = [
        MemoryDraft(
            content=memory["content"],
            timestamp=datetime.fromisoformat(memory["timestamp"]),
            metadata=memory.get("metadata"),
            **{name: memory[name] for name in _OF_A_TURN if name in memory},
            source_type="imported",
            dedup=False,
        )
        for memory in memories
    ]
    asks = [Ask(each["q"], frozenset(each["gold"]), each["cat"]) for each in questions]
    return DataSet(
        file.stem, "memories", [Script(file.stem, [Save(drafts, keys), *asks])], hits=20, targets={}
    )
