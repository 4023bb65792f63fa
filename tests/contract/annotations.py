"""Comparison of a Python annotation with a type declared in a query's header."""

from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass
from datetime import datetime
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Literal, NewType, Union, get_args, get_origin

from pydantic import BaseModel

_SCALARS: dict[str, type] = {
    "string": str,
    "integer": int,
    "float": float,
    "boolean": bool,
    "datetime": datetime,
}


def fits(annotation: Any, declared: str, *, optional: bool) -> bool:
    """Tell whether the annotation admits exactly the values of the declared type."""
    admits_none, rest = _split_optional(annotation)
    return admits_none == optional and _fits(rest, declared)


def _split_optional(annotation: Any) -> tuple[bool, Any]:
    if get_origin(annotation) not in (Union, UnionType):
        return False, annotation
    members = [member for member in get_args(annotation) if member is not NoneType]
    if len(members) != 1:
        return False, annotation
    return len(members) < len(get_args(annotation)), members[0]


def _fits(annotation: Any, declared: str) -> bool:
    if declared.startswith("list<"):
        return _is_list_of(annotation, declared[len("list<") : -1])
    if declared == "map":
        return _is_map(annotation)
    if isinstance(annotation, NewType):
        return _fits(annotation.__supertype__, declared)
    if get_origin(annotation) is Literal:
        return all(type(value) is _SCALARS[declared] for value in get_args(annotation))
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return issubclass(annotation, _SCALARS[declared])
    return annotation is _SCALARS[declared]


def _is_list_of(annotation: Any, element: str) -> bool:
    origin = get_origin(annotation)
    if origin is tuple:
        arguments = get_args(annotation)
        return len(arguments) == 2 and arguments[1] is Ellipsis and _fits(arguments[0], element)
    return origin in (Sequence, list, frozenset) and _fits(get_args(annotation)[0], element)


def _is_map(annotation: Any) -> bool:
    if get_origin(annotation) in (Mapping, dict):
        return get_args(annotation)[0] is str
    return isinstance(annotation, type) and (issubclass(annotation, BaseModel) or is_dataclass(annotation))
