"""Schemas come from callers and run inside the service: what could make that expensive or silent is refused."""

import pytest

from graph.core.errors import InvalidInput
from graph.knowledge.ontology.schemas import PropertyRules, validated_schema


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"type": "object"},
        {"properties": {"pattern": {"type": "string"}, "$ref": {"type": "string"}}},
        {"properties": {"a": {"type": "array", "items": {"enum": ["$ref", {"pattern": "x"}]}}}},
        {"anyOf": [{"required": ["a"]}, {"required": ["b"]}], "additionalProperties": False},
        {"properties": {"when": {"type": "string", "format": "date"}}},
    ],
    ids=repr,
)
def test_a_schema_of_an_object_is_taken(schema) -> None:
    assert validated_schema(schema) == schema


def deep(levels: int) -> dict:
    schema: dict = {}
    for _ in range(levels):
        schema = {"properties": {"x": schema}}
    return schema


@pytest.mark.parametrize(
    ("schema", "complaint"),
    [
        ({"age": {"type": "integer"}}, "'age' cannot be used"),
        ({"type": "string"}, "type must be 'object'"),
        ({"$ref": "https://example.com/schema"}, "'$ref' cannot be used"),
        ({"properties": {"a": {"$ref": "#"}}}, "'$ref' is not supported"),
        ({"allOf": [{"not": {"$dynamicRef": "#a"}}]}, "'$dynamicRef' is not supported"),
        ({"properties": {"a": {"pattern": "(a+)+$"}}}, "'pattern' is not supported"),
        ({"patternProperties": {"(a+)+$": {}}}, "'patternProperties' cannot be used"),
        ({"properties": {"a": {"type": "nothing"}}}, "'nothing' is not valid"),
        ({"required": "a"}, "is not of type 'array'"),
        ({"description": "x" * 17_000}, "at most 16384 characters"),
        (deep(20), "at most 12 schemas deep"),
    ],
    ids=lambda value: repr(value)[:50],
)
def test_another_schema_is_refused_with_the_reason(schema, complaint) -> None:
    with pytest.raises(InvalidInput) as refused:
        validated_schema(schema)

    assert refused.value.field == "properties"
    assert complaint in refused.value.message


def test_formats_count() -> None:
    rules = PropertyRules([{"properties": {"when": {"type": "string", "format": "date"}}}])

    rules.check({"when": "2025-02-28"}, whose="it")
    with pytest.raises(InvalidInput):
        rules.check({"when": "2025-02-30"}, whose="it")
