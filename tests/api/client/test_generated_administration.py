"""The generated client against the running service: typed calls of administrators and operators."""

from collections.abc import AsyncIterator

import pytest

from app.client.generated import (
    AuditAction,
    ConnectionInput,
    CreateApiKeyInput,
    DistillInput,
    DistillSource,
    EntityInput,
    ImportOntologyInput,
    MetricAggregate,
    MetricInput,
    RecollectClient,
    Scope,
    UpdateSettingsInput,
)
from app.client.transport import ApiError
from tests.fixtures.app import ADMIN_KEY


@pytest.fixture
async def admin(api_url) -> AsyncIterator[RecollectClient]:
    """Yield the client of an administrator."""
    async with RecollectClient(api_url, ADMIN_KEY) as opened:
        yield opened


async def test_settings_are_read_changed_and_reset(admin, workspace_id) -> None:
    before = await admin.settings(workspace_id=workspace_id)
    changed = await admin.update_settings(UpdateSettingsInput(max_tokens=123), workspace_id=workspace_id)
    reset = await admin.update_settings(UpdateSettingsInput(), ["maxTokens"], workspace_id=workspace_id)

    assert (before.max_tokens, changed.max_tokens, reset.max_tokens) == (2000, 123, 2000)
    assert changed.strategy == before.strategy
    assert before.vector_tier.has_key is False
    with pytest.raises(ApiError) as refused:
        await admin.update_settings(UpdateSettingsInput(max_tokens=-1), workspace_id=workspace_id)
    assert (refused.value.code, refused.value.field) == ("INVALID_INPUT", "maxTokens")


async def test_a_key_is_rotated_limited_and_found_in_the_audit_log(admin, api_url, workspace_id) -> None:
    made = await admin.create_api_key(
        CreateApiKeyInput(name="rotated", scopes=[Scope.READ], workspace_id=workspace_id)
    )
    limited = await admin.limit_api_key(made.key.id, 100)
    rotated = await admin.rotate_api_key(made.key.id, 0)

    assert (limited.requests_per_minute, limited.rotated_at) == (100, None)
    assert rotated.key.rotated_at is not None
    async with RecollectClient(api_url, rotated.secret) as new, RecollectClient(api_url, made.secret) as old:
        assert (await new.me()).workspace_id == workspace_id
        with pytest.raises(ApiError):
            await old.me()
    entries = (await admin.audit_log([AuditAction.KEY_ROTATED], first=50)).edges
    assert rotated.key.id in {entry.node.subject_id for entry in entries}


async def test_a_tool_output_is_distilled_and_jobs_are_distinguished(admin, services, workspace_id) -> None:
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)
    text = "The deployment needs the migration to be run first, since the table is read at start. " * 5

    assert await admin.distill(
        DistillInput(source=DistillSource.DEEP_THINK, text=text), workspace_id=workspace_id
    )
    with pytest.raises(ApiError) as refused:
        await admin.retry_job("none", workspace_id=workspace_id)
    assert refused.value.code == "NOT_FOUND"


async def test_types_are_imported_and_exported_and_merges_undone(admin, workspace_id) -> None:
    types = '{"entityTypes": [{"name": "Sensor"}], "relationTypes": []}'
    made = await admin.import_ontology(ImportOntologyInput(content=types), workspace_id=workspace_id)
    told = await admin.export_ontology(workspace_id=workspace_id)
    assert (made.entity_types.created, '"Sensor"' in told.content) == (["Sensor"], True)
    assert await admin.delete_entity_type("Sensor", workspace_id=workspace_id) is True

    one, other = await admin.upsert_entities(
        [EntityInput(type="Service", name="checkout"), EntityInput(type="Service", name="check-out")],
        workspace_id=workspace_id,
    )
    merge = await admin.merge_entities(other.id, one.id, workspace_id=workspace_id)
    (listed,) = (await admin.entity_merges(workspace_id=workspace_id)).edges
    back = await admin.unmerge_entities(merge.id, workspace_id=workspace_id)
    assert (listed.node.id, back.id) == (merge.id, other.id)

    connection = await admin.upsert_connection(
        ConnectionInput(id="crm", kind="database"), workspace_id=workspace_id
    )
    (read,) = (await admin.connections(workspace_id=workspace_id)).edges
    assert (read.node.id, connection.entity_count) == ("crm", 0)


async def test_metrics_patterns_and_runs_are_listed(admin, workspace_id) -> None:
    metric = await admin.create_metric(
        MetricInput(name="deploys", aggregate=MetricAggregate.COUNT), workspace_id=workspace_id
    )

    assert [each.id for each in await admin.metrics(workspace_id=workspace_id)] == [metric.id]
    assert await admin.delete_metric(metric.id, workspace_id=workspace_id) is True
    assert await admin.search_patterns("deploying", workspace_id=workspace_id) == []
    assert (await admin.memory_outcomes(workspace_id=workspace_id)).edges == []
    asked = await admin.ask("Where does it run?", workspace_id=workspace_id)
    (run,) = (await admin.prompt_runs(workspace_id=workspace_id)).edges
    assert run.node.id == asked.run_id


async def test_the_deployment_is_verified(admin) -> None:
    verified = await admin.verify_memory()

    assert (verified.working, verified.error) == (True, None)
    engine = await admin.engine()
    assert engine.vector_tier.enabled is False
    assert engine.index is not None
    assert (engine.vectors.vec_loaded, engine.vectors.active_dim) == (True, engine.index.dimension)
