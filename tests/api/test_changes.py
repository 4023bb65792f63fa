"""A move stated in other words, on every surface: the current home comes first, the former is history."""

from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from graph.memories.models import MemoryDraft
from tests.fixtures.app import GraphQLClient, secret_of_a_key
from tests.fixtures.jobs import jobs_done
from tests.fixtures.upstream import Says

SAVE = "mutation($inputs: [SaveMemoryInput!]!) { saveMemories(inputs: $inputs) { memory { id } } }"
RECALL = """query($input: RecallInput!) {
  recall(input: $input) { hits { memory { content tInvalid } validity supersededBy } }
}"""
ASK = "query($question: String!) { ask(question: $question) { text supported } }"


@dataclass(frozen=True)
class Move:
    """Statements before and after a move, and questions about both."""

    old: str
    new: str
    now: str
    before: str
    old_home: str
    new_home: str


ENGLISH = Move(
    "I live in Munich",
    "I moved to Berlin last month",
    "Where do I live now?",
    "Where did I live before?",
    "Munich",
    "Berlin",
)
CHINESE = Move("我住在杭州", "我上个月搬到了成都", "我现在住在哪里？", "我以前住在哪里？", "杭州", "成都")


@pytest.fixture(params=[ENGLISH, CHINESE], ids=["english", "chinese"])
async def move(request, services, agents_workspace_id) -> Move:
    """Save both statements with their days and wait until the jobs are done."""
    drafts = [
        MemoryDraft(content=request.param.old, timestamp=datetime(2025, 1, 10, tzinfo=UTC)),
        MemoryDraft(content=request.param.new, timestamp=datetime(2026, 3, 5, tzinfo=UTC)),
    ]
    await services.memories.store.save_all(agents_workspace_id, drafts)
    await jobs_done(services, agents_workspace_id)
    return request.param


async def test_graphql_marks_history_and_current_memories(http, services, agents_workspace_id, move) -> None:
    """Issue 36, point 1."""
    client = GraphQLClient(http, await secret_of_a_key(services, agents_workspace_id))

    now = (await client.ok(RECALL, input={"query": move.now}))["recall"]["hits"]
    before = (await client.ok(RECALL, input={"query": move.before}))["recall"]["hits"]
    answer = (await client.ok(ASK, question=move.now))["ask"]
    earlier = (await client.ok(ASK, question=move.before))["ask"]

    assert [(hit["memory"]["content"], hit["validity"]) for hit in now] == [
        (move.new, "CURRENT"),
        (move.old, "HISTORY"),
    ]
    assert now[1]["memory"]["tInvalid"] == "2026-03-05T00:00:00+00:00"
    assert move.old in [hit["memory"]["content"] for hit in before]
    assert answer == {"text": f"{move.new} (2026-03-05) [1]", "supported": True}
    assert earlier == {
        "text": f"{move.old} (held from 2025-01-10 until 2026-03-05) [1]",
        "supported": True,
    }


async def test_rest_and_mcp_show_the_current_home_first(
    rest_client, agent_of, services, agents_workspace_id, move
) -> None:
    """Issue 36, point 1."""
    rest = await rest_client(agents_workspace_id)
    agent = await agent_of(agents_workspace_id)

    found = (await rest.get("/recall", query=move.now))["results"]
    lines = await agent.text("recall", query=move.now)

    assert [each["memory"]["content"] for each in found] == [move.new, move.old]
    assert lines.index(move.new) < lines.index(move.old)
    assert "held from 2025-01-10 until 2026-03-05" in lines


async def test_the_proxy_injects_only_the_current_home(chat_proxy, upstream, move) -> None:
    """Issue 36, point 1: and the earlier one with its time span if the question asks for it."""
    upstream.answers = [Says("There."), Says("There.")]
    if move is CHINESE:  # the embedder knows no Chinese, so no short text counts as relevant
        settings = {"similarityThreshold": 0.0}
        await chat_proxy.services.tenancy.workspaces.update(chat_proxy.workspace_id, settings=settings)
    client = chat_proxy.client()
    for question in (move.now, move.before):
        await client.chat.completions.create(
            model="gpt-test", messages=[{"role": "user", "content": question}]
        )

    now, before = (str(request.body["messages"][:-1]) for request in upstream.requests)
    assert (move.new_home in now, move.old_home in now) == (True, False)
    assert f"{move.old} (from 2025-01-10 until 2026-03-05)" in before
