"""GraphQL over HTTP: media types and the statuses that belong to them."""

import pytest

JSON = "application/json"
RESPONSE = "application/graphql-response+json"
HEADS = "query($id: ID!) { memory(id: $id) { id } }"


async def ask(graphql, accept: str | None, query: object, **variables):
    headers = {"X-API-Key": graphql.key} | ({"Accept": accept} if accept else {"Accept": "*/*"})
    body = {"query": query, "variables": variables}
    return await graphql.http.post("/graphql", json=body, headers=headers)


@pytest.mark.parametrize(
    ("accept", "media_type"),
    [
        (None, JSON),
        ("*/*", JSON),
        (JSON, JSON),
        ("text/html", JSON),
        (RESPONSE, RESPONSE),
        (f"{RESPONSE}, {JSON};q=0.9", RESPONSE),
        (f"{JSON}, {RESPONSE};q=0.9", JSON),
        ("application/graphql-response+json; charset=utf-8, application/json; charset=utf-8", RESPONSE),
        (f"{RESPONSE};q=0.1, */*", JSON),
    ],
    ids=repr,
)
async def test_the_answer_has_the_media_type_that_the_caller_prefers(graphql, accept, media_type) -> None:
    for query in ("{ me { name } }", "{ nothing }"):
        answer = await ask(graphql, accept, query)
        assert answer.headers["content-type"].split(";")[0] == media_type


@pytest.mark.parametrize(
    ("query", "variables"),
    [
        ("{", {}),
        ("{ nothing }", {}),
        (HEADS, {}),
        (HEADS, {"id": None}),
        ("{ me { " + "name " * 10_001 + "} }", {}),
        ("subscription { memoryEvents { at } }", {}),
        ("fragment F on Query { me { name } }", {}),
        ("", {}),
        (None, {}),
        (1, {}),
    ],
    ids=lambda value: repr(value)[:40],
)
async def test_a_request_that_is_not_executed_is_400_and_has_no_data(graphql, query, variables) -> None:
    answer = await ask(graphql, RESPONSE, query, **variables)

    assert answer.status_code == 400
    (error,) = answer.json()["errors"]
    assert answer.json().keys() == {"errors"}
    assert error["extensions"]["code"] in {"INVALID_INPUT", "TOO_COMPLEX"}


async def test_a_json_response_to_an_invalid_query_keeps_status_200(graphql) -> None:
    answer = await ask(graphql, JSON, "{ nothing }")

    assert answer.status_code == 200
    assert answer.json()["data"] is None


async def test_an_executed_query_has_status_200_whatever_its_result(graphql) -> None:
    found = await ask(graphql, RESPONSE, HEADS, id="mem_unknown")
    refused = await ask(graphql, RESPONSE, "mutation { revokeApiKey(id: 1) }")

    assert (found.status_code, found.json()) == (200, {"data": {"memory": None}})
    assert refused.status_code == 200
    assert refused.json()["data"] == {"revokeApiKey": None}
    assert refused.json()["errors"][0]["extensions"]["code"] == "FORBIDDEN"


@pytest.mark.parametrize("media_type", [JSON, RESPONSE])
async def test_a_refusal_before_graphql_has_the_media_type_too(http, media_type) -> None:
    answer = await http.post("/graphql", json={"query": "{ me { name } }"}, headers={"Accept": media_type})

    assert answer.status_code == 401
    assert answer.headers["content-type"].split(";")[0] == media_type
    assert answer.json()["errors"][0]["extensions"] == {"code": "UNAUTHENTICATED", "field": None}
    assert ("data" in answer.json()) == (media_type == JSON)


@pytest.mark.parametrize("name", [1, False, ["A"], {"a": 1}], ids=repr)
async def test_operation_name_must_be_a_string(graphql, name) -> None:
    body = {"query": "query A { me { name } }", "operationName": name}
    answer = await graphql.http.post("/graphql", json=body, headers={"X-API-Key": graphql.key})

    assert answer.status_code == 400
    assert answer.json()["errors"][0] == {
        "message": "operationName must be a string or null",
        "extensions": {"code": "INVALID_INPUT", "field": "operationName"},
    }
