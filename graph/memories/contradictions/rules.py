"""Rules for contradictions between memories."""

from datetime import datetime
from typing import Protocol

from graph.memories.deduplication.disagreement import disagree
from graph.memories.models import Memory


class HoldsFor(Protocol):
    """A statement with a validity period; unknown bounds are None."""

    @property
    def holds_since(self) -> datetime | None:
        """Start of its validity, or else the time of the statement."""

    @property
    def t_invalid(self) -> datetime | None:
        """End of its validity."""


def contradicts(one: Memory, other: Memory) -> bool:
    """Tell whether two memories cannot both be true.

    Memories of different owners or speakers never contradict each other, nor do memories valid one after the other.
    """
    return (
        owner_of(one) == owner_of(other)
        and not held_in_turn(one, other)
        and disagree(one.content, other.content)
    )


def held_in_turn(one: HoldsFor, other: HoldsFor) -> bool:
    """Tell whether one of two statements ended before the other began."""
    return _ends_before(one, other) or _ends_before(other, one)


def _ends_before(one: HoldsFor, other: HoldsFor) -> bool:
    return one.t_invalid is not None and other.holds_since is not None and one.t_invalid <= other.holds_since


def owner_of(memory: Memory) -> tuple[str | None, ...]:
    """Return the speaker, user and agent of a memory."""
    return memory.speaker, memory.user_id, memory.agent_id
