"""Deployment-wide settings, which apply while the service runs (M4, M5, B10), on a separate store."""

from contextlib import AsyncExitStack

import httpx
import pytest

from app.main import create_app
from app.settings import EmbeddingSettings
from graph.core.errors import Forbidden, InvalidInput
from graph.core.models import AuditAction, RecallTier
from graph.core.ports import TierFailed
from graph.memories.models import MemoryDraft
from graph.operations.models import SettingsChange
from graph.retrieval.recall.models import RecallQuery
from graph.tenancy.models import Scope
from graph.vectors.external.models import TierChange, VectorStore
from tests.fixtures.graphs import run
from tests.fixtures.own_store import make_empty
from tests.fixtures.quick_runtime import open_quick_runtime
from tests.fixtures.tiers import SwitchableTier
from tests.fixtures.waiting import until
from tests.integration.operations.settings.conftest import (
    PATIENCE,
    change,
    keeper_of_default,
    running,
    stored,
    uses,
)


async def test_the_embedding_model_changes_without_a_pause(own_services, own_driver, keeper) -> None:
    """B10, M4, M5: recall uses the old vectors until the new ones exist."""
    saved = await own_services.memories.store.save(keeper.workspace_id, MemoryDraft(content="a red bicycle"))

    changed = await change(own_services, keeper, embeddingProviderModel="custom/new")
    found = await own_services.retrieval.recall.recall(keeper.workspace_id, RecallQuery(query="bicycle"))
    await uses(own_services, "remote:custom/new:32")

    assert changed.embedding_provider_model == "custom/new"
    assert [hit.memory.id for hit in found.hits] == [saved.memory.id]
    assert await stored(own_driver) == {"memoryEmbeddingModel": '"custom/new"'}


async def test_running_and_new_processes_apply_a_changed_model(own_services, keeper, remote_settings) -> None:
    """M4."""
    async with open_quick_runtime(remote_settings) as other:
        changed = await change(own_services, keeper, staticEnabled=True, rerankProviderModel="acme/ranker")

        async def has_followed() -> bool:
            return await other.services.operations.settings.of(keeper.workspace_id) == changed

        await until(has_followed)
    async with open_quick_runtime(remote_settings) as later:
        assert await later.services.operations.settings.of(keeper.workspace_id) == changed


async def test_a_local_model_is_selected_by_name(own_services, own_driver, keeper) -> None:
    """Issue 39: one setting changes a store to the multilingual model, and another changes it back."""
    model = "transformers/multilingual-e5-small-q4"
    german = await own_services.memories.store.save(
        keeper.workspace_id,
        MemoryDraft(content="Meine Schwester ist letzten Frühling nach Lissabon gezogen."),
    )
    await own_services.memories.store.save(
        keeper.workspace_id, MemoryDraft(content="我们不吃肉，但很喜欢奶酪。")
    )

    shown = await change(own_services, keeper, embeddingSource="auto", embeddingProviderModel=model)
    await uses(own_services, "local:multilingual-e5-small-q4:384")
    found = await own_services.retrieval.recall.recall(
        keeper.workspace_id, RecallQuery(query="Where does my sister live?", strategy="semantic")
    )
    await change(own_services, keeper, embeddingSource="remote", embeddingProviderModel="custom/old")
    await uses(own_services, "remote:custom/old:32")

    assert (shown.embedding_source, shown.embedding_provider_model) == ("auto", model)
    assert (found.resolution.tier, found.hits[0].memory.id) == (RecallTier.VECTOR, german.memory.id)


async def test_the_default_model_can_replace_a_kept_one_by_name(own_driver, own_settings, tier) -> None:
    """Issue 39: without a name the store keeps its model; a name changes it without a restart."""
    await make_empty(own_driver)
    quantized = own_settings.model_copy(update={"embedding": EmbeddingSettings(local_model="e5-small-v2-q")})
    unnamed = own_settings.model_copy(update={"embedding": EmbeddingSettings()})
    async with running(quantized, tier) as services:
        await uses(services, "local:e5-small-v2-q:384")
    async with running(unnamed, tier) as services:
        keeper = await keeper_of_default(services)
        await uses(services, "local:e5-small-v2-q:384")
        await change(services, keeper, embeddingProviderModel="transformers/all-MiniLM-L6-v2")
        await uses(services, "transformers:all-MiniLM-L6-v2:384")

    assert await stored(own_driver) == {"memoryEmbeddingModel": '"transformers/all-MiniLM-L6-v2"'}


async def test_a_source_can_be_removed_and_restored(own_services, own_driver, keeper) -> None:
    """B1, B2, B15: ``auto`` without a usable model leaves word search; a reset restores the environment."""
    await change(own_services, keeper, embeddingSource="auto", transformersEnabled=False)
    assert (await own_services.operations.settings.of(keeper.workspace_id)).embedding_source == "auto"
    await change(own_services, keeper, embeddingProviderModel="custom/new")
    await uses(own_services, "remote:custom/new:32")

    back = await own_services.operations.settings.change(
        keeper,
        keeper.workspace_id,
        SettingsChange(),
        reset=["embeddingSource", "transformersEnabled", "embeddingProviderModel"],
    )
    await uses(own_services, "remote:custom/old:32")

    assert (back.embedding_source, back.transformers_enabled) == ("remote", True)
    assert await stored(own_driver) == {}


async def test_both_names_of_the_model_are_read_and_one_is_written(own_services, own_driver, keeper) -> None:
    """M5."""
    await run(
        own_driver,
        "CREATE (:Setting {workspace_id: 'deployment', key: 'memoryEmbeddingProviderModel', value: '\"custom/seen\"'})",
    )
    await own_services.operations.settings.refresh()
    seen = await own_services.operations.settings.of(keeper.workspace_id)
    await change(own_services, keeper, embeddingProviderModel="custom/new")

    assert seen.embedding_provider_model == "custom/seen"
    assert await stored(own_driver) == {"memoryEmbeddingModel": '"custom/new"'}


async def test_a_reranker_serves_from_the_next_recall_on(own_services, keeper) -> None:
    """C16, M4: this reranker does not answer, so the order stays and the response says so."""
    await own_services.memories.store.save(keeper.workspace_id, MemoryDraft(content="a red bicycle"))
    query = RecallQuery(query="bicycle")

    async def degraded() -> list[str]:
        found = await own_services.retrieval.recall.recall(keeper.workspace_id, query)
        return [each for each in found.resolution.degraded if "rerank" in each]

    assert await degraded() == []
    changed = await change(own_services, keeper, rerankEnabled=True, rerankProviderModel="acme/ranker")
    assert (changed.rerank_enabled, changed.rerank_provider_model) == (True, "acme/ranker")
    assert ["acme/ranker" in each for each in await degraded()] == [True]
    await change(own_services, keeper, rerankEnabled=False)
    assert await degraded() == []


@pytest.mark.parametrize(
    ("values", "field", "advice"),
    [
        ({"rerankEnabled": True}, "rerankProviderModel", "must name a model"),
        (
            {"embeddingProviderModel": "openai/text-embedding-3-small"},
            "embeddingProviderModel",
            "OPENAI_API_KEY",
        ),
        ({"embeddingProviderModel": "acme/x"}, "embeddingProviderModel", "openai, cohere, voyage, custom"),
        ({"embeddingProviderModel": None}, "embeddingSource", "custom_url"),
        (
            {
                "embeddingSource": "auto",
                "transformersEnabled": False,
                "embeddingProviderModel": "transformers/e5-small-v2-q",
            },
            "embeddingProviderModel",
            "local models are disabled",
        ),
    ],
)
async def test_a_setting_that_this_process_cannot_apply_is_refused(
    own_services, own_driver, keeper, values, field, advice
) -> None:
    """M4: it would have no effect; the other settings of the request are not stored either."""
    before = await own_services.operations.settings.of(keeper.workspace_id)

    with pytest.raises(InvalidInput, match=advice) as refusal:
        await change(own_services, keeper, strategy="recent", **values)

    assert refusal.value.field == field
    assert await stored(own_driver) == {}
    assert await own_services.operations.settings.of(keeper.workspace_id) == before


async def test_a_process_that_cannot_apply_a_setting_continues_unchanged(
    own_services, own_driver, keeper
) -> None:
    """M15: another process may have a key that this one lacks."""
    await run(
        own_driver,
        "CREATE (:Setting {workspace_id: 'deployment', key: 'memoryEmbeddingModel', value: '\"openai/x\"'})",
    )
    await own_services.operations.settings.refresh()

    shown = await own_services.operations.settings.of(keeper.workspace_id)
    assert shown.embedding_provider_model == "custom/old"
    assert own_services.vectors.embeddings.state.signature == "remote:custom/old:32"


async def test_a_reranker_over_http_needs_an_address(own_driver, own_settings) -> None:
    await make_empty(own_driver)
    async with AsyncExitStack() as stack:
        settings = own_settings.model_copy(update={"embedding": EmbeddingSettings(source="none")})
        services = await stack.enter_async_context(running(settings, SwitchableTier()))
        default = await services.tenancy.workspaces.ensure_default()
        _, secret = await services.tenancy.keys.create(default.id, name="keeper", scopes=[Scope.ADMIN])
        keeper = await services.tenancy.access.authenticate(secret)

        with pytest.raises(InvalidInput, match="RECOLLECT_RECALL_RERANK_URL"):
            await change(services, keeper, rerankEnabled=True, rerankProviderModel="acme/ranker")
        assert (await services.operations.settings.of(default.id)).embedding_source == "none"


async def test_a_model_that_does_not_load_is_refused_with_the_reason(
    own_driver, own_settings, keeper_of, tmp_path
) -> None:
    """C21: otherwise every process would try to load it in vain."""
    await make_empty(own_driver)
    (tmp_path / "config.json").write_text("{}")
    settings = own_settings.model_copy(
        update={"embedding": EmbeddingSettings(source="none", static_model=str(tmp_path))}
    )
    async with running(settings, SwitchableTier()) as services:
        keeper = await keeper_of(services)

        with pytest.raises(InvalidInput, match=r"cannot be loaded: .+") as refusal:
            await change(services, keeper, embeddingSource="static")

        assert refusal.value.field == "embeddingSource"
        assert await stored(own_driver) == {}


async def test_qdrant_that_cannot_serve_is_refused_with_the_reason(
    own_services, own_driver, keeper, tier, monkeypatch
) -> None:
    """C21: it is off or its package is missing; for each of the two settings."""
    for asked in (
        change(own_services, keeper, vectorStore="qdrant"),
        own_services.operations.settings.change_tier(keeper, TierChange(vector_store=VectorStore.QDRANT)),
    ):
        with pytest.raises(InvalidInput, match="Qdrant is off") as refusal:
            await asked
        assert refusal.value.field == "vectorStore"

    def not_installed(*_: object) -> None:
        raise TierFailed("the extra qdrant is not installed")

    monkeypatch.setattr(own_services.vectors.external._connection, "_opener", not_installed)
    with pytest.raises(InvalidInput, match="the extra qdrant is not installed") as refusal:
        await own_services.operations.settings.change_tier(keeper, TierChange(enabled=True))
    assert refusal.value.field == "enabled"
    assert await stored(own_driver) == {}


async def test_only_the_default_workspace_changes_deployment_settings(
    own_services, own_driver, keeper
) -> None:
    """N12."""
    tenant = await own_services.tenancy.workspaces.create("a tenant")
    _, secret = await own_services.tenancy.keys.create(tenant.id, name="admin", scopes=[Scope.ADMIN])
    theirs = await own_services.tenancy.access.authenticate(secret)

    reader = keeper.model_copy(update={"scopes": frozenset({Scope.READ, Scope.WRITE})})
    with pytest.raises(Forbidden, match="default workspace"):
        await change(own_services, reader, staticEnabled=True)
    with pytest.raises(Forbidden, match="default workspace"):
        await own_services.operations.settings.change_tier(theirs, TierChange(enabled=True))
    with pytest.raises(Forbidden, match="default workspace"):
        await own_services.operations.settings.change(
            theirs, tenant.id, SettingsChange.read({"staticEnabled": True})
        )
    with pytest.raises(Forbidden, match="default workspace"):
        await own_services.operations.settings.test_embedder(theirs, tenant.id, SettingsChange())
    with pytest.raises(Forbidden, match="default workspace"):
        await own_services.operations.settings.test_tier(theirs, TierChange())
    assert await stored(own_driver) == {}


async def test_changes_of_deployment_settings_are_audited(own_services, keeper) -> None:
    """The entry has the actor and, if it is only one, the setting's name, never its value."""
    await change(own_services, keeper, rerankProviderModel="acme/ranker", staticEnabled=True)
    await own_services.operations.settings.change(
        keeper, keeper.workspace_id, SettingsChange(), reset=["staticEnabled"]
    )
    await own_services.operations.settings.change_tier(
        keeper, TierChange(host="qdrant.example", api_key="qk-secret")
    )
    await own_services.operations.settings.change_tier(keeper, TierChange())
    with pytest.raises(InvalidInput):
        await change(own_services, keeper, embeddingProviderModel="acme/x")

    of_the_deployment = [
        entry
        for entry in (await own_services.core.audit.page(first=200)).items
        if entry.workspace_id == "deployment"
    ]
    assert [(entry.action, entry.subject_id, entry.count) for entry in of_the_deployment] == [
        (AuditAction.VECTOR_TIER_CHANGED, None, 2),
        (AuditAction.SETTINGS_CHANGED, "staticEnabled", 1),
        (AuditAction.SETTINGS_CHANGED, None, 2),
    ]
    written = repr(of_the_deployment)
    assert not [value for value in ("acme", "qdrant.example", "qk-secret") if value in written]
    of_workspaces = await own_services.core.audit.page(actions=[AuditAction.WORKSPACE_UPDATED], first=200)
    assert of_workspaces.items == []


async def test_qdrant_is_switched_on_searched_and_cleaned_up_while_running(
    own_services, own_driver, keeper, tier
) -> None:
    """K9, B20-B24, M12: over REST; with a hidden key, real counts and the chosen vector store."""
    _, secret = await own_services.tenancy.keys.create(
        keeper.workspace_id, name="manager", scopes=[Scope.ADMIN]
    )
    transport = httpx.ASGITransport(create_app(own_services), raise_app_exceptions=False)
    headers = {"Authorization": f"Bearer {secret}"}
    async with httpx.AsyncClient(
        transport=transport, base_url="http://recollect.test", headers=headers
    ) as http:
        path = "/api/settings/qdrant"
        await own_services.memories.store.save(keeper.workspace_id, MemoryDraft(content="a red bicycle"))
        changed = (await http.put(path, json={"enabled": True, "apiKey": "qk-secret"})).json()
        assert (changed["enabled"], changed["hasApiKey"]) == (True, True)
        assert "qk-secret" not in (await http.get(path)).text
        assert (await http.put(path, json={"apiKey": ""})).json()["hasApiKey"] is False

        async def serves() -> bool:
            status = await own_services.operations.status.engine([keeper.workspace_id])
            counts = status.workspaces[0]
            return status.vector_tier.serves and not (counts.pending_jobs or status.vector_tier.pending)

        await until(serves, seconds=PATIENCE)
        assert (await http.get(f"{path}/health")).json() == {"ok": True, "latencyMs": 1.5, "error": None}
        for top_k in (-5, 0, 1, 20, 1000):
            tier.searches.clear()
            found = (await http.post(f"{path}/search", json={"query": "bicycle", "topK": top_k})).json()
            assert [hit["content"] for hit in found["results"]] == ["a red bicycle"]
            assert tier.searches
        body = {"embeddingModel": "openai/text-embedding-3-small"}
        refused = await http.put(path, json=body)
        assert (refused.status_code, refused.json()["field"]) == (400, "embeddingModel")
        assert (await http.put(path, json={"embeddingModel": "custom/old"})).status_code == 200
        assert (await http.put(path, json={"host": "a b"})).json()["field"] == "host"

        await http.put("/api/settings/memory", json={"vectorStore": "sqlite-vec"})
        own = await own_services.retrieval.recall.recall(keeper.workspace_id, RecallQuery(query="bicycle"))
        assert (own.resolution.tier, own.resolution.fallback) == (RecallTier.VECTOR, None)
        await http.put("/api/settings/memory", json={"vectorStore": "auto"})
        again = await own_services.retrieval.recall.recall(keeper.workspace_id, RecallQuery(query="bicycle"))
        assert again.resolution.tier is RecallTier.EXTERNAL

        await run(own_driver, "MATCH (m:Memory) SET m.created_at = m.created_at - duration({days: 40})")
        await own_services.vectors.embeddings.reindex(keeper.workspace_id, force=True)
        assert (await http.post(f"{path}/cleanup")).json().keys() == {"expired", "old", "deleted"}
