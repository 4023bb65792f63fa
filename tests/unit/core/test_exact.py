"""Strict reading of values, which confuses none with another."""

from datetime import UTC, datetime

import pytest

from graph.core.exact import EXPECTED_TIME, read_time, read_untyped_time
from graph.core.time import in_utc, last_moment

NEW_YEAR = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "2026-01-01T00:00:00Z",
        "2026-01-01t00:00:00z",
        "2026-01-01 01:00:00+01:00",
        "20260101T000000Z",
        "2026-W01-4T00:00Z",
        "2026W014T000000Z",
        "2026-01-01T00:00:00,000Z",
        "2026-01-01T00:00:00.000000000Z",
        "2025-12-31T19:00:00-0500",
        "2026-01-01T01+01",
        "2026-01-01T05:45:00+05:45",
    ],
)
def test_a_time_is_read_in_any_form_of_iso(text: str) -> None:
    """A11."""
    assert read_time(text) == NEW_YEAR


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2025", "2025-01-01", "2025-12-31"),
        ("2024-02", "2024-02-01", "2024-02-29"),
        ("2025-W10", "2025-03-03", "2025-03-09"),
        ("2025-03-07", "2025-03-07", "2025-03-07"),
        ("20250307", "2025-03-07", "2025-03-07"),
        ("2026W01", "2025-12-29", "2026-01-04"),
        ("2025-W10-5", "2025-03-07", "2025-03-07"),
        ("2024-02-29", "2024-02-29", "2024-02-29"),
        ("9999-12", "9999-12-01", "9999-12-31"),
        ("0001", "0001-01-01", "0001-12-31"),
    ],
)
def test_a_year_a_month_a_week_and_a_day_begin_and_end(text: str, first: str, last: str) -> None:
    """Issue 35."""
    moment = read_time(text)

    assert moment.isoformat() == f"{first}T00:00:00"
    assert last_moment(moment).isoformat() == f"{last}T23:59:59.999999"
    assert type(in_utc("timestamp", moment)) is datetime


@pytest.mark.parametrize(
    ("number", "moment"),
    [
        (1e8, "1973-03-03T09:46:40+00:00"),
        (1_700_000_000, "2023-11-14T22:13:20+00:00"),
        (1_700_000_000.5, "2023-11-14T22:13:20.500000+00:00"),
        (99_999_999_999, "5138-11-16T09:46:39+00:00"),
        (100_000_000_000, "1973-03-03T09:46:40+00:00"),
        (1_700_000_000_123, "2023-11-14T22:13:20.123000+00:00"),
        (9_999_999_999_999, "2286-11-20T17:46:39.999000+00:00"),
    ],
)
def test_the_size_of_a_number_decides_seconds_or_milliseconds(number: float, moment: str) -> None:
    """Issue 35."""
    assert read_time(number).isoformat() == moment
    assert last_moment(read_time(number)) == read_time(number)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("100000000", "1973-03-03T09:46:40+00:00"),
        ("1700000000.5", "2023-11-14T22:13:20.500000+00:00"),
        ("1700000000123", "2023-11-14T22:13:20.123000+00:00"),
        ("2026-01", "2026-01-01T00:00:00"),
    ],
)
def test_numbers_in_texts_are_read_as_times(text: str, moment: str) -> None:
    assert read_untyped_time(text).isoformat() == moment


@pytest.mark.parametrize(
    "text", ["99999999", "202601011200", "20260101120000", "17000000001", "1e9", "-1700000000"]
)
def test_digits_of_a_date_with_time_are_not_a_number(text: str) -> None:
    """Issue 35."""
    with pytest.raises(ValueError, match="must be a time in ISO 8601"):
        read_untyped_time(text)


@pytest.mark.parametrize(
    "value",
    [
        "20260101000000",
        "1700000000",
        "1712051200000",
        "202601",
        "2026-13",
        "2026-02-30",
        "2026-01-01_00:00",
        "2026-01-01x00:00",
        "9999-W52",
        "0000",
        "1.7e9",
        "-1",
        "5",
        "soon",
        "now",
        " 2026",
        "2026-01-01T00:00:00Z\n",
        "2026-001",
        "2026-1-1",
        "2026-Q1",
        "2026/01/01",
        "01/02/2026",
        "1.2.2026",
        "P1D",
        "2026-01-01/2026-02-01",
        "Thu, 01 Jan 2026 00:00:00 GMT",
        "2026-01-01T00:00:00+01:00[Europe/Oslo]",
        "2026-01-01T00:00:00+25:00",
        "+2026-01-01",
        "２０２６-01-01",
        "",
        "٢٠٢٦",
        "\ud800",
        2026,
        20_260_101,
        99_999_999,
        -1.7e9,
        253_402_300_800_000,
        10**400,
        float("nan"),
        float("inf"),
        True,
        [],
        {},
    ],
    ids=ascii,
)
def test_an_ambiguous_time_is_refused(value: object) -> None:
    """A11, K20: a year is not read as an epoch, nor are the digits of an epoch read as a year."""
    with pytest.raises(
        ValueError, match="must be a time in ISO 8601, such as 2026-03-07T12:00:00Z"
    ) as refused:
        read_time(value)

    assert str(refused.value) == EXPECTED_TIME
