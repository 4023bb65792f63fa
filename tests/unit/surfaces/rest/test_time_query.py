"""The time spans that AutoMem's clients send as words (C19)."""

from datetime import UTC, datetime

import pytest

from app.surfaces.dialects.automem.recalled import span_of
from graph.core.errors import InvalidInput

NOW = datetime(2026, 3, 4, 5, 6, 7, 8, tzinfo=UTC)  # a Wednesday


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("today", "2026-03-04T00:00:00", "2026-03-05T00:00:00"),
        ("Yesterday", "2026-03-03T00:00:00", "2026-03-04T00:00:00"),
        ("this week", "2026-03-02T00:00:00", "2026-03-09T00:00:00"),
        ("last week", "2026-02-23T00:00:00", "2026-03-02T00:00:00"),
        (" past  week ", "2026-02-23T00:00:00", "2026-03-02T00:00:00"),
        ("this month", "2026-03-01T00:00:00", "2026-04-01T00:00:00"),
        ("last month", "2026-02-01T00:00:00", "2026-03-01T00:00:00"),
        ("this year", "2026-01-01T00:00:00", "2027-01-01T00:00:00"),
        ("last year", "2025-01-01T00:00:00", "2026-01-01T00:00:00"),
        ("last 24 hours", "2026-03-03T05:06:07.000008", "2026-03-04T05:06:07.000008"),
        ("last 1 day", "2026-03-03T05:06:07.000008", "2026-03-04T05:06:07.000008"),
        ("the past 2 weeks", "2026-02-18T05:06:07.000008", "2026-03-04T05:06:07.000008"),
        ("last 90 days", "2025-12-04T05:06:07.000008", "2026-03-04T05:06:07.000008"),
    ],
)
def test_known_words_name_a_time_span(text: str, start: str, end: str) -> None:
    assert [moment.isoformat() for moment in span_of(text, NOW)] == [f"{start}+00:00", f"{end}+00:00"]


def test_a_month_and_a_year_before_january_are_of_the_year_before() -> None:
    january = datetime(2026, 1, 31, tzinfo=UTC)

    assert span_of("last month", january) == (
        datetime(2025, 12, 1, tzinfo=UTC),
        datetime(2026, 1, 1, tzinfo=UTC),
    )
    assert span_of("this month", january)[1] == datetime(2026, 2, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    "text", ["", "tomorrow", "last", "last 0 days", "last 99999 years", "last 9999 years", "last -1 days"]
)
def test_an_unknown_word_is_refused_with_the_known_ones(text: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        span_of(text, NOW)

    assert refused.value.field == "time_query"
