"""Pages of what a query finds, by every surface that has an offset: each memory stands on one of them."""

import json
import re

import pytest

from graph.memories.models import MemoryState
from tests.fixtures.mcp_agents import text_of
from tests.fixtures.states import reached

DAYS = (1, 6, 8, 3, 2, 7, 5, 4)
QUERY = "boiler pressure"
SAVE = "mutation($inputs: [SaveMemoryInput!]!) { saveMemories(inputs: $inputs) { memory { id } } }"
RECALL = "query($input: RecallInput!) { recall(input: $input) { hits { memory { content } } } }"
SEARCH = """query($text: String!, $first: Int, $offset: Int) {
  search(query: $text, first: $first, offset: $offset) { hits { text } }
}"""


@pytest.fixture
async def ids(graphql, services, workspace_id) -> list[str]:
    """Eight statements that disagree, whose scores change no more."""
    inputs = [
        {
            "content": f"The boiler pressure is {number} bar",
            "tags": ["m"],
            "timestamp": f"2025-01-0{day}T00:00:00Z",
        }
        for number, day in enumerate(DAYS, start=1)
    ]
    saved = await graphql.ok(SAVE, inputs=inputs)
    ids = [each["memory"]["id"] for each in saved["saveMemories"]]
    await reached(services, workspace_id, ids, MemoryState.LINKED)
    return ids


@pytest.fixture(
    params=[
        "by_graphql", "by_search", "by_automem", "by_automem_in_other_words", "by_mcp", "by_x_recall", "by_x_search",
    ]
)  # fmt: skip
def page(request, graphql, rest_client, agent_of, workspace_id):
    """A function that returns what a surface answers for a page, as text."""

    async def by_graphql(limit: int, offset: int) -> str:
        asked = {"query": QUERY, "tags": ["m"], "limit": limit, "offset": offset, "dryRun": True}
        return json.dumps(await graphql.ok(RECALL, input=asked))

    async def by_search(limit: int, offset: int) -> str:
        return json.dumps(await graphql.ok(SEARCH, text=QUERY, first=limit, offset=offset))

    async def by_automem(limit: int, offset: int, **further: str) -> str:
        rest = await rest_client(workspace_id)
        answer = await rest.get("/recall", query=QUERY, limit=limit, offset=offset, **further)
        return json.dumps([result["memory"]["content"] for result in answer["results"]])

    async def by_automem_in_other_words(limit: int, offset: int) -> str:
        return await by_automem(limit, offset, queries="How many bar has the boiler?")

    async def by_tool(name: str, **arguments) -> str:
        agent = await agent_of(workspace_id)
        return text_of(await agent.result(name, query=QUERY, **arguments))

    async def by_mcp(limit: int, offset: int) -> str:
        return await by_tool("recall", limit=limit, offset=offset, dry_run=True)

    async def by_x_recall(limit: int, offset: int) -> str:
        return await by_tool("x_recall_memory", limit=limit, offset=offset)

    async def by_x_search(limit: int, offset: int) -> str:
        return await by_tool("x_workspace_search", limit=limit, offset=offset)

    surfaces = (
        by_graphql, by_search, by_automem, by_automem_in_other_words, by_mcp, by_x_recall, by_x_search,
    )  # fmt: skip
    return {surface.__name__: surface for surface in surfaces}[request.param]


async def test_pages_of_any_size_show_each_memory_once(page, ids) -> None:
    """C8, C14, issue 35."""

    async def shown(size: int) -> list[str]:
        pages = [await page(size, offset) for offset in range(0, len(ids), size)]
        return [number for text in pages for number in re.findall(r"pressure is (\d) bar", text)]

    whole = await shown(len(ids))

    assert sorted(whole) == list("12345678")
    for size in (1, 3, 5):
        assert await shown(size) == whole
