"""Makes GraphQL types out of the engine's models, whose fields mostly have the same names."""

import dataclasses
from collections.abc import Mapping
from typing import Any, TypeVar

T = TypeVar("T")


def made_of(type_: type[T], model: object, **others: Any) -> T:
    """Return a type whose fields are the model's of the same names, tuples as lists and mappings as dicts.

    Args:
        type_: A Strawberry type.
        model: What it shows; a field that it lacks must be among the others, or have a default.
        others: Fields that the model has not, or in another form.
    """
    fields: Any = dataclasses.fields(type_)  # type: ignore[arg-type]  # Strawberry makes dataclasses of its types
    same = {
        field.name: _plain(getattr(model, field.name))
        for field in fields
        if field.init and field.name not in others and hasattr(model, field.name)
    }
    return type_(**same, **others)


def _plain(value: object) -> object:
    if isinstance(value, tuple):
        return list(value)
    return dict(value) if isinstance(value, Mapping) else value
