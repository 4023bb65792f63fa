"""Docstrings as GraphQL descriptions, so that what is written once shows in the schema and in GraphiQL."""

import inspect
from typing import Any, Protocol

import strawberry
from graphql import GraphQLError
from strawberry.schema.schema_converter import GraphQLCoreConverter
from strawberry.types import ExecutionContext
from strawberry.types.base import StrawberryObjectDefinition
from strawberry.types.enum import StrawberryEnumDefinition
from strawberry.types.field import StrawberryField


class DescribedSchema(strawberry.Schema):
    """A schema whose types, enums and fields are described by the docstrings of their classes and resolvers.

    A description that was given explicitly stays.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for type_ in self._schema.type_map.values():
            _describe(type_)
            for field in getattr(type_, "fields", {}).values():
                _describe(field)

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


def _documented(definition: object) -> object | None:
    """Return the class or function behind a definition; None where there is none."""
    if isinstance(definition, StrawberryObjectDefinition):
        return definition.origin
    if isinstance(definition, StrawberryEnumDefinition):
        return definition.wrapped_cls
    if isinstance(definition, StrawberryField) and definition.base_resolver is not None:
        return definition.base_resolver.wrapped_func
    return None
