"""``/openapi.json``: every route with its credential, its errors, and valid examples."""

import json
import warnings
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
from litestar.routes import HTTPRoute

from app.main import create_app
from app.surfaces.http.credentials import CREDENTIAL, Credential
from app.surfaces.rest.openapi import PATH, document

METHODS = ("get", "put", "post", "delete", "patch")
INTERNAL = {
    "/v1/workspaces/{workspace_id}/memory/enable",
    "/v1/workspaces/{workspace_id}/memory/disable",
}
SCHEMES = {
    Credential.KEY: ["bearer", "header"],
    Credential.KEY_OR_QUERY: ["bearer", "header", "query"],
    Credential.REMEMBERED_KEY: ["bearer", "header"],
    Credential.REMEMBERED_KEY_OR_SESSION: ["bearer", "header", "session"],
    Credential.KEY_OR_SESSION: ["bearer", "header", "session"],
    Credential.MANAGEMENT: ["management", "session"],
    Credential.NONE: [],
}


@pytest.fixture(scope="module")
def app():
    return create_app(services=None)


def test_routes_are_declared_in_litestars_form() -> None:
    """Forms that the next Litestar refuses cause warnings; Strawberry declares GraphQL's dependencies."""
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        create_app(services=None)

    messages = [str(each.message) for each in warned if issubclass(each.category, DeprecationWarning)]
    assert [message for message in messages if "Inferred dependency" not in message] == []


@pytest.fixture(scope="module")
def written(app) -> dict[str, Any]:
    return document(app)


def operations(written) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, item in written["paths"].items():
        for method in METHODS:
            if method in item:
                yield path, method, item[method]


def with_components(schema: dict[str, Any], written: dict[str, Any]) -> dict[str, Any]:
    """Return a schema with the components that its references need."""
    return {**schema, "components": written["components"]}


def examples_in(value: Any, written: dict[str, Any]) -> Iterator[tuple[dict[str, Any], Any]]:
    """Yield each example below a part of the document with its schema."""
    if isinstance(value, dict):
        if "schema" in value and isinstance(value.get("examples"), dict):
            for example in value["examples"].values():
                yield with_components(value["schema"], written), example["value"]
        is_schema = {"type", "anyOf", "oneOf", "allOf", "$ref", "enum"} & value.keys()
        if is_schema and isinstance(value.get("examples"), list):
            for example in value["examples"]:
                yield with_components(value, written), example
        for name, part in value.items():
            if name not in ("examples", "example", "default"):
                yield from examples_in(part, written)
    elif isinstance(value, list):
        for part in value:
            yield from examples_in(part, written)


async def test_the_document_needs_no_key_and_is_the_only_one(http) -> None:
    """K19: it contains no data; `/docs` is its only page and loads nothing from other hosts."""
    answer = await http.get(PATH)

    assert answer.status_code == 200
    assert answer.json()["openapi"].startswith("3.1")
    for path in ("/openapi", "/openapi/openapi.json", "/schema", "/openapi.json/x", "/docs/x"):
        assert (await http.get(path, headers={"X-API-Key": "nobody"})).status_code in (401, 404), path


def test_the_document_has_every_route_except_internal_ones(app, written) -> None:
    """K19, I7: without the internal switches, GraphQL, which has its own schema, and the document itself."""
    routes = {route.path_format for route in app.routes if isinstance(route, HTTPRoute)}

    assert routes - written["paths"].keys() >= INTERNAL | {"/graphql", PATH}
    assert written["paths"].keys() <= routes
    left_out = {
        route.path_format
        for route in app.routes
        if isinstance(route, HTTPRoute)
        and not any(handler.resolve_include_in_schema() for handler, _ in route.route_handler_map.values())
    }
    assert routes - written["paths"].keys() == left_out


def test_every_operation_is_described(written) -> None:
    """K19: with a described tag and a unique id."""
    tags = {tag["name"] for tag in written["tags"]}
    undescribed = [
        f"{method} {path}"
        for path, method, operation in operations(written)
        if not (operation.get("summary") and operation.get("description"))
        or not set(operation.get("tags", [])) & tags
    ]
    ids = [operation["operationId"] for _, _, operation in operations(written)]

    assert undescribed == []
    assert len(set(ids)) == len(ids)


def test_every_operation_names_the_credential_it_asks_for(app, written) -> None:
    """I9, I11, I12."""
    asked = {
        (route.path_format, method.lower()): Credential(handler.opt.get(CREDENTIAL, Credential.KEY))
        for route in app.routes
        if isinstance(route, HTTPRoute)
        for method, (handler, _) in route.route_handler_map.items()
    }
    for path, method, operation in operations(written):
        named = [scheme for requirement in operation["security"] for scheme in requirement]
        credential = asked[path, method]
        assert named == SCHEMES.get(credential, ["session"]), f"{method} {path}"
        assert set(named) <= written["components"]["securitySchemes"].keys()


def test_bounds_of_numbers_are_declared(written) -> None:
    """K20: under JSON Schema's names."""
    schemas = written["components"]["schemas"]

    assert [name for name in ("ge", "le", "gt", "lt") if f'"{name}": ' in json.dumps(schemas)] == []
    port = schemas["QdrantChange"]["properties"]["port"]
    assert (port["minimum"], port["maximum"]) == (1, 65535)
    limit = schemas["PreviewQuery"]["properties"]["limit"]
    assert (limit["minimum"], limit["maximum"]) == (1, 100)


def test_names_in_paths_are_not_blank(written) -> None:
    """K20."""
    lenient = [
        f"{path} {parameter['name']}"
        for path, _, operation in operations(written)
        for parameter in operation.get("parameters", [])
        if parameter.get("in") == "path" and not parameter["schema"].keys() >= {"minLength", "pattern"}
    ]

    assert lenient == []


def test_every_default_is_valid_for_its_schema(written) -> None:
    """K20: an omitted field is not thereby null."""
    wrong = [
        f"{name}.{field}"
        for name, schema in written["components"]["schemas"].items()
        for field, said in schema.get("properties", {}).items()
        if "default" in said
        and not jsonschema.Draft202012Validator(with_components(said, written)).is_valid(said["default"])
    ]

    assert wrong == []


def test_bodies_that_a_route_reads_itself_are_declared(written) -> None:
    """K19: with the errors that are specific to them."""
    for path, media_type in (
        ("/v1/chat/completions", "application/json"),
        ("/v1/responses", "application/json"),
        ("/v1/workspaces/{workspace_id}/archive", "application/zstd"),
    ):
        operation = written["paths"][path]["post"]
        assert operation["requestBody"]["required"] is True
        assert operation["requestBody"]["content"].keys() == {media_type}
        assert {"408", "413", "415"} <= operation["responses"].keys()


def test_responses_that_create_a_memory_link_to_its_operations(written) -> None:
    """K19: each link names an operation and all its path parameters."""
    by_id = {operation["operationId"]: (path, operation) for path, _, operation in operations(written)}
    linked = {}
    for path, _, operation in operations(written):
        for answer in operation["responses"].values():
            for name, link in answer.get("links", {}).items():
                target, other = by_id[link["operationId"]]
                needed = {each["name"] for each in other["parameters"] if each.get("in") == "path"}
                assert link["parameters"].keys() == needed, name
                linked.setdefault(path, set()).add(target)

    assert linked["/memory"] == {"/memory/{memory_id}"}
    assert linked["/chat/api/{chat_id}/memory"] == {"/chat/api/{chat_id}/memories/{memory_id}"}
    assert len(linked) == 6


def test_every_operation_documents_its_errors(app, written) -> None:
    """K18: each error has a schema."""
    for path, method, operation in operations(written):
        wanted = {"429", "503"}
        wanted |= {"401", "403"} if operation["security"] else set()
        wanted |= {"404"} if "{" in path else set()
        wanted |= {"400"} if operation.get("parameters") or "requestBody" in operation else set()
        wanted |= {"413", "415"} if "requestBody" in operation else set()
        answers = operation["responses"]
        assert wanted <= answers.keys(), f"{method} {path}"
        assert any(status.startswith("2") for status in answers), f"{method} {path}"
        for status, answer in answers.items():
            if status.startswith(("4", "5")):
                assert answer["content"], f"{method} {path} {status}"


def test_every_example_fits_its_schema(written) -> None:
    """K19."""
    found = list(examples_in(written, written))

    assert len(found) > 20
    for schema, example in found:
        jsonschema.Draft202012Validator(
            schema, format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER
        ).validate(example)


def test_every_model_has_one_schema(written) -> None:
    for name, schema in written["components"]["schemas"].items():
        jsonschema.Draft202012Validator.check_schema(with_components(schema, written))
        for reference in references_in(schema):
            assert reference in written["components"]["schemas"], f"{name} refers to {reference}"


def references_in(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"].rsplit("/", 1)[1]
        for part in value.values():
            yield from references_in(part)
    elif isinstance(value, list):
        for part in value:
            yield from references_in(part)


def test_bodies_and_answers_have_examples(written) -> None:
    """K19: every schema of its own has an example."""
    schemas = written["components"]["schemas"]
    bare = set()
    for path, method, operation in operations(written):
        answers = [answer for status, answer in operation["responses"].items() if status.startswith("2")]
        for part in [*answers, operation.get("requestBody", {})]:
            for media in part.get("content", {}).values():
                name = media["schema"].get("$ref", "").rsplit("/", 1)[-1]
                if name and not (schemas[name].get("examples") or media.get("examples")):
                    bare.add(f"{method} {path}: {name}")

    assert bare == set()


def test_bodies_document_that_they_refuse_other_fields(written) -> None:
    """K20: so do all models that refuse unknown fields."""
    assert written["components"]["schemas"]["MemoryToStore"]["additionalProperties"] is False
