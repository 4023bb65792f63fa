"""The promotion of repeated failures to patterns."""

from datetime import UTC, datetime
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.telemetry.models import PatternChange, PatternState
from graph.telemetry.queries import ListUnsettledRow
from graph.telemetry.rules import is_pattern, settlements

NOW = datetime(2026, 5, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("sequences", "attempts", "expected"),
    [
        (4, 4, False),
        (5, 5, True),
        (5, 8, True),
        (5, 9, False),
        (6, 10, True),
        (59, 100, False),
        (60, 100, True),
        (599_999, 1_000_000, False),
        (600_000, 1_000_000, True),
        (0, 0, False),
    ],
)
def test_the_thresholds_are_exact(sequences, attempts, expected) -> None:
    """G4: 4 sequences or 59 % promote nothing, but 5 and 60 % do."""
    assert is_pattern(sequences=sequences, attempts=attempts) is expected


@given(st.integers(0, 10**7), st.integers(0, 10**7))
def test_the_share_is_compared_without_rounding(sequences, others) -> None:
    """G4."""
    attempts = sequences + others
    expected = sequences >= 5 and Fraction(sequences, attempts) >= Fraction(3, 5)

    assert is_pattern(sequences=sequences, attempts=attempts) is expected


def row(
    sequences: int, attempts: int, state=None, settled: tuple[int, float] | None = None
) -> ListUnsettledRow:
    return ListUnsettledRow(
        id="pat_1",
        state=state,
        sequences=sequences,
        attempts=attempts,
        settled_attempts=settled[0] if settled else None,
        settled_confidence=settled[1] if settled else None,
    )


@pytest.mark.parametrize(
    ("unsettled", "change"),
    [
        (row(4, 4), None),
        (row(6, 10), PatternChange.PROMOTED),
        (row(6, 10, PatternState.PROMOTED, (10, 0.6)), None),
        (row(7, 11, PatternState.PROMOTED, (10, 0.6)), PatternChange.UPDATED),
        (row(6, 11, PatternState.PROMOTED, (10, 0.6)), PatternChange.DEMOTED),
        (row(4, 4, PatternState.PROMOTED, (5, 1.0)), PatternChange.DEMOTED),
        (row(0, 0, PatternState.PROMOTED, (5, 1.0)), PatternChange.DEMOTED),
        (row(6, 12, PatternState.DEMOTED, (11, 6 / 11)), PatternChange.UPDATED),
        (row(9, 15, PatternState.DEMOTED, (12, 0.5)), PatternChange.PROMOTED),
    ],
    ids=repr,
)
def test_counts_promote_update_demote_and_promote_again(unsettled, change) -> None:
    """G4, G5."""
    changes = [settlement.change for settlement in settlements([unsettled], NOW)]

    assert changes == ([change] if change else [])


def test_promotion_does_not_change_notes_and_suppression() -> None:
    """G5, G10: neither is ever overwritten."""
    written = [
        set(settlements([unsettled], NOW)[0].properties)
        for unsettled in (row(6, 10), row(6, 11, PatternState.PROMOTED), row(7, 11, PatternState.PROMOTED))
    ]

    assert written == [
        {"state", "promoted_at", "demoted_at", "attempts", "confidence"},
        {"state", "demoted_at", "attempts", "confidence"},
        {"attempts", "confidence"},
    ]
