"""Validation of recorded actions: short identifiers, numbers and times, so that no field can contain a user's text.

A target may be any key of an entity; if it names no entity, only an id is stored. Errors name the field and the
expected form and never repeat the value, which may be the very text that must not spread.
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
"""As many as the key of an entity may have."""
_TYPE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:/\-]{0,63}")
_LONGEST_MS = 1e9  # eleven days; more is a unit mixed up
# Clocks differ, and a run that ended in a far future would stay the latest permanently.
_MOST_AHEAD = timedelta(days=1)


def validated(draft: ActionDraft, now: datetime) -> ActionDraft:
    """Return the draft with its time in UTC, if it keeps every rule.

    Raises:
        InvalidInput: The first field that breaks a rule, with the expected form.
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
    """Return the draft as one of the user and the agent that it belongs to: those it names, else the scope's.

    Raises:
        InvalidInput: A name is blank or too long.
        Forbidden: The scope is another's.
    """
    user_id, agent_id = owner_named(
        short_text("userId", draft.user_id), short_text("agentId", draft.agent_id)
    )
    return draft.model_copy(update={"user_id": user_id, "agent_id": agent_id})


def check_type(field: str, value: str | None) -> None:
    """Check the name of a type or the code of an error.

    Raises:
        InvalidInput: It is not a short identifier.
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
        InvalidInput: It is longer than an id, or holds more than letters, digits and four signs.
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
        raise InvalidInput("occurredAt", "occurredAt must not lie more than a day in the future")
    return stated


# A failure is the triple (action type, node type, error code) of an action whose outcome is not SUCCESS; failures
# without a code, as dead ends usually are, share one. It becomes a pattern once at least 5 sequences hold it and they
# are at least 60 % of the sequences with an action of that type on that type of node. It is demoted when either fails
# again, and kept for its note; a demoted pattern is promoted again when both hold.


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
