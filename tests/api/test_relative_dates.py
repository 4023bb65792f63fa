"""Texts with "last month": every surface that shows text to a model adds the day of the statement."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest
from pydantic import AnyUrl

from graph.memories.models import MemoryDraft
from tests.fixtures.app import GraphQLClient, secret_of_a_key
from tests.fixtures.jobs import jobs_done
from tests.fixtures.upstream import Says

ASKED = """query($question: String!) {
  recall(input: {query: $question}) { markdown hits { promptText memory { content } } }
  search(query: $question) { markdown }
  context(input: {query: $question}) { prompt }
}"""
ASK = "query($question: String!) { ask(question: $question) { text citations { quote } } }"


@dataclass(frozen=True)
class Said:
    """A statement, a question about it, and its expected form."""

    text: str
    question: str
    id: str = ""

    @property
    def shown(self) -> str:
        """Return the text with its day, as a model reads it."""
        return f"{self.text} (2026-03-05)"


@pytest.fixture(
    params=[
        Said("I moved to Berlin last month", "I moved to Berlin: when was that?"),
        Said("我上个月搬到了成都", "我搬到了成都，那是什么时候？"),
    ],
    ids=["english", "chinese"],
)
async def said(request, services, agents_workspace_id) -> Said:
    """Save a statement with its day and wait until the jobs are done."""
    draft = MemoryDraft(content=request.param.text, timestamp=datetime(2026, 3, 5, 9, tzinfo=UTC))
    saved = await services.memories.store.save(agents_workspace_id, draft)
    await jobs_done(services, agents_workspace_id)
    return Said(request.param.text, request.param.question, saved.memory.id)


async def test_graphql_shows_models_the_day_and_clients_the_text(
    http, services, agents_workspace_id, said
) -> None:
    """Issue 36, point 2."""
    client = GraphQLClient(http, await secret_of_a_key(services, agents_workspace_id))

    found = await client.ok(ASKED, question=said.question)

    (hit,) = found["recall"]["hits"]
    assert hit == {"promptText": said.shown, "memory": {"content": said.text}}
    assert found["recall"]["markdown"].endswith(f"\n   {said.shown}")
    assert f"\n   {said.shown}\n" in f"{found['search']['markdown']}\n"
    assert f"Memory context: {said.shown}\n" in f"{found['context']['prompt']}\n"


async def test_mcp_shows_the_day_of_a_relative_time(agent_of, agents_workspace_id, said) -> None:
    """Issue 36, point 2."""
    agent = await agent_of(agents_workspace_id)

    for tool, arguments in (
        ("recall", {"query": said.question}),
        ("context", {"query": said.question}),
        ("x_recall_memory", {"query": said.question}),
        ("x_workspace_search", {"query": said.question}),
    ):
        assert said.shown in await agent.text(tool, **arguments), tool
    assert (await agent.call("get", id=said.id))["content"]["content"] == said.shown
    async with agent.session() as session:
        read = await session.read_resource(AnyUrl(f"recollect://memory/{said.id}"))
        prompted = await session.get_prompt("before_acting", {"query": said.question})
    assert json.loads(read.contents[0].text)["content"]["content"] == said.shown
    assert f"Memory context: {said.shown}\n" in prompted.messages[0].content.text


async def test_mcp_shows_the_day_behind_summaries_and_captions(
    agent_of, services, agents_workspace_id, said
) -> None:
    """Issue 36, point 2: a resource shows part of its neighbours' texts."""
    agent = await agent_of(agents_workspace_id)
    draft = MemoryDraft(
        content="Berlin is large", summary="It grew last year", timestamp=datetime(2026, 3, 5, tzinfo=UTC)
    )
    other = (await services.memories.store.save(agents_workspace_id, draft)).memory.id
    await agent.call("relate", from_id=other, to_id=said.id, type="RELATES_TO")

    found = await agent.call("get", id=other)

    assert found["content"]["summary"] == "It grew last year (2026-03-05)"
    assert [each["caption"] for each in found["connected"] if each["id"] == said.id] == [said.shown]


async def test_an_answer_includes_the_day_of_a_relative_time(
    http, agent_of, services, agents_workspace_id
) -> None:
    """Issue 36, point 2: so does each citation."""
    draft = MemoryDraft(content="I moved to Berlin last month", timestamp=datetime(2026, 3, 5, 9, tzinfo=UTC))
    await services.memories.store.save(agents_workspace_id, draft)
    await jobs_done(services, agents_workspace_id)
    client = GraphQLClient(http, await secret_of_a_key(services, agents_workspace_id))
    agent = await agent_of(agents_workspace_id)

    found = (await client.ok(ASK, question="I moved to Berlin: when was that?"))["ask"]
    told = await agent.text("ask", question="I moved to Berlin: when was that?")

    shown = "I moved to Berlin last month (2026-03-05)"
    assert found == {"text": f"{shown} [1]", "citations": [{"quote": shown}]}
    assert told.count(shown) == 2


async def test_the_proxy_injects_the_day_of_a_relative_time(chat_proxy, upstream, said) -> None:
    """Issue 36, point 2."""
    upstream.answers = [Says("There.")]
    await chat_proxy.client().chat.completions.create(
        model="gpt-test", messages=[{"role": "user", "content": said.question}]
    )

    (request,) = upstream.requests
    assert said.shown in str(request.body["messages"][:-1])


async def test_equal_texts_of_different_days_are_separate_memories(
    services, agents_workspace_id, said
) -> None:
    """Issue 36, point 2: "last month" in June does not repeat "last month" in March."""
    later = MemoryDraft(content=said.text, timestamp=datetime(2026, 6, 5, tzinfo=UTC))
    today = MemoryDraft(content=said.text)

    others = [
        (await services.memories.store.save(agents_workspace_id, draft)).memory.id
        for draft in (later, today, today)
    ]

    assert len({said.id, *others}) == 3
    assert others[1] == others[2]


async def test_the_command_line_shows_people_the_day(cli, services, workspace_id) -> None:
    """Issue 36, point 2."""
    draft = MemoryDraft(content="I moved to Berlin last month", timestamp=datetime(2026, 3, 5, 9, tzinfo=UTC))
    await services.memories.store.save(workspace_id, draft)
    await jobs_done(services, workspace_id)

    recalled = await cli.ok("recall", "I moved to Berlin: when was that?")
    listed = await cli.ok("memories", "list")

    assert "I moved to Berlin last month (2026-03-05)" in " ".join(recalled.split())
    assert "I moved to Berlin last month (2026-03-05)" in listed
