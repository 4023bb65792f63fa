"""Restored runs, counted together with existing ones (issue 15, point 6)."""

import pytest

from graph.core.ids import new_workspace_id
from graph.knowledge.ontology.models import EntityTypeDraft
from graph.memories.models import MemoryDraft
from graph.operations.archive.restoring import KnownNodes
from graph.telemetry.models import MemoryUse, PatternState
from graph.telemetry.outcomes import Outcomes
from tests.fixtures.archives import JOBS, exported, restored
from tests.fixtures.graphs import run
from tests.fixtures.telemetry import failing

_COUNTED = """CYPHER 25
MATCH (tally:AgentTally {workspace_id: $ws})
MATCH (failure:AgentFailure {workspace_id: $ws})
MATCH (memory:Memory {workspace_id: $ws})
RETURN tally.sequences AS attempts, COUNT { (tally)<-[:TRIED]-() } AS tried, failure.sequences AS failures,
       failure.attempts AS settled, failure.state AS state, memory.runs AS runs
"""
_WITHOUT_RUN = """CYPHER 25
MATCH (action:AgentAction {workspace_id: $ws})
WHERE NOT EXISTS { (:AgentSequence {id: action.sequence_id})-[:DID]->(action) }
RETURN count(action) AS actions
"""


async def test_restored_runs_are_counted_with_existing_ones(
    archives,
    services,
    telemetry,
    telemetry_clock,
    graph_driver,
    agents_workspace_id,
    other_agents_workspace_id,
) -> None:
    """A session that already exists is not restored, and a deleted run is uncounted once."""
    ours, theirs = agents_workspace_id, other_agents_workspace_id
    outcomes = Outcomes(services.core.database, services.memories.store, telemetry_clock)
    for place, sessions in ((ours, ("both", "a", "b", "c", "d")), (theirs, ("both", "e", "f"))):
        draft = MemoryDraft(content=f"Tea as in {place}", key="tea")
        memory = (await services.memories.store.save(place, draft)).memory
        await telemetry.recorder.record(place, [failing(session) for session in sessions])
        uses = [
            MemoryUse(session_id=session, memory_id=memory.id, rank=1, at=telemetry_clock.now())
            for session in sessions
        ]
        await outcomes.link(place, uses)
        await telemetry.promoter.promote(place)

    await restored(archives, theirs, await exported(archives, ours))

    counted = [tuple(record.values()) for record in (await run(graph_driver, _COUNTED, ws=theirs)).records]
    assert counted == [(7, 7, 7, 7, "PROMOTED", 7)]
    (left_over,) = (await run(graph_driver, _WITHOUT_RUN, ws=theirs)).records
    assert left_over["actions"] == 0
    runs = (await telemetry.reader.sequences(theirs, first=50)).page.items
    assert len(runs) == 7
    await telemetry.promoter.forget(theirs, [found.sequence.id for found in runs])
    counted = [tuple(record.values()) for record in (await run(graph_driver, _COUNTED, ws=theirs)).records]
    assert counted == [(0, 0, 0, 0, "DEMOTED", 0)]


async def test_a_restore_uses_nodes_that_others_created_meanwhile_under_that_name(
    archives, services, workspace_id, other_workspace_id, monkeypatch
) -> None:
    """For example, a worker that links a memory at the same time (issue 15, point 6)."""
    types = services.knowledge.ontology.types
    await types.upsert_entity_types(
        workspace_id, [EntityTypeDraft(name="Vessel"), EntityTypeDraft(name="Port")]
    )
    file = await exported(archives, workspace_id)
    known = archives._known

    async def known_before_another_writes(target: str) -> KnownNodes:
        found = await known(target)
        await types.upsert_entity_types(target, [EntityTypeDraft(name="Vessel", description="theirs")])
        return found

    monkeypatch.setattr(archives, "_known", known_before_another_writes)

    report = await restored(archives, other_workspace_id, file)

    registry = await types.read(other_workspace_id)
    described = {name: registry.entity_types[name].description for name in ("Vessel", "Port")}
    assert described == {"Vessel": "theirs", "Port": None}
    assert (report.total_nodes, report.created_nodes, report.is_done) == (2, 1, True)


@pytest.mark.usefixtures("nothing_due")
async def test_a_users_restored_runs_are_counted(
    archives, telemetry, graph_driver, agents_workspace_id
) -> None:
    """The archive lacks their counts, because these belong to no user."""
    await telemetry.recorder.record(
        agents_workspace_id, [failing(f"run-{number}", user_id="alice") for number in range(5)]
    )
    await telemetry.promoter.promote(agents_workspace_id)
    target = new_workspace_id()

    await restored(archives, target, await exported(archives, agents_workspace_id, user_id="alice"))

    jobs = [record["kind"] for record in (await run(graph_driver, JOBS, ws=target)).records]
    assert jobs.count("PROMOTE") == 5
    (pattern,) = await telemetry.promoter.promote(target)
    assert (pattern.state, pattern.sequences) == (PatternState.PROMOTED, 5)
