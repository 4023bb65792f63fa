"""Times as stored."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from graph.core.errors import InvalidInput
from graph.core.exact import read_time
from graph.core.time import in_utc, period_in_utc

EAST = timezone(timedelta(hours=5))


def test_a_time_without_an_offset_is_utc() -> None:
    assert in_utc("timestamp", datetime(2026, 3, 7, 12)) == datetime(2026, 3, 7, 12, tzinfo=UTC)  # noqa: DTZ001
    assert in_utc("timestamp", datetime(2026, 3, 7, 12, tzinfo=EAST)) == datetime(2026, 3, 7, 7, tzinfo=UTC)
    assert in_utc("timestamp", None) is None


@pytest.mark.parametrize(
    "moment",
    [datetime(1, 1, 1, tzinfo=EAST), datetime(9999, 12, 31, 23, tzinfo=timezone(-timedelta(hours=5)))],
)
def test_a_time_outside_the_calendar_is_refused(moment: datetime) -> None:
    """K20."""
    with pytest.raises(InvalidInput) as refusal:
        in_utc("tValid", moment)

    assert (refusal.value.field, refusal.value.message) == (
        "tValid",
        "tValid must lie in the years 1 to 9999 of UTC",
    )


def test_a_period_is_in_utc_and_ordered() -> None:
    noon = datetime(2026, 3, 7, 12, tzinfo=UTC)
    assert period_in_utc(noon.replace(tzinfo=None), noon.astimezone(EAST)) == (noon, noon)
    assert period_in_utc(None, noon) == (None, noon)
    with pytest.raises(InvalidInput) as refusal:
        period_in_utc(noon, noon - timedelta(seconds=1))

    assert (refusal.value.field, refusal.value.message) == ("until", "until must not be before since")


@pytest.mark.parametrize(
    ("since", "until", "first", "last", "behind"),
    [
        ("2025", "2025", "2025-01-01", "2025-12-31T23:59:59.999999", "2026-01-01"),
        ("2025-02", "2025-03", "2025-02-01", "2025-03-31T23:59:59.999999", "2025-04-01"),
        ("2025-03-07", "2025-03-07", "2025-03-07", "2025-03-07T23:59:59.999999", "2025-03-08"),
        ("2025-01-01T10:00", "2025-01-01T10:00", "2025-01-01T10:00", "2025-01-01T10:00", "2025-01-01T10:00"),
        ("9999", "9999", "9999-01-01", "9999-12-31T23:59:59.999999", "9999-12-31T23:59:59.999999"),
    ],
)
def test_a_period_begins_where_its_first_part_does_and_ends_where_its_last_part_does(
    since: str, until: str, first: str, last: str, behind: str
) -> None:
    """Issue 35: also if the end is exclusive."""
    bounds = read_time(since), read_time(until)
    start, end, next_ = (datetime.fromisoformat(text).replace(tzinfo=UTC) for text in (first, last, behind))

    assert period_in_utc(*bounds) == (start, end)
    assert period_in_utc(*bounds, excludes_until=True) == (start, next_)
