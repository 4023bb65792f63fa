"""What AutoMem's own client sends beyond the routes of its first release."""

import pytest


@pytest.fixture
async def ids(rest) -> list[str]:
    """Three memories, stored together."""
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


async def test_a_recall_is_bounded_by_start_and_end_and_leaves_tags_out(rest, ids) -> None:
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
