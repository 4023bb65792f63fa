"""Patterns: promoted at exact thresholds, with their evidence, and demoted when the evidence is gone."""

import asyncio

import pytest

from graph.core.errors import InvalidInput, NotFound
from graph.telemetry.models import Outcome, PatternChange, PatternFilter, PatternState, SequenceFilter
from tests.fixtures.graphs import run
from tests.fixtures.telemetry import action, claimed, failing, history
from tests.fixtures.waiting import until

_EVIDENCE = """CYPHER 25
MATCH (pattern:AgentPattern {workspace_id: $ws})-[:EVIDENCED_BY]->(sequence)-[:DID]->(action)
RETURN COLLECT { UNWIND labels(pattern) AS label RETURN label ORDER BY label } AS labels,
       sequence.session_id AS session, action.error_code AS error_code
ORDER BY session
"""


async def seen(telemetry, workspace_id: str, **conditions) -> list[tuple]:
    page = await telemetry.reader.patterns(workspace_id, PatternFilter(**conditions))
    return [
        (pattern.action_type, pattern.node_type, pattern.error_code, pattern.sequences, pattern.attempts)
        for pattern in page.items
    ]


@pytest.mark.parametrize(
    ("failed", "succeeded", "promoted"),
    [(4, 0, False), (5, 0, True), (5, 3, True), (5, 4, False), (6, 4, True), (59, 41, False), (60, 40, True)],
)
async def test_the_thresholds_apply_in_the_store(
    telemetry, agents_workspace_id, stored_telemetry, failed, succeeded, promoted
) -> None:
    """G4: 4 sequences or 59 % promote nothing, 5 and 60 % do."""
    await telemetry.recorder.record(agents_workspace_id, history(failed=failed, succeeded=succeeded))

    returned = await telemetry.promoter.promote(agents_workspace_id)

    expected = [("deploy", "Service", "E_QUOTA", failed, failed + succeeded)] if promoted else []
    assert await seen(telemetry, agents_workspace_id) == expected
    assert [pattern.change for pattern in returned] == [PatternChange.PROMOTED] * promoted
    assert len(await stored_telemetry.labelled(agents_workspace_id, "AgentPattern")) == promoted


async def test_patterns_count_sequences_not_actions(telemetry, agents_workspace_id) -> None:
    """G4: a session with many failures is one sequence."""
    await telemetry.recorder.record(agents_workspace_id, [failing("s") for _ in range(20)])
    for number in range(3):
        await telemetry.recorder.record(agents_workspace_id, [failing(f"s{number}"), failing(f"s{number}")])

    assert await telemetry.promoter.promote(agents_workspace_id) == []
    await telemetry.recorder.record(agents_workspace_id, [failing("s3")])
    (pattern,) = await telemetry.promoter.promote(agents_workspace_id)
    assert (pattern.sequences, pattern.attempts, pattern.confidence) == (5, 5, 1.0)


async def test_failures_are_distinguished_by_action_target_type_and_code(
    telemetry, agents_workspace_id
) -> None:
    """G4: by action type, node type and error code; a success never counts, even with a code."""
    for number in range(5):
        await telemetry.recorder.record(
            agents_workspace_id,
            [
                failing(f"s{number}", action_type="restart"),
                failing(f"s{number}", node_type="Job"),
                failing(f"s{number}", None, action_type="search"),
                action(f"s{number}", Outcome.DEAD_END, action_type="search"),
                failing(f"s{number}", f"E_{number}", action_type="rare"),
                action(f"s{number}", action_type="fine", error_code="E_IGNORED"),
            ],
        )

    await telemetry.promoter.promote(agents_workspace_id)

    assert sorted(await seen(telemetry, agents_workspace_id), key=repr) == [
        ("deploy", "Job", "E_QUOTA", 5, 5),
        ("restart", "Service", "E_QUOTA", 5, 5),
        ("search", "Service", None, 5, 5),
    ]
    assert await seen(telemetry, agents_workspace_id, error_code="") == [("search", "Service", None, 5, 5)]


async def test_a_pattern_links_to_its_sequences_and_actions(
    telemetry, agents_workspace_id, stored_telemetry
) -> None:
    """G17."""
    await telemetry.recorder.record(agents_workspace_id, history(failed=5, succeeded=2))
    (pattern,) = await telemetry.promoter.promote(agents_workspace_id)

    result = await run(stored_telemetry.driver, _EVIDENCE, ws=agents_workspace_id)

    assert [record.data() for record in result.records] == [
        {
            "labels": ["AgentFailure", "AgentPattern", "_mem"],
            "session": f"failed-{number}",
            "error_code": "E_QUOTA",
        }
        for number in range(5)
    ]
    evidence = await telemetry.reader.evidence_of(agents_workspace_id, [pattern.id], first=3)
    assert [len(found) for found in evidence.values()] == [3]
    assert {sequence.outcome for sequence in evidence[pattern.id]} == {Outcome.ERROR}


async def test_promoting_again_changes_nothing(telemetry, agents_workspace_id, stored_telemetry) -> None:
    """G5, N6."""
    await telemetry.recorder.record(agents_workspace_id, history(failed=6, succeeded=3))
    await telemetry.promoter.promote(agents_workspace_id)
    before = await stored_telemetry.graph(agents_workspace_id)

    (again,) = await telemetry.promoter.promote(agents_workspace_id)

    assert again.change is None
    assert await stored_telemetry.graph(agents_workspace_id) == before


async def test_a_job_run_twice_and_by_many_workers_counts_once(telemetry, agents_workspace_id) -> None:
    """G5, N6, N10."""
    await telemetry.recorder.record(agents_workspace_id, history(failed=6, succeeded=3))
    found = (await telemetry.reader.sequences(agents_workspace_id)).page.items
    jobs = [claimed(agents_workspace_id, hit.sequence.id) for hit in found]

    await asyncio.gather(
        telemetry.promoter.run_jobs(jobs),
        telemetry.promoter.run_jobs(jobs[:4]),
        telemetry.promoter.run_jobs(jobs[::-1]),
        telemetry.promoter.promote(agents_workspace_id),
    )
    await telemetry.promoter.run_jobs(jobs)

    assert await seen(telemetry, agents_workspace_id) == [("deploy", "Service", "E_QUOTA", 6, 9)]


class _DyingRunner:
    """A runner that fails at one statement of a transaction."""

    def __init__(self, tx, at: str) -> None:
        self._tx = tx
        self._at = at

    async def run(self, statement, parameters):
        if statement.name == self._at:
            raise ConnectionResetError
        return await self._tx.run(statement, parameters)


@pytest.mark.parametrize(
    "statement", ["count_attempts", "count_failures", "close_tallies", "list_unsettled", "settle_patterns"]
)
async def test_a_dying_worker_leaves_no_partial_counts(
    telemetry, services, agents_workspace_id, stored_telemetry, monkeypatch, statement
) -> None:
    """G5, N6."""
    await telemetry.recorder.record(agents_workspace_id, history(failed=5, succeeded=2))
    before = await stored_telemetry.graph(agents_workspace_id)
    transaction = services.core.database.transaction

    async def dying(work):
        return await transaction(lambda tx: work(_DyingRunner(tx, statement)))

    with monkeypatch.context() as patched:
        patched.setattr(services.core.database, "transaction", dying)
        with pytest.raises(ConnectionResetError):
            await telemetry.promoter.promote(agents_workspace_id)

    assert await stored_telemetry.graph(agents_workspace_id) == before
    await telemetry.promoter.promote(agents_workspace_id)
    assert await seen(telemetry, agents_workspace_id) == [("deploy", "Service", "E_QUOTA", 5, 7)]


async def test_later_actions_of_a_known_sequence_count_too(telemetry, agents_workspace_id) -> None:
    """G5: a session that succeeds first and fails later becomes evidence."""
    await telemetry.recorder.record(agents_workspace_id, [action(f"s{number}") for number in range(6)])
    assert await telemetry.promoter.promote(agents_workspace_id) == []

    for number in range(5):
        await telemetry.recorder.record(agents_workspace_id, [failing(f"s{number}")])
        await telemetry.promoter.promote(agents_workspace_id)

    assert await seen(telemetry, agents_workspace_id) == [("deploy", "Service", "E_QUOTA", 5, 6)]


async def test_falling_confidence_demotes_and_rising_promotes_again(telemetry, agents_workspace_id) -> None:
    """G5, G10: its note and its suppression survive both."""
    await telemetry.recorder.record(agents_workspace_id, history(failed=6, succeeded=4))
    (pattern,) = await telemetry.promoter.promote(agents_workspace_id)
    await telemetry.promoter.annotate(
        agents_workspace_id, pattern.id, note=" raise the  quota ", suppressed=True
    )

    await telemetry.recorder.record(agents_workspace_id, [action("one-more")])
    (demoted,) = await telemetry.promoter.promote(agents_workspace_id)
    assert (demoted.id, demoted.change, demoted.state) == (
        pattern.id, PatternChange.DEMOTED, PatternState.DEMOTED,
    )  # fmt: skip
    assert demoted.demoted_at is not None
    assert await seen(telemetry, agents_workspace_id) == []
    assert await seen(telemetry, agents_workspace_id, states=[PatternState.DEMOTED]) == [
        ("deploy", "Service", "E_QUOTA", 6, 11)
    ]

    await telemetry.recorder.record(agents_workspace_id, [failing("again"), failing("and-again")])
    (promoted,) = await telemetry.promoter.promote(agents_workspace_id)
    assert (promoted.id, promoted.change, promoted.note, promoted.suppressed, promoted.demoted_at) == (
        pattern.id, PatternChange.PROMOTED, "raise the quota", True, None,
    )  # fmt: skip


async def test_deleted_sequences_are_no_longer_evidence(
    telemetry, agents_workspace_id, stored_telemetry
) -> None:
    """G5, I14."""
    await telemetry.recorder.record(agents_workspace_id, history(failed=6, succeeded=4))
    await telemetry.promoter.promote(agents_workspace_id)

    async def delete(session_id: str) -> bool:
        page = await telemetry.reader.sequences(agents_workspace_id, SequenceFilter(session_id=session_id))
        return await telemetry.promoter.delete_sequence(agents_workspace_id, page.page.items[0].sequence.id)

    assert await delete("failed-0") is True
    assert await seen(telemetry, agents_workspace_id) == []
    assert await delete("fine-0") is True
    assert await seen(telemetry, agents_workspace_id) == [("deploy", "Service", "E_QUOTA", 5, 8)]
    assert await delete("failed-1") is True
    assert await seen(telemetry, agents_workspace_id) == []
    assert await telemetry.promoter.delete_sequence(agents_workspace_id, "seq_nobodys") is False
    sessions = {
        node["properties"].get("session_id")
        for node in await stored_telemetry.graph(agents_workspace_id)
        if "session_id" in node["properties"]
    }
    assert not sessions & {"failed-0", "failed-1", "fine-0"}


async def test_deleting_a_successful_run_can_create_a_pattern(telemetry, agents_workspace_id) -> None:
    """G4, G5: 5 of 9 runs are too few, 5 of 8 are enough; a rare failure remains below the threshold."""
    drafts = [*history(failed=5, succeeded=3), *(failing("rare", "E_RARE") for _ in range(2))]
    await telemetry.recorder.record(agents_workspace_id, drafts)
    assert await telemetry.promoter.promote(agents_workspace_id) == []
    page = await telemetry.reader.sequences(agents_workspace_id, SequenceFilter(session_id="fine-0"))

    assert await telemetry.promoter.delete_sequence(agents_workspace_id, page.page.items[0].sequence.id)

    assert await seen(telemetry, agents_workspace_id) == [("deploy", "Service", "E_QUOTA", 5, 8)]


async def test_a_dry_run_shows_what_promotion_would_change_and_changes_nothing(
    telemetry, agents_workspace_id, stored_telemetry
) -> None:
    """G4, G5."""
    await telemetry.recorder.record(
        agents_workspace_id, [failing(f"s{number}", action_type="restart") for number in range(5)]
    )
    await telemetry.promoter.promote(agents_workspace_id)
    await telemetry.recorder.record(agents_workspace_id, history(failed=5, succeeded=0))
    restarts = [action(f"r{number}", action_type="restart") for number in range(4)]
    await telemetry.recorder.record(agents_workspace_id, restarts)
    before = await stored_telemetry.graph(agents_workspace_id)

    preview = await telemetry.promoter.promote(agents_workspace_id, dry_run=True)

    assert await stored_telemetry.graph(agents_workspace_id) == before
    assert [(p.action_type, p.change, p.sequences, p.attempts) for p in preview] == [
        ("deploy", PatternChange.PROMOTED, 5, 5),
        ("restart", PatternChange.DEMOTED, 5, 9),
    ]
    real = await telemetry.promoter.promote(agents_workspace_id)
    assert [(p.action_type, p.change) for p in real] == [(p.action_type, p.change) for p in preview]


async def test_another_workspace_never_sees_a_pattern(
    telemetry, agents_workspace_id, other_agents_workspace_id
) -> None:
    """G14, E15: and one workspace's failures do not count in another."""
    for workspace_id, failed in ((agents_workspace_id, 5), (other_agents_workspace_id, 4)):
        await telemetry.recorder.record(workspace_id, history(failed=failed, succeeded=0))
        await telemetry.promoter.promote(workspace_id)

    assert await seen(telemetry, other_agents_workspace_id) == []
    assert await telemetry.reader.patterns_for(other_agents_workspace_id, node_types=["Service"]) == []
    (pattern,) = (await telemetry.reader.patterns(agents_workspace_id)).items
    with pytest.raises(NotFound):
        await telemetry.promoter.annotate(other_agents_workspace_id, pattern.id, suppressed=True)
    assert await telemetry.reader.evidence_of(other_agents_workspace_id, [pattern.id], first=5) == {}


async def test_agents_see_patterns_that_fail_on_their_targets(
    services, telemetry, agents_workspace_id, stored_telemetry
) -> None:
    """G12, G10, G13: promoted, unsuppressed patterns of the targets' types, only while memory is on."""
    entity = f"ent_{agents_workspace_id}"
    await run(
        stored_telemetry.driver,
        "CYPHER 25 CREATE (:Entity:Searchable {workspace_id: $ws, id: $id, type: 'Database', active: true, "
        "search_kind: 'entity', search_text: 'a database', revision: 1, name: 'a database'})",
        ws=agents_workspace_id,
        id=entity,
    )
    for kind, node_type, succeeded in (
        ("deploy", "Service", 0),
        ("restart", "Service", 2),
        ("dump", "Database", 0),
    ):
        drafts = [failing(f"{kind}{n}", action_type=kind, node_type=node_type) for n in range(5)]
        drafts += [action(f"ok-{kind}{n}", action_type=kind, node_type=node_type) for n in range(succeeded)]
        await telemetry.recorder.record(agents_workspace_id, drafts)
    await telemetry.promoter.promote(agents_workspace_id)

    async def told(**targets) -> list[str]:
        return [p.action_type for p in await telemetry.reader.patterns_for(agents_workspace_id, **targets)]

    assert await told(node_types=["Service"]) == ["deploy", "restart"]
    assert await told(node_types=["Service"], action_type="restart") == ["restart", "deploy"]
    assert await told(target_ids=[entity]) == ["dump"]
    assert await told(target_ids=["ent_unknown"]) == []
    assert await told(node_types=["Unknown"]) == []
    assert await told() == []
    (first, _) = await telemetry.reader.patterns_for(agents_workspace_id, node_types=["Service"])
    await telemetry.promoter.annotate(agents_workspace_id, first.id, suppressed=True)
    assert await told(node_types=["Service"]) == ["restart"]
    assert first.id in [p.id for p in (await telemetry.reader.patterns(agents_workspace_id)).items]

    await services.tenancy.workspaces.update(agents_workspace_id, memory_enabled=False)
    assert await told(node_types=["Service"]) == []
    assert len((await telemetry.reader.patterns(agents_workspace_id)).items) == 3


async def test_an_annotation_keeps_omitted_fields(telemetry, agents_workspace_id) -> None:
    """G10."""
    await telemetry.recorder.record(agents_workspace_id, history(failed=5, succeeded=0))
    (pattern,) = await telemetry.promoter.promote(agents_workspace_id)

    async def annotate(**change) -> tuple:
        annotated = await telemetry.promoter.annotate(agents_workspace_id, pattern.id, **change)
        return annotated.note, annotated.suppressed

    assert await annotate(note="ask Ada") == ("ask Ada", False)
    assert await annotate(suppressed=True) == ("ask Ada", True)
    assert await annotate() == ("ask Ada", True)
    assert await annotate(note="", suppressed=False) == (None, False)
    with pytest.raises(InvalidInput) as refused:
        await annotate(note="x" * 501)
    assert refused.value.field == "note"
    with pytest.raises(NotFound):
        await telemetry.promoter.annotate(agents_workspace_id, "pat_nobodys", note="x")


async def test_workers_promote_patterns_automatically(services, agents_workspace_id) -> None:
    """G5, M9: the capture queues a job."""
    await services.telemetry.recorder.record(agents_workspace_id, history(failed=6, succeeded=3))

    async def promoted() -> list[tuple]:
        return await seen(services.telemetry, agents_workspace_id)

    async def is_counted() -> bool:
        return await promoted() == [("deploy", "Service", "E_QUOTA", 6, 9)]

    await until(is_counted)


async def test_deleting_a_workspace_removes_its_telemetry(
    services, telemetry, agents_workspace_id, stored_telemetry
) -> None:
    """I14."""
    await telemetry.recorder.record(agents_workspace_id, history(failed=5, succeeded=2))
    await telemetry.promoter.promote(agents_workspace_id)
    assert len(await stored_telemetry.graph(agents_workspace_id)) > 10

    await services.tenancy.workspaces.delete(agents_workspace_id, hard=True)

    assert await stored_telemetry.graph(agents_workspace_id) == []
