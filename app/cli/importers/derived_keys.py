"""Keys for what a file gives no name."""

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from app.cli.importers.models import ImportedMemory, ImportItem

_IDENTITY = ("content", "speaker", "source_conversation_id", "source_message_id", "session_id", "timestamp")


class DerivedKeys:
    """Derives a key from the content of items without ``key``, so that a second import finds them again.

    Equal facts are one memory. Equal turns of a conversation ("Thanks!") are numbered, because each is a turn.
    """

    def __init__(self, source: str) -> None:
        self._source = source
        self._seen: Counter[str] = Counter()

    def complete(self, item: ImportItem) -> ImportItem:
        """Return the item with a key, unless it has a key or an id."""
        memory = item.memory
        updates: dict[str, Any] = {} if memory.dedup is not None else {"dedup": False}
        if memory.key is None and memory.id is None:
            updates["key"] = self._derive(memory)
        return replace(item, memory=memory.model_copy(update=updates))

    def _derive(self, memory: ImportedMemory) -> str:
        digest = _digest(memory.model_dump(mode="json", include=set(_IDENTITY)))
        if memory.source_conversation_id is None:
            return f"{self._source}/{digest}"
        self._seen[digest] += 1
        occurrence = self._seen[digest]
        return f"{self._source}/{digest}" if occurrence == 1 else f"{self._source}/{digest}-{occurrence}"


def _digest(identity: Mapping[str, Any]) -> str:
    text = json.dumps(identity, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:32]
