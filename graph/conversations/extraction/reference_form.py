"""Facts as the reference extractor stores them, for clients that were written for it."""

from collections.abc import Mapping
from typing import Any

from graph.conversations.extraction.facts import Polarity, Subject
from graph.memories.changes.relative_times import RELATIVE_TIMES
from graph.memories.models import Memory
from graph.memories.sources import SourceType

_OBJECT = "object"
_POLARITY = "polarity"


def in_reference_form(memory: Memory) -> Memory:
    """Return a fact with what it is about for its content: ``Python`` for "The user does not like Python".

    Its metadata is the reference's, with a polarity where that is negative; its key is that of the table whoever said
    it, since the reference reads answers. A fact of which no object is known, one
    whose text somebody changed, and whatever else is remembered keep their content.
    """
    if memory.source_type != SourceType.EXTRACTED:
        return memory
    about = memory.metadata.get(_OBJECT)
    is_negative = memory.metadata.get(_POLARITY) == Polarity.NEGATIVE
    left_out = {_OBJECT, RELATIVE_TIMES} if is_negative else {_OBJECT, _POLARITY, RELATIVE_TIMES}
    metadata = {name: value for name, value in memory.metadata.items() if name not in left_out}
    content = about if isinstance(about, str) else memory.content
    key = memory.key and memory.key.removeprefix(f"{Subject.ASSISTANT}:")
    return memory.model_copy(update={"content": content, "key": key, "metadata": metadata})


def out_of_reference_form(memory: Memory, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return fields for a memory with its own text and key where those given are what it is shown with.

    So a list of facts that is sent back as it is leaves their sentences alone.
    """
    shown = in_reference_form(memory)
    return {
        name: getattr(memory, name) if name in ("content", "key") and value == getattr(shown, name) else value
        for name, value in given.items()
    }
