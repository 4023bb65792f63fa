"""When a way to fail is a pattern; pure rules over counts.

A failure is the triple (action type, node type, error code) of an action whose outcome is not SUCCESS; failures without
a code, as dead ends usually are, share one. It becomes a pattern once at least 5 sequences hold it and they are at
least 60 % of the sequences with an action of that type on that type of node. It is demoted when either fails again,
and kept for its note; a demoted pattern is promoted again when both hold.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graph.telemetry.models import PatternChange, PatternState
from graph.telemetry.queries import ListUnsettledRow

MIN_SEQUENCES = 5
MIN_PERCENT = 60


@dataclass(frozen=True)
class Settlement:
    """New state of a pattern, with the name of the change."""

    id: str
    change: PatternChange
    properties: dict[str, Any]

    def as_parameter(self) -> dict[str, Any]:
        """Return the row of ``settle_patterns``."""
        return {"id": self.id, "properties": self.properties}


def is_pattern(*, sequences: int, attempts: int) -> bool:
    """Tell whether a failure of ``sequences`` out of ``attempts`` is a pattern; in integers, so 60 % is exact.

    >>> [is_pattern(sequences=n, attempts=m) for n, m in ((6, 10), (5, 5), (59, 100), (4, 4))]
    [True, True, False, False]
    """
    return sequences >= MIN_SEQUENCES and sequences * 100 >= attempts * MIN_PERCENT


def settlements(rows: Iterable[ListUnsettledRow], now: datetime) -> list[Settlement]:
    """Return what changes: promotions, demotions, and patterns whose counts moved."""
    return [settlement for row in rows if (settlement := _settled(row, now)) is not None]


def _settled(row: ListUnsettledRow, now: datetime) -> Settlement | None:
    holds = is_pattern(sequences=row.sequences, attempts=row.attempts)
    was_promoted = row.state == PatternState.PROMOTED
    if row.state is None and not holds:
        return None
    counts: dict[str, Any] = {
        "attempts": row.attempts,
        "confidence": row.sequences / row.attempts if row.attempts else 0.0,
    }
    if holds and not was_promoted:
        state = {"state": PatternState.PROMOTED, "promoted_at": now, "demoted_at": None}
        return Settlement(row.id, PatternChange.PROMOTED, counts | state)
    if was_promoted and not holds:
        state = {"state": PatternState.DEMOTED, "demoted_at": now}
        return Settlement(row.id, PatternChange.DEMOTED, counts | state)
    if (row.settled_attempts, row.settled_confidence) == (counts["attempts"], counts["confidence"]):
        return None
    return Settlement(row.id, PatternChange.UPDATED, counts)
