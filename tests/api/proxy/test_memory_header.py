"""The response header about a turn's memory, and the tools offered in any case."""

import pytest

from app.surfaces.proxy import composing
from graph.core.errors import Unavailable
from graph.knowledge.ontology.models import EntityDraft
from graph.memories.models import MemoryFilter
from tests.fixtures.chat_proxy import serving_proxy
from tests.fixtures.measuring import value
from tests.fixtures.upstream import Says, Sends

OURS = ["x_save_memory", "x_recall_memory", "x_workspace_search"]
PREFERENCE = "Ada prefers tabs as indentation in Python"
QUESTION = "Which indentation does Ada prefer in Python?"
CHAT = {"x-recollect-conversation-id": "chat-1"}


async def told(client, **headers: str) -> str:
    """Return the memory header of the response to the question."""
    answer = await client.chat.completions.with_raw_response.create(
        model="gpt-test",
        messages=[{"role": "user", "content": QUESTION}],
        extra_headers={**CHAT, **headers},
    )
    return answer.headers["x-recollect-memory"]


def offered(request) -> list[str]:
    return [tool["function"]["name"] for tool in request.body.get("tools", [])]


async def test_a_response_header_counts_the_injected_memories(chat_proxy, upstream) -> None:
    """J14, K12: also in a stream, whose headers come first."""
    await chat_proxy.remembers(PREFERENCE)
    upstream.answers = [Says("Tabs."), Says("Tabs.")]
    client = chat_proxy.client()

    whole = await told(client)
    async with client.chat.completions.with_streaming_response.create(
        model="gpt-test", messages=[{"role": "user", "content": QUESTION}], stream=True
    ) as answer:
        streamed = answer.headers["x-recollect-memory"]

    assert whole == streamed == "injected=1"


async def test_late_vectors_leave_the_hits_by_words(
    services, settings, runtime, agents_workspace_id, upstream, slow_embedder
) -> None:
    """J14: the header and the counter report the missing part."""
    counted = {"operation": "context", "reason": "meaning(late)"}
    before = value((await runtime.watch.metrics.text()).decode(), "recollect_fallbacks_total", **counted)
    async with serving_proxy(services, settings, agents_workspace_id, upstream, deadline_ms=60_000) as served:
        await served.remembers(PREFERENCE)
        await services.retrieval.context.warm_up(agents_workspace_id)
        slow_embedder()
        answer = await told(served.client())

    assert answer == "injected=1; skipped=meaning(late)"
    assert PREFERENCE in upstream.requests[0].raw.decode()
    assert offered(upstream.requests[0]) == OURS
    after = value((await runtime.watch.metrics.text()).decode(), "recollect_fallbacks_total", **counted)
    assert after == before + 1


@pytest.mark.parametrize(
    ("error", "header", "tools"),
    [
        (TimeoutError(), "injected=0; skipped=context(late)", [*OURS, "tides"]),
        (ZeroDivisionError(), "injected=0; skipped=context(failed)", [*OURS, "tides"]),
        (Unavailable("neo4j", "the graph is away"), "injected=0; skipped=context(away)", []),
    ],
    ids=["late", "failed", "away"],
)
async def test_tools_and_skills_are_offered_without_a_context(
    chat_proxy, upstream, monkeypatch, error, header, tools
) -> None:
    """J14, J9: except if the graph, which they need, is unavailable."""
    skills = {"skillsEnabled": True, "skills": {"*": [{"name": "tides"}]}}
    await chat_proxy.services.tenancy.workspaces.update(chat_proxy.workspace_id, settings=skills)

    async def failing(self, workspace_id, asked, **options):
        raise error

    monkeypatch.setattr(composing.AgentContexts, "compose", failing)

    assert await told(chat_proxy.client()) == header
    assert offered(upstream.requests[0]) == tools


async def test_the_header_reports_that_a_caller_opted_out(chat_proxy, upstream) -> None:
    """J7."""
    header = await told(chat_proxy.client(), **{"x-omniroute-no-memory": "yes"})

    assert header == "injected=0; skipped=context(not asked)"


async def test_memories_that_the_upstream_refuses_are_not_counted(chat_proxy, upstream) -> None:
    """N1: the proxy sent the original request instead."""
    await chat_proxy.remembers(PREFERENCE)
    upstream.answers = [Sends((b'{"error": {"message": "no tools here"}}',), status=400), Says("Tabs.")]

    assert await told(chat_proxy.client()) == "injected=0; skipped=context(refused)"


async def test_memories_refused_in_a_later_round_are_not_counted(chat_proxy, upstream) -> None:
    """N1: the answer belongs to the original request."""
    await chat_proxy.remembers(PREFERENCE)
    recalls = Says(calls=(("x_recall_memory", {"query": "tabs"}),))
    upstream.answers = [recalls, Sends((b'{"error": {"message": "too long"}}',), status=400), Says("Tabs.")]

    assert await told(chat_proxy.client()) == "injected=0; skipped=context(refused)"


async def test_the_header_reports_that_memory_is_off(chat_proxy, upstream) -> None:
    """I4, D9: beside the layers that were not injected."""
    await chat_proxy.services.tenancy.workspaces.update(chat_proxy.workspace_id, memory_enabled=False)

    header = await told(chat_proxy.client())

    assert (
        header == "injected=0; skipped=episodes(off),ontology(off),patterns(off),memories(off),capture(off)"
    )
    assert await chat_proxy.captured("chat-1") == []


async def test_a_response_header_names_the_injected_nodes(chat_proxy, upstream) -> None:
    """Issue 35, point 25; E11: memories and entities, streamed or not; without any there is no header."""
    (entity,) = await chat_proxy.services.knowledge.ontology.upsert_entities(
        chat_proxy.workspace_id, [EntityDraft(type="Person", name="Ada", description="counts seats")]
    )
    await chat_proxy.remembers(PREFERENCE)
    page = await chat_proxy.services.memories.store.page(chat_proxy.workspace_id, MemoryFilter())
    upstream.answers = [Says("Tabs.")]
    client = chat_proxy.client()
    asked = {"model": "gpt-test", "messages": [{"role": "user", "content": QUESTION}]}

    whole = await client.chat.completions.with_raw_response.create(**asked)
    async with client.chat.completions.with_streaming_response.create(**asked, stream=True) as answer:
        streamed = answer.headers["x-recollect-nodes"]
    without = await client.chat.completions.with_raw_response.create(
        **asked, extra_headers={"x-omniroute-no-memory": "true"}
    )

    assert whole.headers["x-recollect-nodes"] == streamed == f"{page.items[0].id},{entity.id}"
    assert "x-recollect-nodes" not in without.headers
