"""Whether what a memory says holds at a moment, and how a model is told that it does not, or of which day it is."""

from collections.abc import Sequence
from datetime import datetime

from graph.conversations.extraction.days import is_relative
from graph.memories.models import Memory
from graph.memories.sources import SourceType


def holds(memory: Memory, moment: datetime) -> bool:
    """Tell whether a memory holds at a moment, as the filter ``valid_at`` does: from ``t_valid`` on, and not ended."""
    return (memory.t_valid is None or memory.t_valid <= moment) and not _has_ended(memory, moment)


def validity_in_words(memory: Memory, moment: datetime, superseded_by: Sequence[str] = ()) -> str | None:
    """Return until or from when a memory holds that does not hold at a moment; None for one that does.

    A memory that has ended is told as ended, whatever it says in the present tense, and one that others have taken the
    place of as superseded.
    """
    if memory.t_invalid is not None and _has_ended(memory, moment):
        return f"held until {memory.t_invalid:%Y-%m-%d}"
    if memory.t_valid is not None and memory.t_valid > moment:
        return f"holds from {memory.t_valid:%Y-%m-%d}"
    return f"superseded by {', '.join(superseded_by)}" if superseded_by else None


def day_in_words(memory: Memory) -> str | None:
    """Return on which day a memory was said that speaks of "tomorrow"; None for one that is clear by itself.

    When the text of one that was changed since was said is not known, but of what extraction found.
    """
    if memory.version > 1 and memory.source_type != SourceType.EXTRACTED:
        return None
    return f"said on {memory.timestamp:%Y-%m-%d}" if is_relative(memory.content) else None


def _has_ended(memory: Memory, moment: datetime) -> bool:
    return memory.t_invalid is not None and memory.t_invalid <= moment
