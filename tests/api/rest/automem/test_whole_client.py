"""The requests of AutoMem's own client beyond the routes of its first release."""

import pytest

from graph.memories.models import AssociationType, MemoryState
from graph.vectors.index.models import VectorIndex
from tests.fixtures.states import reached


@pytest.fixture
async def ids(rest, services, workspace_id) -> list[str]:
    """Save three memories whose scores no longer change; return their ids."""
    answer = await rest.post(
        "/memory/batch",
        {
            "memories": [
                {"content": "Bees fly in May", "tags": ["bees", "may"], "timestamp": "2026-05-01T00:00:00Z"},
                {"content": "Bees fly in June", "tags": ["bees"], "timestamp": "2026-06-01T00:00:00Z"},
                {"content": "Bees sleep in winter", "tags": ["winter"], "timestamp": "2026-01-01T00:00:00Z"},
            ]
        },
    )
    assert (answer["status"], answer["stored"]) == ("success", 3)
    assert answer["memory_ids"] == [result["memory_id"] for result in answer["results"]]
    await reached(services, workspace_id, answer["memory_ids"], MemoryState.LINKED)
    return answer["memory_ids"]


async def contents(rest, **parameters) -> list[str]:
    answer = await rest.get("/recall", query="When do bees fly?", **parameters)
    return [result["memory"]["content"] for result in answer["results"]]


async def test_a_batch_is_stored_whole_or_not_at_all(rest) -> None:
    """K11."""
    refused = await rest.post(
        "/memory/batch", {"memories": [{"content": "a fact"}, {"content": ""}]}, status=400
    )
    none = await rest.post("/memory/batch", {"memories": []}, status=400)

    assert refused["field"] == "memories.1.content"
    assert none["field"] == "memories"
    assert (await rest.get("/recall"))["count"] == 0


async def test_a_memory_is_read_by_its_id(rest, ids) -> None:
    answer = await rest.get(f"/memory/{ids[0]}")
    missing = await rest.get("/memory/00000000-0000-4000-8000-000000000000", status=404)

    assert (answer["status"], answer["memory"]["content"]) == ("success", "Bees fly in May")
    assert missing["field"] == "id"


async def test_memories_are_deleted_by_tag(rest, ids) -> None:
    answer = await rest.delete("/memory/by-tag?tags=may&tags=winter")

    assert answer == {"status": "success", "tags": ["may", "winter"], "deleted_count": 2}
    assert await contents(rest) == ["Bees fly in June"]
    await rest.delete("/memory/by-tag?tags=,", status=400)


async def test_a_recall_can_exclude_tags_and_limit_times(rest, ids) -> None:
    """C19."""
    bounded = await contents(rest, start="2026-04-01T00:00:00Z", end="2026-05-15T00:00:00Z")
    without = await contents(rest, exclude_tags="may,winter")

    assert bounded == ["Bees fly in May"]
    assert without == ["Bees fly in June"]


@pytest.mark.parametrize(
    ("sort", "months"),
    [("time_asc", ["winter", "May", "June"]), ("time_desc", ["June", "May", "winter"])],
)
async def test_a_recall_is_sorted_by_time(rest, ids, sort, months) -> None:
    assert [content.split()[-1] for content in await contents(rest, sort=sort)] == months


@pytest.mark.parametrize(("path", "known"), [("/recall", {}), ("/memory/by-tag", {"tags": "bees"})])
async def test_an_unknown_parameter_is_refused_by_its_name(rest, path, known) -> None:
    refused = await rest.get(path, status=400, **known, qeury="bees")

    assert refused["field"] == "qeury"
    assert "known are" in refused["error"]


async def test_a_time_query_limits_a_recall(rest, ids) -> None:
    """C19: the response states the interpreted time span."""
    await rest.post("/memory", {"content": "Bees fly today"})

    answer = await rest.get("/recall", query="When do bees fly?", time_query="today")
    refused = await rest.get("/recall", time_query="some day", status=400)

    assert [result["memory"]["content"] for result in answer["results"]] == ["Bees fly today"]
    assert answer["time_window"].keys() == {"start", "end"}
    assert answer["time_window"]["start"].endswith("T00:00:00Z")
    assert refused["field"] == "time_query"


async def test_several_queries_are_answered_as_one(rest, ids) -> None:
    """C19: each memory once, with its best score."""
    answer = await rest.get(
        "/recall", query="bees in may", queries=["bees in june", "bees in winter"], limit=50
    )
    page = await rest.get("/recall", queries=["bees in june", "bees in winter"], limit=1, offset=1)

    scores = [result["score"] for result in answer["results"]]
    assert sorted(result["id"] for result in answer["results"]) == sorted(ids)
    assert scores == sorted(scores, reverse=True)
    assert answer["queries"] == ["bees in june", "bees in winter"]
    assert (page["query"], page["count"]) == (None, 1)


async def test_a_returned_memory_counts_as_used_once_for_many_queries(
    rest, services, workspace_id, ids
) -> None:
    """A37: a memory that a page or a minimum score excludes does not count."""
    page = await rest.get("/recall", query="bees in may", queries=["bees in june", "bees in winter"], limit=1)
    await rest.get("/recall", query="bees in may", min_score=1.0)
    await services.telemetry.usage.flush()

    stored = await services.memories.store.find_all(workspace_id, ids)
    used = {id_: memory.usage_count for id_, memory in stored.items() if memory.usage_count}
    assert used == {page["results"][0]["id"]: 1}


async def test_hits_below_the_minimum_score_are_dropped(rest, ids) -> None:
    answer = await rest.get("/recall", query="bees in may")
    best = answer["results"][0]

    kept = await rest.get("/recall", query="bees in may", min_score=best["score"], format="text")

    assert [result["id"] for result in kept["results"]] == [best["id"]]


async def test_a_list_by_tag_is_paged(rest, ids) -> None:
    """C20: the client's exhaustive recall reads it so."""
    first = await rest.get("/memory/by-tag", tags="bees", limit=1)
    second = await rest.get("/memory/by-tag", tags="bees", limit=1, offset=1)

    assert [memory["content"] for memory in first["memories"]] == ["Bees fly in June"]
    assert [memory["content"] for memory in second["memories"]] == ["Bees fly in May"]
    assert (first["limit"], first["offset"], first["has_more"]) == (1, 0, True)
    assert (second["limit"], second["offset"], second["has_more"]) == (1, 1, False)


@pytest.mark.parametrize("type_", list(AssociationType))
async def test_every_relation_type_of_the_client_is_accepted(rest, ids, type_) -> None:
    """E1."""
    body = {"memory1_id": ids[0], "memory2_id": ids[1], "type": type_, "strength": 0.7}

    assert (await rest.post("/associate", body))["type"] == type_
    (result,) = (await rest.get("/memory/by-tag", tags="may"))["results"]
    assert [relation["type"] for relation in result["relations"]] == [type_]


@pytest.mark.usefixtures("patient_waits")
async def test_a_short_memory_is_found_beside_a_longer_one_that_contains_it(
    rest, ids, services, workspace_id
) -> None:
    """E1: passages of long memories are PART_OF them as well, but are results in their own right."""
    body = {"memory1_id": ids[0], "memory2_id": ids[2], "type": "PART_OF", "strength": 0.7}
    await rest.post("/associate", body)
    await services.memories.store.wait_for(workspace_id, ids, MemoryState.EMBEDDED, timeout_ms=10_000)

    answer = await rest.get("/recall", query="Bees fly in May", limit=1)

    assert answer["results"][0]["id"] == ids[0]


async def test_a_vector_of_the_wrong_length_is_recomputed(rest, services) -> None:
    """B7, B8: the response contains a warning."""
    index: VectorIndex = services.vectors.embeddings.active
    vector = [1.0] * (index.dimension + 1)

    answer = await rest.post("/memory", {"content": "Bees dance", "embedding": vector})

    warning = (
        f"embedding has {index.dimension + 1} numbers, not {index.dimension}: the content is embedded instead"
    )
    assert answer["embedding"] == "queued"
    assert warning in answer["warnings"]


@pytest.mark.parametrize(
    ("method", "path", "body", "field"),
    [
        ("POST", "/memory", {"content": "x", "id": "bees"}, "id"),
        ("GET", "/memory/bees", None, "id"),
        ("PATCH", "/memory/bees", {"content": "x"}, "id"),
        ("DELETE", "/memory/bees", None, "id"),
        ("POST", "/associate", {"memory1_id": "bees", "memory2_id": "x", "type": "RELATES_TO"}, "memory1_id"),
    ],
)
async def test_an_id_that_is_not_a_uuid_is_refused(rest, method, path, body, field) -> None:
    """A2, K18: the client reads ``message``."""
    answer = await rest.send(method, path, json=body)

    assert answer.status_code == 400
    assert answer.json()["field"] == field
    assert answer.json()["message"] == answer.json()["error"]
    assert "must be a UUID" in answer.json()["message"]
