"""The list of models for OpenAI's client: the upstream's and the embedder."""

import json

import openai
import pytest

from tests.fixtures.upstream import Sends

LISTED = [
    {"id": "gpt-5", "object": "model", "created": 1700000000, "owned_by": "openai", "context_length": 400000},
    {"id": "llama"},
]


@pytest.fixture
def signature(services) -> str:
    """Return the embedder's name."""
    return services.vectors.embeddings.active.signature


def listing(body: object, status: int = 200) -> list[Sends]:
    return [Sends((json.dumps(body).encode(),), status=status)]


async def test_the_upstreams_models_are_listed_with_the_embedder(chat_proxy, upstream, signature) -> None:
    """Issue 35 point 22."""
    upstream.answers = listing({"object": "list", "data": [*LISTED, {"object": "model"}, "gpt"]})

    async with chat_proxy.client(default_headers={"x-recollect-upstream-key": "own"}) as client:
        models = (await client.models.list()).data
        one = await client.models.retrieve("gpt-5")
        with pytest.raises(openai.NotFoundError) as missing:
            await client.models.retrieve("gpt-1")

    assert [(each.id, each.created, each.owned_by) for each in models] == [
        ("gpt-5", 1700000000, "openai"), ("llama", 0, "upstream"), (signature, 0, "recollect"),
    ]  # fmt: skip
    assert (one.id, one.context_length) == ("gpt-5", 400000)
    assert missing.value.param == "model"
    asked = upstream.requests[0]
    assert (asked.path, asked.headers["authorization"], asked.raw) == ("/v1/models", "Bearer own", b"")


@pytest.mark.parametrize(
    ("body", "status", "why"),
    [
        ({"error": "no"}, 401, "the upstream answered 401"),
        ({"models": []}, 200, "the upstream listed no models"),
        ([], 200, "the upstream listed no models"),
        ("models", 200, "the upstream listed no models"),
    ],
)
async def test_without_upstream_models_only_the_embedder_is_listed(
    chat_proxy, upstream, signature, body, status, why
) -> None:
    """Issue 35 point 22: a caller that only embeds does not depend on the upstream."""
    upstream.answers = listing(body, status)

    async with chat_proxy.client() as client:
        answer = await client.models.with_raw_response.list()
        retrieved = await client.models.retrieve(signature)
        with pytest.raises(openai.InternalServerError) as unknown:
            await client.models.retrieve("gpt-5")

    assert [each.id for each in answer.parse().data] == [signature]
    assert answer.headers["x-recollect-notice"] == f"embedder only: {why}"
    assert retrieved.id == signature
    assert unknown.value.status_code == 503
