"""Schemas from callers, which run inside the service: expensive or silently ineffective ones are refused."""

from contextlib import nullcontext

import pytest

from graph.core.errors import InvalidInput
from graph.knowledge.ontology.schemas import PropertyRules, validated_schema
from tests.fixtures.cpu import least_seconds


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"type": "object"},
        {"properties": {"pattern": {"type": "string"}, "$ref": {"type": "string"}}},
        {"properties": {"a": {"type": "array", "items": {"enum": ["$ref", {"pattern": "x"}]}}}},
        {"anyOf": [{"required": ["a"]}, {"required": ["b"]}], "additionalProperties": False},
        {"properties": {"when": {"type": "string", "format": "date"}}},
        {"allOf": [{"properties": {"a": {}}}], "unevaluatedProperties": False},
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
        (deep(20), "at most 12 schemas"),
        ({"properties": {"a": {"unevaluatedProperties": False}}}, "'unevaluatedProperties' is not supported"),
        ({"properties": {"a": {"unevaluatedItems": False}}}, "'unevaluatedItems' is not supported"),
    ],
    ids=lambda value: repr(value)[:50],
)
def test_another_schema_is_refused_with_the_reason(schema, complaint) -> None:
    with pytest.raises(InvalidInput) as refused:
        validated_schema(schema)

    assert refused.value.field == "properties"
    assert complaint in refused.value.message


def test_formats_are_validated() -> None:
    rules = PropertyRules([{"properties": {"when": {"type": "string", "format": "date"}}}])

    rules.check({"when": "2025-02-28"}, owner="it")
    with pytest.raises(InvalidInput):
        rules.check({"when": "2025-02-30"}, owner="it")


def alternatives(levels: int) -> dict:
    schema: dict = {"type": "integer"}
    for _ in range(levels):
        schema = {"anyOf": [schema, schema]}
    return schema


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"items": alternatives(8)}, ["x"] * 500),
        ({"additionalProperties": alternatives(8)}, {f"key{number}": "x" for number in range(100)}),
        ({"items": {"enum": list(range(2000))}}, [-1] * 500),
        ({"items": {"required": [f"r{number}" for number in range(1000)]}}, [{}] * 500),
        ({"contains": {"not": alternatives(8)}}, [1] * 500),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_too_many_values_for_a_schema_are_refused_immediately(schema, value) -> None:
    """E7: counting is instant, while the validation would block the event loop for seconds."""
    schema = validated_schema({"properties": {"a": schema}})
    too_many = r"^properties of it hold too many values for the JSON Schema"

    with pytest.raises(InvalidInput, match=too_many):
        PropertyRules([schema]).check({"a": value}, owner="it")


class ReadList(list):
    """A list that counts its iterations."""

    walks = 0

    def __iter__(self):
        self.walks += 1
        return super().__iter__()


@pytest.mark.parametrize("subschema", [True, False, {}, {"title": "anything"}], ids=repr)
@pytest.mark.parametrize("keyword", ["items", "contains"])
def test_empty_subschemas_also_count_for_each_item(keyword, subschema) -> None:
    """E7: 700 of them on 4000 items blocked the event loop for half a minute."""
    asked = [{keyword: subschema}] * 400
    rules = PropertyRules([validated_schema({"properties": {"a": {"allOf": asked}}})])
    value = ReadList([1] * 4000)

    with pytest.raises(InvalidInput, match=r"^properties of it hold too many values for the JSON Schema"):
        rules.check({"a": value}, owner="it")

    assert value.walks == 3  # 4000 steps each


@pytest.mark.parametrize(
    ("subschema", "value"),
    [
        (True, dict.fromkeys(map(str, range(400)), 1)),
        ({}, dict.fromkeys(map(str, range(400)), 1)),
        ({"additionalProperties": False}, dict.fromkeys(map(str, range(100)), 1)),
        ({"propertyNames": False}, dict.fromkeys(map(str, range(100)), 1)),
        ({"uniqueItems": True}, [1] * 100),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_other_parts_that_read_every_value_count_for_each(subschema, value) -> None:
    """E7: every value that is read counts, for any form of subschema."""
    a_hundred = {"allOf": [subschema] * 100}
    schema = {
        "properties": {"a": {"additionalProperties": a_hundred} if subschema in (True, {}) else a_hundred}
    }

    with pytest.raises(InvalidInput, match=r"^properties of it hold too many values for the JSON Schema"):
        PropertyRules([validated_schema(schema)]).check({"a": value}, owner="it")


@pytest.mark.parametrize(
    ("items", "value"),
    [
        ({"type": "number"}, [1] * 9_990),
        ({"type": "array", "items": {"type": "number"}}, [[1, 2, 3]] * 1_500),
    ],
    ids=["numbers", "rows of numbers"],
)
def test_a_value_counts_once_for_each_part_of_a_schema_that_reads_it(items, value) -> None:
    """E7: thousands of numbers may be checked against a type."""
    rules = PropertyRules([validated_schema({"properties": {"a": {"items": items}}})])

    rules.check({"a": value}, owner="it")
    with pytest.raises(InvalidInput, match=r"^properties of it hold too many values for the JSON Schema"):
        rules.check({"a": value * 2}, owner="it")


def test_many_values_are_validated_by_a_schema_of_many_properties() -> None:
    """E7: a value counts only for the parts of a schema that read it."""
    fields = {f"k{number}": {"type": "string", "maxLength": 20} for number in range(100)}
    row = {"type": "object", "required": ["k1"], "properties": fields, "additionalProperties": False}
    rules = PropertyRules([{"properties": {**fields, "rows": {"items": row}}}])
    full = dict.fromkeys(fields, "v")

    rules.check({**full, "rows": [full] * 6}, owner="it")
    with pytest.raises(InvalidInput) as refused:
        rules.check({**full, "rows": [full] * 5 + [{"k2": "v"}]}, owner="it")
    assert refused.value.message == "properties.rows.5 of it: 'k1' is a required property"


@pytest.mark.parametrize(
    ("values", "unique"),
    [
        ([1, True, "1", [1], [True], {"a": 1}, {"a": True}, 0, False, None], True),
        ([1, 1.0], False),
        ([{"a": [1, {"b": 2}]}, {"a": [1.0, {"b": 2}]}], False),
        ([{"a": number} for number in range(900)], True),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_unique_items_are_compared_as_json(values, unique) -> None:
    """E7."""
    rules = PropertyRules([{"properties": {"a": {"uniqueItems": True}}}])
    twice = pytest.raises(InvalidInput, match=r"properties\.a of it: the list contains an item twice")

    with nullcontext() if unique else twice:
        rules.check({"a": values}, owner="it")


@pytest.mark.proof("measures processor time")
def test_items_are_not_compared_pair_by_pair() -> None:
    """E7: comparing the pairs of 900 objects took 1.6 s."""
    rules = PropertyRules([{"properties": {"a": {"uniqueItems": True}}}])
    values = [{"a": number} for number in range(900)]

    assert least_seconds(lambda: rules.check({"a": values}, owner="it")) < 0.5


@pytest.mark.parametrize(
    ("schema", "value"),
    [({"multipleOf": 0.1}, 10**400), ({"uniqueItems": True}, "deep")],
    ids=["a number no float holds", "nested"],
)
def test_a_value_beyond_what_can_be_computed_is_refused(schema, value) -> None:
    """E7: with INVALID_INPUT, not INTERNAL."""
    if value == "deep":
        value = []
        for _ in range(20_000):
            value = [value]

    with pytest.raises(InvalidInput) as refused:
        PropertyRules([{"properties": {"a": schema}}]).check({"a": value}, owner="it")

    assert refused.value.message == "properties of it hold a value too large to be checked"
