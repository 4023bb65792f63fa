"""``/api/settings/…``: a workspace's own settings apply at once; settings of the deployment are refused."""

import pytest

from app.bootstrap.runtime import open_runtime
from graph.memories.models import MemoryDraft
from graph.retrieval.context.models import ContextQuery, WhyOff
from graph.retrieval.recall.models import RecallQuery, RecallStrategy
from graph.tenancy.models import Scope
from tests.fixtures.app import GraphQLClient
from tests.fixtures.embedders import HashingEmbedder
from tests.fixtures.graphs import run
from tests.fixtures.waiting import until

PATH = "/api/settings/memory"


async def test_enabled_switches_injection(manager, services, workspace_id) -> None:
    """M4, I4, I5: off in a new workspace; it is the workspace's only switch."""
    asked = ContextQuery(query="likes green tea")

    assert (await manager.get(PATH))["enabled"] is False
    assert (await services.retrieval.context.compose(workspace_id, asked)).off is WhyOff.MEMORY
    assert (await manager.put(PATH, {"enabled": True}))["enabled"] is True
    assert (await services.retrieval.context.compose(workspace_id, asked)).off is None
    assert (await manager.put(PATH, {"enabled": False}))["enabled"] is False
    assert (await services.retrieval.context.compose(workspace_id, asked)).off is WhyOff.MEMORY
    workspace = await services.tenancy.workspaces.get(workspace_id)
    assert (workspace.memory_enabled, dict(workspace.settings)) == (False, {})
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)
    assert (await manager.get(PATH))["enabled"] is True


async def test_max_tokens_limits_the_injected_context(manager, services, workspace_id) -> None:
    """M4, C9: 0 injects nothing."""
    await manager.put(PATH, {"enabled": True, "maxTokens": 0})
    asked = ContextQuery(query="likes green tea")
    for tokens in (None, 100):
        own = asked.model_copy(update={"max_tokens": tokens})
        assert (await services.retrieval.context.compose(workspace_id, own)).off is WhyOff.BUDGET

    await manager.put(PATH, {"enabled": True, "maxTokens": 100})
    assert (await services.retrieval.context.compose(workspace_id, asked)).off is None


async def test_the_strategy_setting_applies_to_every_recall(manager, services, workspace_id) -> None:
    """M4, C3, C24."""
    await services.memories.store.save(workspace_id, MemoryDraft(content="likes green tea"))
    query = RecallQuery(query="tea")

    for chosen, expected in (
        ("recent", RecallStrategy.EXACT),
        ("semantic", RecallStrategy.SEMANTIC),
        ("hybrid", RecallStrategy.HYBRID),
    ):
        assert (await manager.put(PATH, {"strategy": chosen}))["strategy"] == chosen
        assert (await services.retrieval.recall.recall(workspace_id, query)).resolution.strategy is expected


async def test_skills_are_offered_only_where_they_are_enabled(manager, services, workspace_id) -> None:
    """J9, M4."""
    skill = {"name": "lookup", "description": "Looks something up."}
    await services.tenancy.workspaces.update(workspace_id, settings={"skills": {"*": [skill]}})

    assert (await services.tenancy.workspaces.settings_of(workspace_id)).skills_of("key_any") == []
    await manager.put(PATH, {"skillsEnabled": True})
    offered = (await services.tenancy.workspaces.settings_of(workspace_id)).skills_of("key_any")

    assert [each.name for each in offered] == ["lookup"]


async def test_settings_are_stored_under_the_keys_of_the_dialect(manager, services, workspace_id) -> None:
    """M5: the last of two names that was written applies, and the other is removed."""
    await manager.put(
        PATH,
        {
            "enabled": True,
            "maxTokens": 500,
            "retentionDays": 7,
            "strategy": "semantic",
            "skillsEnabled": True,
        },
    )

    assert (await services.tenancy.workspaces.get(workspace_id)).settings == {
        "memoryMaxTokens": 500, "memoryRetentionDays": 7, "memoryStrategy": "semantic",
        "skillsEnabled": True,
    }  # fmt: skip
    await services.tenancy.workspaces.update(
        workspace_id, settings={"strategy": "exact", "memoryEnabled": False}
    )
    found = await manager.get(PATH)
    assert (found["strategy"], found["enabled"]) == ("recent", False)
    settings = (await services.tenancy.workspaces.get(workspace_id)).settings
    assert settings.keys() & {"memoryStrategy", "memoryEnabled"} == set()


async def test_another_process_sees_a_change_within_seconds(manager, workspace_id, settings) -> None:
    """M4, M8: a process caches a workspace's settings for two seconds at most."""
    async with open_runtime(settings, embedder=HashingEmbedder()) as other:
        before = await other.services.tenancy.workspaces.settings_of(workspace_id)
        await manager.put(PATH, {"strategy": "semantic"})

        async def has_heard() -> bool:
            return (await other.services.tenancy.workspaces.settings_of(workspace_id)).strategy == "semantic"

        assert before.strategy is None
        await until(has_heard)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"maxTokens": -1}, "maxTokens"),
        ({"maxTokens": 16_001}, "maxTokens"),
        ({"maxTokens": "2000"}, "maxTokens"),
        ({"maxTokens": 10**30}, "maxTokens"),
        ({"retentionDays": 0}, "retentionDays"),
        ({"retentionDays": 366}, "retentionDays"),
        ({"strategy": "exact"}, "strategy"),
        ({"enabled": "yes"}, "enabled"),
        ({"enabled": None}, "enabled"),
        ({"skillsEnabled": 1}, "skillsEnabled"),
        ({"embeddingSource": "magic"}, "embeddingSource"),
        ({"embeddingProviderModel": "no provider"}, "embeddingProviderModel"),
        ({"vectorStore": "pinecone"}, "vectorStore"),
        ({"memoryStrategy": "hybrid"}, "memoryStrategy"),
    ],
)
async def test_a_value_outside_its_range_is_refused_and_nothing_is_written(manager, body, field) -> None:
    """M4, K20: the valid settings of the request are not written either."""
    before = await manager.get(PATH)

    assert await manager.refused("PUT", PATH, json={"maxTokens": 7, **body}) == (400, field)
    assert await manager.get(PATH) == before


@pytest.mark.parametrize(
    "change",
    [
        {"embeddingSource": "static"},
        {"embeddingProviderModel": "openai/text-embedding-3-small"},
        {"transformersEnabled": False},
        {"staticEnabled": True},
        {"rerankEnabled": True},
        {"rerankProviderModel": "transformers/x"},
        {"vectorStore": "neo4j"},
    ],
)
async def test_only_the_default_workspace_changes_settings_of_the_deployment(manager, change) -> None:
    """N12: no tenant's administrator changes settings of other tenants; nothing is written."""
    before = await manager.get(PATH)

    answer = await manager.send("PUT", PATH, json={"strategy": "semantic", **change})

    assert answer.status_code == 403
    assert "only an administrator's key of the default workspace may change it" in answer.json()["error"]
    assert await manager.get(PATH) == before
    assert await manager.refused("PUT", "/api/settings/qdrant", json={"enabled": True}) == (403, None)


async def test_returned_settings_can_be_put_unchanged(manager) -> None:
    """M4, B23: by any administrator, with shared settings, nulls and ``hasApiKey``."""
    for path in (PATH, "/api/settings/qdrant"):
        shown = await manager.get(path)
        assert await manager.put(path, shown) == shown
    mine = {**await manager.get(PATH), "maxTokens": 7}
    assert (await manager.put(PATH, mine))["maxTokens"] == 7


async def test_qdrant_reports_that_it_is_off(manager) -> None:
    """B22, C2."""
    health = await manager.get("/api/settings/qdrant/health")

    assert health == {"ok": False, "latencyMs": 0.0, "error": "Qdrant is not enabled"}
    assert await manager.refused("POST", "/api/settings/qdrant/search", json={"query": "x"}) == (409, None)
    assert await manager.refused("POST", "/api/settings/qdrant/cleanup") == (409, None)


async def test_settings_need_an_administrators_key(services, http, workspace_id, admin) -> None:
    """GraphQL reads, writes and resets the same settings."""
    _, secret = await services.tenancy.keys.create(workspace_id, name="w", scopes=[Scope.READ, Scope.WRITE])
    agent = GraphQLClient(http, secret)
    show = (
        "query($ws: ID) { settings(workspaceId: $ws) { strategy maxTokens vectorTier { enabled hasKey } } }"
    )
    update = """mutation($input: UpdateSettingsInput!, $reset: [String!], $ws: ID) {
      updateSettings(input: $input, reset: $reset, workspaceId: $ws) { strategy maxTokens } }"""

    assert (await agent.error(show))["code"] == "FORBIDDEN"
    assert (await admin.ok(show, ws=workspace_id))["settings"] == {
        "strategy": "hybrid", "maxTokens": 2000, "vectorTier": {"enabled": False, "hasKey": False},
    }  # fmt: skip
    changed = await admin.ok(update, input={"strategy": "recent", "maxTokens": 9}, ws=workspace_id)
    assert changed["updateSettings"] == {"strategy": "recent", "maxTokens": 9}
    back = await admin.ok(update, input={"maxTokens": 8}, reset=["strategy"], ws=workspace_id)
    assert back["updateSettings"] == {"strategy": "hybrid", "maxTokens": 8}
    for variables, field in (
        ({"input": {"maxTokens": 16_001}}, "maxTokens"),
        ({"input": {"strategy": None}}, "strategy"),
        ({"input": {}, "reset": ["colour"]}, "reset"),
        ({"input": {"strategy": "recent"}, "reset": ["strategy"]}, "reset"),
    ):
        assert (await admin.error(update, ws=workspace_id, **variables))["field"] == field


async def test_settings_are_separate_for_each_workspace(
    manager, other_manager, graph_driver, workspace_id
) -> None:
    """N12."""
    before = await other_manager.get(PATH)
    await manager.put(PATH, {"strategy": "semantic", "maxTokens": 5, "enabled": True})

    assert await other_manager.get(PATH) == before
    stored = await run(graph_driver, "MATCH (s:Setting {workspace_id: 'deployment'}) RETURN s.key AS key")
    assert stored.records == []
