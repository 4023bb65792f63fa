"""Turns GraphQL inputs into the engine's models, with errors that name the field as the caller wrote it."""

import dataclasses
from collections.abc import Mapping
from typing import Any, TypeVar

import strawberry
from pydantic import BaseModel, ValidationError
from strawberry.utils.str_converters import to_camel_case

from graph.core.errors import InvalidInput
from graph.core.text.checks import storable

ModelT = TypeVar("ModelT", bound=BaseModel)
ValueT = TypeVar("ValueT")


def given(input_: Any) -> dict[str, Any]:
    """Return the fields of an input that the caller wrote."""
    return {
        field.name: value
        for field in dataclasses.fields(input_)
        if (value := getattr(input_, field.name)) is not strawberry.UNSET
    }


def or_default(value: ValueT | None, default: ValueT) -> ValueT:
    """Return the default where the caller wrote null, which GraphQL allows for an argument with a default."""
    return default if value is None else value


def build(model: type[ModelT], values: Mapping[str, Any]) -> ModelT:
    """Return the model of the values.

    Raises:
        InvalidInput: A value does not fit; the error names its field.
    """
    for name, value in values.items():
        if isinstance(value, str):
            storable(to_camel_case(name), value)
    try:
        return model(**values)
    except ValidationError as error:
        first = error.errors()[0]
        field = to_camel_case(str(first["loc"][0])) if first["loc"] else "input"
        raise InvalidInput(field, f"{field}: {first['msg']}") from None
