"""Properties of the graph as JSON and back, without loss.

Texts, whole numbers, finite numbers, booleans and lists of them are written as they are; everything else as an object
with one key, which names its type: ``{"datetime": "2026-05-01T12:00:00Z"}``, ``{"float": "NaN"}``, ``{"bytes": "…"}``.
A vector is 32-bit floats, little endian, in Base64.
"""

import base64
import math
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final

import numpy as np
from neo4j.time import Date, DateTime

_DATETIME: Final = "datetime"
_DATE: Final = "date"
_FLOAT: Final = "float"
_BYTES: Final = "bytes"
_NOT_FINITE: Final = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
_LARGEST_INTEGER: Final = 2**63
_NANOSECOND_DECIMALS: Final = 9
_MICROSECOND: Final = 1000  # nanoseconds, of which Python's own datetime knows no part


class UnknownValueError(ValueError):
    """Raised when a value has a form that the format does not know."""


def to_json(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return properties in JSON form, without null ones.

    Raises:
        UnknownValueError: A value is of a type that the format does not support.
    """
    return {name: _written(value) for name, value in properties.items() if value is not None}


def from_json(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return the properties that JSON holds.

    Raises:
        UnknownValueError: A value has none of the forms above.
    """
    return {name: _read(value) for name, value in properties.items()}


def vector_to_text(vector: Sequence[float]) -> str:
    """Return a vector as an archive holds it."""
    return base64.b64encode(np.asarray(vector, dtype="<f4").tobytes()).decode("ascii")


def vector_from_text(text: str) -> list[float]:
    """Return the vector that an archive holds.

    Raises:
        UnknownValueError: It is no Base64 of whole 32-bit floats, or one of them is not finite.
    """
    try:
        vector = np.frombuffer(base64.b64decode(text, validate=True), dtype="<f4")
    except ValueError:
        raise UnknownValueError("a vector must be Base64 of 32-bit floats") from None
    if not vector.size or not np.isfinite(vector).all():
        raise UnknownValueError("a vector must have finite numbers")
    return [float(number) for number in vector]


def _written(value: Any) -> Any:
    if isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return (
            value
            if math.isfinite(value)
            else {_FLOAT: repr(value).replace("inf", "Infinity").replace("nan", "NaN")}
        )
    if isinstance(value, list):
        return [_written(item) for item in value]
    if isinstance(value, DateTime | datetime):
        return {_DATETIME: _iso(value)}
    if isinstance(value, Date):
        return {_DATE: value.iso_format()}
    if isinstance(value, bytes | bytearray):
        return {_BYTES: base64.b64encode(value).decode("ascii")}
    raise UnknownValueError(f"the format has no form for a {type(value).__name__}")


def _iso(moment: DateTime | datetime) -> str:
    return moment.iso_format() if isinstance(moment, DateTime) else moment.isoformat()


def _read(value: Any) -> Any:
    match value:
        case str() | bool():
            return value
        case int() if -_LARGEST_INTEGER <= value < _LARGEST_INTEGER:
            return value
        case float() if math.isfinite(value):
            return value
        case list():
            return [_read_item(item) for item in value]
        case dict() if len(value) == 1:
            ((kind, text),) = value.items()
            if isinstance(text, str):
                return _read_tagged(kind, text)
    raise UnknownValueError(
        f"a property must be a text, a number, a boolean, a list of them or a tagged value, got {value!r:.60}"
    )


def _read_item(value: Any) -> Any:
    if isinstance(value, list):
        raise UnknownValueError("a list within a list is no property")
    return _read(value)


def _read_tagged(kind: str, text: str) -> Any:
    try:
        if kind == _DATETIME:
            return _moment(text)
        if kind == _DATE:
            return date.fromisoformat(text)
        if kind == _BYTES:
            return base64.b64decode(text, validate=True)
        if kind == _FLOAT:
            return _NOT_FINITE[text]
    except (ValueError, KeyError):
        raise UnknownValueError(f"{text[:60]!r} is no {kind}") from None
    raise UnknownValueError(f"{kind[:60]!r} is no type of a value")


def _moment(text: str) -> datetime | DateTime:
    return DateTime.from_iso_format(text) if _has_nanoseconds(text) else datetime.fromisoformat(text)


def _has_nanoseconds(text: str) -> bool:
    """Tell whether a time has more than the six decimals that Python's own type keeps, other than zeros."""
    decimals = text.partition(".")[2][:_NANOSECOND_DECIMALS]
    return len(decimals) == _NANOSECOND_DECIMALS and decimals.isdigit() and int(decimals) % _MICROSECOND != 0
