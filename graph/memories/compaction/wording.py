"""Writes compacted texts: the first sentences of a memory, or its line in a summary."""

from collections.abc import Iterable, Sequence

from graph.core.ids import is_own_memory_id
from graph.core.text.budget import estimate_tokens
from graph.core.text.language import sentences
from graph.core.text.summaries import extractive_summary
from graph.memories.changes.relative_times import made_absolute, text_time, with_day
from graph.memories.models import Memory
from graph.memories.saving.indexing import dated_text
from graph.memories.tags import PINNED, compute_tag_prefixes

LINE_CHARS = 240
LEAST_LINE_CHARS = 48
_MOST_SENTENCES = 3


def first_sentences(text: str) -> str:
    """Return the first three sentences of a text; a shorter text stays unchanged."""
    found = sentences(text)
    return text if len(found) <= _MOST_SENTENCES else " ".join(found[:_MOST_SENTENCES])


def shortened(texts: Sequence[str]) -> list[str]:
    """Return the first three sentences of each text; keep a text if that would not save tokens."""
    return [_shorter(text, first_sentences(text)) for text in texts]


def summary_text(memories: Iterable[Memory], line_chars: int = LINE_CHARS) -> str:
    """Return one line for each memory, in order; each line starts with the type.

    >>> from datetime import datetime
    >>> at = datetime(2026, 1, 1)
    >>> memory = Memory(id="m", workspace_id="w", content="We use trains", type="Decision", kind="episodic",
    ...     facet="context", importance=0.5, confidence=0.9, source_type="api", timestamp=at, created_at=at,
    ...     updated_at=at, state="STORED")
    >>> summary_text([memory])
    'Decision: We use trains'
    """
    return "\n".join(_line(memory, line_chars) for memory in memories)


def fitting_line_chars(count: int, most_chars: int) -> int | None:
    """Return the maximum length of each of ``count`` lines, or None if that is too short to be useful."""
    chars = most_chars // count - 1  # each ends with a line break
    return None if chars < LEAST_LINE_CHARS else min(chars, LINE_CHARS)


def oldest_first(memories: Iterable[Memory]) -> Sequence[Memory]:
    """Return memories in the order of their creation."""
    return sorted(memories, key=lambda memory: (memory.created_at, memory.id))


def _shorter(text: str, cut: str) -> str:
    return cut if estimate_tokens(cut) < estimate_tokens(text) else text


def _of_its_day(memory: Memory, text: str) -> str:
    """Replace relative times by dates, because a reader would relate them to the summary's day."""
    time = text_time(memory)
    return text if time is None else with_day(made_absolute(text, time.date()).text, time)


def _line(memory: Memory, most_chars: int) -> str:
    """Return the line of a memory: type, date if it differs from the day of the save, speaker and text."""
    stated_at = memory.timestamp if memory.timestamp.date() != memory.created_at.date() else None
    head = f"{memory.type}: {dated_text('', speaker=memory.speaker, stated_at=stated_at)}"
    shown = " ".join(_of_its_day(memory, memory.summary or memory.content).split())
    whole = " ".join(_of_its_day(memory, memory.content).split())
    room = most_chars - len(head)
    return head + (whole if len(whole) <= room else extractive_summary(shown, most_chars=room))


EXEMPT_IMPORTANCE = 0.9
_ADAPTERS = frozenset({"langgraph"})
"""First levels of the tags by which adapters find their items (``app/client/langgraph_store``)."""


def may_be_compacted(memory: Memory) -> bool:
    """Tell whether compaction may replace or shorten a memory.

    Exempt are memories that callers fetch by a chosen key or id or by an adapter's tag, memories that are pinned by a
    tag or by ``pinned: true`` in their metadata, and memories with an importance of at least 0.9. A derived key is not
    a chosen one.
    """
    return (
        (memory.key is None or memory.key_is_derived)
        and memory.importance < EXEMPT_IMPORTANCE
        and memory.metadata.get(PINNED) is not True
        and PINNED not in compute_tag_prefixes(memory.tags)
        and is_own_memory_id(memory.id)
        and _ADAPTERS.isdisjoint(tag.split("/")[0] for tag in memory.tags)
    )


def shrinking(memories: Sequence[Memory], line_chars: int) -> list[tuple[Memory, str]]:
    """Return the memories with more tokens than their summary line and its line break, with their lines."""
    lined = [(memory, summary_text([memory], line_chars)) for memory in memories]
    return [
        (memory, line)
        for memory, line in lined
        if estimate_tokens(line + "\n") < estimate_tokens(memory.content)
    ]
