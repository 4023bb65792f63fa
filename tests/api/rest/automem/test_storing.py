"""``POST /memory``, ``PATCH`` and ``DELETE /memory/{id}``: their guarantees for AutoMem's callers."""

import uuid

import pytest

from graph.memories.models import Deletion, MemoryState
from tests.fixtures.memories import SameModel, ScriptedModel
from tests.fixtures.waiting import until

AN_ID = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"


async def test_a_stored_memory_keeps_its_fields(rest, services, workspace_id) -> None:
    """A1, A11, A12, A15, A16, A34: times are in UTC, and tags come from one text."""
    answer = await rest.post(
        "/memory",
        {
            "content": "  Reviews happen before noon.  ",
            "type": "Habit",
            "confidence": 0.4,
            "tags": "team:reviews, Time",
            "importance": 1,
            "metadata": {"nested": {"list": [1, None, "x"]}},
            "timestamp": "2026-03-07",
            "t_valid": "2026-03-01T00:00:00+02:00",
            "t_invalid": "2027-03-01T00:00:00Z",
        },
    )
    memory = await services.memories.store.get(workspace_id, answer["memory_id"])

    assert memory.content == "Reviews happen before noon."
    assert (memory.type, memory.confidence, memory.importance) == ("Habit", 0.4, 1.0)
    assert memory.tags == ("team:reviews", "Time")
    assert memory.metadata == {"nested": {"list": [1, None, "x"]}}
    assert memory.timestamp.isoformat() == "2026-03-07T00:00:00+00:00"
    assert memory.t_valid.isoformat() == "2026-02-28T22:00:00+00:00"
    assert memory.t_invalid.isoformat() == "2027-03-01T00:00:00+00:00"
    assert memory.source_type == "api"


@pytest.mark.parametrize("is_there_before", [False, True])
async def test_times_of_another_store_are_kept(rest, services, workspace_id, is_there_before) -> None:
    """F§1: a migrated memory keeps its past; the order of creation is this store's."""
    body = {"id": str(uuid.uuid4()), "content": "Moved here."}
    if is_there_before:
        await rest.post("/memory", {**body, "content": "Was here."})
    before = await services.memories.store.count(workspace_id)
    await rest.post(
        "/memory",
        {**body, "updated_at": "2025-05-05T05:05:05+05:00", "last_accessed": "2025-06-06T06:06:06Z"},
    )

    memory = await services.memories.store.get(workspace_id, body["id"])
    assert before == int(is_there_before)
    assert memory.content == "Moved here."
    assert memory.updated_at.isoformat() == "2025-05-05T00:05:05+00:00"
    assert memory.last_accessed_at.isoformat() == "2025-06-06T06:06:06+00:00"
    assert memory.created_at > memory.updated_at


@pytest.mark.parametrize(
    ("content", "type_", "confidence"),
    [("We decided to use tabs.", "Decision", 0.8), ("The office is upstairs.", "Context", 0.3)],
)
async def test_an_omitted_type_is_classified(rest, content, type_, confidence) -> None:
    """D35, D37."""
    answer = await rest.post("/memory", {"content": content})

    assert (answer["type"], answer["confidence"]) == (type_, confidence)


async def test_a_memory_is_readable_before_it_is_embedded(rest, services, workspace_id) -> None:
    """N2, B14, D38, A39: it is stored before the response, and embedded and linked afterwards."""
    id_ = (await rest.post("/memory", {"content": "Lunch is at one."}))["memory_id"]
    at_once = await services.memories.store.get(workspace_id, id_)

    async def linked() -> bool:
        return (await services.memories.store.get(workspace_id, id_)).state is MemoryState.LINKED

    assert at_once.content == "Lunch is at one."
    assert await until(linked)
    assert (await services.memories.store.get(workspace_id, id_)).enriched


async def test_the_same_id_is_the_same_memory(rest, services, workspace_id) -> None:
    """A42: the memory is updated, and its metadata merged."""
    id_ = str(uuid.uuid4())
    first = await rest.post("/memory", {"id": id_, "content": "First.", "metadata": {"a": 1}})
    second = await rest.post("/memory", {"id": id_, "content": "Second.", "metadata": {"b": 2}})

    memory = await services.memories.store.get(workspace_id, id_)
    assert first["memory_id"] == second["memory_id"] == id_
    assert (memory.content, memory.metadata) == ("Second.", {"a": 1, "b": 2})
    assert await services.memories.store.count(workspace_id) == 1


async def test_finished_work_is_not_reported_as_queued(rest, services, workspace_id) -> None:
    body = {"id": str(uuid.uuid4()), "content": "Nothing changes."}
    await rest.post("/memory", body)

    async def linked() -> bool:
        return (await services.memories.store.get(workspace_id, body["id"])).state is MemoryState.LINKED

    await until(linked)
    again = await rest.post("/memory", body)

    assert (again["enrichment"], again["embedding"]) == ("done", "stored")


async def test_equal_texts_are_saved_twice_by_default(rest, services, workspace_id) -> None:
    """A21: this interface deduplicates by id only."""
    ids = {(await rest.post("/memory", {"content": "Said twice."}))["memory_id"] for _ in range(2)}

    assert len(ids) == await services.memories.store.count(workspace_id) == 2


async def test_a_setting_enables_deduplication_on_this_route(
    rest, services, workspace_id, monkeypatch
) -> None:
    """A21: its name is ``dedup_on_post``."""
    policy = services.memories.store._policy
    monkeypatch.setattr(services.memories.store, "_policy", policy.__class__(dedup_on_post=True))
    first = await rest.post("/memory", {"content": "Said once."})

    second = await rest.post("/memory", {"content": "Said once.", "tags": ["tea"], "importance": 0.9})

    assert second["memory_id"] == first["memory_id"]
    assert (second["deduplicated"], second["merged"]) == (True, ["tags", "importance"])
    memory = await services.memories.store.get(workspace_id, first["memory_id"])
    assert (tuple(memory.tags), memory.importance) == (("tea",), 0.9)


async def test_a_long_text_is_stored_with_a_warning(rest) -> None:
    """A4, A43."""
    answer = await rest.post("/memory", {"content": "word " * 120})

    assert any("500" in warning for warning in answer["warnings"])


async def test_a_truncated_text_is_reported(rest, services, monkeypatch) -> None:
    """A5, D40: with both lengths; the original text is kept."""
    preparer = services.memories.store._saver._preparer
    monkeypatch.setattr(preparer, "_language_models", SameModel(ScriptedModel("Words repeat.")))

    answer = await rest.post("/memory", {"content": "word " * 120})

    assert (answer["summarized"], answer["original_length"], answer["summarized_length"]) == (True, 599, 13)


async def test_a_change_replaces_tags_and_merges_metadata(rest, services, workspace_id) -> None:
    """A16, A19, A27, A29: null removes a key, and the event's time stays."""
    body = {"content": "Old.", "tags": ["a:b"], "metadata": {"keep": 1, "drop": 2}, "timestamp": "2026-01-01"}
    id_ = (await rest.post("/memory", body))["memory_id"]
    before = await services.memories.store.get(workspace_id, id_)

    memory = (
        await rest.patch(
            f"/memory/{id_}",
            {"content": "New.", "tags": ["c/d"], "metadata": {"drop": None, "add": 3}, "type": "Insight"},
        )
    )["memory"]

    assert (memory["content"], memory["type"], memory["tags"]) == ("New.", "Insight", ["c/d"])
    assert memory["tag_prefixes"] == ["c", "c/d"]
    assert memory["metadata"] == {"keep": 1, "add": 3}
    assert memory["timestamp"] == "2026-01-01T00:00:00Z"
    after = await services.memories.store.get(workspace_id, id_)
    assert after.updated_at > before.updated_at
    assert after.old_text == "Old."
    assert [hit["id"] for hit in (await rest.get("/memory/by-tag", tags="a"))["results"]] == []


async def test_validity_can_be_cleared(rest) -> None:
    """A34: null clears."""
    id_ = (await rest.post("/memory", {"content": "For now.", "t_invalid": "2030-01-01"}))["memory_id"]

    assert (await rest.patch(f"/memory/{id_}", {"t_invalid": None}))["memory"]["t_invalid"] is None


@pytest.mark.parametrize("field", ["id", "timestamp", "updated_at", "last_accessed", "embedding", "shout"])
async def test_unchangeable_fields_are_refused(rest, services, workspace_id, field) -> None:
    """A29: the error names the field, and nothing changes."""
    id_ = (await rest.post("/memory", {"content": "Stays."}))["memory_id"]

    answer = await rest.patch(f"/memory/{id_}", {"content": "Changed.", field: "2026-01-01"}, status=400)

    assert answer["field"] == field
    assert (await services.memories.store.get(workspace_id, id_)).content == "Stays."


@pytest.mark.parametrize("field", ["content", "type", "confidence", "importance"])
async def test_required_fields_cannot_be_cleared(rest, services, workspace_id, field) -> None:
    """K20: as the OpenAPI document says; the rest of the change is not made either."""
    id_ = (await rest.post("/memory", {"content": "Stays."}))["memory_id"]

    answer = await rest.patch(f"/memory/{id_}", {"tags": ["new"], field: None}, status=400)

    assert answer["field"] == field
    assert answer["error"].endswith("must not be null; leave it out to keep it")
    assert (await services.memories.store.get(workspace_id, id_)).tags == ()


async def test_an_empty_change_is_refused(rest) -> None:
    id_ = (await rest.post("/memory", {"content": "Stays."}))["memory_id"]

    assert (await rest.patch(f"/memory/{id_}", {}, status=400))["field"] == "body"


async def test_deletion_is_permanent_and_its_repetition_harmless(rest, services, workspace_id) -> None:
    """A30, A32: 200 for a memory that existed, 404 for one that never did."""
    id_ = (await rest.post("/memory", {"content": "Gone."}))["memory_id"]

    once = await rest.delete(f"/memory/{id_}")
    again = await rest.delete(f"/memory/{id_}")
    never = await rest.delete(f"/memory/{uuid.uuid4()}", status=404)

    assert once == again
    assert never["field"] == "id"
    assert await services.memories.store.find(workspace_id, id_, include_deleted=True) is None
    assert await services.memories.deletion.remove(workspace_id, id_) is Deletion.GONE_BEFORE


async def test_ids_of_both_forms_are_accepted(rest, graphql) -> None:
    """A2, A47: this route changes and deletes memories saved through GraphQL."""
    saved = await graphql.ok('mutation { saveMemory(input: {content: "By GraphQL."}) { memory { id } } }')
    id_ = saved["saveMemory"]["memory"]["id"]

    changed = await rest.patch(f"/memory/{id_}", {"importance": 0.8})

    assert id_.startswith("mem_")
    assert changed["memory"]["importance"] == 0.8
    assert (await rest.delete(f"/memory/{id_}"))["message"] == f"Memory {id_} deleted"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"content": "  "}, "content"),
        ({"content": 5}, "content"),
        ({"content": "x" * 2001}, "content"),
        ({"content": "x", "type": "decision"}, "type"),
        ({"content": "x", "confidence": 1.1}, "confidence"),
        ({"content": "x", "importance": -0.1}, "importance"),
        ({"content": "x", "tags": {"a": 1}}, "tags"),
        ({"content": "x", "tags": ["a"] * 101}, "tags"),
        ({"content": "x", "metadata": []}, "metadata"),
        ({"content": "x", "metadata": {"a": "x" * 70_000}}, "metadata"),
        ({"content": "x", "timestamp": "yesterday"}, "timestamp"),
        ({"content": "x", "timestamp": "0001-01-01T00:00:00+05:00"}, "timestamp"),
        ({"content": "x", "last_accessed": "9999-12-31T23:00:00-05:00"}, "last_accessed"),
        ({"content": "x", "embedding": [0.0] * 384}, "embedding"),
        ({"content": "x", "embedding": ["0.5"] * 384}, "embedding"),
        ({"content": "x", "embedding": [False]}, "embedding"),
        ({"content": "x", "id": "no spaces"}, "id"),
        ({"content": "x", "t_valid": "2026-02-01", "t_invalid": "2026-01-01"}, "t_invalid"),
        ({"content": "the password is hunter2hunter2, token ghp_" + "a1B2" * 9}, "content"),
        ({"content": "x", "shout": True}, "shout"),
        ([], "body"),
        (None, "body"),
    ],
    ids=lambda value: repr(value)[:40],
)
async def test_an_invalid_request_is_refused_and_stores_nothing(
    rest, services, workspace_id, body, field
) -> None:
    """A3, A4, A12, A43, B7, K18: the field and the message use AutoMem's own names."""
    answer = await rest.post("/memory", body, status=400)

    assert answer["field"].split(".")[0] == field
    assert await services.memories.store.count(workspace_id) == 0
