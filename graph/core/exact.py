"""Strict JSON values without conversion: ``"5"`` is not an integer, 1 is not true, and neither is a time."""

import re
from calendar import monthrange
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated, Any, Final

from pydantic import BeforeValidator, WithJsonSchema

from graph.core.time import Beginning

EXPECTED_TIME: Final = (
    "must be a time in ISO 8601, such as 2026-03-07T12:00:00Z or 2026-03, or a number of seconds or milliseconds "
    "since 1970"
)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_FEWEST_SECONDS: Final = 1e8  # in 1973; a smaller number is more likely a year, a day or an age
_FEWEST_MILLISECONDS: Final = 1e11  # in 1973 as well, and in seconds the year 5138
_LAST_MILLISECOND: Final = 9_999_999_999_999  # in 2286; 14 digits are a date such as 20260307120000
_TICK: Final = timedelta(microseconds=1)
_YEAR_OR_MONTH: Final = re.compile(r"(\d{4})(?:-(\d\d))?", re.ASCII)
_DAY: Final = r"\d{4}-\d\d-\d\d|\d{8}|\d{4}-W\d\d-\d|\d{4}W\d{3}"
_WEEK_OR_DAY: Final = re.compile(rf"(?P<week>\d{{4}}-?W\d\d)|{_DAY}", re.ASCII)
_MOMENT: Final = re.compile(rf"({_DAY})[Tt ]\d[\d:.,+Zz-]*", re.ASCII)
_NUMBER: Final = re.compile(r"(\d{9,10}|\d{13})(\.\d{1,9})?", re.ASCII)


def _exactly(type_: type) -> Callable[[Any], Any]:
    def check(value: Any) -> Any:
        if value is not None and type(value) is not type_:
            raise ValueError(f"must be {'a boolean' if type_ is bool else 'an integer'}")
        return value

    return check


def read_time(value: object) -> datetime:
    """Return the time of a value.

    A text is in ISO 8601. A year, month, week or day becomes a :class:`Beginning`. A number from 1e8 is in seconds
    since 1970, a number from 1e11 in milliseconds.

    Raises:
        ValueError: The value is not a time.
    """
    if isinstance(value, datetime):
        return value
    found = _time_of_text(value) if isinstance(value, str) else _time_of_number(value)
    if found is None:
        raise ValueError(EXPECTED_TIME)
    return found


def read_untyped_time(text: str) -> datetime:
    """Return the time of a text from a URL, a table or a command line, where numbers are texts.

    A number has 9, 10 or 13 digits. A text of 12 or 14 digits is a date with its time, such as 20260307120000.

    Raises:
        ValueError: The text is not a time.
    """
    number = _NUMBER.fullmatch(text)
    if number is None:
        return read_time(text)
    return read_time(float(text) if number[2] else int(text))


def _time_of_text(text: str) -> datetime | None:
    with suppress(ValueError, OverflowError):
        if year_or_month := _YEAR_OR_MONTH.fullmatch(text):
            return _year_or_month(int(year_or_month[1]), year_or_month[2])
        if week_or_day := _WEEK_OR_DAY.fullmatch(text):
            days = timedelta(days=7 if week_or_day["week"] else 1)
            first = datetime.fromisoformat(text)
            return Beginning.of(first, first + (days - _TICK))
        if _MOMENT.fullmatch(text):
            return datetime.fromisoformat(text.upper())
    return None


def _year_or_month(year: int, month: str | None) -> Beginning:
    last_month = int(month or 12)
    last_day = date(year, last_month, monthrange(year, last_month)[1])
    return Beginning.of(
        datetime.combine(date(year, int(month or 1), 1), time.min), datetime.combine(last_day, time.max)
    )


def _time_of_number(value: object) -> datetime | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if _FEWEST_SECONDS <= value < _FEWEST_MILLISECONDS:
        return _EPOCH + timedelta(seconds=value)
    if _FEWEST_MILLISECONDS <= value <= _LAST_MILLISECOND:
        return _EPOCH + timedelta(milliseconds=value)
    return None


def _time(value: Any) -> Any:
    return None if value is None else read_time(value)


def not_null(value: Any) -> Any:
    """Return the value of a field that may be omitted but not null.

    Raises:
        ValueError: The value is null.
    """
    if value is None:
        raise ValueError("must not be null; leave it out to keep it")
    return value


def number(value: Any) -> Any:
    """Return a number, or null.

    Raises:
        ValueError: The value is something else.
    """
    if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
        raise ValueError("must be a number")
    return value


def _numbers(values: Any) -> Any:
    if isinstance(values, list) and any(type(value) not in (float, int) for value in values):
        raise ValueError("must hold numbers only")
    return values


whole = _exactly(int)
"""Returns an integer, or null; raises ValueError for anything else."""
Flag = Annotated[bool, BeforeValidator(_exactly(bool))]
Whole = Annotated[int, BeforeValidator(whole)]
Number = Annotated[float, BeforeValidator(number)]
Numbers = Annotated[list[float], BeforeValidator(_numbers)]
Instant = Annotated[
    datetime,
    BeforeValidator(_time),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "string", "format": "date-time"},
                {"type": "number", "minimum": int(_FEWEST_SECONDS), "maximum": _LAST_MILLISECOND},
            ]
        }
    ),
]
