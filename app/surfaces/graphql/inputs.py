"""Turns GraphQL inputs into the engine's models and back, with errors that name the field as the caller wrote it."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import cache
from typing import Annotated, Any, Generic, Self, TypeVar

import strawberry
from pydantic import BaseModel, ValidationError
from strawberry.exceptions import StrawberryInputCoercionError
from strawberry.schema.types.base_scalars import DateTimeDefinition
from strawberry.utils.str_converters import to_camel_case

from graph.core.errors import InvalidInput
from graph.core.exact import read_time
from graph.core.scope import ReadScope, narrowed, seeing
from graph.core.text.checks import short_text, storable
from graph.knowledge.models import NodeKind
from graph.knowledge.traversal import GlobalId

ModelT = TypeVar("ModelT", bound=BaseModel)
ValueT = TypeVar("ValueT")


def set_fields(input_: Any) -> dict[str, Any]:
    """Return the fields of an input that the caller set."""
    return {
        field.name: value
        for field in dataclasses.fields(input_)
        if (value := getattr(input_, field.name)) is not strawberry.UNSET
    }


def or_default(value: ValueT | None, default: ValueT) -> ValueT:
    """Return the default for null, which GraphQL allows for an argument with a default."""
    return default if value is None else value


def build(model: type[ModelT], values: Mapping[str, Any]) -> ModelT:
    """Return a model with these values.

    Raises:
        InvalidInput: A value is invalid; the error names its field.
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


_MOST_CHARS = 40  # of an invalid value that an error quotes


def _parsed(value: object) -> object:
    try:
        return read_time(value)
    except ValueError as error:
        raise StrawberryInputCoercionError(f"DateTime {error}, not {str(value)[:_MOST_CHARS]!r}") from None


DATE_TIME = replace(DateTimeDefinition, parse_value=_parsed)


def with_own_message_id(fields: Mapping[str, Any], workspace_id: str) -> dict[str, Any]:
    """Return fields of an input; split a global ``message_id`` into the ids of the conversation and the message.

    Raises:
        InvalidInput: The global id belongs to another workspace, or to a conversation other than ``conversation_id``.
    """
    named = GlobalId.parsed(fields.get("message_id") or "")
    if named is None or named.kind is not NodeKind.MESSAGE:
        return dict(fields)
    if named.workspace_id != workspace_id:
        raise InvalidInput("messageId", "messageId must name a message of this workspace")
    if fields.get("conversation_id") not in (None, named.conversation_id):
        raise InvalidInput("messageId", "messageId must name a message of the conversation in conversationId")
    return {**fields, "message_id": named.id, "conversation_id": named.conversation_id}


@strawberry.input
class ScopeInput:
    """Owner of the memories to read; a bound key reads only its own."""

    user_id: strawberry.ID | None = strawberry.field(default=None, description="User; omitted: all users.")
    agent_id: strawberry.ID | None = strawberry.field(default=None, description="Agent; omitted: all agents.")
    include_shared: bool | None = strawberry.field(
        default=True, description="Include memories shared by the whole workspace."
    )


ScopeArgument = Annotated[
    ScopeInput | None,
    strawberry.argument(
        name="scope", description="Owner of the memories to read; omitted: everything that the key may read."
    ),
]


def scoped(scope: ScopeInput | None) -> AbstractContextManager[None]:
    """Restrict reads within the block to the scope.

    Raises:
        Forbidden: The key is bound to another user or agent.
        InvalidInput: An id is blank or too long.
    """
    return seeing(requested_scope(scope))


def requested_scope(scope: ScopeInput | None) -> ReadScope:
    """Return the part of the scope that the key may read; raises like :func:`scoped`."""
    if scope is None:
        return narrowed(ReadScope())
    values = {
        "user_id": short_text("userId", scope.user_id),
        "agent_id": short_text("agentId", scope.agent_id),
        "include_shared": scope.include_shared is not False,
    }
    return narrowed(build(ReadScope, values))


T = TypeVar("T")
EngineModelT = TypeVar("EngineModelT")
_LACKS = object()


def made_of(type_: type[T], model: object, **others: Any) -> T:
    """Return a GraphQL object with the model's fields of the same names; tuples become lists, mappings dicts.

    Args:
        type_: A Strawberry type.
        model: Source model; a field that it lacks must be in ``others`` or have a default.
        others: Fields that the model lacks or has in another form.
    """
    shown: Any = type_  # mypy does not accept a generic type as an argument of a cached function
    for name in _names(shown):
        if name not in others and (value := getattr(model, name, _LACKS)) is not _LACKS:
            others[name] = _plain(value)
    return type_(**others)


@cache
def _names(type_: type) -> Sequence[str]:
    """Return the names of a type's constructor fields; cached, because every hit converts dozens of fields."""
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


class Shown(Generic[EngineModelT]):
    """A type that shows a model of the engine under the names of its fields."""

    @classmethod
    def of(cls, model: EngineModelT, **others: Any) -> Self:
        """Return the GraphQL form of a model; ``others`` adds fields that the model lacks."""
        return made_of(cls, model, **others)
