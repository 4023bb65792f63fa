"""OmniRoute's tools: omniroute_memory_search, omniroute_memory_add, omniroute_memory_clear."""

from datetime import UTC, datetime, timedelta

import pytest

from graph.memories.models import MemoryChange, MemoryDraft, MemoryKind
from graph.memories.policy import SourceType
from tests.fixtures.memories import MovingClock
from tests.fixtures.waiting import until


async def add(agent, key: str, content: str, **more) -> dict:
    given = {"apiKeyId": agent.key_id, "type": "factual", "key": key, "content": content, **more}
    return await agent.call("omniroute_memory_add", **given)


async def test_a_memory_is_added_under_its_key_and_updated_in_place(agent, services) -> None:
    """K13, K16, A20."""
    first = await add(agent, "preference:editor", "vim", metadata={"a": 1}, sessionId="s-1", type="semantic")
    second = await add(agent, "preference:editor", "emacs", metadata={"b": 2})

    assert (first["created"], second["created"]) == (True, False)
    assert first["memory"]["id"] == second["memory"]["id"]
    assert second["memory"] | {"updatedAt": None} == first["memory"] | {
        "content": "emacs",
        "type": "factual",
        "metadata": {"a": 1, "b": 2},
        "updatedAt": None,
    }
    assert first["memory"]["apiKeyId"] == agent.key_id
    assert first["memory"]["sessionId"] == "s-1"
    memory = await services.memories.store.get(agent.workspace_id, first["memory"]["id"])
    assert (memory.key, memory.content, memory.kind) == ("preference:editor", "emacs", MemoryKind.FACTUAL)


async def test_a_search_finds_the_memories_of_one_key_only(agent, agent_of, services) -> None:
    """C24, I2: best first, in the key's workspace."""
    other = await agent_of(agent.workspace_id, name="another key of the workspace")
    mine = await add(agent, "tea", "green tea is kept in the kitchen")
    theirs = await add(other, "tea2", "black tea is kept in the cellar")

    async def found(key_id: str) -> list[str]:
        answer = await agent.call("omniroute_memory_search", apiKeyId=key_id, query="where is the tea kept")
        return [memory["id"] for memory in answer["memories"]]

    assert await until(lambda: found(agent.key_id)) == [mine["memory"]["id"]]
    assert await until(lambda: found(other.key_id)) == [theirs["memory"]["id"]]


async def test_without_a_query_the_newest_come_first(agent) -> None:
    """C24."""
    for number in range(3):
        await add(agent, f"note:{number}", f"note number {number}")

    answer = await agent.call("omniroute_memory_search", apiKeyId=agent.key_id, limit=2)

    assert [memory["key"] for memory in answer["memories"]] == ["note:2", "note:1"]
    assert answer["totalTokens"] == sum(memory["tokens"] for memory in answer["memories"])


async def test_a_search_shows_validity_and_successors(agent, services) -> None:
    """C11, C30."""
    old = (await add(agent, "office:1", "the office was in Rome"))["memory"]["id"]
    new = (await add(agent, "office:2", "the office is in Oslo"))["memory"]["id"]
    ended = datetime(2021, 1, 1, tzinfo=UTC)
    await services.memories.store.update(agent.workspace_id, old, MemoryChange(t_invalid=ended))
    await services.memories.associations.associate(
        agent.workspace_id, from_id=old, to_id=new, type_="INVALIDATED_BY"
    )

    answer = await agent.call("omniroute_memory_search", apiKeyId=agent.key_id)

    told = ("id", "tInvalid", "supersededBy", "validity")
    assert [tuple(found.get(name) for name in told) for found in answer["memories"]] == [
        (new, None, [], "CURRENT"),
        (old, "2021-01-01T00:00:00Z", [new], "HISTORY"),
    ]
    assert answer["degraded"] == []


async def test_a_search_respects_its_type_and_budget(agent) -> None:
    """C8, C9, C24."""
    await add(agent, "a", "tea " * 100, type="procedural")
    await add(agent, "b", "tea in a cup", type="episodic")

    typed = await agent.call("omniroute_memory_search", apiKeyId=agent.key_id, type="procedural")
    nothing = await agent.call("omniroute_memory_search", apiKeyId=agent.key_id, maxTokens=0)
    little = await agent.call("omniroute_memory_search", apiKeyId=agent.key_id, maxTokens=10)

    assert [memory["type"] for memory in typed["memories"]] == ["procedural"]
    assert nothing["memories"] == []
    assert [memory["key"] for memory in little["memories"]] == ["b"]


async def test_the_budget_defaults_to_the_setting_of_the_workspace(agent, services) -> None:
    """C8, C24, M4: its name is maxTokens."""
    await add(agent, "a", "tea " * 100)
    await add(agent, "b", "tea in a cup")
    found = {}
    for setting in (10, 1000):
        await services.tenancy.workspaces.update(agent.workspace_id, settings={"maxTokens": setting})
        answer = await agent.call("omniroute_memory_search", apiKeyId=agent.key_id)
        found[setting] = {memory["key"] for memory in answer["memories"]}
    more = await agent.call("omniroute_memory_search", apiKeyId=agent.key_id, maxTokens=10)

    assert found == {10: {"b"}, 1000: {"a", "b"}}
    assert [memory["key"] for memory in more["memories"]] == ["b"]


async def test_the_workspace_determines_the_strategy(agent, services) -> None:
    """C24: it is never hard-coded."""
    await add(agent, "a", "green tea")
    await services.tenancy.workspaces.update(agent.workspace_id, settings={"strategy": "exact"})

    answer = await agent.call("omniroute_memory_search", apiKeyId=agent.key_id, query="tea")

    assert answer["strategy"] == "exact"


async def test_memories_older_than_the_retention_are_not_recalled(agent, memories_under) -> None:
    """A36: also through OmniRoute's tools."""
    old = memories_under(clock=MovingClock(datetime.now(UTC) - timedelta(days=60)))
    await old.save(agent.workspace_id, MemoryDraft(content="long ago", key="old", api_key_id=agent.key_id))
    await add(agent, "new", "just now")

    answer = await agent.call("omniroute_memory_search", apiKeyId=agent.key_id)

    assert [memory["key"] for memory in answer["memories"]] == ["new"]


async def test_clearing_permanently_deletes_matching_memories(agent, agent_of, services) -> None:
    """K16, A30, A41."""
    other = await agent_of(agent.workspace_id, name="another key of the workspace")
    gone = (await add(agent, "a", "one", type="episodic"))["memory"]["id"]
    kept = {
        (await add(agent, "b", "two", type="factual"))["memory"]["id"],
        (await add(other, "c", "three", type="episodic"))["memory"]["id"],
    }

    before = await agent.call(
        "omniroute_memory_clear", apiKeyId=agent.key_id, olderThan="2020-01-01T00:00:00Z"
    )
    cleared = await agent.call("omniroute_memory_clear", apiKeyId=agent.key_id, type="episodic")
    again = await agent.call("omniroute_memory_clear", apiKeyId=agent.key_id, type="episodic")

    assert (before, cleared, again) == ({"cleared": 0}, {"cleared": 1}, {"cleared": 0})
    left = await services.memories.store.find_all(agent.workspace_id, [gone, *kept], include_deleted=True)
    assert left.keys() == kept


async def test_clearing_filters_by_creation_time(agent) -> None:
    """K16."""
    await add(agent, "a", "one")

    cleared = await agent.call(
        "omniroute_memory_clear", apiKeyId=agent.key_id, olderThan="2099-01-01T00:00:00Z"
    )

    assert cleared == {"cleared": 1}


TOOLS = {
    "omniroute_memory_search": {"query": "tea"},
    "omniroute_memory_add": {"type": "factual", "key": "k", "content": "x"},
    "omniroute_memory_clear": {},
}


@pytest.mark.parametrize("tool", TOOLS)
async def test_a_key_of_another_workspace_does_not_exist(agent, stranger, services, tool) -> None:
    """K17: nothing is read, written or cleared for it."""
    theirs = await add(stranger, "k", "the stranger's own")

    error = await agent.error(tool, apiKeyId=stranger.key_id, **TOOLS[tool])

    assert (error["code"], error["field"]) == ("NOT_FOUND", "apiKeyId")
    assert await services.memories.store.count(agent.workspace_id) == 0
    assert await services.memories.store.find(stranger.workspace_id, theirs["memory"]["id"]) is not None


async def test_a_revoked_key_of_the_workspace_still_owns_its_memories(agent, agent_of, services) -> None:
    """K17."""
    other = await agent_of(agent.workspace_id, name="to be revoked")
    await add(other, "k", "left behind")
    await services.tenancy.keys.revoke(other.key_id)

    answer = await agent.call("omniroute_memory_search", apiKeyId=other.key_id)

    assert [memory["content"] for memory in answer["memories"]] == ["left behind"]


@pytest.mark.parametrize(
    ("tool", "arguments", "field"),
    [
        ("omniroute_memory_search", {"query": "x"}, "apiKeyId"),
        ("omniroute_memory_search", {"apiKeyId": "me", "limit": 0}, "limit"),
        ("omniroute_memory_search", {"apiKeyId": "me", "limit": 101}, "limit"),
        ("omniroute_memory_search", {"apiKeyId": "me", "maxTokens": "many"}, "maxTokens"),
        ("omniroute_memory_search", {"apiKeyId": "me", "type": "preference"}, "type"),
        ("omniroute_memory_search", {"api_key_id": "me"}, "apiKeyId"),
        ("omniroute_memory_add", {"type": "factual", "key": "k", "content": "x"}, "apiKeyId"),
        ("omniroute_memory_add", {"apiKeyId": "me", "key": "k", "content": "x"}, "type"),
        ("omniroute_memory_add", {"apiKeyId": "me", "type": "Decision", "key": "k", "content": "x"}, "type"),
        ("omniroute_memory_add", {"apiKeyId": "me", "type": "factual", "content": "x"}, "key"),
        ("omniroute_memory_add", {"apiKeyId": "me", "type": "factual", "key": " ", "content": "x"}, "key"),
        ("omniroute_memory_add", {"apiKeyId": "me", "type": "factual", "key": "k"}, "content"),
        ("omniroute_memory_add", {"apiKeyId": "me", "type": "factual", "key": "k", "content": "x" * 2001}, "content"),
        ("omniroute_memory_add", {"apiKeyId": "me", "type": "factual", "key": "k", "content": "x", "sessionId": " "},
         "sessionId"),
        ("omniroute_memory_clear", {}, "apiKeyId"),
        ("omniroute_memory_clear", {"apiKeyId": "me", "type": "all"}, "type"),
        ("omniroute_memory_clear", {"apiKeyId": "me", "olderThan": "last week"}, "olderThan"),
        ("omniroute_memory_clear", {"apiKeyId": "me", "olderThan": "20250101000000"}, "olderThan"),
        ("omniroute_memory_clear", {"apiKeyId": "me", "olderThan": 20250101000000}, "olderThan"),
    ],
    ids=lambda value: repr(value)[:60],
)  # fmt: skip
async def test_bad_input_is_named_and_changes_nothing(agent, services, tool, arguments, field) -> None:
    """K13, K16: OmniRoute has four types only."""
    kept = await add(agent, "kept", "kept")
    arguments = {name: agent.key_id if value == "me" else value for name, value in arguments.items()}

    error = await agent.error(tool, **arguments)

    assert (error["code"], error["field"]) == ("INVALID_INPUT", field)
    listed = await services.memories.store.find_all(agent.workspace_id, [kept["memory"]["id"]])
    assert [memory.content for memory in listed.values()] == ["kept"]
    assert await services.memories.store.count(agent.workspace_id) == 1


async def test_facts_have_the_form_of_the_reference(agent, services) -> None:
    """D18, F§12: only in these tools; recall returns the whole sentence."""
    draft = MemoryDraft(
        content="The user does not like Python",
        key="preference:python",
        metadata={"category": "preference", "polarity": "negative", "object": "Python"},
        source_type=SourceType.EXTRACTED,
        api_key_id=agent.key_id,
    )
    await services.memories.store.save(agent.workspace_id, draft)

    async def told() -> str:
        return await agent.text("memory.recall", query="does the user like Python")

    found = await agent.call("omniroute_memory_search", apiKeyId=agent.key_id)
    assert [(each["content"], each["metadata"]) for each in found["memories"]] == [
        ("Python", {"category": "preference", "polarity": "negative"})
    ]
    assert draft.content in await told()
