"""The text results of the tools for a model, and their size in its context."""

import re
from datetime import UTC, datetime

import pytest

from graph.memories.models import MemoryDraft, MemoryState
from tests.fixtures.mcp_agents import memory_ids_in, text_of
from tests.fixtures.prompts import NOTE
from tests.fixtures.states import reached


async def embedded(services, workspace_id: str, *contents: str, **fields) -> list[str]:
    """Save memories, wait for their vectors, and return their ids."""
    ids = []
    for content in contents:
        draft = MemoryDraft(content=content, dedup=False, **fields)
        ids.append((await services.memories.store.save(workspace_id, draft)).memory.id)
    await reached(services, workspace_id, ids, MemoryState.EMBEDDED)
    return ids


async def test_a_recall_has_one_line_per_relevant_hit(agent, services) -> None:
    """K1, C1, issue 35 point 21."""
    day = datetime(2025, 3, 4, tzinfo=UTC)
    texts = ("the kettle stands\nbeside the window", "the invoice is due in may")
    id_, _ = await embedded(services, agent.workspace_id, *texts, timestamp=day)

    note, line = (await agent.text("memory.recall", query="Where is the kettle?")).splitlines()

    assert note == NOTE
    assert re.fullmatch(
        rf"1\. the kettle stands beside the window \(2025-03-04, relevance 0\.\d\d, {id_}\)", line
    )
    assert await agent.text("recall", query="Where is the kettle?", min_relevance=1) == (
        "No matching memories."
    )


async def test_a_recall_without_a_relevant_hit_shows_the_best_three_as_weak(agent, services) -> None:
    """Issue 35 point 21: hits that are not shown do not count as used."""
    texts = [f"the {thing} is in the cellar" for thing in ("kettle", "ladder", "bicycle", "barrel")]
    ids = await embedded(services, agent.workspace_id, *texts)

    text = await agent.text("recall", query="When does the airport of Oslo open?")
    await services.telemetry.usage.flush()
    memories = await services.memories.store.find_all(agent.workspace_id, ids)

    assert text.startswith(f"Nothing relevant. The best weak matches:\n{NOTE}\n1. the ")
    assert len(memory_ids_in(text)) == 3
    assert {id_ for id_, memory in memories.items() if memory.usage_count} == set(memory_ids_in(text))


async def test_five_hits_are_little_longer_than_their_texts(agent, services) -> None:
    """Issue 35 point 21."""
    contents = [f"The boiler of house {number} has a pressure of {number} bar" for number in range(5)]
    ids = await embedded(services, agent.workspace_id, *contents)

    text = await agent.text("recall", query="boiler pressure")

    assert set(memory_ids_in(text)) == set(ids)
    assert all(content in text for content in contents)
    assert len(text) <= len(NOTE) + sum(map(len, contents)) + 5 * 110


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("recall", {"query": "tea"}),
        ("context", {"query": "tea"}),
        ("ask", {"question": "Which tea?"}),
        ("x_recall_memory", {"query": "tea"}),
        ("x_workspace_search", {"query": "tea"}),
        ("x_save_memory", {"content": "The tea is green"}),
    ],
)
async def test_a_tool_that_answers_in_text_has_no_structured_result(agent, tool, arguments) -> None:
    """Issue 35 point 21."""
    async with agent.session() as session:
        listed = {each.name: each for each in (await session.list_tools()).tools}
        result = await session.call_tool(tool, arguments)

    assert (listed[tool].outputSchema, result.structuredContent, result.isError) == (None, None, False)
    assert text_of(result)


async def test_the_tools_of_an_agent_are_listed_in_8_kilobytes(agent, http) -> None:
    """Issue 35 point 21: every conversation's context contains them."""
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    response = await http.post("/mcp", json=asked, headers={"Authorization": f"Bearer {agent.key}"})

    assert len(response.json()["result"]["tools"]) == 8
    assert len(response.content) <= 8000
