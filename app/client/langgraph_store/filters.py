"""Filters of LangGraph's item searches and namespace listings."""

import operator
from collections.abc import Callable, Mapping, Sequence
from numbers import Real
from typing import Any

from langgraph.store.base import MatchCondition

_ORDERS: Mapping[str, Callable[[Any, Any], bool]] = {
    "$gt": operator.gt,
    "$gte": operator.ge,
    "$lt": operator.lt,
    "$lte": operator.le,
}
_OPERATORS = frozenset({"$eq", "$ne", *_ORDERS})


def validated(filter_: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """Return a filter, empty for None.

    Raises:
        ValueError: The filter has an operator that LangGraph lacks.
    """
    for expected in (filter_ or {}).values():
        if isinstance(expected, Mapping):
            names = {str(name) for name in expected}
            unknown = {name for name in names if name.startswith("$")} - _OPERATORS
            if unknown:
                raise ValueError(f"unsupported operators: {', '.join(sorted(unknown))}")
            validated(expected)
    return filter_ or {}


def admits(filter_: Mapping[str, Any], value: Mapping[str, Any]) -> bool:
    """Tell whether an item's value matches each field of the filter; a missing field counts as None."""
    return all(_fits(value.get(name), expected) for name, expected in filter_.items())


def _fits(found: object, expected: object) -> bool:
    if isinstance(expected, Mapping):
        if any(str(name).startswith("$") for name in expected):
            return all(_holds(found, str(name), operand) for name, operand in expected.items())
        return isinstance(found, Mapping) and admits(expected, found)
    if isinstance(expected, list | tuple):
        return (
            isinstance(found, list)
            and len(found) == len(expected)
            and all(_fits(one, other) for one, other in zip(found, expected, strict=True))
        )
    return found == expected


def _holds(found: object, name: str, operand: object) -> bool:
    if name == "$eq":
        return found == operand
    if name == "$ne":
        return found != operand
    # Only two numbers or two texts have an order; other values do not match.
    comparable = any(isinstance(found, kind) and isinstance(operand, kind) for kind in (Real, str))
    return comparable and _ORDERS[name](found, operand)


def matches(conditions: Sequence[MatchCondition], namespace: tuple[str, ...]) -> bool:
    """Tell whether a namespace matches the prefixes and suffixes of all conditions; ``*`` matches any label."""
    return all(_matches(condition, namespace) for condition in conditions)


def _matches(condition: MatchCondition, namespace: tuple[str, ...]) -> bool:
    path = condition.path
    if len(namespace) < len(path):
        return False
    part = namespace[: len(path)] if condition.match_type == "prefix" else namespace[-len(path) :]
    return all(expected in ("*", label) for expected, label in zip(path, part, strict=True))


def fixed_prefix(conditions: Sequence[MatchCondition]) -> tuple[str, ...]:
    """Return the common prefix of all namespaces that match the conditions of a listing."""
    fixed: tuple[str, ...] = ()
    for condition in conditions:
        if condition.match_type == "prefix":
            labels = condition.path
            stars = labels.index("*") if "*" in labels else len(labels)
            fixed = max(fixed, tuple(labels[:stars]), key=len)
    return fixed
