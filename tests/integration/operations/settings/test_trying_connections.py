"""Tests of connections before their settings are stored."""

import pytest

from app.settings import RecallSettings
from graph.core.errors import InvalidInput
from graph.operations.models import SettingsChange
from graph.vectors.external.models import TierChange
from tests.fixtures.own_store import make_empty
from tests.integration.operations.settings.conftest import keeper_of_default, running, stored, uses


async def test_a_connection_can_be_tested_before_it_is_stored(
    own_services, own_driver, keeper, server, tier
) -> None:
    """Issue 35.25: the model and the store of the new settings answer, or the result says why not."""
    settings = own_services.operations.settings

    async def tried(**values):
        return await settings.test_embedder(keeper, keeper.workspace_id, SettingsChange.read(values))

    there = await tried(embeddingProviderModel="custom/new")
    server.faults = [(401, {}, b"")] * 3
    away = await tried(embeddingProviderModel="custom/other")
    server.faults = []
    with pytest.raises(InvalidInput, match="no key"):
        await tried(embeddingProviderModel="openai/text-embedding-3-small")
    with pytest.raises(InvalidInput, match="nothing to test"):
        await tried(embeddingSource="none")

    assert (there.signature, there.error) == ("remote:custom/new:32", None)
    assert away.signature is None
    assert "401" in (away.error or "")
    answered = await settings.test_tier(keeper, TierChange(host="qdrant.example"))
    tier.failure = "it is away"
    silent = await settings.test_tier(keeper, TierChange(host="qdrant.example"))
    assert (answered.error, silent.error) == (None, "it is away")
    assert await stored(own_driver) == {}
    active = own_services.vectors.embeddings.active
    assert active is not None
    assert active.signature == "remote:custom/old:32"


async def test_a_reranker_can_be_tested_before_it_is_stored(
    own_driver, remote_settings, server, tier
) -> None:
    """Issue 35.25: even while it is off; the result has the reason, and nothing changes."""
    await make_empty(own_driver)
    recall = RecallSettings(rerank_url=f"{server.url}/rerank")
    async with running(remote_settings.model_copy(update={"recall": recall}), tier) as services:
        await uses(services, "remote:custom/old:32")
        settings, keeper = services.operations.settings, await keeper_of_default(services)

        async def tried(**values):
            return await settings.test_reranker(keeper, keeper.workspace_id, SettingsChange.read(values))

        there = await tried(rerankProviderModel="cohere/rerank-v3")
        sent = [(path, body) for path, _, body in server.requests if path.endswith("/rerank")]
        server.faults = [(401, {}, b"")]
        away = await tried(rerankProviderModel="cohere/rerank-v3", rerankEnabled=True)
        unnamed = await tried()

    assert (there.signature, there.error) == ("cohere/rerank-v3", None)
    assert sent == [("/v1/rerank", {"model": "rerank-v3", "query": "a text", "documents": ["a text"]})]
    assert (away.signature, away.error) == (None, "cohere/rerank-v3 did not rerank: HTTP 401")
    assert unnamed.error == "rerankProviderModel must name a model"
    assert await stored(own_driver) == {}


async def test_a_stored_key_is_not_sent_to_another_address(own_services, keeper, tier, monkeypatch) -> None:
    """Issue 35.25: a test leaves no trace, so it must not disclose a secret."""
    settings, opened = own_services.operations.settings, []
    await settings.change_tier(keeper, TierChange(api_key="qk-secret"))
    connection = own_services.vectors.external._connection
    monkeypatch.setattr(connection, "_opener", lambda wanted, _: opened.append(wanted) or tier)

    await settings.test_tier(keeper, TierChange(collection="other"))
    await settings.test_tier(keeper, TierChange(host="qdrant.example"))
    await settings.test_tier(keeper, TierChange(port=6334, api_key="theirs"))

    assert [each.api_key and each.api_key.get_secret_value() for each in opened] == [
        "qk-secret",
        None,
        "theirs",
    ]
