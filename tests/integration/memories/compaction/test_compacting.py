"""Compaction of memories at a person's request, without loss (F13-F16)."""

import asyncio

import pytest

from app.bootstrap.runtime import run_everything
from graph.core.errors import InvalidInput
from graph.core.models import JobRules
from graph.core.text.budget import estimate_tokens
from graph.memories.compaction import service as compaction_service
from graph.memories.compaction.service import CompactionMode, CompactionRequest
from graph.memories.models import MemoryState
from graph.memories.policy import SourceType
from tests.fixtures.graphs import run
from tests.fixtures.waiting import until
from tests.integration.memories.compaction.conftest import LONG, numbers, wordy

CUT = "First of {n}. Second of {n}. Third of {n}."
DERIVED = """CYPHER 25
MATCH (summary:Memory {workspace_id: $ws, id: $id})-[edge:DERIVED_FROM]->(original:Memory {workspace_id: $ws})
RETURN original.id AS id, edge.strength AS strength, edge.id STARTS WITH 'rel_' AS named"""


async def test_a_summary_replaces_old_memories(
    services, workspace_id, told, compact, contents, graph_driver
) -> None:
    """F14, F16: it has a line for each original and edges to them; the originals can be restored."""
    first, second = await told("walked to work", "goes by train", type="Habit", importance=0.8)
    await told("bought a bicycle", days=10)

    report = await compact(older_than_days=90)

    text = "Habit: walked to work\nHabit: goes by train"
    (summary,) = report.summaries
    assert (report.candidate_count, [each.id for each in report.candidates]) == (2, [first, second])
    assert (report.dry_run, report.texts, summary.content) == (False, (text,), text)
    assert report.tokens_saved == (
        estimate_tokens(wordy("walked to work"))
        + estimate_tokens(wordy("goes by train"))
        - estimate_tokens(text)
    )
    assert await contents() == [text, wordy("bought a bicycle")]
    assert (summary.category, summary.importance) == ("summary", 0.8)
    assert summary.metadata["compacted"] == 2
    edges = (await run(graph_driver, DERIVED, ws=workspace_id, id=summary.id)).records
    assert sorted(edge.values() for edge in edges) == sorted([[first, 1.0, True], [second, 1.0, True]])

    restored = await services.memories.store.restore(workspace_id, first)
    assert (restored.content, restored.deleted_at) == (wordy("walked to work"), None)

    async def is_linked() -> bool:
        return (await services.memories.store.get(workspace_id, summary.id)).state is MemoryState.LINKED

    assert await until(is_linked)


async def test_a_dry_run_reports_the_same_and_changes_nothing(told, compact, contents) -> None:
    """F14."""
    ids = await told("walked to work", "goes by train")

    shown = await compact(older_than_days=90, dry_run=True)

    assert await contents() == [wordy("goes by train"), wordy("walked to work")]
    assert (shown.dry_run, shown.summaries, [each.id for each in shown.candidates]) == (True, (), ids)
    done = await compact(older_than_days=90)
    assert numbers(shown) == numbers(done)


async def test_repeated_or_concurrent_compaction_creates_one_summary(told, compact, contents) -> None:
    """N6: an old summary is not compacted again."""
    await told("walked to work", "goes by train", "likes the bus")

    reports = await asyncio.gather(*(compact(older_than_days=90) for _ in range(3)))

    assert sorted(report.candidate_count for report in reports) == [0, 0, 3]
    assert (await compact(older_than_days=0)).candidate_count == 0
    assert len(await contents()) == 1


async def test_many_memories_are_compacted_in_separate_transactions(told, compact, monkeypatch) -> None:
    """Each summary has a limited number of lines; a single remaining memory stays unchanged."""
    monkeypatch.setattr(compaction_service, "SUMMARY_CHARS", 48)
    monkeypatch.setattr(compaction_service, "TOGETHER", 2)
    await told(*(f"fact {number}" for number in range(7)))

    report = await compact(older_than_days=90)

    assert report.candidate_count == 6
    assert report.texts == (
        "Context: fact 0\nContext: fact 1\nContext: fact 2",
        "Context: fact 3\nContext: fact 4\nContext: fact 5",
    )


async def test_another_call_compacts_the_remainder_after_a_failure(told, compact, monkeypatch) -> None:
    """N6: completed summaries stay."""
    monkeypatch.setattr(compaction_service, "SUMMARY_CHARS", 34)
    await told("a one", "a two", "a three", "a four")
    whole = compaction_service.Rewriter.replace

    async def failing(rewriter, workspace_id, ids, **how):
        monkeypatch.setattr(compaction_service.Rewriter, "replace", broken)
        return await whole(rewriter, workspace_id, ids, **how)

    async def broken(*_args, **_how):
        raise RuntimeError("the machine is gone")

    monkeypatch.setattr(compaction_service.Rewriter, "replace", failing)
    with pytest.raises(RuntimeError):
        await compact(older_than_days=90)
    monkeypatch.setattr(compaction_service.Rewriter, "replace", whole)
    report = await compact(older_than_days=90)

    assert report.texts == ("Context: a three\nContext: a four",)


async def test_a_setting_deletes_the_originals_permanently(
    services, memory_parts_under, workspace_id, told, stored_memories
) -> None:
    """F14: the setting compaction_delete."""
    first, second = await told("walked to work", "goes by train")

    report = await memory_parts_under(compacts_for_good=True).compaction.compact(
        workspace_id, CompactionRequest(older_than_days=90)
    )

    (summary,) = report.summaries
    assert await services.memories.store.find_all(workspace_id, [first, second], include_deleted=True) == {}
    assert await stored_memories.remains(workspace_id, first) == [("Tombstone", 0)]
    assert (await services.memories.store.get(workspace_id, summary.id)).content == report.texts[0]


async def test_only_memories_of_the_scope_are_compacted(told, compact, contents) -> None:
    """I2: by key, session or both; without them, all of the workspace."""
    await told("mine one", "mine two", api_key_id="key_a", session_id="s")
    await told("mine elsewhere", "mine elsewhere too", api_key_id="key_a", session_id="t")
    await told("another's", "another's too", api_key_id="key_b", session_id="s")

    report = await compact(older_than_days=90, api_key_id="key_a", session_id="s")

    (summary,) = report.summaries
    assert summary.content == "Context: mine one\nContext: mine two"
    assert (summary.api_key_id, summary.session_id) == ("key_a", "s")
    assert len(await contents()) == 5
    assert (await compact(older_than_days=90, session_id="s", dry_run=True)).candidate_count == 2
    assert (await compact(older_than_days=90, dry_run=True)).candidate_count == 4


async def test_turns_are_not_compacted(told, compact, contents) -> None:
    """A turn is evidence; an extracted fact is a normal memory."""
    await told("I walk", "I run", source_conversation_id="c")
    await told("walks", "runs", source_conversation_id="c", source_type=SourceType.EXTRACTED)

    report = await compact(older_than_days=90)

    assert report.texts == ("Context: walks\nContext: runs",)
    assert sorted(await contents()) == sorted(
        ["Context: walks\nContext: runs", wordy("I walk"), wordy("I run")]
    )


async def test_other_workspaces_stay_unchanged(services, other_workspace_id, told) -> None:
    """I8."""
    await told("walked to work", "goes by train")

    report = await services.memories.compaction.compact(
        other_workspace_id, CompactionRequest(older_than_days=90)
    )

    assert (report.candidate_count, report.summaries) == (0, ())


async def test_truncating_keeps_the_newest_and_shortens_the_others(
    services, workspace_id, saved, compact, contents
) -> None:
    """F13, F16, N11: in place; the full text becomes a version."""
    (old,) = await saved(LONG.format(n="old"), days=30)
    await saved("short and old", days=40)
    await saved(LONG.format(n="new"), days=1)
    budget = estimate_tokens(LONG.format(n="new")) + 3

    told = await compact(max_tokens=budget, dry_run=True)
    report = await compact(max_tokens=budget, mode=CompactionMode.TRUNCATE)

    assert [each.id for each in report.candidates] == [old]
    assert numbers(report) == numbers(told)
    assert report.tokens_saved == (
        estimate_tokens(LONG.format(n="old")) - estimate_tokens(CUT.format(n="old"))
    )
    assert await contents() == [LONG.format(n="new"), CUT.format(n="old"), "short and old"]
    memory = await services.memories.store.get(workspace_id, old)
    assert (memory.version, memory.old_text) == (2, LONG.format(n="old"))
    assert (await services.memories.store.restore(workspace_id, old, version=1)).content == LONG.format(
        n="old"
    )


async def test_truncating_again_changes_nothing(saved, compact, contents) -> None:
    """N6."""
    await saved(*(LONG.format(n=number) for number in range(5)))
    await compact(max_tokens=30)
    once = await contents()

    again = await compact(max_tokens=30)

    assert (again.candidate_count, again.tokens_saved) == (0, 0)
    assert await contents() == once


async def test_condensing_replaces_all_by_one_text_within_the_budget(saved, compact, contents) -> None:
    """F13: a second run finds nothing to condense."""
    await saved(*(f"{LONG.format(n=number)} {'and so on ' * 30}" for number in range(5)))

    report = await compact(mode=CompactionMode.CONDENSE, max_tokens=100)

    (text,) = report.texts
    assert await contents() == [text]
    assert estimate_tokens(text) <= 100
    assert [line.split(" of ")[0] for line in text.split("\n")] == ["Context: First"] * 5
    assert (await compact(mode=CompactionMode.CONDENSE, max_tokens=100)).candidate_count == 0


async def test_unchanged_memories_do_not_use_the_budget_of_a_summary(saved, compact) -> None:
    """F13: and do not make it appear too small."""
    wish = {"mode": CompactionMode.CONDENSE, "max_tokens": 100, "dry_run": True}
    await saved(*(wordy(LONG.format(n=number)) for number in range(4)))
    alone = await compact(**wish)

    await saved(*(f"fact {number}" for number in range(9)))

    assert alone.candidate_count == 4
    assert numbers(await compact(**wish)) == numbers(alone)


async def test_a_budget_too_small_for_a_line_each_is_refused_and_nothing_is_changed(
    saved, compact, contents
) -> None:
    await saved(*(wordy(f"fact {number}") for number in range(9)))

    with pytest.raises(InvalidInput) as refused:
        await compact(mode=CompactionMode.CONDENSE, max_tokens=100)

    assert refused.value.field == "maxTokens"
    assert len(await contents()) == 9


@pytest.mark.parametrize(
    ("wish", "field"),
    [
        ({"older_than_days": -1}, "olderThanDays"),
        ({"older_than_days": 36_501}, "olderThanDays"),
        ({"older_than_days": 1, "mode": CompactionMode.TRUNCATE}, "mode"),
        ({"max_tokens": 0}, "maxTokens"),
        ({"max_tokens": 8001}, "maxTokens"),
    ],
)
async def test_an_invalid_request_is_refused_with_its_field(compact, wish, field) -> None:
    """K18."""
    with pytest.raises(InvalidInput) as refused:
        await compact(**wish)

    assert refused.value.field == field


async def test_nothing_is_compacted_automatically(services, workspace_id, saved, contents) -> None:
    """F15, I17: neither by the workers nor because memories are old."""
    await saved("walked to work", LONG.format(n=1), days=3000, source_type=SourceType.USER)

    async def is_done() -> bool:
        return not (await services.core.jobs.page(workspace_id)).items

    workers = asyncio.create_task(run_everything(services, JobRules(gather_seconds=0.05)))
    try:
        assert await until(is_done)
        await services.memories.deletion.sweep_expired()
    finally:
        workers.cancel()
        await asyncio.gather(workers, return_exceptions=True)

    assert sorted(await contents()) == sorted(["walked to work", LONG.format(n=1)])
