"""JSON Schemas of tools, in the few words that models and clients need."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

ERROR = "error"
"""The member of a structured result that says why a call failed; results have none of that name."""

_ERROR_SCHEMA = {
    "type": "object",
    "description": "Why the call failed; nothing was changed, and no other member is there.",
    "properties": {
        "code": {"type": "string"},
        "field": {"type": ["string", "null"], "description": "The argument that is wrong."},
        "message": {"type": "string"},
        "retry_after_seconds": {"type": "integer"},
    },
    "required": ["code", "field", "message"],
}


class _Brief(GenerateJsonSchema):
    """Leaves out titles, which repeat the names, and what classes say of themselves to programmers."""

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


class _Asked(_Brief):
    """Says nothing of null: an argument that may be left out may be null too, which models need not know."""

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        made = super().default_schema(schema)
        if made.get("default", ...) is None:
            del made["default"]
        return made


@cache
def input_schema(arguments: type[BaseModel]) -> dict[str, Any]:
    """Return the schema of what a tool takes, which is not to be changed."""
    return {"properties": {}, **arguments.model_json_schema(schema_generator=_Asked)}


@cache
def output_schema(result: type[BaseModel]) -> dict[str, Any]:
    """Return the schema of what a tool answers, its result or an error, which is not to be changed.

    Clients hold structured errors to it as well, so it admits them.
    """
    made = result.model_json_schema(mode="serialization", schema_generator=_Brief)
    made["properties"] = {**made["properties"], ERROR: _ERROR_SCHEMA}
    made["anyOf"] = [{"required": made.pop("required", [])}, {"required": [ERROR]}]
    return made


def _inlined(schema: Any, definitions: Mapping[str, Any]) -> Any:
    """Put definitions where they are referred to, as not every client follows references; none refers to itself."""
    if isinstance(schema, list):
        return [_inlined(each, definitions) for each in schema]
    if not isinstance(schema, dict):
        return schema
    rest = {name: _inlined(value, definitions) for name, value in schema.items() if name != "$ref"}
    reference = schema.get("$ref")
    if not isinstance(reference, str):
        return rest
    return {**_inlined(definitions[reference.removeprefix("#/$defs/")], definitions), **rest}
