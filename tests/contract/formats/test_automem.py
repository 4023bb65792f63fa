"""AutoMem's wire format (formats F§6): names, shapes and status codes for its clients."""

import uuid

import pytest

from graph.memories.models import MemoryState
from graph.vectors.index.models import VectorIndex
from tests.fixtures.states import reached
from tests.fixtures.waiting import until

CONTENT = "Chose tabs over spaces. Need one rule for everybody. Impact: keeps reviews short."
UUID_FORM = "00000000-0000-0000-0000-000000000000"


@pytest.fixture
async def stored(rest) -> str:
    """Save the memory of AutoMem's own example; return its id."""
    answer = await rest.post(
        "/memory",
        {
            "content": CONTENT,
            "type": "Decision",
            "tags": ["project-alpha", "Style:Code"],
            "importance": 0.9,
            "metadata": {"alternatives": ["spaces"]},
            "timestamp": "2026-01-12T10:30:00+01:00",
        },
    )
    return answer["memory_id"]


def is_uuid(text: str) -> bool:
    return len(text) == len(UUID_FORM) and uuid.UUID(text).version == 4


async def test_storing_answers_201_with_a_receipt(rest) -> None:
    """K11, A2, A14, D36, N2: exactly these fields, unless there is more to report."""
    answer = await rest.post("/memory", {"content": CONTENT, "type": "Decision"})

    assert is_uuid(answer["memory_id"])
    assert answer == {
        "memory_id": answer["memory_id"],
        "type": "Decision",
        "confidence": 0.9,
        "enrichment": "queued",
        "embedding": "queued",
    }


async def test_a_given_vector_is_stored(rest, services) -> None:
    """B8: then no embedding is queued."""
    index: VectorIndex = services.vectors.embeddings.active
    vector = [1.0] + [0.0] * (index.dimension - 1)

    answer = await rest.post("/memory", {"content": CONTENT, "embedding": vector})

    assert answer["embedding"] == "stored"


async def test_a_change_answers_200_with_the_memory(rest, stored, services, workspace_id) -> None:
    """A27: with all its current fields."""
    answer = await rest.patch(f"/memory/{stored}", {"importance": 0.95, "metadata": {"reviewed": True}})
    updated_at = (await services.memories.store.get(workspace_id, stored)).updated_at

    enriched = answer["memory"].pop("enriched")
    assert isinstance(enriched, bool)
    assert answer == {
        "status": "success",
        "memory": {
            "id": stored,
            "content": CONTENT,
            "type": "Decision",
            "tags": ["project-alpha", "Style:Code"],
            "importance": 0.95,
            "updated_at": updated_at.isoformat().replace("+00:00", "Z"),
            "confidence": 0.9,
            "metadata": {"alternatives": ["spaces"], "reviewed": True},
            "timestamp": "2026-01-12T09:30:00Z",
            "last_accessed": None,
            "t_valid": None,
            "t_invalid": None,
            "tag_prefixes": ["project-alpha", "style", "style:code"],
        },
    }


async def test_deleting_answers_200_with_the_id(rest, stored) -> None:
    """K22: without a request body."""
    assert await rest.delete(f"/memory/{stored}") == {
        "status": "success",
        "message": f"Memory {stored} deleted",
    }


async def test_recalling_and_listing_by_tag_answer_in_one_shape(rest, stored, services, workspace_id) -> None:
    """C19, C20, C21: with the score, the match type and related memories."""
    other = await rest.post("/memory", {"content": "Editors indent by four.", "type": "Context"})
    await rest.post(
        "/associate",
        {"memory1_id": stored, "memory2_id": other["memory_id"], "type": "EVOLVED_INTO", "strength": 0.8},
    )
    await reached(services, workspace_id, [stored, other["memory_id"]], MemoryState.LINKED)

    by_tag = await rest.get("/memory/by-tag", tags=["project-alpha", "nothing"], limit=20)
    recalled = await rest.get("/recall", query="tabs over spaces", limit=2)

    (tagged,) = by_tag["results"]
    page = {"memories": [tagged["memory"]], "limit": 20, "offset": 0, "has_more": False}
    assert by_tag == {"status": "success", "query": None, "results": [tagged], "count": 1, **page}
    assert (tagged["id"], tagged["score"], tagged["match_type"]) == (stored, 0.9, "tag")
    relation = {
        "type": "EVOLVED_INTO",
        "direction": "out",
        "strength": 0.8,
        "memory": {"id": other["memory_id"], "content": "Editors indent by four.", "type": "Context"},
    }
    assert tagged["relations"] == [relation]
    (found,) = [result for result in recalled["results"] if result["id"] == stored]
    assert recalled.keys() == {"status", "query", "results", "count"}
    assert (recalled["query"], recalled["count"]) == ("tabs over spaces", 2)
    assert found.keys() == {"id", "score", "match_type", "memory", "relations"}
    assert found["id"] == found["memory"]["id"] == stored
    assert found["match_type"] in ("vector", "keyword")
    assert 0.0 < found["score"] <= 1.0
    assert found["relations"] == [relation]
    assert found["memory"].keys() == tagged["memory"].keys()
    assert found["memory"].keys() == {
        "id", "content", "type", "tags", "importance", "updated_at", "confidence", "metadata", "timestamp",
        "last_accessed", "t_valid", "t_invalid", "tag_prefixes", "enriched",
    }  # fmt: skip


async def test_associating_answers_201(rest, stored) -> None:
    """E2."""
    other = (await rest.post("/memory", {"content": "Spaces are gone."}))["memory_id"]

    answer = await rest.post(
        "/associate", {"memory1_id": stored, "memory2_id": other, "type": "PREFERS_OVER", "strength": 0.7}
    )

    assert answer == {
        "status": "success",
        "association_id": answer["association_id"],
        "memory1_id": stored,
        "memory2_id": other,
        "type": "PREFERS_OVER",
        "strength": 0.7,
        "created_at": answer["created_at"],
    }


async def test_health_needs_no_key(http, rest) -> None:
    """M1: it reveals only the total number of memories."""
    await rest.post("/memory", {"content": "One more."})

    async def counted() -> bool:
        return ((await http.get("/health")).json()["memory_count"] or 0) > 0

    await until(counted)
    answer = await http.get("/health")

    assert answer.status_code == 200
    body = answer.json()
    assert body == {
        "status": "healthy",
        "neo4j": True,
        "qdrant": None,
        "redis": True,
        "memory_count": body["memory_count"],
        "queues": {
            name: body["queues"][name] for name in ("embedding", "enrichment", "distill", "extraction")
        },
        "embedder": {"ready": True, "reason": None},
    }
    assert all(isinstance(waiting, int) for waiting in body["queues"].values())


@pytest.mark.parametrize(
    ("request_", "status", "field"),
    [
        (("POST", "/memory", {}), 400, "content"),
        (("POST", "/memory", {"content": "x", "importance": 2}), 400, "importance"),
        (("GET", "/memory/by-tag", None), 400, "tags"),
        (("PATCH", f"/memory/{UUID_FORM}", {"content": "x"}), 404, "id"),
        (("DELETE", f"/memory/{UUID_FORM}", None), 404, "id"),
    ],
    ids=repr,
)
async def test_errors_have_one_form(rest, request_, status, field) -> None:
    """K18: the error and its field; AutoMem's client reads ``message``."""
    method, path, body = request_

    answer = await rest.send(method, path, json=body)

    assert answer.status_code == status
    error = answer.json()["error"]
    assert answer.json() == {"error": error, "field": field, "message": error}


@pytest.mark.parametrize("path", ["/recall", "/memory/by-tag?tags=a"])
async def test_a_wrong_token_is_answered_with_401(http, path) -> None:
    """I9, K18."""
    answer = await http.get(path, headers={"X-API-Key": "nobody"})

    assert answer.status_code == 401
    error = "this API key is unknown, revoked or expired"
    assert answer.json() == {"error": error, "field": None, "message": error}
