"""The types of body fields in ``/openapi.json``: exactly the types that the models accept."""

from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from app.main import create_app
from app.surfaces.rest.openapi import ModelSchemas, document

OF_A_KIND: dict[str, Any] = {"null": None, "number": 0.5, "boolean": True, "array": [[0]], "object": {}}
"""A value of each kind to try in any field, except text and integers, which may have bounds."""


@pytest.fixture(scope="module")
def bodies() -> dict[str, tuple[type[BaseModel], dict[str, Any]]]:
    """Return the models of bodies with their schemas, by name."""
    app = create_app(services=None)  # type: ignore[arg-type]  # no request of these tests reaches a service
    written = document(app)
    models = app.plugins.get(ModelSchemas).models
    schemas = written["components"]["schemas"]
    named = {
        content["schema"]["$ref"].rpartition("/")[2]
        for path in written["paths"].values()
        for operation in path.values()
        for content in operation.get("requestBody", {}).get("content", {}).values()
        if "$ref" in content["schema"]  # a body that a route reads itself has no model
    }
    return {name: (models[name], schemas[name]) for name in sorted(named)}


def kinds_of(schema: dict[str, Any]) -> set[str] | None:
    """Return the types of a field; None if another schema defines them."""
    parts = schema.get("anyOf", [schema])
    if any("type" not in part and "enum" not in part for part in parts):
        return None
    return {part.get("type", "string") for part in parts}


def takes(model: type[BaseModel], field: str, value: Any, example: dict[str, Any]) -> bool:
    try:
        model.model_validate({**example, field: value})
    except ValidationError:
        return False
    return True


def fields(bodies) -> Iterator[tuple[str, type[BaseModel], str, dict[str, Any], dict[str, Any]]]:
    for name, (model, schema) in bodies.items():
        example = next(iter(schema.get("examples", [{}])))
        for field, said in schema["properties"].items():
            yield f"{name}.{field}", model, field, said, example


def test_only_nullable_fields_are_documented_as_nullable(bodies) -> None:
    """K20: an optional field is not thereby nullable."""
    wrong = [
        place
        for place, model, field, said, example in fields(bodies)
        if (kinds := kinds_of(said)) is not None and ("null" in kinds) != takes(model, field, None, example)
    ]

    assert wrong == []


def test_values_of_other_kinds_are_refused(bodies) -> None:
    """K20: a number is no time, true is no number, and "5" is neither."""
    wrong = [
        f"{place} takes {value!r}"
        for place, model, field, said, example in fields(bodies)
        if (kinds := kinds_of(said)) is not None
        for kind, value in (*OF_A_KIND.items(), ("string", "5"), ("string", "true"), ("number", 1e9))
        if kind not in kinds | {"null"} and takes(model, field, value, example)
    ]

    assert wrong == []


def test_times_are_not_documented_as_quoted_numbers(bodies) -> None:
    wrong = [
        place
        for place, model, field, said, example in fields(bodies)
        if "date-time" in str(said) and takes(model, field, "5", example)
    ]

    assert wrong == []


def test_an_optional_body_is_documented_neither_as_nullable_nor_as_required() -> None:
    """K20: ``required`` is false, and null is not allowed."""
    paths = document(create_app(services=None))["paths"]  # type: ignore[arg-type]  # as above

    body = paths["/api/memory/reindex"]["post"]["requestBody"]
    assert body["required"] is False
    assert body["content"]["application/json"]["schema"] == {"$ref": "#/components/schemas/ReindexQuery"}
