"""Summaries of several owners: each covers memories of one user, agent and key only."""

from datetime import UTC, datetime, timedelta

from graph.core.scope import ReadScope, seeing
from graph.memories.compaction.service import CompactionRequest
from graph.memories.models import MemoryDraft
from tests.fixtures.memories import MovingClock

OLD = datetime.now(UTC) - timedelta(days=100)


async def test_a_summary_covers_memories_of_one_owner(services, memories_under, workspace_id) -> None:
    """F14, I2."""
    owners = [(None, None), ("alice", None), ("alice", "tutor")]
    for user_id, agent_id in owners:
        drafts = [
            MemoryDraft(
                content=f"walked to work {n}: {'and so on, at length, ' * 15}".strip(),
                summary=f"walked {n}",
                user_id=user_id,
                agent_id=agent_id,
                dedup=False,
            )
            for n in range(2)
        ]
        await memories_under(clock=MovingClock(OLD)).save_all(workspace_id, drafts)
    compaction, request = services.memories.compaction, CompactionRequest(older_than_days=90)

    shared = await compaction.compact(workspace_id, request)
    with seeing(ReadScope(user_id="alice")):
        hers = await compaction.compact(workspace_id, request)
    with seeing(ReadScope(user_id="alice", agent_id="tutor")):
        tutors = await compaction.compact(workspace_id, request)

    assert [
        [(each.user_id, each.agent_id) for each in report.summaries] for report in (shared, hers, tutors)
    ] == [[owner] for owner in owners]
    assert [report.candidate_count for report in (shared, hers, tutors)] == [2, 2, 2]


async def test_a_summary_covers_memories_of_one_key(services, memories_under, workspace_id) -> None:
    """F14, C16: each key recalls its own summary, even if the operator compacts all."""
    drafts = [
        MemoryDraft(
            content=f"{key} walked {n}: {'and so on, at length, ' * 15}".strip(),
            summary=f"{key} walked {n}",
            api_key_id=key,
            dedup=False,
        )
        for n in range(2)
        for key in ("key_a", "key_b")
    ]
    await memories_under(clock=MovingClock(OLD)).save_all(workspace_id, drafts)

    report = await services.memories.compaction.compact(workspace_id, CompactionRequest(older_than_days=90))

    assert {each.api_key_id: each.content.count("walked") for each in report.summaries} == {
        "key_a": 2,
        "key_b": 2,
    }


async def test_a_summary_has_the_tags_and_the_session_that_all_sources_share(told, compact) -> None:
    """F14, I2: a tag of some sources would find the others' statements."""
    await told("walked", session_id="s", tags=["habits", "health/feet"])
    await told("goes by train", session_id="s", tags=["money", "habits"])

    (summary,) = (await compact(older_than_days=90)).summaries

    assert (summary.session_id, summary.tags) == ("s", ("habits",))


async def test_a_summary_of_several_sessions_is_of_none(told, compact) -> None:
    """I2."""
    for session_id in ("s", "t"):
        await told(f"walked in {session_id}", session_id=session_id)

    (summary,) = (await compact(older_than_days=90)).summaries

    assert (summary.session_id, summary.tags) == (None, ())
