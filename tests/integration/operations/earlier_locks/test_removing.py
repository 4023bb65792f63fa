"""What locks of an earlier release left on nodes."""

from datetime import UTC, datetime

from app.adapters.clock import SystemClock
from graph.operations.earlier_locks.service import remove_earlier_locks
from tests.fixtures.graphs import one_of_each, run

_LOCKED_AT = datetime(2026, 5, 1, tzinfo=UTC)
_AS_EARLIER = """CYPHER 25
MATCH (node {workspace_id: $ws})
WHERE node:Memory OR node:Conversation OR node:Entity OR node:AgentSequence OR node:AgentTally
SET node.locked_at = $at
WITH count(*) AS nodes
MATCH (thread:AgentCheckpointThread {workspace_id: $ws})
SET thread.locked_at = $at
REMOVE thread.updated_at
WITH count(*) AS threads
OPTIONAL MATCH (version:SchemaVersion {name: 'locks leave nothing'})
DELETE version
"""
_LEFT = """CYPHER 25
MATCH (node {workspace_id: $ws})
WHERE node['locked_at'] IS NOT NULL
RETURN count(*) AS nodes
"""
_THREADS = "CYPHER 25 MATCH (thread:AgentCheckpointThread {workspace_id: $ws}) RETURN thread.updated_at AS at"


async def test_it_is_removed_and_threads_keep_when_they_were_saved(services, graph_driver) -> None:
    """E16: the last use of a user's threads is known as before; what is noted once is not looked for again."""
    seeded = await one_of_each(graph_driver)
    await run(graph_driver, _AS_EARLIER, ws=seeded.workspace_id, at=_LOCKED_AT)

    await remove_earlier_locks(services.core.database, SystemClock())
    await remove_earlier_locks(services.core.database, SystemClock())

    assert (await run(graph_driver, _LEFT, ws=seeded.workspace_id)).records[0]["nodes"] == 0
    (thread,) = (await run(graph_driver, _THREADS, ws=seeded.workspace_id)).records
    assert thread["at"].to_native() == _LOCKED_AT
