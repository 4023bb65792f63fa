"""What speaks of "last month": shown with the day it was said on by every surface that shows text to a model."""

from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from graph.memories.models import MemoryDraft
from tests.fixtures.app import GraphQLClient, secret_of_a_key
from tests.fixtures.jobs import jobs_done
from tests.fixtures.upstream import Says

ASKED = """query($query: String!) {
  recall(input: {query: $query}) { markdown hits { promptText memory { content } } }
  search(query: $query) { markdown }
  context(input: {query: $query}) { prompt }
  ask(question: $query) { text citations { quote } }
}"""


@dataclass(frozen=True)
class Said:
    """What somebody said, what is asked about it, and what the answer is."""

    text: str
    question: str
    id: str = ""

    @property
    def shown(self) -> str:
        """The text as a model is to read it."""
        return f"{self.text} (2026-03-05)"


@pytest.fixture(
    params=[
        Said("I moved to Berlin last month", "Where do I live now?"),
        Said("我上个月搬到了成都", "我现在住在哪里？"),
    ],
    ids=["english", "chinese"],
)
async def said(request, services, agents_workspace_id) -> Said:
    """A statement saved with the day on which it was said, and settled."""
    draft = MemoryDraft(content=request.param.text, timestamp=datetime(2026, 3, 5, 9, tzinfo=UTC))
    saved = await services.memories.store.save(agents_workspace_id, draft)
    await jobs_done(services, agents_workspace_id)
    return Said(request.param.text, request.param.question, saved.memory.id)


async def test_graphql_shows_models_the_day_and_clients_the_text(
    http, services, agents_workspace_id, said
) -> None:
    """Issue 36, point 2."""
    client = GraphQLClient(http, await secret_of_a_key(services, agents_workspace_id))

    found = await client.ok(ASKED, query=said.question)

    (hit,) = found["recall"]["hits"]
    assert hit == {"promptText": said.shown, "memory": {"content": said.text}}
    assert found["recall"]["markdown"].endswith(f"\n   {said.shown}")
    assert found["search"]["markdown"].endswith(f"\n   {said.shown}")
    assert f"Memory context: {said.shown}\n" in f"{found['context']['prompt']}\n"
    assert found["ask"] == {"text": f"{said.shown} [1]", "citations": [{"quote": said.shown}]}


async def test_mcp_shows_the_day(agent_of, agents_workspace_id, said) -> None:
    """Issue 36, point 2."""
    agent = await agent_of(agents_workspace_id)

    for tool, arguments in (
        ("recall", {"query": said.question}),
        ("context", {"query": said.question}),
        ("ask", {"question": said.question}),
        ("x_recall_memory", {"query": said.question}),
        ("x_workspace_search", {"query": said.question}),
    ):
        assert said.shown in await agent.text(tool, **arguments), tool
    assert (await agent.call("get", id=said.id))["content"]["content"] == said.shown


async def test_the_proxy_gives_a_turn_the_day(chat_proxy, upstream, said) -> None:
    """Issue 36, point 2."""
    upstream.answers = [Says("There.")]
    await chat_proxy.client().chat.completions.create(
        model="gpt-test", messages=[{"role": "user", "content": said.question}]
    )

    (request,) = upstream.requests
    assert said.shown in str(request.body["messages"][:-1])


async def test_the_same_words_of_another_day_are_another_memory(services, agents_workspace_id, said) -> None:
    """Issue 36, point 2: "last month" of June is no repetition of that of March."""
    later = MemoryDraft(content=said.text, timestamp=datetime(2026, 6, 5, tzinfo=UTC))
    today = MemoryDraft(content=said.text)

    others = [
        (await services.memories.store.save(agents_workspace_id, draft)).memory.id
        for draft in (later, today, today)
    ]

    assert len({said.id, *others}) == 3
    assert others[1] == others[2]
