"""Queries that are too long: their end is read, and the response reports it."""

import pytest

from graph.memories.models import MemoryDraft, MemoryState
from tests.fixtures.mcp_agents import text_of
from tests.fixtures.states import reached

FACT = "The boiler has a pressure of 3 bar"
QUESTION = "Which pressure has the boiler?"
LONG = f"Zanzibar: {'the log says that the pump was quiet at night. ' * 2200}{QUESTION}"
LONGEST_SENT = LONG[-60_000:]  # the longest URL that these tests' client sends
CUT = "query: only its last 8,000 characters were read"
CUT_QUESTION = "question: only its last 2,000 characters were read"
HITS = "{ hits { memory { content } } resolution { degraded } }"


@pytest.fixture(autouse=True)
async def memories(services, workspace_id) -> None:
    """Save a fact about the long text's end and another about its beginning."""
    drafts = [MemoryDraft(content=content) for content in (FACT, "Zanzibar is an island")]
    saved = await services.memories.store.save_all(workspace_id, drafts)
    await reached(services, workspace_id, [each.memory.id for each in saved], MemoryState.LINKED)


async def test_graphql_reads_the_end_of_a_long_query(graphql) -> None:
    """C1, C23, issue 35."""
    assert len(LONG) > 100_000
    found = await graphql.ok(
        f"""query($text: String!) {{
          recall(input: {{query: $text, dryRun: true}}) {HITS}
          search(query: $text) {HITS}
          searchEntities(query: $text) {{ resolution {{ degraded }} }}
          context(input: {{query: $text, format: USER_SUFFIX}}) {{ skipped missing {{ part why }} messages }}
          sequences(query: $text) {{ degraded }}
          ask(question: $text) {{ degraded }}
        }}""",
        text=LONG,
    )

    for name in ("recall", "search"):
        assert found[name]["hits"][0]["memory"] == {"content": FACT}
        assert CUT in found[name]["resolution"]["degraded"]
    assert CUT in found["searchEntities"]["resolution"]["degraded"]
    assert found["context"]["skipped"].count(CUT) == 1
    assert not [line for line in found["context"]["skipped"] if CUT in line and line != CUT]
    assert {"part": "query", "why": "cut"} in found["context"]["missing"]
    assert found["context"]["messages"][-1]["content"].startswith("Zanzibar")
    assert found["sequences"]["degraded"] == [CUT]
    assert found["ask"]["degraded"][0] == CUT_QUESTION


async def test_a_query_read_whole_has_no_notice(graphql) -> None:
    """C1: 8000 characters, not counting the blanks around them."""
    found = await graphql.ok(
        f"query($text: String!) {{ recall(input: {{query: $text, dryRun: true}}) {HITS} }}",
        text=f"  {LONG[-8000:]}\n",
    )

    assert CUT not in found["recall"]["resolution"]["degraded"]


@pytest.mark.parametrize(
    ("tool", "argument", "told"),
    [
        ("recall", "query", CUT),
        ("context", "query", CUT),
        ("memory.search", "query", CUT),
        ("memory.context", "query", CUT),
        ("ask", "question", CUT_QUESTION),
        ("x_recall_memory", "query", FACT),
        ("x_recall_memory", "query", f"Limits: {CUT}"),
        ("x_workspace_search", "query", FACT),
        ("x_workspace_search", "query", f"Limits: {CUT}"),
    ],
)
async def test_tools_read_the_end_of_a_long_query(agent, tool, argument, told) -> None:
    """C22, K13, issue 35."""
    result = await agent.result(tool, **{argument: LONG})

    assert not result.isError
    assert told in text_of(result)


async def test_dialects_report_a_truncated_query_in_a_header(rest) -> None:
    """C19, C25, issue 35: their bodies follow another service."""
    recalled = await rest.send("GET", "/recall", params={"query": LONGEST_SENT})
    also = await rest.send("GET", "/recall", params={"query": QUESTION, "queries": LONGEST_SENT})
    preview = await rest.send("POST", "/api/memory/retrieve-preview", json={"query": LONG})
    short = await rest.send("POST", "/api/memory/retrieve-preview", json={"query": QUESTION})

    assert [answer.status_code for answer in (recalled, also, preview, short)] == [200] * 4
    for answer in (recalled, also, preview):
        assert answer.headers["x-recollect-notice"] == CUT
        assert CUT not in answer.text
    assert recalled.json()["results"][0]["memory"]["content"] == FACT
    assert preview.json()["items"][0]["content"] == FACT
    assert "x-recollect-notice" not in short.headers


async def test_the_proxy_reports_a_truncated_query_in_its_header(rest) -> None:
    """D25, issue 35."""
    answer = await rest.send("POST", "/v1/inject", json={"text": LONG})

    assert answer.status_code == 200
    assert "query(cut)" in answer.headers["x-recollect-memory"]
    assert CUT in answer.json()["skipped"]
    assert answer.json()["text"].startswith("Zanzibar")
