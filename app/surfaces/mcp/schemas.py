"""JSON Schemas of tools, in the few words that models and clients need."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

ERROR = "error"
"""Member of a structured result with the error of a failed call; results have no other of that name."""
_BOUNDS = (
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minimum",
    "maximum",
    "ge",
    "format",
)


class _Brief(GenerateJsonSchema):
    """Omits titles, which repeat the names, docstrings, and null, which means an absent member."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002 - the signature is pydantic's
        return False

    def generate(self, schema: core_schema.CoreSchema, mode: Any = "validation") -> JsonSchemaValue:
        made = super().generate(schema, mode)
        definitions = made.pop("$defs", {})
        for each in (made, *definitions.values()):
            each.pop("title", None)
            each.pop("description", None)
        inlined: JsonSchemaValue = _inlined(made, definitions)
        return inlined

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        made = super().default_schema(schema)
        if made.get("default", ...) is None:
            del made["default"]
        return made


def without_bounds(schema: dict[str, Any]) -> None:
    """Leave bounds and empty defaults out of a schema that many conversations carry; errors state them."""
    for known in schema["properties"].values():
        for name in _BOUNDS:
            known.pop(name, None)
        if not known.get("default", True):
            del known["default"]


@cache
def input_schema(arguments: type[BaseModel]) -> dict[str, Any]:
    """Return the schema of a tool's arguments; do not modify it."""
    return {"properties": {}, **arguments.model_json_schema(schema_generator=_Brief)}


@cache
def output_schema(result: type[BaseModel]) -> dict[str, Any]:
    """Return the schema of a tool's result; do not modify it.

    It lists only the names of the members, because each listed schema takes space in a model's context. No member is
    required, because clients validate structured errors against it as well.
    """
    made = result.model_json_schema(mode="serialization", schema_generator=_Brief)
    return {"type": "object", "properties": {name: {} for name in made["properties"]}}


def _inlined(schema: Any, definitions: Mapping[str, Any]) -> Any:
    """Put definitions where they are referred to, as not every client follows references; none refers to itself."""
    if isinstance(schema, list):
        return [_inlined(each, definitions) for each in schema]
    if not isinstance(schema, dict):
        return schema
    rest = {
        name: _inlined(value, definitions)
        for name, value in schema.items()
        if name not in ("$ref", "additionalProperties")  # the tools refuse unknown arguments in any case
    }
    reference = schema.get("$ref")
    if not isinstance(reference, str):
        return rest
    return {**_inlined(definitions[reference.removeprefix("#/$defs/")], definitions), **rest}
