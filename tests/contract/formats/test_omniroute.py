"""The names and shapes of OmniRoute's REST dialect (formats F§1, F§7, M4)."""

import re
import uuid
from typing import Any

import httpx
import pytest

from graph.tenancy.models import Scope

MEMORY = {
    "id": str, "apiKeyId": str, "sessionId": (str, type(None)), "type": str, "key": (str, type(None)),
    "content": str, "metadata": dict, "createdAt": str, "updatedAt": str, "expiresAt": (str, type(None)),
}  # fmt: skip
ISO = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")


@pytest.fixture
async def call(http: httpx.AsyncClient, services, workspace_id):
    """Return a function that sends a request with an administrator's key and returns status and body."""
    _, secret = await services.tenancy.keys.create(workspace_id, name="golden", scopes=[Scope.ADMIN])

    async def call(method: str, path: str, **rest: Any) -> tuple[int, Any]:
        answer = await http.request(method, path, headers={"Authorization": f"Bearer {secret}"}, **rest)
        assert answer.headers["content-type"] == "application/json"
        return answer.status_code, answer.json()

    return call


def has_shape(value: dict[str, Any], shape: dict[str, Any]) -> bool:
    """Tell whether a value has these names in this order, each with its type."""
    return list(value) == list(shape) and all(isinstance(value[name], shape[name]) for name in shape)


async def test_the_form_of_a_memory(call) -> None:
    """F§1, A2, A11: camelCase, a UUID of version 4, times in ISO 8601 and UTC."""
    body = {
        "content": "Prefers tabs", "key": "preference:tabs", "type": "factual", "sessionId": "ses_1",
        "metadata": {"category": "preference", "nested": {"a": [1, None]}}, "expiresAt": "2999-01-01T00:00:00Z",
    }  # fmt: skip
    status, made = await call("POST", "/api/memory", json=body)

    assert status == 201
    assert has_shape(made, MEMORY)
    assert uuid.UUID(made["id"]).version == 4
    assert {name: made[name] for name in body} == body
    assert all(ISO.fullmatch(made[name]) for name in ("createdAt", "updatedAt", "expiresAt"))
    assert (await call("POST", "/api/memory", json=body))[0] == 200
    assert await call("GET", f"/api/memory/{made['id']}") == (200, {**made, "updatedAt": made["updatedAt"]})
    status, changed = await call("PUT", f"/api/memory/{made['id']}", json={"metadata": {"category": None}})
    assert (status, changed["metadata"]) == (200, {"nested": {"a": [1, None]}})
    assert has_shape(changed, MEMORY)
    assert await call("DELETE", f"/api/memory/{made['id']}") == (200, {"success": True, "id": made["id"]})
    status, refusal = await call("DELETE", f"/api/memory/{made['id']}")
    assert (status, refusal) == (
        404, {"error": f"there is no memory '{made['id']}' in this workspace", "field": "id"},
    )  # fmt: skip


@pytest.mark.parametrize("type_", ["factual", "episodic", "procedural", "semantic"])
async def test_the_four_memory_types(call, type_: str) -> None:
    """A8."""
    status, made = await call("POST", "/api/memory", json={"content": "x y z", "key": type_, "type": type_})

    assert (status, made["type"]) == (201, type_)


async def test_the_form_of_a_list(call) -> None:
    """F§7, K7."""
    await call("POST", "/api/memory", json={"content": "Prefers tabs", "key": "tabs"})

    status, page = await call("GET", "/api/memory?limit=2&offset=0&page=7")

    assert status == 200
    assert list(page) == ["data", "total", "page", "limit", "totalPages", "stats", "cacheStats"]
    assert [has_shape(entry, MEMORY) for entry in page["data"]] == [True]
    assert {name: page[name] for name in ("total", "page", "limit", "totalPages")} == {
        "total": 1, "page": 1, "limit": 2, "totalPages": 1,
    }  # fmt: skip
    assert list(page["stats"]) == ["total", "tokensUsed", "hitRate"]
    assert (page["stats"]["total"], page["stats"]["tokensUsed"]) == (1, 3)
    assert list(page["cacheStats"]) == ["size", "hits", "misses", "hitRate"]


async def test_the_form_of_a_health_check(call) -> None:
    """F§7, M2: without a failure there is no ``error``."""
    status, found = await call("GET", "/api/memory/health")

    assert status == 200
    assert has_shape(found, {"working": bool, "latencyMs": float})


async def test_the_form_of_a_preview(call) -> None:
    """F§7, C25."""
    await call("POST", "/api/memory", json={"content": "Prefers tabs", "key": "tabs"})
    asked = {
        "query": "tabs",
        "strategy": "hybrid",
        "maxTokens": 100,
        "limit": 1,
        "apiKeyId": None,
        "sessionId": None,
    }

    status, found = await call("POST", "/api/memory/retrieve-preview", json=asked)

    assert status == 200
    assert list(found) == ["items", "totalTokens", "resolution"]
    item = {
        **MEMORY, "score": float, "tier": str, "tokens": int, "vecScore": (float, type(None)),
        "ftsScore": (float, type(None)),
    }  # fmt: skip
    assert [has_shape(each, item) for each in found["items"]] == [True]
    assert list(found["resolution"])[:3] == ["embeddingSource", "vectorStore", "fallback"]


async def test_the_form_of_the_providers(call) -> None:
    """F§7, B26."""
    status, providers = await call("GET", "/api/memory/embedding-providers")

    assert status == 200
    assert all(has_shape(each, {"provider": str, "models": list, "hasKey": bool}) for each in providers)


async def test_the_form_of_the_engine_status(call) -> None:
    """F§7, M3."""
    status, found = await call("GET", "/api/memory/engine-status")

    assert status == 200
    assert list(found) == ["keyword", "embedding", "vectorStore", "qdrant", "rerank"]
    assert found["keyword"] == {"available": True}
    assert {"ready", "source", "model", "dimension", "signature"} <= found["embedding"].keys()
    assert {"store", "total", "indexed", "needsReindex"} <= found["vectorStore"].keys()
    assert {"enabled", "ok", "latencyMs"} <= found["qdrant"].keys()
    assert found["rerank"] == {"enabled": False, "providerModel": None}


async def test_the_form_of_compaction_and_reindexing(call) -> None:
    """F§7, M7: the body is optional."""
    assert await call("POST", "/api/memory/summarize") == (200, {"candidates": 0, "tokensSaved": 0})
    assert await call("POST", "/api/memory/reindex") == (200, {"started": False, "pending": 0})
    asked = {"olderThanDays": 1, "apiKeyId": None, "dryRun": True}
    assert await call("POST", "/api/memory/summarize", json=asked) == (
        200,
        {"candidates": 0, "tokensSaved": 0},
    )
    assert await call("POST", "/api/memory/reindex", json={"force": True}) == (
        200, {"started": False, "pending": 0},
    )  # fmt: skip


async def test_the_form_of_the_twelve_settings(call) -> None:
    """F§7, M4: all of them, with the environment's defaults."""
    assert await call("GET", "/api/settings/memory") == (
        200,
        {
            "enabled": False, "maxTokens": 2000, "retentionDays": 30, "strategy": "hybrid", "skillsEnabled": False,
            "embeddingSource": "auto", "embeddingProviderModel": None, "transformersEnabled": True,
            "staticEnabled": False, "rerankEnabled": False, "rerankProviderModel": None, "vectorStore": "auto",
        },
    )  # fmt: skip
    status, changed = await call("PUT", "/api/settings/memory", json={"strategy": "recent"})
    assert (status, changed["strategy"], len(changed)) == (200, "recent", 12)


async def test_the_form_of_the_qdrant_settings(call) -> None:
    """F§7, B23: it shows whether there is a key, but never the key."""
    status, found = await call("GET", "/api/settings/qdrant")

    assert status == 200
    assert list(found) == [
        "enabled", "host", "port", "hasApiKey", "collection", "embeddingModel", "quantization",
    ]  # fmt: skip
    assert (found["enabled"], found["hasApiKey"], found["collection"], found["quantization"]) == (
        False, False, "omniroute_memory", "none",
    )  # fmt: skip
    status, health = await call("GET", "/api/settings/qdrant/health")
    assert (status, list(health)) == (200, ["ok", "latencyMs", "error"])
    status, models = await call("GET", "/api/settings/qdrant/embedding-models")
    assert status == 200
    assert all(has_shape(each, {"model": str, "inUse": bool, "available": bool}) for each in models)
    assert "openai/text-embedding-3-small" in [each["model"] for each in models]


async def test_the_form_of_an_error(call, http) -> None:
    """K18."""
    status, refusal = await call("POST", "/api/memory", json={"content": "x"})
    unknown = await http.get("/api/memory")

    assert (status, refusal.keys(), refusal["field"]) == (400, {"error", "field"}, "key")
    assert (unknown.status_code, unknown.json().keys()) == (401, {"error", "field"})
