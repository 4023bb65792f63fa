"""Makes GraphQL types out of the engine's models, whose fields mostly have the same names."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Generic, Self, TypeVar

T = TypeVar("T")
ModelT = TypeVar("ModelT")
_LACKS = object()


def made_of(type_: type[T], model: object, **others: Any) -> T:
    """Return a type whose fields are the model's of the same names, tuples as lists and mappings as dicts.

    Args:
        type_: A Strawberry type.
        model: Source model; a field that it lacks must be among the others, or have a default.
        others: Fields that the model has not, or in another form.
    """
    shown: Any = type_  # which of a type's forms can be a key of a cache, mypy does not see
    for name in _names(shown):
        if name not in others and (value := getattr(model, name, _LACKS)) is not _LACKS:
            others[name] = _plain(value)
    return type_(**others)


@cache
def _names(type_: type) -> Sequence[str]:
    """Return the fields that a type is made with; looked up once, for the memory of each hit has dozens."""
    fields: Any = dataclasses.fields(type_)
    return [field.name for field in fields if field.init]


def _plain(value: object) -> object:
    type_: Any = type(value)
    form = _plain_form(type_)
    return value if form is None else form(value)


@cache
def _plain_form(type_: type) -> Callable[[Any], object] | None:
    if issubclass(type_, tuple):
        return list
    return dict if issubclass(type_, Mapping) else None


class Shown(Generic[ModelT]):
    """A type that shows a model of the engine under the names of its fields."""

    @classmethod
    def of(cls, model: ModelT, **others: Any) -> Self:
        """Return the GraphQL form of a model, with the fields that the model has not."""
        return made_of(cls, model, **others)
