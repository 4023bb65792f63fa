"""Validation of recorded actions: short identifiers, numbers and times, so that no field can contain a user's text.

A target may be any key of an entity; if there is no such entity, the target is stored only if it is an id. Errors name
the field and the expected form, and never repeat the value, which may be a user's text.
"""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from graph.core.errors import InvalidInput
from graph.core.scope import owner_named
from graph.core.text.checks import is_identifier, short_text
from graph.core.time import in_utc
from graph.telemetry.models import ActionDraft, PatternChange, PatternState
from graph.telemetry.queries import ListUnsettledRow

MOST_NOTE_CHARS = 500
MOST_TARGET_CHARS = 512
"""Maximum length of a target, equal to that of an entity's key."""
_TYPE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:/\-]{0,63}")
_LONGEST_MS = 1e9  # eleven days; a larger number is probably in another unit
# Clocks differ, so some future is allowed; a run in the far future would stay the latest permanently.
_MOST_AHEAD = timedelta(days=1)


def validated(draft: ActionDraft, now: datetime) -> ActionDraft:
    """Return the validated draft with its time in UTC.

    Raises:
        InvalidInput: A field breaks a rule; the error names the first and the expected form.
    """
    for field, value in (
        ("actionType", draft.action_type),
        ("nodeType", draft.node_type),
        ("errorCode", draft.error_code),
    ):
        check_type(field, value)
    for field, value in (("sessionId", draft.session_id), ("id", draft.id)):
        check_id(field, value)
    return draft.model_copy(
        update={
            "target_id": short_text("targetId", draft.target_id, limit=MOST_TARGET_CHARS),
            "latency_ms": _latency(draft.latency_ms),
            "occurred_at": _time(draft.occurred_at, now),
        }
    )


def owned(draft: ActionDraft) -> ActionDraft:
    """Return the draft with its owner: the user and agent that it names, else those of the scope.

    Raises:
        InvalidInput: A name is blank or too long.
        Forbidden: The scope is another user's or agent's.
    """
    user_id, agent_id = owner_named(
        short_text("userId", draft.user_id), short_text("agentId", draft.agent_id)
    )
    return draft.model_copy(update={"user_id": user_id, "agent_id": agent_id})


def check_type(field: str, value: str | None) -> None:
    """Check the name of a type or the code of an error.

    Raises:
        InvalidInput: The value is not a short identifier.
    """
    if value is not None and _TYPE.fullmatch(value) is None:
        raise InvalidInput(
            field,
            f"{field} must be an identifier of 1 to 64 letters, digits, '_', '.', ':', '/' and '-', without spaces",
        )


def is_type(value: str) -> bool:
    """Tell whether a text may name a type or the code of an error."""
    return _TYPE.fullmatch(value) is not None


def check_id(field: str, value: str | None) -> None:
    """Check an opaque id.

    Raises:
        InvalidInput: The value is too long, or has other characters than letters, digits and ``_.:-``.
    """
    if value is not None and not is_identifier(value):
        raise InvalidInput(
            field, f"{field} must be an id of 1 to 128 letters, digits, '_', '.', ':' and '-', without spaces"
        )


def _latency(milliseconds: float | None) -> float | None:
    if milliseconds is None:
        return None
    if not math.isfinite(milliseconds) or not 0 <= milliseconds <= _LONGEST_MS:
        raise InvalidInput("latencyMs", f"latencyMs must be between 0 and {_LONGEST_MS:.0f} milliseconds")
    return float(milliseconds)


def _time(moment: datetime | None, now: datetime) -> datetime:
    stated = in_utc("occurredAt", moment) or now
    if stated > now + _MOST_AHEAD:
        raise InvalidInput("occurredAt", "occurredAt must not be more than a day in the future")
    return stated


# A failure is the triple (action type, node type, error code) of an action whose outcome is not SUCCESS; the code is
# empty for failures without one, such as most dead ends. A failure becomes a pattern if at least 5 sequences have it,
# and if these are at least 60 % of the sequences with this action type on this node type. If a condition is no longer
# met, the pattern is demoted, but stays with its note. It is promoted again when both conditions are met.


MIN_SEQUENCES = 5
MIN_PERCENT = 60


@dataclass(frozen=True)
class PatternSettlement:
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


def settlements(rows: Iterable[ListUnsettledRow], now: datetime) -> list[PatternSettlement]:
    """Return the changes: promotions, demotions, and patterns with new counts."""
    return [settlement for row in rows if (settlement := _settlement(row, now)) is not None]


def _settlement(row: ListUnsettledRow, now: datetime) -> PatternSettlement | None:
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
        return PatternSettlement(row.id, PatternChange.PROMOTED, counts | state)
    if was_promoted and not holds:
        state = {"state": PatternState.DEMOTED, "demoted_at": now}
        return PatternSettlement(row.id, PatternChange.DEMOTED, counts | state)
    if (row.settled_attempts, row.settled_confidence) == (counts["attempts"], counts["confidence"]):
        return None
    return PatternSettlement(row.id, PatternChange.UPDATED, counts)
