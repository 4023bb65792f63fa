"""Values of JSON that are not taken for others: ``"5"`` is no integer, 1 is not true, and neither is a time."""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from typing import Annotated, Any

from pydantic import BeforeValidator


def _exactly(type_: type) -> Callable[[Any], Any]:
    def check(value: Any) -> Any:
        if value is not None and type(value) is not type_:
            raise ValueError(f"must be {'a boolean' if type_ is bool else 'an integer'}")
        return value

    return check


def read_time(text: str) -> datetime:
    """Return the time that a text names in any form of ISO 8601; a number alone is none, though it may look like one.

    Raises:
        ValueError: It names none.
    """
    if not _is_number(text):
        with suppress(ValueError):
            return datetime.fromisoformat(text.replace("z", "Z"))
    raise ValueError("must be a time in ISO 8601, such as 2026-03-07T12:00:00Z")


def _time_in_words(value: Any) -> Any:
    return value if value is None or isinstance(value, datetime) else read_time(str(value))


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def not_null(value: Any) -> Any:
    """Return a value of a field that may be left out, and not be null.

    Raises:
        ValueError: It is null.
    """
    if value is None:
        raise ValueError("must not be null; leave it out to keep it")
    return value


def number(value: Any) -> Any:
    """Return a number, or null.

    Raises:
        ValueError: It is something else.
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
Instant = Annotated[datetime, BeforeValidator(_time_in_words)]
