"""Changes of a workspace's settings that are made side by side."""

import asyncio

from tests.fixtures.locks import waits_for_a_lock
from tests.fixtures.waiting import until

_SET = "CYPHER 25 MATCH (workspace:Workspace {id: $ws}) SET workspace.settings = $settings"


async def test_of_two_changes_at_once_none_is_lost(services, graph_driver, workspace_id) -> None:
    """I1: the second read what there was before the first was done, and put its settings back."""
    workspaces = services.tenancy.workspaces
    await workspaces.update(workspace_id, settings={"strategy": "exact"})

    async with graph_driver.session() as session, await session.begin_transaction() as first:
        settings = '{"strategy": "exact", "pool": "KEY"}'
        await (await first.run(_SET, ws=workspace_id, settings=settings)).consume()
        second = asyncio.create_task(workspaces.update(workspace_id, settings={"maxTokens": 500}))
        await until(lambda: waits_for_a_lock(graph_driver))
        await first.commit()
        changed = await second

    assert changed.settings == {"strategy": "exact", "pool": "KEY", "maxTokens": 500}
    assert (await workspaces.settings_of(workspace_id)).has_pool_of_each_key
