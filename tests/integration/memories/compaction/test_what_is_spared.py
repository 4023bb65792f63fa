"""Memories that compaction skips: keyed, pinned, ending, or not made shorter."""

from datetime import timedelta

import pytest

from graph.memories.models import MemoryDraft
from tests.fixtures.memories import MovingClock
from tests.integration.memories.compaction.conftest import LONG, NOW, WISHES, numbers, wordy

UNTAKEN = {
    "a key": {"key": "diet"},
    "an adapter's item": {"tags": ("langgraph/users/ada",)},
    "pinned": {"metadata": {"pinned": True}},
    "tagged pinned": {"tags": ("pinned",)},
    "important": {"importance": 0.9},
}
TAKEN = {
    "a derived key": {"key": "preference:first_of", "key_is_derived": True},
    "tags of other kinds": {"tags": ("people/langgraph",)},
    "not pinned": {"metadata": {"pinned": False}},
    "less important": {"importance": 0.89},
}


@pytest.mark.parametrize("wish", WISHES.values(), ids=WISHES)
async def test_keyed_and_pinned_memories_are_never_compacted(
    services, workspace_id, memories_under, compact, wish
) -> None:
    """F13, F14: in every mode; other memories are compacted."""
    fields_of = {name: {**fields} for name, fields in {**UNTAKEN, **TAKEN}.items()}
    fields_of["an id of the caller's"] = {"id": f"note.{workspace_id}"}
    drafts = {
        name: MemoryDraft(content=wordy(LONG.format(n=name)), dedup=False, **fields)
        for name, fields in fields_of.items()
    }
    clock = MovingClock(NOW - timedelta(days=100))
    receipts = await memories_under(clock=clock).save_all(workspace_id, list(drafts.values()))
    ids = {name: receipt.memory.id for name, receipt in zip(drafts, receipts, strict=True)}

    shown = await compact(**wish, dry_run=True)
    report = await compact(**wish)

    assert {each.id for each in report.candidates} == {ids[name] for name in TAKEN}
    assert numbers(shown) == numbers(report)
    assert report.tokens_saved > 0
    for name in fields_of.keys() - TAKEN.keys():
        kept = await services.memories.store.get(workspace_id, ids[name])
        assert kept.content == drafts[name].content


SUMMING = {name: wish for name, wish in WISHES.items() if name != "truncated"}
UNLASTING = {
    "ends": {"expires_at": NOW + timedelta(days=30)},
    "holds no longer": {"t_invalid": NOW - timedelta(days=1)},
    "holds for a while": {"t_invalid": NOW + timedelta(days=30)},
    "is to hold later": {"t_valid": NOW + timedelta(days=30)},
}


@pytest.mark.parametrize("wish", SUMMING.values(), ids=SUMMING)
async def test_a_summary_never_replaces_ended_or_superseded_memories(
    services, workspace_id, told, compact, wish
) -> None:
    """F14: a summary has no end, so it would revive ended facts and keep ending ones."""
    lasting = await told("walked to work", "goes by train", t_valid=NOW - timedelta(days=1))
    for name, fields in UNLASTING.items():
        await told(f"{name} one", f"{name} two", **fields)
    (successor,) = await told("holds instead")
    for type_ in ("INVALIDATED_BY", "EVOLVED_INTO"):
        for old in await told(f"{type_} one", f"{type_} two"):
            await services.memories.associations.associate(
                workspace_id, from_id=old, to_id=successor, type_=type_
            )

    shown = await compact(**wish, dry_run=True)
    report = await compact(**wish)

    assert [each.id for each in report.candidates] == lasting
    assert numbers(shown) == numbers(report)
    assert len(report.summaries) == 1


@pytest.mark.parametrize("wish", SUMMING.values(), ids=SUMMING)
async def test_a_successor_of_a_live_memory_is_not_compacted(
    services, workspace_id, told, compact, contents, wish
) -> None:
    """F14: otherwise its predecessor would become current; an ended or deleted predecessor would not."""
    supersede = services.memories.associations.associate
    (kept,) = await told("deploys with Actions")
    taken = await told("walked to work", "goes by train")
    (old,) = await told("deploys with Jenkins")
    (ended,) = await told("deployed by hand", t_invalid=NOW - timedelta(days=1))
    (gone,) = await told("took the bus")
    for before, after in ((old, kept), (ended, taken[0]), (gone, taken[1])):
        await supersede(workspace_id, from_id=before, to_id=after, type_="INVALIDATED_BY")
    await services.memories.deletion.delete(workspace_id, gone)

    report = await compact(**wish)

    assert [each.id for each in report.candidates] == taken
    assert set(await contents()) == {
        *(wordy(text) for text in ("deploys with Actions", "deploys with Jenkins", "deployed by hand")),
        *report.texts,
    }


async def test_a_memory_that_is_current_again_is_compacted(services, workspace_id, told, compact) -> None:
    """F14: its successor was deleted."""
    taken = await told("walked to work", "goes by train")
    (gone,) = await told("took the bus")
    await services.memories.associations.associate(
        workspace_id, from_id=taken[0], to_id=gone, type_="INVALIDATED_BY"
    )
    await services.memories.deletion.delete(workspace_id, gone)

    report = await compact(older_than_days=90)

    assert [each.id for each in report.candidates] == taken


async def test_a_truncated_summary_ends_with_its_source(services, workspace_id, told, compact) -> None:
    end, invalid = NOW + timedelta(days=30), NOW - timedelta(days=1)
    (id_,) = await told(LONG.format(n=1), expires_at=end, t_invalid=invalid)

    await compact(max_tokens=1)

    cut = await services.memories.store.get(workspace_id, id_)
    assert (cut.version, cut.expires_at, cut.t_invalid) == (2, end, invalid)


@pytest.mark.parametrize(
    ("lifetime_days", "expected"),
    [({"summary": 30, "Context": 1}, timedelta(days=30)), ({"Context": 1, "chat": 2}, None)],
    ids=["of summaries", "of others"],
)
async def test_the_workspace_sets_the_lifetime_of_summaries(
    services, workspace_id, told, compact, lifetime_days, expected
) -> None:
    """Issue 15 point 8: otherwise a type's lifetime would end facts that have no end."""
    await told("walked to work", "goes by train", type="Habit")
    await services.tenancy.workspaces.update(workspace_id, settings={"lifetimeDays": lifetime_days})

    (summary,) = (await compact(older_than_days=90)).summaries

    lifetime = summary.expires_at and summary.expires_at - summary.created_at
    assert lifetime == expected


@pytest.mark.parametrize("wish", WISHES.values(), ids=WISHES)
async def test_memories_that_would_not_shrink_stay_unchanged(saved, compact, contents, wish) -> None:
    """F16: their lines in a summary would be longer than the memories."""
    await saved("walked to work", "goes by train", "Tea. Tea. Tea. A")

    report = await compact(**wish)

    assert (report.candidate_count, report.tokens_saved, report.summaries) == (0, 0, ())
    assert len(await contents()) == 3
