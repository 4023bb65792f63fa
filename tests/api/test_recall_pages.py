"""Pages of results on every surface with an offset: each memory is on one of them."""

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


RECALLS = {
    "by_graphql": {},
    "by_rank": {"fusion": "RRF"},
    "by_meaning": {"strategy": "SEMANTIC"},
    "by_words": {"strategy": "EXACT"},
    "by_variety": {"diversity": 0.7},
    "by_period": {"since": "2025-01-01T00:00:00Z", "until": "2025-01-31T00:00:00Z"},
    "by_relevance": {"minRelevance": 0.0, "tags": None},
}
LISTS = {
    "by_automem": ("/recall", {"query": QUERY}),
    "by_automem_in_other_words": ("/recall", {"query": QUERY, "queries": "How many bar has the boiler?"}),
    "by_automem_in_order_of_time": ("/recall", {"query": QUERY, "sort": "time_desc"}),
    "by_automem_in_a_period": ("/recall", {"query": QUERY, "start": "2025-01", "end": "2025-01"}),
    "by_automem_by_tag": ("/memory/by-tag", {"tags": "m"}),
    "by_omniroute": ("/api/memory", {"q": QUERY}),
}


@pytest.fixture
async def ids(graphql, services, workspace_id) -> list[str]:
    """Save eight contradicting statements whose scores no longer change; return their ids."""
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
    params=["by_search", "by_mcp", "by_x_recall", "by_x_search", "by_numbered_page", *RECALLS, *LISTS]
)
def page(request, graphql, rest_client, agent_of, workspace_id):
    """Return a function that gives a surface's response for a page, as text."""

    async def by_recall(limit: int, offset: int) -> str:
        asked = {"query": QUERY, "tags": ["m"], "limit": limit, "offset": offset, "dryRun": True}
        return json.dumps(await graphql.ok(RECALL, input=asked | RECALLS[request.param]))

    async def by_search(limit: int, offset: int) -> str:
        return json.dumps(await graphql.ok(SEARCH, text=QUERY, first=limit, offset=offset))

    async def by_list(limit: int, offset: int) -> str:
        path, asked = LISTS[request.param]
        answer = await (await rest_client(workspace_id)).get(path, **asked, limit=limit, offset=offset)
        rows = answer["data"] if "data" in answer else [each["memory"] for each in answer["results"]]
        return json.dumps([row["content"] for row in rows])

    async def by_numbered_page(limit: int, offset: int) -> str:
        asked = {"q": QUERY, "limit": limit, "page": offset // limit + 1}
        answer = await (await rest_client(workspace_id)).get("/api/memory", **asked)
        return json.dumps([row["content"] for row in answer["data"]])

    async def by_tool(name: str, **arguments) -> str:
        agent = await agent_of(workspace_id)
        return text_of(await agent.result(name, query=QUERY, **arguments))

    async def by_mcp(limit: int, offset: int) -> str:
        return await by_tool("recall", limit=limit, offset=offset, dry_run=True)

    async def by_x_recall(limit: int, offset: int) -> str:
        return await by_tool("x_recall_memory", limit=limit, offset=offset)

    async def by_x_search(limit: int, offset: int) -> str:
        return await by_tool("x_workspace_search", limit=limit, offset=offset)

    surfaces = (by_search, by_mcp, by_x_recall, by_x_search, by_numbered_page)
    named = dict.fromkeys(RECALLS, by_recall) | dict.fromkeys(LISTS, by_list)
    return (named | {surface.__name__: surface for surface in surfaces})[request.param]


async def test_pages_of_any_size_show_each_memory_once(page, ids) -> None:
    """C8, C14, issue 35."""

    async def shown(size: int) -> list[str]:
        pages = [await page(size, offset) for offset in range(0, len(ids), size)]
        return [number for text in pages for number in re.findall(r"pressure is (\d) bar", text)]

    whole = await shown(len(ids))

    assert sorted(whole) == list("12345678")
    for size in (1, 2, 3, 5, 7):
        assert await shown(size) == whole
