"""JSON Schemas of properties: which ones a type may have, and whether properties keep them.

A schema comes from a caller and is run inside the service, so what could make that expensive is refused: regular
expressions, references, and more depth or size than properties of a node can need.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, best_match

from graph.core.errors import InvalidInput

MOST_SCHEMA_CHARS = 16_384
_DEEPEST = 12
_REFUSED = frozenset(
    "$anchor $dynamicAnchor $dynamicRef $id $recursiveRef $ref pattern patternProperties".split()
)
# What the schema of an object may begin with; a bare map of property names would admit anything, silently.
# fmt: off
_TOP = frozenset({
    "$comment", "$schema", "additionalProperties", "allOf", "anyOf", "default", "dependentRequired", "dependentSchemas",
    "description", "else", "examples", "if", "maxProperties", "minProperties", "not", "oneOf", "properties",
    "propertyNames", "required", "then", "title", "type", "unevaluatedProperties",
})
# fmt: on
_NAMED_SCHEMAS = frozenset({"properties", "dependentSchemas", "$defs", "definitions"})
_VALUES = frozenset({"const", "default", "enum", "examples", "required", "dependentRequired"})
_LONGEST_COMPLAINT = 200
_EXPECTED = 'expected a JSON Schema of an object, like {"properties": {"port": {"type": "integer"}}}'


def validated_schema(schema: Mapping[str, Any], *, field: str = "properties") -> Mapping[str, Any]:
    """Return the schema if properties can be held to it.

    Raises:
        InvalidInput: It is no JSON Schema (2020-12) of an object, too large, or uses what is refused.
    """
    if unknown := sorted(schema.keys() - _TOP):
        used = next((name for name in unknown if name in _REFUSED), None)
        raise InvalidInput(field, f"{field}: {used or unknown[0]!r} cannot be used; {_EXPECTED}")
    if schema.get("type", "object") != "object":
        raise InvalidInput(field, f"{field}: type must be 'object'; {_EXPECTED}")
    size = len(json.dumps(schema))
    if size > MOST_SCHEMA_CHARS:
        raise InvalidInput(
            field, f"{field} must have at most {MOST_SCHEMA_CHARS} characters as JSON, got {size}"
        )
    for depth, subschema in _subschemas(schema, 0):
        if depth > _DEEPEST:
            raise InvalidInput(field, f"{field} must be at most {_DEEPEST} schemas deep")
        if refused := sorted(subschema.keys() & _REFUSED):
            raise InvalidInput(field, f"{field}: {refused[0]!r} is not supported; leave it out")
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        raise InvalidInput(field, f"{field}: {error.message[:_LONGEST_COMPLAINT]}; {_EXPECTED}") from None
    return schema


class PropertyRules:
    """What the properties of one type must keep: its own schema and those of the types above it."""

    def __init__(self, schemas: Sequence[Mapping[str, Any]]) -> None:
        self._validators = [
            Draft202012Validator(dict(schema), format_checker=Draft202012Validator.FORMAT_CHECKER)
            for schema in schemas
            if schema
        ]

    def check(self, properties: Mapping[str, Any], *, whose: str, field: str = "properties") -> None:
        """Return if the properties keep every schema.

        Raises:
            InvalidInput: They do not; the message names the first property that is wrong.
        """
        for validator in self._validators:
            error = best_match(validator.iter_errors(dict(properties)))
            if error is not None:
                place = ".".join(str(part) for part in error.absolute_path)
                where = f"{field}.{place}" if place else field
                raise InvalidInput(field, f"{where} of {whose}: {error.message[:_LONGEST_COMPLAINT]}")


def _subschemas(schema: object, depth: int) -> Iterator[tuple[int, Mapping[str, Any]]]:
    if isinstance(schema, list):
        for item in schema:
            yield from _subschemas(item, depth)
    if not isinstance(schema, Mapping):
        return
    yield depth, schema
    if depth > _DEEPEST:
        return
    for keyword, value in schema.items():
        if keyword in _NAMED_SCHEMAS and isinstance(value, Mapping):
            for named in value.values():
                yield from _subschemas(named, depth + 1)
        elif keyword not in _VALUES:
            yield from _subschemas(value, depth + 1)
