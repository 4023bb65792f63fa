"""BEAM: long chats with an assistant, whose answers are pages long; gold = the evidence messages."""

import json
from pathlib import Path

from graph.memories.models import MemoryDraft
from tests.bench.script import Ask, DataSet, Save, Script

_MAX_CHARS = 32_000  # length at which an import truncates a turn
_TARGETS = {"recall@10": 0.68, "MRR": 0.66}


def load_beam(folder: Path) -> DataSet:
    """Read the chats of a folder: ``NAME.jsonl`` in the import format, its questions in ``NAME.q.json``.

    Raises:
        FileNotFoundError: The folder holds no chat.
    """
    chats = sorted(folder.glob("*.jsonl"))
    if not chats:
        raise FileNotFoundError(f"{folder} holds no *.jsonl")
    return DataSet("beam", "messages", [_script(chat) for chat in chats], hits=20, targets=_TARGETS)


def _script(chat: Path) -> Script:
    messages = [json.loads(line) for line in chat.read_text(encoding="utf-8").splitlines()]
    questions = json.loads(chat.with_suffix(".q.json").read_text(encoding="utf-8"))
    drafts = [
        MemoryDraft(
            content=message["content"][:_MAX_CHARS],
            speaker=message["speaker"],
            source_conversation_id=message["source_conversation_id"],
            source_message_id=message["key"],
            session_id=message["session_id"],
            source_type="imported",
            dedup=False,
        )
        for message in messages
    ]
    saved = Save(drafts, [message["key"] for message in messages])
    asks = [Ask(each["q"], frozenset(each["gold"]), each["cat"]) for each in questions]
    return Script(chat.stem, [saved, *asks])
