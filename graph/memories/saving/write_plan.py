"""The planned writes of one batch of memories."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from graph.core.automatic_changes.models import NewChange
from graph.memories.models import SavedMemory


@dataclass(frozen=True)
class TurnPlace:
    """Position of a turn."""

    turn_scope: str
    position: int


@dataclass
class WritePlan:
    """The writes of one batch, and the receipt for each draft in the order given.

    Attributes:
        sources: Conversations of memories that are not turns.
        changed_turns: Places of turns that changed; the turns around them hold their text too.
        restated: Memories that say something else now, or of another time.
        changes: Entries of automatic changes by jobs.
    """

    creations: list[dict[str, Any]] = field(default_factory=list)
    turns: list[dict[str, Any]] = field(default_factory=list)
    sources: list[dict[str, Any]] = field(default_factory=list)
    updates: list[dict[str, Any]] = field(default_factory=list)
    extensions: list[dict[str, str]] = field(default_factory=list)
    to_embed: list[str] = field(default_factory=list)
    to_link: list[str] = field(default_factory=list)
    changed_turns: list[TurnPlace] = field(default_factory=list)
    restated: list[str] = field(default_factory=list)
    changes: list[NewChange] = field(default_factory=list)
    receipts: list[SavedMemory] = field(default_factory=list)


def turn_place(turn: Mapping[str, Any]) -> TurnPlace | None:
    """Return where a stored turn stands, or None for a memory that is no turn."""
    if turn.get("turn_scope") is None:
        return None
    return TurnPlace(turn["turn_scope"], turn["position"])
