"""Automatic changes: every kind is listed, and undone if something can be restored (issue 36, point 7)."""

from datetime import UTC, datetime, timedelta

import pytest

from graph.conversations.capture.models import CaptureDraft, MessageDraft
from graph.core.automatic_changes import record_changes, withdraw_changes
from graph.core.errors import Conflict, NotFound
from graph.core.models import ChangeKind, NewChange, SubjectKind
from graph.core.scope import ReadScope, seeing
from graph.knowledge.ontology.models import EntityDraft
from graph.memories.compaction.service import CompactionMode, CompactionRequest
from graph.memories.models import MemoryChange, MemoryDraft
from graph.memories.queries import sweep_expired
from tests.fixtures.waiting import until

AT_LENGTH = " and so on, at length" * 15
SENTENCES = "Ada walks home. She takes the train. She reads on it. She never takes a car. She sold hers."
NOW = datetime.now(UTC)


async def test_undoing_a_compaction_restores_originals_permanently(
    services, workspace_id, changes, undo, save, texts
) -> None:
    originals = [await save(f"walks home{AT_LENGTH}"), await save(f"takes trains{AT_LENGTH}")]
    request = CompactionRequest(older_than_days=0)
    made = await services.memories.compaction.compact(workspace_id, request)
    (change,) = await changes()
    assert (change.kind, change.rule, change.count) == (ChangeKind.COMPACTED, "summary", 2)
    assert change.subject_id == made.summaries[0].id
    assert set(change.other_ids) == {memory.id for memory in originals}

    await undo(change)
    again = await services.memories.compaction.compact(workspace_id, request)

    assert await texts() == sorted(memory.content for memory in originals)
    assert again.candidate_count == 0
    assert [each.undone_at is None for each in await changes()] == [False]


async def test_a_summary_that_somebody_changed_since_stays(
    services, workspace_id, changes, undo, save, texts
) -> None:
    await save(f"walks home{AT_LENGTH}")
    await save(f"takes trains{AT_LENGTH}")
    request = CompactionRequest(older_than_days=0)
    (summary,) = (await services.memories.compaction.compact(workspace_id, request)).summaries
    edited = MemoryChange(content="Ada walks and takes trains")
    await services.memories.store.update(workspace_id, summary.id, edited)
    (change,) = await changes(ChangeKind.COMPACTED)

    with pytest.raises(Conflict, match="changed since"):
        await undo(change)

    assert await texts() == ["Ada walks and takes trains"]


async def test_a_summary_stays_whose_originals_no_longer_exist(
    services, workspace_id, changes, undo, save, texts
) -> None:
    """The summary is the only remaining text."""
    walks = await save(f"walks home{AT_LENGTH}")
    await save(f"takes trains{AT_LENGTH}")
    request = CompactionRequest(older_than_days=0)
    (summary,) = (await services.memories.compaction.compact(workspace_id, request)).summaries
    await services.memories.deletion.delete(workspace_id, walks.id, hard=True)
    (change,) = await changes(ChangeKind.COMPACTED)

    with pytest.raises(Conflict, match="no longer exists"):
        await undo(change)

    assert await texts() == [summary.content]


async def test_undoing_a_shortening_restores_the_text_permanently(
    services, workspace_id, changes, undo, save, texts
) -> None:
    await save(SENTENCES)
    request = CompactionRequest(mode=CompactionMode.TRUNCATE, max_tokens=1)
    await services.memories.compaction.compact(workspace_id, request)
    (change,) = await changes()
    assert (change.rule, change.before) == ("three_sentences", {"content": SENTENCES})
    assert await texts() != [SENTENCES]

    await undo(change)
    await services.memories.compaction.compact(workspace_id, request)

    assert await texts() == [SENTENCES]


async def test_an_expired_memory_is_restored_without_an_end(
    services, workspace_id, changes, undo, memories_under, texts
) -> None:
    past = NOW - timedelta(days=2)
    draft = MemoryDraft(content="Ada is away", expires_at=past + timedelta(hours=1))
    memory = (await memories_under(clock=Standing(past)).save(workspace_id, draft)).memory
    await sweep_expired(services.core.database, now=NOW, limit=1000, mirrors=False)
    (change,) = await changes()
    assert (change.kind, change.subject_id, change.rule) == (ChangeKind.FORGOTTEN, memory.id, "expiry")
    assert (change.created_at, change.job, change.before) == (NOW, None, None)

    await undo(change)
    await services.memories.deletion.sweep_expired()

    assert await texts() == ["Ada is away"]
    assert len(await changes()) == 1


async def test_a_closing_is_undone_unless_the_engine_already_reverted_it(
    services, workspace_id, changes, undo, save
) -> None:
    closed = await save("Ada lives in Munich", t_invalid=NOW)
    reopened = await save("Ada works at Bosch", t_invalid=NOW)
    entries = [
        NewChange(
            kind=ChangeKind.CLOSED,
            subject_id=memory.id,
            cause_id="mem_newer",
            rule="slot:home",
            words="moved to Berlin",
            before={"t_invalid": None},
            job="TIMELINE",
        )
        for memory in (closed, reopened)
    ]
    await record_changes(services.core.database, workspace_id, entries, now=NOW)
    await withdraw_changes(services.core.database, workspace_id, ChangeKind.CLOSED, [reopened.id], now=NOW)
    second, first = await changes()
    assert (first.words, first.job, first.can_be_undone) == ("moved to Berlin", "TIMELINE", True)
    assert second.can_be_undone is False

    await undo(first)

    assert (await services.memories.store.get(workspace_id, closed.id)).t_invalid is None


async def test_merged_entities_are_two_again(services, workspace_id, changes, undo) -> None:
    drafts = [EntityDraft(type="Service", name=name) for name in ("Pay Ments", "Payments")]
    one, other = await services.knowledge.ontology.upsert_entities(workspace_id, drafts)
    await services.knowledge.merging.merge(workspace_id, from_id=one.id, into_id=other.id)
    (change,) = await changes()
    assert (change.kind, change.subject_kind) == (ChangeKind.MERGED, SubjectKind.ENTITY)
    assert (change.subject_id, change.cause_id) == (one.id, other.id)

    await undo(change)

    assert (await services.knowledge.merging.page(workspace_id)).items[0].undone_at is not None
    assert [each.can_be_undone for each in await changes()] == [False]


async def test_unmerging_by_hand_marks_the_entry(services, workspace_id, changes) -> None:
    drafts = [EntityDraft(type="Service", name=name) for name in ("Pay Ments", "Payments")]
    one, other = await services.knowledge.ontology.upsert_entities(workspace_id, drafts)
    merge = await services.knowledge.merging.merge(workspace_id, from_id=one.id, into_id=other.id)

    await services.knowledge.merging.undo(workspace_id, merge.id)

    assert [each.can_be_undone for each in await changes()] == [False]


async def test_consolidated_messages_are_listed_without_text(services, workspace_id, changes, undo) -> None:
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)
    messages = [MessageDraft(content=f"I prefer tea of kind {number}.") for number in range(3)]
    await services.conversations.capture.append(
        workspace_id, CaptureDraft(conversation_id="c", messages=messages)
    )

    async def consolidated() -> bool:
        made = await services.conversations.episodes.consolidate(
            workspace_id, "c", retain_last=0, max_age_days=0
        )
        return made.episode is not None

    await services.conversations.extraction.request(workspace_id, "c")
    await until(consolidated)

    (change,) = await changes(ChangeKind.ARCHIVED)
    assert (change.subject_kind, change.subject_id, change.count) == (SubjectKind.CONVERSATION, "c", 3)
    assert (change.words, change.before, change.can_be_undone) == (None, None, False)
    with pytest.raises(Conflict, match="permanent"):
        await undo(change)


async def test_messages_deleted_after_extraction_are_listed_without_text(
    services, workspace_id, changes, undo
) -> None:
    settings = {"rawConversationRetention": "until_extracted"}
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True, settings=settings)
    messages = [MessageDraft(content="I prefer aisle seats.", role="user"), MessageDraft(content="Noted.")]
    capture = services.conversations.capture
    await capture.append(workspace_id, CaptureDraft(conversation_id="c", user_id="ada", messages=messages))

    await services.conversations.extraction.request(workspace_id, "c")
    await until(lambda: changes(ChangeKind.FORGOTTEN))

    (change,) = await changes(ChangeKind.FORGOTTEN)
    assert (change.subject_kind, change.subject_id, change.count) == (SubjectKind.CONVERSATION, "c", 2)
    assert (change.rule, change.job, change.user_id) == ("until_extracted", "EXTRACT", "ada")
    assert (change.words, change.before, change.can_be_undone) == (None, None, False)
    assert change.created_at >= NOW
    with pytest.raises(Conflict, match="permanent"):
        await undo(change)
    (learnt,) = await changes(ChangeKind.LEARNT)
    assert learnt.words is None
    await undo(learnt)
    assert await services.memories.store.count(workspace_id) == 0


async def test_an_erasure_deletes_the_users_entries_and_is_listed_anonymously(
    services, workspace_id, changes
) -> None:
    alice = f"alice-{workspace_id}"
    for content in ("Alice likes tea", "alice likes tea!"):
        with seeing(ReadScope(user_id=alice)):
            draft = MemoryDraft(content=content, tags=(content[-1],))
            await services.memories.store.save(workspace_id, draft)
    assert [change.kind for change in await changes()] == [ChangeKind.MERGED]

    erased = await services.operations.erasure.begin(workspace_id, alice)

    async def is_erased() -> bool:
        jobs = (await services.core.jobs.page(workspace_id, first=100)).items
        return not any(job.kind == "ERASE" for job in jobs)

    await until(is_erased)
    (change,) = await changes()
    assert (change.kind, change.subject_kind, change.rule) == (
        ChangeKind.FORGOTTEN,
        SubjectKind.USER,
        "erasure",
    )
    assert (change.subject_id, change.words, change.before, change.user_id) == (None, None, None, None)
    assert (change.job, change.count) == ("ERASE", erased.total)
    assert change.can_be_undone is False


async def test_a_permanent_deletion_deletes_its_entries(services, workspace_id, changes, save) -> None:
    memory = await save("Ada likes tea")
    await save("ada likes tea!", tags=("x",))
    assert len(await changes()) == 1

    await services.memories.deletion.delete(workspace_id, memory.id, hard=True)

    assert await changes() == []


async def test_nobody_sees_or_undoes_changes_of_another_user(services, workspace_id, changes, save) -> None:
    await save("Ada likes tea", user_id="ada")
    await save("ada likes tea!", user_id="ada", tags=("x",))
    (change,) = await changes()

    with seeing(ReadScope(user_id="bob")):
        assert await changes() == []
        with pytest.raises(NotFound):
            await services.operations.changes.undo(workspace_id, change.id)
    with seeing(ReadScope(user_id="ada")):
        assert await changes() == [change]


async def test_changes_leave_the_list_after_ninety_days(services, workspace_id, changes) -> None:
    def entry(name: str) -> NewChange:
        return NewChange(kind=ChangeKind.LEARNT, subject_id=name, rule="rules:other")

    for name, days in (("old", 91), ("young", 89)):
        at = NOW - timedelta(days=days)
        await record_changes(services.core.database, workspace_id, [entry(name)], now=at)

    assert await services.operations.changes.delete_old() >= 1

    assert [change.subject_id for change in await changes()] == ["young"]


async def test_a_field_that_was_changed_since_keeps_its_newer_value(
    services, workspace_id, changes, undo, save
) -> None:
    memory = await save("Ada likes tea", tags=("home",))
    await save("ada likes tea!", tags=("work",))
    change = MemoryChange(tags=("chosen",))
    await services.memories.store.update(workspace_id, memory.id, change)
    (entry,) = await changes()

    await undo(entry)

    assert (await services.memories.store.get(workspace_id, memory.id)).tags == ("chosen",)


async def test_changes_of_a_conversation_move_with_it(
    services, workspace_id, other_workspace_id, changes
) -> None:
    for place in (workspace_id, other_workspace_id):
        await services.tenancy.workspaces.update(place, memory_enabled=True)
    said = [MessageDraft(content="I prefer aisle seats.", role="user")]
    capture = services.conversations.capture
    await capture.append(workspace_id, CaptureDraft(conversation_id="c", messages=said))
    await services.conversations.extraction.request(workspace_id, "c")
    await until(changes)

    await services.conversations.moving.move(workspace_id, "c", other_workspace_id)

    assert await changes() == []
    (change,) = (await services.operations.changes.page(other_workspace_id)).items
    assert (change.kind, change.words) == (ChangeKind.LEARNT, "I prefer aisle seats.")
    await services.operations.changes.undo(other_workspace_id, change.id)
    assert await services.memories.store.count(other_workspace_id) == 0


class Standing:
    """A fake ``Clock`` that stands still."""

    def __init__(self, time: datetime) -> None:
        self._time = time

    def now(self) -> datetime:
        return self._time
