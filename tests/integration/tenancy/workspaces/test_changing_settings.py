"""Changes of a workspace's settings: concurrent ones, and ones next to unreadable values."""

import json

import pytest
from structlog.testing import capture_logs

from graph.core.errors import Conflict, InvalidInput
from graph.memories.models import MemoryDraft
from graph.operations.archive.checking import check
from graph.tenancy.access import Access
from graph.tenancy.models import Scope
from graph.tenancy.workspaces import Workspaces
from tests.fixtures.graphs import run
from tests.fixtures.locks import overtaken_by

_SET = "CYPHER 25 MATCH (workspace:Workspace {id: $ws}) SET workspace.settings = $settings"


async def test_concurrent_changes_of_settings_are_both_kept(services, graph_driver, workspace_id) -> None:
    """I1: the second change must not restore the settings that it read before the first one."""
    workspaces = services.tenancy.workspaces
    await workspaces.update(workspace_id, settings={"strategy": "exact"})

    changed = await overtaken_by(
        graph_driver,
        _SET,
        workspaces.update(workspace_id, settings={"maxTokens": 500}),
        ws=workspace_id,
        settings='{"strategy": "exact", "pool": "KEY"}',
    )

    assert changed.settings == {"strategy": "exact", "pool": "KEY", "maxTokens": 500}
    assert (await workspaces.settings_of(workspace_id)).has_pool_of_each_key


async def test_an_unreadable_stored_value_counts_as_its_default(services, graph_driver, workspace_id) -> None:
    """A restored archive may contain one; it must not make the service refuse the workspace's keys."""
    database, clock = services.core.database, services.core.clock
    _, secret = await services.tenancy.keys.create(workspace_id, name="plain", scopes=[Scope.READ])
    stored = {"pool": "EACH", "maxTokens": -1, "strategy": "exact", "colour": "green"}
    await run(graph_driver, _SET, ws=workspace_id, settings=json.dumps(stored))

    with capture_logs() as logs:
        for workspaces in (Workspaces(database, clock), Workspaces(database, clock)):
            principal = await Access(database, workspaces, clock).authenticate(secret)
            settings = await workspaces.settings_of(workspace_id)

    assert not principal.has_own_pool
    assert (settings.pool, settings.max_tokens, settings.strategy) == (None, None, "exact")
    noted = [each["field"] for each in logs if each["event"] == "settings.not_read"]
    assert sorted(noted) == ["settings.maxTokens", "settings.pool"]


async def test_an_unreadable_setting_blocks_no_other_change_and_is_not_exported(
    services, graph_driver, workspace_id, tmp_path
) -> None:
    """The changed values are still validated, and the archive can be restored."""
    workspaces = services.tenancy.workspaces
    await run(graph_driver, _SET, ws=workspace_id, settings=json.dumps({"pool": "EACH", "maxTokens": -1}))

    changed = await workspaces.update(workspace_id, settings={"strategy": "exact", "maxTokens": 500})
    with pytest.raises(InvalidInput, match=r"settings\.pool: ") as refused:
        await workspaces.update(workspace_id, settings={"pool": "ALL"})
    file = tmp_path / "archive"
    stream = await services.operations.archives.export(workspace_id)
    file.write_bytes(b"".join([piece async for piece in stream.pieces]))
    with file.open("rb") as archive:
        exported = check(archive).workspace.settings

    assert changed.settings == {"pool": "EACH", "strategy": "exact", "maxTokens": 500}
    assert refused.value.field == "settings.pool"
    assert exported == {"strategy": "exact", "maxTokens": 500}


async def test_settings_are_found_under_any_form_of_their_name(services, workspace_id: str) -> None:
    """Issue 35.12: an accent may be a separate character."""
    apart, composed = f"Cafe\u0301 {workspace_id}", f"Caf\u00e9 {workspace_id}"
    workspaces = services.tenancy.workspaces
    made = await workspaces.create(apart, memory_enabled=False)
    await workspaces.update(workspace_id, settings={"lifetimeDays": {"Cafe\u0301": 2.0}})

    found = [[each.id for each in (await workspaces.page(called=name)).items] for name in (apart, composed)]
    with pytest.raises(Conflict):
        await workspaces.update(workspace_id, name=composed)

    assert (made.name, found) == (composed, [[made.id], [made.id]])
    draft = MemoryDraft(content="closes at six", category="Caf\u00e9")
    saved = await services.memories.store.save(workspace_id, draft)
    assert saved.memory.expires_at is not None
