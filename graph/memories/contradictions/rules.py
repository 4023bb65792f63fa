"""Rules for contradictions between memories."""

from datetime import datetime
from typing import Protocol

from graph.memories.deduplication.disagreement import disagree
from graph.memories.models import Memory


class HoldsFor(Protocol):
    """A statement that is valid in a time span, as far as its bounds are known."""

    @property
    def holds_since(self) -> datetime | None:
        """Start of its validity, or else the time of the statement."""

    @property
    def t_invalid(self) -> datetime | None:
        """Until when."""


def contradicts(one: Memory, other: Memory) -> bool:
    """Tell whether two memories cannot both hold.

    Statements of several people about themselves contradict nothing, nor do consecutive states.
    """
    return (
        owner_of(one) == owner_of(other)
        and not held_in_turn(one, other)
        and disagree(one.content, other.content)
    )


def held_in_turn(one: HoldsFor, other: HoldsFor) -> bool:
    """Tell whether one of two held until the other began."""
    return _ends_before(one, other) or _ends_before(other, one)


def _ends_before(one: HoldsFor, other: HoldsFor) -> bool:
    return one.t_invalid is not None and other.holds_since is not None and one.t_invalid <= other.holds_since


def owner_of(memory: Memory) -> tuple[str | None, ...]:
    """Return whose a memory is: who says it, and the user and the agent it belongs to."""
    return memory.speaker, memory.user_id, memory.agent_id
