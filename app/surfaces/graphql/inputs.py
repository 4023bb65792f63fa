"""Turns GraphQL inputs into the engine's models, with errors that name the field as the caller wrote it."""

import dataclasses
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

import strawberry
from pydantic import BaseModel, ValidationError
from strawberry.exceptions import StrawberryInputCoercionError
from strawberry.schema.types.base_scalars import DateTimeDefinition
from strawberry.utils.str_converters import to_camel_case

from graph.core.errors import InvalidInput
from graph.core.exact import read_time
from graph.core.text.checks import storable
from graph.knowledge.models import NodeKind
from graph.knowledge.traversal import GlobalId

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


_MOST_CHARS = 40  # of what was given that an error repeats


def _parsed(value: object) -> object:
    try:
        return read_time(value)
    except ValueError as error:
        raise StrawberryInputCoercionError(f"DateTime {error}, not {str(value)[:_MOST_CHARS]!r}") from None


DATE_TIME = replace(DateTimeDefinition, parse_value=_parsed)


def with_own_message_id(fields: Mapping[str, Any], workspace_id: str) -> dict[str, Any]:
    """Return fields of an input whose ``message_id``, if it is global, is split into the conversation's and its own.

    Raises:
        InvalidInput: It names a message of another workspace, or of another conversation than ``conversation_id``.
    """
    named = GlobalId.parsed(fields.get("message_id") or "")
    if named is None or named.kind is not NodeKind.MESSAGE:
        return dict(fields)
    if named.workspace_id != workspace_id:
        raise InvalidInput("messageId", "messageId must name a message of this workspace")
    if fields.get("conversation_id") not in (None, named.conversation_id):
        raise InvalidInput("messageId", "messageId must name a message of the conversation in conversationId")
    return {**fields, "message_id": named.id, "conversation_id": named.conversation_id}
