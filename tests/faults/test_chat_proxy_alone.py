"""The chat proxy while Neo4j, Redis or a model is unavailable."""

import asyncio

import httpx
import openai
import pytest

from app.bootstrap.runtime import working
from app.settings import ContextSettings
from tests.faults.conftest import hold_relaunch, kill, open_mortal_runtime
from tests.fixtures.chat_proxy import serving_proxy
from tests.fixtures.embedders import HashingEmbedder
from tests.fixtures.memories import ScriptedModel
from tests.fixtures.upstream import Says
from tests.fixtures.waiting import until

CHAT = {"x-recollect-conversation-id": "chat-1"}
PREFERENCE = "Ada prefers tabs as indentation in Python"
QUESTION = "Which indentation does Ada prefer in Python?"
RAW = b'{"model": "m",  "messages": [{"role": "user", "content": "indentation in Python?"}]}'


@pytest.fixture
async def failing(mortal_settings, upstream):
    """Yield the proxy over an engine whose parts can fail, for a workspace with memory enabled."""
    embedder, model = HashingEmbedder(), ScriptedModel("A summary.")
    settings = mortal_settings.model_copy(update={"context": ContextSettings(deadline_ms=3000)})
    async with (
        open_mortal_runtime(settings, embedder=embedder, language_model=model) as runtime,
        working(runtime),
    ):
        workspace = await runtime.services.tenancy.workspaces.create("chats", memory_enabled=True)
        async with serving_proxy(
            runtime.services, settings, workspace.id, upstream, deadline_ms=3000
        ) as served:
            await served.remembers(PREFERENCE)
            yield served, embedder, model


async def ask(served, *, stream: bool = False) -> str:
    """Return the answer that OpenAI's client reads."""
    asked = {"model": "m", "messages": [{"role": "user", "content": QUESTION}], "extra_headers": CHAT}
    if not stream:
        answer = await served.client().chat.completions.create(**asked)
        return answer.choices[0].message.content
    chunks = await served.client().chat.completions.create(**asked, stream=True)
    return "".join([chunk.choices[0].delta.content or "" async for chunk in chunks])


@pytest.mark.timeout(1500)
async def test_every_turn_is_answered_while_each_part_is_stopped(
    failing, upstream, mortal_neo4j, mortal_redis, monkeypatch
) -> None:
    """N1, J14: without Redis, embedder, language model or Neo4j; the proxy accepts recently used keys."""
    served, embedder, model = failing

    async def is_told() -> bool:
        upstream.requests.clear()
        await ask(served)
        return PREFERENCE in upstream.requests[0].raw.decode()

    await until(is_told, seconds=480)
    redis_back = hold_relaunch(mortal_redis[0], monkeypatch)
    kill(mortal_redis[0])
    assert await ask(served) == await ask(served, stream=True) == "An answer."

    embedder.failure = "the model is gone"
    assert await ask(served) == await ask(served, stream=True) == "An answer."

    model.answer = None
    assert await ask(served) == await ask(served, stream=True) == "An answer."

    neo4j_back = hold_relaunch(mortal_neo4j, monkeypatch)
    kill(mortal_neo4j)
    served.services.tenancy.access._known.clear()
    async with asyncio.timeout(60):
        assert await ask(served) == await ask(served, stream=True) == "An answer."
    await passes_untouched(served, upstream)
    await nobody_else_is_let_in(served)

    embedder.failure = None
    for back in (redis_back, neo4j_back):
        back.set()
    upstream.answers = [Says("Again.")]
    assert await until(is_told, seconds=480)


async def passes_untouched(served, upstream) -> None:
    """Assert that the proxy forwards the request unchanged."""
    upstream.requests.clear()
    async with httpx.AsyncClient(timeout=60) as client:
        response = await client.post(
            f"{served.url}/v1/chat/completions",
            content=RAW,
            headers={"Authorization": f"Bearer {served.key}", **CHAT},
        )
    assert response.status_code == 200
    assert upstream.requests[0].raw == RAW


async def nobody_else_is_let_in(served) -> None:
    """Assert that a key never used before gets 503 with Retry-After, in OpenAI's form."""
    with pytest.raises(openai.InternalServerError) as refused:
        await served.client(api_key="rk_never_seen").chat.completions.create(
            model="m", messages=[{"role": "user", "content": "Hello"}]
        )
    assert refused.value.status_code == 503
    assert refused.value.code == "unavailable"
    assert int(refused.value.response.headers["retry-after"]) > 0
