"""Undoing automatic changes: exact or refused, if repeated, concurrent, foreign or after later changes."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from graph.core.automatic_changes import record_changes
from graph.core.errors import Conflict, NotFound
from graph.core.models import ChangeKind, NewChange
from graph.core.scope import ReadScope, seeing
from graph.knowledge.ontology.models import EntityDraft
from graph.memories.compaction.service import CompactionRequest
from graph.memories.models import Learnt, MemoryChange
from graph.memories.policy import SourceType
from graph.memories.queries import sweep_expired
from tests.fixtures.jobs import jobs_done
from tests.fixtures.timeouts import scaled_timeout

AT_LENGTH = " and so on, at length" * 15
NOW = datetime.now(UTC)
JANUARY = datetime(2025, 1, 10, tzinfo=UTC)
MARCH = datetime(2026, 3, 5, tzinfo=UTC)


@pytest.fixture
def learn(save):
    """Return a function that saves a memory as an extraction job does."""

    async def learnt(content: str, **fields):
        of_a_job = {"learnt": Learnt(rule="rules:other", job="EXTRACT"), "source_type": SourceType.EXTRACTED}
        return await save(content, **of_a_job, **fields)

    return learnt


async def learnt(services, workspace_id, save, learn) -> list[str]:
    await learn("Ada likes tea")
    return []


async def merged(services, workspace_id, save, learn) -> list[str]:
    await save("Ada likes tea", tags=("home",))
    await save("ada likes tea!", tags=("work",))
    return ["Ada likes tea", "ada likes tea!"]


async def closed(services, workspace_id, save, learn) -> list[str]:
    await save("I live in Munich", timestamp=JANUARY)
    await save("I moved to Berlin", timestamp=MARCH)
    await jobs_done(services, workspace_id)
    return ["I live in Munich", "I moved to Berlin"]


async def summarized(services, workspace_id, save, learn) -> list[str]:
    texts = [f"takes trains{AT_LENGTH}", f"walks home{AT_LENGTH}"]
    for text in texts:
        await save(text)
    await services.memories.compaction.compact(workspace_id, CompactionRequest(older_than_days=0))
    return texts


async def expired(services, workspace_id, save, learn) -> list[str]:
    memory = await save("Ada is away", expires_at=NOW + timedelta(days=1))
    await sweep_expired(services.core.database, now=NOW + timedelta(days=2), limit=1000, mirrors=False)
    assert memory.expires_at is not None
    return ["Ada is away"]


async def merged_entities(services, workspace_id, save, learn) -> list[str]:
    drafts = [EntityDraft(type="Service", name=name) for name in ("Pay Ments", "Payments")]
    one, other = await services.knowledge.ontology.upsert_entities(workspace_id, drafts)
    await services.knowledge.merging.merge(workspace_id, from_id=one.id, into_id=other.id)
    return []


KINDS = [learnt, merged, closed, summarized, merged_entities]


@pytest.mark.parametrize("happens", KINDS, ids=lambda each: each.__name__)
async def test_two_undos_at_once_undo_once(
    services, workspace_id, other_workspace_id, changes, save, learn, texts, happens
) -> None:
    """The second gets a conflict, another workspace finds nothing, and a third is too late."""
    before = await happens(services, workspace_id, save, learn)
    (change,) = await changes()
    undo = services.operations.changes.undo
    with pytest.raises(NotFound):
        await undo(other_workspace_id, change.id)

    answers = await asyncio.gather(
        undo(workspace_id, change.id), undo(workspace_id, change.id), return_exceptions=True
    )

    refused = [answer for answer in answers if isinstance(answer, BaseException)]
    assert [(type(each), str(each)) for each in refused] == [
        (Conflict, "this change has already been undone")
    ]
    assert await texts() == before
    (listed,) = await changes()
    assert (listed.id, listed.can_be_undone) == (change.id, False)
    with pytest.raises(Conflict, match="already been undone"):
        await undo(workspace_id, change.id)
    assert await texts() == before


async def test_undoing_a_merged_save_announces_the_changed_memory(
    services, workspace_id, changes, undo, save, learn
) -> None:
    """Issue 35: subscribers see its tags change, not only the memory that returns."""
    await merged(services, workspace_id, save, learn)
    (change,) = await changes()

    async with (
        asyncio.timeout(scaled_timeout(60)),
        services.memories.subscriptions.of_memories(workspace_id) as told,
    ):
        await undo(change)
        events = [await anext(told) for _ in range(2)]

    assert [event.type for event in events] == ["SAVED", "UPDATED"]
    assert events[0].memory_id != events[1].memory_id == change.subject_id
    assert events[1].memory.tags == ("home",)


async def test_a_learnt_text_repeated_by_a_save_is_not_replaced(changes, undo, save, learn, texts) -> None:
    """Otherwise the save would be lost."""
    await learn("Ada likes olives", key="olives")
    await learn("Ada does not like olives", key="olives")
    await save("Ada does not like olives")
    saved, changed, _ = await changes()
    assert (saved.kind, changed.before["content"]) == (ChangeKind.MERGED, "Ada likes olives")

    with pytest.raises(Conflict, match="undo that first"):
        await undo(changed)

    assert await texts() == ["Ada does not like olives"]
    await undo(saved)
    await undo(changed)
    assert await texts() == ["Ada does not like olives", "Ada likes olives"]


async def test_an_earlier_save_does_not_prevent_an_undo(changes, undo, save, learn, texts) -> None:
    await learn("Ada likes olives", key="olives")
    await save("Ada likes olives", tags=("food",))
    await learn("Ada does not like olives", key="olives")

    await undo((await changes())[0])

    assert await texts() == ["Ada likes olives"]


@pytest.mark.parametrize(
    "change",
    [
        MemoryChange(category="food"),
        MemoryChange(summary="tea"),
        MemoryChange(expires_at=NOW + timedelta(days=30)),
        MemoryChange(t_valid=JANUARY),
        MemoryChange(tags=("tea",)),
    ],
    ids=lambda change: ",".join(change.model_fields_set),
)
async def test_an_undo_keeps_decisions_about_a_learnt_memory(
    services, workspace_id, changes, undo, learn, texts, change
) -> None:
    memory = await learn("Ada likes tea")
    await services.memories.store.update(workspace_id, memory.id, change)
    (entry,) = await changes()

    with pytest.raises(Conflict, match="changed since"):
        await undo(entry)

    assert await texts() == ["Ada likes tea"]


async def test_an_original_that_somebody_restored_is_not_compacted_again_either(
    services, workspace_id, changes, undo, save, texts
) -> None:
    originals = [await save(f"walks home{AT_LENGTH}"), await save(f"takes trains{AT_LENGTH}")]
    request = CompactionRequest(older_than_days=0)
    await services.memories.compaction.compact(workspace_id, request)
    await services.memories.store.restore(workspace_id, originals[0].id)
    (change,) = await changes()

    await undo(change)

    assert (await services.memories.compaction.compact(workspace_id, request)).candidate_count == 0
    assert await texts() == sorted(memory.content for memory in originals)


async def test_an_undo_does_not_restore_a_key_taken_since(
    services, workspace_id, changes, undo, save, learn, texts
) -> None:
    """The undo is refused, and the other memory keeps the key."""
    memory = await learn("Ada likes olives", key="olives")
    await learn("Ada does not like olives", id=memory.id, key="no-olives")
    other = await save("Olives are out", key="olives")
    entry, _ = await changes()
    assert entry.before["key"] == "olives"

    with pytest.raises(Conflict) as error:
        await undo(entry)

    assert error.value.field == "id"
    assert "another memory" in str(error.value)
    assert await texts() == ["Ada does not like olives", "Olives are out"]
    assert (await services.memories.store.get(workspace_id, other.id)).key == "olives"
    assert (await changes())[0].can_be_undone is True


async def test_an_undone_merge_keeps_a_shared_save_shared(
    services, workspace_id, changes, save, texts
) -> None:
    await save("Ada likes tea", tags=("home",))
    await save("ada likes tea!", tags=("work",))
    (change,) = await changes()

    with seeing(ReadScope(user_id="alice")):
        await services.operations.changes.undo(workspace_id, change.id)

    with seeing(ReadScope(user_id="bob")):
        assert await texts() == ["Ada likes tea", "ada likes tea!"]


async def test_a_merged_save_is_restored_even_if_its_memory_was_deleted(
    services, workspace_id, changes, undo, save, texts
) -> None:
    memory = await save("Ada likes tea")
    await save("Ada  likes tea!")
    await services.memories.deletion.delete(workspace_id, memory.id)

    for entry in await changes():
        await undo(entry)

    assert await texts() in ([], ["Ada  likes tea!"])


@pytest.mark.proof
async def test_ten_thousand_changes_are_paged_without_a_gap(services, workspace_id) -> None:
    database, page = services.core.database, services.operations.changes.page
    for start in range(0, 10_000, 1000):
        entries = [
            NewChange(kind=ChangeKind.LEARNT, subject_id=f"mem_{start + number}", rule="rules:other")
            for number in range(1000)
        ]
        await record_changes(database, workspace_id, entries, now=NOW)

    found, after = [], None
    while True:
        some = await page(workspace_id, first=100, after=after)
        found += [(change.created_at, change.id) for change in some.items]
        if not some.has_more:
            break
        after = some.cursors[-1].encode()

    assert len(set(found)) == len(found) == 10_000
    assert found == sorted(found, reverse=True)
