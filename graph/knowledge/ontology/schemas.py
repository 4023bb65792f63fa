"""JSON Schemas of properties: checks of a type's schema, and validation of properties.

Callers send schemas, and the service evaluates them. It therefore refuses everything that makes this expensive: regular
expressions, references, more depth or size than properties of a node can need, and properties with too many values for
a large schema.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any

from jsonschema import Draft202012Validator, ValidationError
from jsonschema.exceptions import SchemaError, best_match
from jsonschema.validators import extend

from graph.core.errors import InvalidInput

MOST_SCHEMA_CHARS = 16_384
_DEEPEST = 12
_REFUSED = frozenset(
    "$anchor $dynamicAnchor $dynamicRef $id $recursiveRef $ref pattern patternProperties".split()
)
# Allowed keywords at the top. A bare map of property names is refused, because as a schema it would allow anything.
# fmt: off
_TOP = frozenset({
    "$comment", "$schema", "additionalProperties", "allOf", "anyOf", "default", "dependentRequired", "dependentSchemas",
    "description", "else", "examples", "if", "maxProperties", "minProperties", "not", "oneOf", "properties",
    "propertyNames", "required", "then", "title", "type", "unevaluatedProperties",
})
# fmt: on
_NAMED_SCHEMAS = frozenset({"properties", "dependentSchemas", "$defs", "definitions"})
_VALUES = frozenset({"const", "default", "enum", "examples", "required", "dependentRequired"})
_OF_THE_SAME = frozenset({"allOf", "anyOf", "else", "if", "not", "oneOf", "then"})
_OF_ITEMS = frozenset({"contains", "items"})
_HOLDING_SCHEMAS = frozenset(
    "additionalProperties dependentSchemas prefixItems propertyNames unevaluatedItems unevaluatedProperties".split()
)
_COMPARED = frozenset({"const", "enum"})
_ANNOTATIONS = frozenset(
    "$comment $schema default deprecated description examples readOnly title writeOnly".split()
)
_PASSED_ON = _ANNOTATIONS | _OF_THE_SAME | _OF_ITEMS | {"properties"}
_UNEVALUATED = frozenset({"unevaluatedItems", "unevaluatedProperties"})
_MOST_STEPS = 10_000  # a third of a second at worst
_COMPARED_IN_A_STEP = 20
_LONGEST_COMPLAINT = 200
_EXPECTED = 'expected a JSON Schema of an object, like {"properties": {"port": {"type": "integer"}}}'


def validated_schema(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the schema if properties can be validated against it.

    Raises:
        InvalidInput: It is not a JSON Schema (2020-12) of an object, is too large, or uses a forbidden keyword.
    """
    if unknown := sorted(schema.keys() - _TOP):
        used = next((name for name in unknown if name in _REFUSED), None)
        raise InvalidInput("properties", f"properties: {used or unknown[0]!r} cannot be used; {_EXPECTED}")
    if schema.get("type", "object") != "object":
        raise InvalidInput("properties", f"properties: type must be 'object'; {_EXPECTED}")
    size = len(json.dumps(schema))
    if size > MOST_SCHEMA_CHARS:
        raise InvalidInput(
            "properties", f"properties must have at most {MOST_SCHEMA_CHARS} characters as JSON, got {size}"
        )
    for depth, subschema in _subschemas(schema, 0):
        if depth > _DEEPEST:
            raise InvalidInput("properties", f"properties must nest at most {_DEEPEST} schemas")
        if refused := sorted(subschema.keys() & (_REFUSED | _UNEVALUATED if depth else _REFUSED)):
            raise InvalidInput("properties", f"properties: {refused[0]!r} is not supported; leave it out")
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        raise InvalidInput(
            "properties", f"properties: {error.message[:_LONGEST_COMPLAINT]}; {_EXPECTED}"
        ) from None
    return schema


class PropertyRules:
    """Validation of one type's properties by its own schema and those of its supertypes."""

    def __init__(self, schemas: Sequence[Mapping[str, Any]]) -> None:
        self._schemas = [dict(schema) for schema in schemas if schema]
        self._validators = [
            _Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER) for schema in self._schemas
        ]

    def check(self, properties: Mapping[str, Any], *, owner: str) -> None:
        """Check properties by every schema.

        Raises:
            InvalidInput: They are invalid, and the message names the first wrong property; or they have too many values
                for a large schema.
        """
        held = dict(properties)
        try:
            if self._takes_too_long(held):
                raise InvalidInput(
                    "properties",
                    f"properties of {owner} hold too many values for the JSON Schema of the type; "
                    "make one of them smaller",
                )
            errors = (best_match(validator.iter_errors(held)) for validator in self._validators)
            error = next((error for error in errors if error is not None), None)
        except (OverflowError, RecursionError):
            raise InvalidInput(
                "properties", f"properties of {owner} hold a value too large to be checked"
            ) from None
        if error is not None:
            place = ".".join(str(part) for part in error.absolute_path)
            where = f"properties.{place}" if place else "properties"
            raise InvalidInput("properties", f"{where} of {owner}: {error.message[:_LONGEST_COMPLAINT]}")

    def _takes_too_long(self, properties: Mapping[str, Any]) -> bool:
        steps = (step for schema in self._schemas for step in _steps(schema, [properties]))
        return any(total > _MOST_STEPS for total in accumulate(steps))


def _unique_items(_: object, must_be_unique: object, value: object, __: object) -> Iterator[ValidationError]:
    """Yield an error for a list with equal items, in linear time; jsonschema compares every pair."""
    if must_be_unique and isinstance(value, list) and len({_comparable(item) for item in value}) < len(value):
        yield ValidationError("the list contains an item twice")


_Validator = extend(Draft202012Validator, {"uniqueItems": _unique_items})  # type: ignore[no-untyped-call]


def _comparable(value: object) -> object:
    """Return a hashable value that is equal for equal JSON values: 1 equals 1.0 but not true."""
    if isinstance(value, Mapping):
        return frozenset((name, _comparable(each)) for name, each in value.items())
    if isinstance(value, list):
        return tuple(_comparable(each) for each in value)
    return (bool, value) if isinstance(value, bool) else value


def _steps(schema: object, values: Sequence[object]) -> Iterator[int]:
    """Yield an upper estimate of the steps that validating values takes, part by part.

    Each value precedes the values inside it, so that the caller can stop early.
    """
    if not values:
        return
    if not isinstance(schema, Mapping) or schema.keys() <= _PASSED_ON:
        yield len(values)
    if not isinstance(schema, Mapping):
        return
    # jsonschema finds evaluated properties and items by evaluating the schema again, on every level.
    times = 1 if _UNEVALUATED.isdisjoint(schema) else _DEEPEST
    for keyword, constraint in schema.items():
        for steps in _steps_of(keyword, constraint, values):
            yield steps * times


def _steps_of(keyword: str, constraint: Any, values: Sequence[object]) -> Iterator[int]:
    if keyword == "properties":
        objects = [value for value in values if isinstance(value, Mapping)]
        yield len(objects) * (1 + len(constraint) // _COMPARED_IN_A_STEP)
        for name, each in constraint.items():
            yield from _steps(each, [value[name] for value in objects if name in value])
    elif keyword in _OF_THE_SAME:
        for each in constraint if isinstance(constraint, list) else [constraint]:
            yield from _steps(each, values)
    elif keyword in _OF_ITEMS:
        yield from _steps(constraint, [item for value in values if isinstance(value, list) for item in value])
    elif keyword in _COMPARED:
        yield len(values) * (1 + _size(constraint) // _COMPARED_IN_A_STEP)
    elif keyword in _HOLDING_SCHEMAS:
        yield _size(constraint) * sum(
            map(_size if isinstance(constraint, Mapping | list) else _width, values)
        )
    elif keyword == "uniqueItems":
        yield sum(map(_size, values))
    elif keyword not in _ANNOTATIONS:
        yield len(values) * _size(constraint)


def _width(value: object) -> int:
    return 1 + len(value) if isinstance(value, Mapping | list) else 1


def _size(value: object) -> int:
    """Return the number of values in a JSON value."""
    if isinstance(value, Mapping):
        return 1 + sum(map(_size, value.values()))
    return 1 + sum(map(_size, value)) if isinstance(value, list) else 1


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
