"""Values of JSON that are not taken for others: ``"5"`` is no integer, 1 is not true, and neither is a time."""

from collections.abc import Callable
from datetime import datetime
from typing import Annotated, Any

from pydantic import BeforeValidator


def _exactly(type_: type) -> Callable[[Any], Any]:
    def check(value: Any) -> Any:
        if value is not None and type(value) is not type_:
            raise ValueError(f"must be {'a boolean' if type_ is bool else 'an integer'}")
        return value

    return check


def _time_in_words(value: Any) -> Any:
    if isinstance(value, str) and not _is_number(value):
        return value
    if value is None or isinstance(value, datetime):
        return value
    raise ValueError("must be a time in ISO 8601, such as 2026-03-07T12:00:00Z")


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


def _number(value: Any) -> Any:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
        raise ValueError("must be a number")
    return value


def _numbers(values: Any) -> Any:
    if isinstance(values, list) and any(type(value) not in (float, int) for value in values):
        raise ValueError("must hold numbers only")
    return values


Flag = Annotated[bool, BeforeValidator(_exactly(bool))]
Whole = Annotated[int, BeforeValidator(_exactly(int))]
Number = Annotated[float, BeforeValidator(_number)]
Numbers = Annotated[list[float], BeforeValidator(_numbers)]
Instant = Annotated[datetime, BeforeValidator(_time_in_words)]
