"""Automatic persisted queries, Apollo's protocol, in bodies and in URLs."""

import hashlib
import json
from typing import Any

import pytest

from app.surfaces.graphql import limits

QUERY = "query Who { me { name } }"


def hash_of(query: str) -> str:
    return hashlib.sha256(query.encode()).hexdigest()


def named(hash_: str) -> dict[str, Any]:
    return {"persistedQuery": {"version": 1, "sha256Hash": hash_}}


@pytest.fixture
def query(workspace_id) -> str:
    """Return a query that was never sent before."""
    return f"{QUERY} # {workspace_id}"


async def send(graphql, **body: Any):
    return await graphql.http.post("/graphql", json=body, headers={"X-API-Key": graphql.key})


async def test_a_query_is_sent_once_and_named_by_its_hash_afterwards(graphql, query) -> None:
    extensions = named(hash_of(query))

    unknown = await send(graphql, extensions=extensions)
    sent = await send(graphql, query=query, extensions=extensions)
    known = await send(graphql, extensions=extensions)
    by_address = await graphql.http.get(
        "/graphql", params={"extensions": json.dumps(extensions)}, headers={"X-API-Key": graphql.key}
    )

    assert unknown.status_code == 200
    assert unknown.json() == {
        "data": None,
        "errors": [
            {
                "message": "PersistedQueryNotFound",
                "extensions": {"code": "PERSISTED_QUERY_NOT_FOUND", "field": None},
            }
        ],
    }
    assert sent.json() == known.json() == by_address.json() == {"data": {"me": {"name": "test"}}}


async def test_a_hash_in_capitals_is_the_same(graphql, query) -> None:
    await send(graphql, query=query, extensions=named(hash_of(query).upper()))

    assert (await send(graphql, extensions=named(hash_of(query)))).json()["data"] == {"me": {"name": "test"}}


@pytest.mark.parametrize(
    ("persisted", "said"),
    [
        ({"version": 1, "sha256Hash": "0" * 64}, "is not the SHA-256 of the query"),
        ({"version": 1, "sha256Hash": 5}, "must be a string"),
        ({"version": 1}, "must be a string"),
        ({"version": 2, "sha256Hash": hash_of(QUERY)}, "version 1"),
        ("x", "version 1"),
        ([], "version 1"),
    ],
    ids=repr,
)
async def test_a_hash_that_differs_from_the_query_is_refused(graphql, persisted, said) -> None:
    answer = await send(graphql, query=QUERY, extensions={"persistedQuery": persisted})

    (error,) = answer.json()["errors"]
    assert error["extensions"] == {"code": "INVALID_INPUT", "field": "extensions"}
    assert said in error["message"]
    assert answer.json()["data"] is None


@pytest.mark.parametrize(
    "wrong", ["{ nothing }", "{", "{ me { name } }" + " " * 100_000], ids=lambda text: text[:12]
)
async def test_an_unexecuted_query_is_not_cached(graphql, wrong) -> None:
    await send(graphql, query=wrong, extensions=named(hash_of(wrong)))

    (error,) = (await send(graphql, extensions=named(hash_of(wrong)))).json()["errors"]
    assert error["message"] == "PersistedQueryNotFound"


async def test_the_latest_used_queries_stay_cached(graphql, query, monkeypatch) -> None:
    texts = [f"{query} {'x' * 400} {number}" for number in range(4)]
    kept = type(limits._texts)(1200, getsizeof=len)
    monkeypatch.setattr(limits, "_texts", kept)
    for text in texts:
        await send(graphql, query=text, extensions=named(hash_of(text)))

    assert len(kept) == 2
    assert (await send(graphql, extensions=named(hash_of(texts[-1])))).json()["data"]
    assert (await send(graphql, extensions=named(hash_of(texts[0])))).json()["data"] is None


async def test_other_extensions_are_ignored(graphql) -> None:
    assert (await send(graphql, query="{ me { name } }", extensions={"some": 1})).json()["data"]
