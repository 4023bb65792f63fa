"""Uses docstrings as GraphQL descriptions, so that one text serves the code, the schema and GraphiQL.

``descriptions.toml`` describes fields without a docstring, such as the many fields with the same name and meaning.
"""

import inspect
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, Literal, Protocol

import strawberry
from graphql import GraphQLError, GraphQLInputObjectType
from strawberry.schema.schema_converter import GraphQLCoreConverter
from strawberry.types import ExecutionContext
from strawberry.types.base import StrawberryObjectDefinition
from strawberry.types.enum import StrawberryEnumDefinition
from strawberry.types.field import StrawberryField

_WORDS: Mapping[str, Mapping[str, str]] = tomllib.loads(
    files(__package__).joinpath("descriptions.toml").read_text(encoding="utf-8")
)
_Section = Literal["fields", "inputs"]


class DescribedSchema(strawberry.Schema):
    """A schema whose types, enums and fields are described by the docstrings of their classes and resolvers.

    An explicit description stays; a field without any is described by its name.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, type_ in self._schema.type_map.items():
            if not name.startswith("__"):
                _describe(type_)
                _describe_members(name, type_)

    def process_errors(
        self, errors: list[GraphQLError], execution_context: ExecutionContext | None = None
    ) -> None:
        """Log nothing: Strawberry would log what users wrote, and the errors' own module logs the unexpected."""


class _Describable(Protocol):
    """A type or a field of graphql-core."""

    description: str | None
    extensions: dict[str, Any]


def _describe(described: _Describable) -> None:
    documented = _documented(described.extensions.get(GraphQLCoreConverter.DEFINITION_BACKREF))
    if described.description is None and documented is not None:
        described.description = inspect.getdoc(documented)


def _describe_members(name: str, type_: Any) -> None:
    for field_name, field in getattr(type_, "fields", {}).items():
        _describe(field)
        section: _Section = "inputs" if isinstance(type_, GraphQLInputObjectType) else "fields"
        _describe_by_name(field, f"{name}.{field_name}", field_name, section)
        for argument_name, argument in getattr(field, "args", {}).items():
            _describe_by_name(argument, f"{name}.{field_name}.{argument_name}", argument_name, "inputs")
    for value_name, value in getattr(type_, "values", {}).items():
        value.description = value.description or _WORDS["values"].get(f"{name}.{value_name}")


def _describe_by_name(described: Any, place: str, name: str, section: _Section) -> None:
    if described.description is None:
        described.description = _WORDS["members"].get(place) or _WORDS[section].get(name)


def _documented(definition: object) -> object | None:
    """Return the class or function behind a definition; None where there is none."""
    if isinstance(definition, StrawberryObjectDefinition):
        return definition.origin
    if isinstance(definition, StrawberryEnumDefinition):
        return definition.wrapped_cls
    if isinstance(definition, StrawberryField) and definition.base_resolver is not None:
        return definition.base_resolver.wrapped_func
    return None
