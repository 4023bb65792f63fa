"""Values that are not taken for others."""

from datetime import UTC, date, datetime

import pytest

from graph.core.exact import read_time

NEW_YEAR = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "2026-01-01T00:00:00Z",
        "2026-01-01t00:00:00z",
        "2026-01-01 01:00:00+01:00",
        "20260101T000000Z",
        "2026-W01-4T00:00Z",
    ],
)
def test_a_time_is_read_in_any_form_of_iso(text: str) -> None:
    """A11."""
    assert read_time(text) == NEW_YEAR


def test_a_day_is_its_midnight() -> None:
    assert read_time("2026-01-01") == datetime.combine(date(2026, 1, 1), datetime.min.time())


@pytest.mark.parametrize("text", ["2026", "20260101", "20260101000000", "1.7e9", "-1", "soon", "", "\ud800"])
def test_a_number_or_a_word_is_no_time(text: str) -> None:
    """A11, K20: seconds of an epoch, or a year taken for a day, would be another time than was meant."""
    with pytest.raises(ValueError, match="must be a time in ISO 8601, such as 2026-03-07T12:00:00Z"):
        read_time(text)
