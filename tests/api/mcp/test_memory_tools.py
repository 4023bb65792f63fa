"""AutoMem's tools: store_memory, update_memory, delete_memory."""

from datetime import UTC, datetime

import pytest

from graph.memories.models import MemoryFilter
from tests.fixtures.mcp_agents import memory_ids_in, tells_as_json

TIME = "2026-01-02T03:04:05Z"
MOMENT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


async def test_a_memory_is_stored_with_every_argument(agent, services) -> None:
    """K13, K15, A2, A11, A15: it belongs to the whole workspace."""
    stored = await agent.call(
        "store_memory",
        content="We chose early returns for validation because nesting hid a bug.",
        tags=["auth", "slack:general"],
        importance=0.8,
        metadata={"files_modified": ["login.ts"], "nested": {"a": [1]}},
        timestamp=TIME,
    )

    memory = await services.memories.store.get(agent.workspace_id, stored["memory_id"])
    assert memory.content == "We chose early returns for validation because nesting hid a bug."
    assert memory.tags == ("auth", "slack:general")
    assert memory.importance == 0.8
    assert memory.metadata == {"files_modified": ["login.ts"], "nested": {"a": [1]}}
    assert memory.timestamp == MOMENT
    assert memory.api_key_id == agent.key_id
    assert len(memory.id) == 36
    assert stored["type"] == memory.type
    assert stored["confidence"] == memory.confidence
    assert stored["enrichment"] == "queued"
    assert stored["deduplicated"] is False
    assert stored["summarized"] is False
    assert "original_length" not in stored


async def test_omitted_arguments_have_the_documented_defaults(agent, services) -> None:
    """K15."""
    before = datetime.now(UTC)

    stored = await agent.call("store_memory", content="The tea is green")

    memory = await services.memories.store.get(agent.workspace_id, stored["memory_id"])
    assert (memory.tags, memory.importance, memory.metadata) == ((), 0.5, {})
    assert memory.timestamp >= before


async def test_a_supplied_vector_is_stored(agent) -> None:
    """K15, B8."""
    stored = await agent.call("store_memory", content="The kettle is red", embedding=[1.0] + [0.0] * 383)

    assert stored["embedding"] == "stored"


async def test_the_same_statement_is_stored_once(agent, services) -> None:
    """A21: agents repeat themselves, and a bridge may retry a call whose response was lost (M10)."""
    first = await agent.call("store_memory", content="The deploy window is on monday morning")
    second = await agent.call("store_memory", content="The deploy window is on monday morning")

    assert (first["deduplicated"], second["deduplicated"]) == (False, True)
    assert first["memory_id"] == second["memory_id"]
    assert await services.memories.store.count(agent.workspace_id) == 1


async def test_lists_and_objects_may_be_strings_and_nulls_count_as_omitted(agent, services) -> None:
    """A15: some models write arguments in this form."""
    stored = await agent.call(
        "store_memory", content="The cup is blue", tags="tea, kitchen", metadata='{"a": 1}', timestamp=None
    )
    other = await agent.call("store_memory", content="The plate is white", tags='["tea"]')

    memories = await services.memories.store.find_all(
        agent.workspace_id, [stored["memory_id"], other["memory_id"]]
    )
    assert memories[stored["memory_id"]].tags == ("tea", "kitchen")
    assert memories[stored["memory_id"]].metadata == {"a": 1}
    assert memories[other["memory_id"]].tags == ("tea",)


async def test_an_empty_text_of_an_optional_argument_counts_as_omitted(agent, services) -> None:
    """Issue 35 point 22: some clients send every argument."""
    stored = await agent.call(
        "store_memory",
        content="The cup is blue",
        tags="",
        importance="",
        embedding="",
        metadata="",
        timestamp="",
        user_id="",
        agent_id="",
    )
    empty = await agent.error("store_memory", content="")
    nothing = await agent.error("update_memory", memory_id=stored["memory_id"], content="", type="")

    memory = await services.memories.store.get(agent.workspace_id, stored["memory_id"])
    assert (memory.tags, memory.metadata, memory.user_id, memory.agent_id) == ((), {}, None, None)
    assert empty["field"] == "content"
    assert nothing["field"] == "arguments"


async def test_a_result_reads_the_same_as_text(agent) -> None:
    """K13: for clients that show no structured results."""
    result = await agent.result("store_memory", content="The spoon is made of wood")

    assert tells_as_json(result)


async def test_a_memory_is_updated_in_every_field(agent, services) -> None:
    """F§9, A19, A29, A33: tags are replaced, metadata is merged, and times may be given."""
    stored = await agent.call(
        "store_memory", content="The port is 8000", tags=["old"], metadata={"kept": 1, "gone": 2}
    )
    id_ = stored["memory_id"]

    changed = await agent.call(
        "update_memory",
        memory_id=id_,
        content="The port is 9000",
        tags=["new"],
        importance=0.9,
        metadata={"gone": None, "added": 3},
        timestamp=TIME,
        updated_at="2026-02-02T00:00:00+02:00",
        last_accessed="2026-03-03T00:00:00",
        type="Decision",
        confidence=0.7,
    )

    memory = await services.memories.store.get(agent.workspace_id, id_)
    assert (memory.content, memory.old_text, memory.version) == ("The port is 9000", "The port is 8000", 2)
    assert memory.tags == ("new",)
    assert memory.importance == 0.9
    assert memory.metadata == {"kept": 1, "added": 3}
    assert memory.timestamp == MOMENT
    assert memory.updated_at == datetime(2026, 2, 1, 22, tzinfo=UTC)
    assert memory.last_accessed_at == datetime(2026, 3, 3, tzinfo=UTC)
    assert (memory.type, memory.confidence) == ("Decision", 0.7)
    assert changed["status"] == "success"
    assert changed["memory"]["id"] == id_
    assert changed["memory"]["last_accessed"] == "2026-03-03T00:00:00Z"


async def test_an_update_keeps_omitted_fields_and_sets_the_time_of_change(agent, services) -> None:
    """F§9, A29."""
    stored = await agent.call("store_memory", content="The lamp is on", tags=["a"], timestamp=TIME)
    before = await services.memories.store.get(agent.workspace_id, stored["memory_id"])

    await agent.call("update_memory", memory_id=before.id, importance=0.6)

    after = await services.memories.store.get(agent.workspace_id, before.id)
    assert (after.content, after.tags, after.timestamp, after.version) == (
        before.content, before.tags, before.timestamp, 1,
    )  # fmt: skip
    assert after.updated_at > before.updated_at


async def test_a_memory_is_deleted_permanently_and_a_second_deletion_is_harmless(agent, services) -> None:
    """K13, K14, A30, A32."""
    stored = await agent.call("store_memory", content="The door is open")
    id_ = stored["memory_id"]

    first = await agent.call("delete_memory", memory_id=id_)
    second = await agent.call("delete_memory", memory_id=id_)
    never = await agent.call("delete_memory", memory_id="mem_never000000000000000000")

    assert first == {"status": "success", "message": f"Memory {id_} deleted", "deleted": True}
    assert second == {"status": "success", "message": f"Memory {id_} deleted", "deleted": False}
    assert (never["status"], never["deleted"]) == ("success", False)
    assert await services.memories.store.find(agent.workspace_id, id_, include_deleted=True) is None


@pytest.mark.parametrize(
    ("tool", "arguments", "code", "field"),
    [
        ("store_memory", {}, "INVALID_INPUT", "content"),
        ("store_memory", {"content": ""}, "INVALID_INPUT", "content"),
        ("store_memory", {"content": "   "}, "INVALID_INPUT", "content"),
        ("store_memory", {"content": "x" * 2000}, "INVALID_INPUT", "content"),
        ("store_memory", {"content": 5}, "INVALID_INPUT", "content"),
        ("store_memory", {"content": "a\x00b"}, "INVALID_INPUT", "content"),
        ("store_memory", {"content": "ok", "tags": [1]}, "INVALID_INPUT", "tags.0"),
        ("store_memory", {"content": "ok", "tags": ["x" * 300]}, "INVALID_INPUT", "tags"),
        ("store_memory", {"content": "ok", "importance": 1.5}, "INVALID_INPUT", "importance"),
        ("store_memory", {"content": "ok", "importance": "much"}, "INVALID_INPUT", "importance"),
        ("store_memory", {"content": "ok", "importance": True}, "INVALID_INPUT", "importance"),
        ("store_memory", {"content": "ok", "embedding": [True]}, "INVALID_INPUT", "embedding"),
        ("store_memory", {"content": "ok", "timestamp": "1700000000"}, "INVALID_INPUT", "timestamp"),
        ("store_memory", {"content": "ok", "embedding": [0.1]}, "INVALID_INPUT", "embedding"),
        ("store_memory", {"content": "ok", "metadata": []}, "INVALID_INPUT", "metadata"),
        ("store_memory", {"content": "ok", "metadata": {"a": "x" * 70_000}}, "INVALID_INPUT", "metadata"),
        ("store_memory", {"content": "ok", "timestamp": "yesterday"}, "INVALID_INPUT", "timestamp"),
        ("store_memory", {"content": "ok", "colour": "red"}, "INVALID_INPUT", "colour"),
        ("store_memory", {"content": "the password is hunter2-Xk29$"}, "INVALID_INPUT", "content"),
        ("update_memory", {"content": "x"}, "INVALID_INPUT", "memory_id"),
        ("update_memory", {"memory_id": "mem_none"}, "INVALID_INPUT", "arguments"),
        ("update_memory", {"memory_id": "mem_none", "content": "x"}, "NOT_FOUND", "memory_id"),
        ("update_memory", {"memory_id": "mem_none", "type": "Thought"}, "INVALID_INPUT", "type"),
        ("update_memory", {"memory_id": "mem_none", "confidence": -1}, "INVALID_INPUT", "confidence"),
        ("update_memory", {"memory_id": "mem_none", "last_accessed": "soon"}, "INVALID_INPUT", "last_accessed"),
        ("delete_memory", {}, "INVALID_INPUT", "memory_id"),
        ("delete_memory", {"memory_id": 1}, "INVALID_INPUT", "memory_id"),
    ],
    ids=lambda value: repr(value)[:50],
)  # fmt: skip
async def test_bad_input_is_named_and_nothing_is_written(
    agent, services, tool, arguments, code, field
) -> None:
    """K13, K15, A3, A4, A12, A43, B7: the error names the argument."""
    error = await agent.error(tool, **arguments)

    assert (error["code"], error["field"]) == (code, field)
    assert error["message"]
    assert (await services.memories.store.page(agent.workspace_id, MemoryFilter())).items == []


async def test_an_error_names_its_argument_in_the_text_too(agent) -> None:
    """Some models see only the text."""
    result = await agent.result("store_memory", content="ok", importance=2)

    assert result.content[0].text == "error: importance: Input should be less than or equal to 1"


async def test_a_duplicate_merges_its_new_fields_into_the_existing_memory(agent, services) -> None:
    """A21: tags and metadata are merged, the higher importance stays, and the response lists the changes."""
    content = "The office tea is green"
    first = await agent.call(
        "store_memory", content=content, tags=["tea"], importance=0.6, metadata={"floor": 1, "shelf": "left"}
    )
    second = await agent.call(
        "store_memory", content=content, tags=["office"], importance=0.9, metadata={"shelf": "right"}
    )
    third = await agent.call("store_memory", content=content, importance=0.2)
    fourth = await agent.call("store_memory", content=content)

    assert {each["memory_id"] for each in (second, third, fourth)} == {first["memory_id"]}
    assert [each["deduplicated"] for each in (first, second, third, fourth)] == [False, True, True, True]
    assert [each["merged"] for each in (first, second, third, fourth)] == [
        [],
        ["tags", "metadata", "importance"],
        [],
        [],
    ]
    memory = await services.memories.store.get(agent.workspace_id, first["memory_id"])
    assert (set(memory.tags), memory.importance) == ({"tea", "office"}, 0.9)
    assert (dict(memory.metadata), memory.version) == ({"floor": 1, "shelf": "right"}, 1)


async def test_until_a_year_includes_its_end_and_since_its_beginning(agent) -> None:
    """Issue 35: reading a year as seconds since 1970 excluded everything."""
    moments = ("2025", "2025-12-31T23:59:00Z")
    first, last = [
        (await agent.call("store_memory", content=f"the lamp was on {moment}", timestamp=moment))["memory_id"]
        for moment in moments
    ]

    async def found(**asked) -> set[str]:
        return set(memory_ids_in(await agent.text("recall", query="lamp", **asked)))

    assert await found(since="2025", until="2025") == {first, last}
    assert await found(until="2025-01") == await found(until="2025-01-01") == {first}
    assert await found(since="2025-12") == await found(since=1_764_547_200) == {last}
    assert await found(until=1_764_547_200_000) == {first}
