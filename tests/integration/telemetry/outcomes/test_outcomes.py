"""Outcomes of the runs that used a memory."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.core.errors import InvalidInput
from graph.memories.models import MemoryDraft, MemoryFilter, MemoryOrder
from graph.retrieval.context.models import ContextQuery
from graph.retrieval.recall.models import RecallQuery
from graph.telemetry.models import MemoryUse, Outcome, OutcomeOrder, RunOutcomes, SequenceFilter
from graph.telemetry.outcomes import Outcomes
from graph.telemetry.usage import Usage
from tests.fixtures.graphs import run
from tests.fixtures.telemetry import LATER, action
from tests.fixtures.waiting import until

_USED = """CYPHER 25
MATCH (sequence:AgentSequence {workspace_id: $ws})-[used:USED]->(memory:Memory)
RETURN sequence.session_id AS session, memory.id AS id, used.rank AS rank, used.at AS at ORDER BY session, rank
"""


@pytest.fixture
def outcomes(services, telemetry_clock) -> Outcomes:
    return Outcomes(services.core.database, services.memories.store, telemetry_clock)


@pytest.fixture
def usage(services, telemetry_clock, outcomes) -> Usage:
    return Usage(services.core.database, telemetry_clock, link=outcomes.link)


@pytest.fixture
async def ids(services, agents_workspace_id) -> list[str]:
    """Save four memories and return their ids."""
    drafts = [MemoryDraft(content=f"{name} likes tea", dedup=False) for name in ("Ada", "Bob", "Cyd", "Dee")]
    receipts = await services.memories.store.save_all(agents_workspace_id, drafts)
    return [receipt.memory.id for receipt in receipts]


async def used(stored_telemetry, workspace_id: str) -> list[tuple]:
    result = await run(stored_telemetry.driver, _USED, ws=workspace_id)
    return [(record["session"], record["id"], record["rank"]) for record in result.records]


async def ended(telemetry, workspace_id: str, session: str, outcome: Outcome) -> None:
    await telemetry.recorder.record(workspace_id, [action(session, outcome)])
    await telemetry.promoter.promote(workspace_id)


async def test_memories_given_to_a_session_are_linked_to_its_sequence(
    usage, telemetry, telemetry_clock, agents_workspace_id, ids, stored_telemetry
) -> None:
    """A memory given twice has its best rank and latest time; a session without actions is not listed yet."""
    usage.record_recall(agents_workspace_id, ids[:2], session_id="s1", first_rank=3)
    usage.record_recall(agents_workspace_id, ids[1:3], session_id="s1")
    usage.record_recall(agents_workspace_id, ids[:1], session_id="he said hello")
    usage.record_recall(agents_workspace_id, ids[3:])
    await usage.flush()
    telemetry_clock.move(seconds=5)
    usage.record_recall(agents_workspace_id, ids[:1], session_id="s1", first_rank=9)
    await usage.flush()

    assert await used(stored_telemetry, agents_workspace_id) == [
        ("s1", ids[1], 1), ("s1", ids[2], 2), ("s1", ids[0], 3),
    ]  # fmt: skip
    result = await run(stored_telemetry.driver, _USED, ws=agents_workspace_id)
    times = [record["at"].to_native() - LATER for record in result.records]
    assert times == [timedelta(0), timedelta(0), timedelta(seconds=5)]
    assert (await telemetry.reader.sequences(agents_workspace_id)).page.items == []
    await telemetry.recorder.record(agents_workspace_id, [action("s1")])
    assert len((await telemetry.reader.sequences(agents_workspace_id)).page.items) == 1


async def test_nothing_is_linked_while_memory_is_off_or_to_other_workspaces(
    services, usage, agents_workspace_id, other_agents_workspace_id, workspace_id, ids, stored_telemetry
) -> None:
    """G13, E15."""
    theirs = await services.memories.store.save(other_agents_workspace_id, MemoryDraft(content="theirs"))
    off = await services.memories.store.save(workspace_id, MemoryDraft(content="off"))
    usage.record_recall(agents_workspace_id, [ids[0], theirs.memory.id, "mem_gone"], session_id="s1")
    usage.record_recall(workspace_id, [off.memory.id], session_id="s1")

    await usage.flush()

    assert await used(stored_telemetry, agents_workspace_id) == [("s1", ids[0], 1)]
    assert await stored_telemetry.graph(workspace_id) == []
    assert await stored_telemetry.graph(other_agents_workspace_id) == []


async def test_a_run_counts_once_with_its_final_outcome(
    outcomes, usage, telemetry, agents_workspace_id, ids
) -> None:
    """Whether it used the memory before or after its end, and in any number of tallies."""

    async def counts(id_: str) -> tuple[int, int] | None:
        found = (await outcomes.of_memories(agents_workspace_id, [id_])).get(id_)
        return (found.succeeded, found.failed) if found else None

    usage.record_recall(agents_workspace_id, ids[:1], session_id="s1")
    await usage.flush()
    assert await counts(ids[0]) is None
    await ended(telemetry, agents_workspace_id, "s1", Outcome.ERROR)
    assert await counts(ids[0]) == (0, 1)
    usage.record_recall(agents_workspace_id, ids[:2], session_id="s1")
    await usage.flush()
    await telemetry.promoter.promote(agents_workspace_id)
    await telemetry.promoter.promote(agents_workspace_id)
    assert [await counts(id_) for id_ in ids[:2]] == [(0, 1), (0, 1)]
    await ended(telemetry, agents_workspace_id, "s1", Outcome.SUCCESS)
    assert [await counts(id_) for id_ in ids[:2]] == [(1, 0), (1, 0)]
    usage.record_recall(agents_workspace_id, ids[:1], session_id="s2")
    await usage.flush()
    await ended(telemetry, agents_workspace_id, "s2", Outcome.DEAD_END)
    assert await counts(ids[0]) == (1, 1)

    page = await telemetry.reader.sequences(agents_workspace_id, SequenceFilter(session_id="s2"))
    await telemetry.promoter.delete_sequence(agents_workspace_id, page.page.items[0].sequence.id)
    assert await counts(ids[0]) == (1, 0)


async def test_memories_are_ranked_by_the_outcomes_of_their_runs(
    services, outcomes, usage, telemetry, agents_workspace_id, ids
) -> None:
    """One successful run proves little; an unused memory ranks in the middle."""
    good, lucky, bad, unused = ids
    for session, memories, outcome in (
        *((f"g{number}", [good], Outcome.SUCCESS) for number in range(4)),
        ("l", [lucky], Outcome.SUCCESS),
        *((f"b{number}", [bad], Outcome.ERROR) for number in range(3)),
    ):
        usage.record_recall(agents_workspace_id, memories, session_id=session)
        await telemetry.recorder.record(agents_workspace_id, [action(session, outcome)])
    await usage.flush()
    await telemetry.promoter.promote(agents_workspace_id)

    async def ranked(**asked) -> list[str]:
        return [item.memory.id for item in (await outcomes.page(agents_workspace_id, **asked)).items]

    assert await ranked() == [good, lucky, bad]
    assert await ranked(order=OutcomeOrder.WORST) == [bad, lucky, good]
    assert await ranked(min_runs=2) == [good, bad]
    first = await outcomes.page(agents_workspace_id, first=2)
    assert first.has_more is True
    assert await ranked(first=2, after=first.cursors[-1].encode()) == [bad]
    listed = await services.memories.store.page(
        agents_workspace_id, MemoryFilter(), order=MemoryOrder.OUTCOME, first=10
    )
    assert [memory.id for memory in listed.items] == [good, lucky, unused, bad]
    await services.memories.deletion.delete(agents_workspace_id, good)
    assert await ranked() == [lucky, bad]
    with pytest.raises(InvalidInput) as refused:
        await outcomes.page(agents_workspace_id, min_runs=0)
    assert refused.value.field == "minRuns"


async def test_a_recall_that_names_its_session_is_linked_in_the_background(
    services, agents_workspace_id, ids, stored_telemetry
) -> None:
    """The query names it in its filter or as the user of the hits; a dry run does not count."""
    for query in (
        RecallQuery(query="Ada likes tea", limit=1, used_by="run-1"),
        RecallQuery(query="Bob likes tea", limit=1, used_by="run-dry", dry_run=True),
        RecallQuery(query="Cyd likes tea", limit=2, offset=1, used_by="run-2"),
        RecallQuery(query="tea", filter=MemoryFilter(session_id="run-3")),
    ):
        await services.retrieval.recall.recall(agents_workspace_id, query)

    async def linked() -> list[tuple]:
        found = await used(stored_telemetry, agents_workspace_id)
        return found if len(found) == 3 else []

    one, *two = await until(linked)
    assert one == ("run-1", ids[0], 1)
    assert [(session, rank) for session, _, rank in two] == [("run-2", 2), ("run-2", 3)]


async def test_a_run_without_actions_is_not_counted_for_its_user(
    services, outcomes, telemetry, agents_workspace_id, ids
) -> None:
    """A recall alone opened it."""
    use = MemoryUse(user_id="ada", agent_id="", session_id="run-1", memory_id=ids[0], rank=1, at=LATER)
    await outcomes.link(agents_workspace_id, [use])

    async def runs() -> int:
        return (await services.memories.users.find(agents_workspace_id, "ada")).runs

    assert await runs() == 0
    await telemetry.recorder.record(agents_workspace_id, [action("run-1", user_id="ada")])
    assert await runs() == 1


async def test_a_context_that_names_its_session_is_linked_in_the_background(
    services, agents_workspace_id, ids, stored_telemetry
) -> None:
    """H4: like a recall; a dry run does not count."""
    contexts = services.retrieval.context

    async def told(**asked) -> list[str]:
        query = ContextQuery(query="Ada likes tea", **asked)
        context = await contexts.compose(agents_workspace_id, query, deadline_seconds=60)
        return [hit.memory.id for hit in context.memories]

    await until(lambda: told(used_by="run-dry", dry_run=True))
    given = await told(used_by="run-1")

    found = await until(lambda: used(stored_telemetry, agents_workspace_id))
    assert ids[0] in given
    assert found == [("run-1", id_, rank) for rank, id_ in enumerate(given, start=1)]


RUNS = st.tuples(st.integers(0, 1000), st.integers(0, 1000))


@given(RUNS, RUNS)
def test_the_score_rises_with_successes_and_falls_with_failures(one, other) -> None:
    def score(succeeded: int, failed: int) -> float:
        return RunOutcomes(runs=succeeded + failed, succeeded=succeeded).score

    assert 0.0 < score(*one) < 1.0
    assert score(0, 0) == 0.5
    if one[0] >= other[0] and one[1] <= other[1]:
        assert score(*one) >= score(*other)
    assert score(one[0], one[1]) + score(one[1], one[0]) == pytest.approx(1.0)
