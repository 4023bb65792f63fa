"""Deduplication of saves: by text, then by the model's vectors."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

import pytest

from graph.memories import queries
from graph.memories.models import MemoryChange, MemoryDraft, MemoryState, SavedMemory, SaveOutcome
from graph.memories.policy import SourceType
from tests.fixtures.states import reached
from tests.fixtures.waiting import until

# Pairs whose cosine with all-MiniLM-L6-v2 is above 0.95, and below it.
PARAPHRASES = [
    ("Ada prefers tabs over spaces", "Ada prefers tabs over spaces."),
    ("The user prefers dark mode in all editors", "In every editor, the user prefers dark mode"),
    ("User prefers dark mode", "The user prefers dark mode"),
    ("Ada does not like coffee", "Ada doesn't like coffee"),
    ("The user speaks German and French", "The user speaks French and German"),
    ("Tests must run before each commit", "Tests must be run before every commit"),
]
FARTHER_PARAPHRASES = [
    ("I'm vegetarian.", "The user is a vegetarian."),
    ("I wear size 43 shoes.", "User's shoe size is 43."),
    ("用户的姥姥住在沈阳", "用户姥姥住沈阳"),
]
CONTRADICTIONS = [
    ("Ada prefers tabs over spaces", "Ada prefers spaces over tabs"),
    ("The stand-up is at 3 pm every Monday", "The stand-up is at 4 pm every Monday"),
    ("The release is on 5 May 2026", "The release is on 6 May 2026"),
    ("Ada manages Bob in the Oslo office", "Bob manages Ada in the Oslo office"),
    ("Alice has two dogs and a cat", "Alice has three dogs and a cat"),
]

Save = Callable[..., Awaitable[SavedMemory]]


@pytest.fixture
def save(services, workspace_id) -> Save:
    async def save_one(content: str, **fields) -> SavedMemory:
        return await services.memories.store.save(workspace_id, MemoryDraft(content=content, **fields))

    return save_one


@pytest.fixture
def save_meant(save, minilm) -> Save:
    """Return a function that saves with the real model's vector, as a caller may."""

    async def save_one(content: str, **fields) -> SavedMemory:
        (vector,) = (await minilm.embed([content])).tolist()
        return await save(content, embedding=tuple(vector), **fields)

    return save_one


async def cosine(minilm, one: str, other: str) -> float:
    first, second = await minilm.embed([one, other])
    return float(first @ second)


@pytest.mark.parametrize(("one", "other"), PARAPHRASES)
async def test_a_paraphrase_is_not_saved_again(
    services, workspace_id, save_meant, minilm, one, other
) -> None:
    """A21: the receipt has the existing memory, unchanged."""
    assert await cosine(minilm, one, other) > 0.95
    first = await save_meant(one)

    second = await save_meant(other, importance=0.9)

    assert (second.outcome, second.memory.id) == (SaveOutcome.DEDUPLICATED, first.memory.id)
    stored = await services.memories.store.get(workspace_id, first.memory.id)
    assert (stored.content, stored.importance, stored.version) == (one, 0.5, 1)
    assert await services.memories.store.count(workspace_id) == 1


@pytest.mark.parametrize(("one", "other"), FARTHER_PARAPHRASES)
async def test_a_paraphrase_with_a_farther_vector_is_not_saved_again(save_meant, minilm, one, other) -> None:
    """A21: the threshold only chooses what is compared word by word."""
    assert 0.6 < await cosine(minilm, one, other) < 0.8
    first = await save_meant(one)

    second = await save_meant(other)

    assert (second.outcome, second.memory.id) == (SaveOutcome.DEDUPLICATED, first.memory.id)


@pytest.mark.parametrize(("one", "other"), CONTRADICTIONS)
async def test_a_contradiction_is_kept_however_near_it_is(
    services, workspace_id, save_meant, minilm, one, other
) -> None:
    """A21: the cosine is above the threshold, but the words differ."""
    assert await cosine(minilm, one, other) > 0.9
    await save_meant(one)

    second = await save_meant(other)

    assert second.outcome is SaveOutcome.CREATED
    assert second.memory.duplicate_of is None
    assert await services.memories.store.count(workspace_id) == 2


async def test_equal_texts_are_saved_once(services, workspace_id, save) -> None:
    """A21: ignoring case and white space."""
    first = await save("Ada lives in Oslo")
    for text in ("Ada lives in Oslo", "  ada  LIVES in\n oslo ", "Ada lives in Oslo."):
        again = await save(text)
        assert (again.outcome, again.memory.id) == (SaveOutcome.DEDUPLICATED, first.memory.id)
    assert await services.memories.store.count(workspace_id) == 1


async def test_texts_that_differ_in_punctuation_are_saved_once(services, workspace_id, save) -> None:
    """Issue 35, 11: one by one and in a batch; the vectors of these tests are far apart."""
    first = await save("PocketBase runs on port 5000")
    for text in (
        "- PocketBase runs on port 5000.",
        '"PocketBase runs on port 5,000"',
        "**PocketBase** runs on port 5000!",
    ):
        again = await save(text)
        assert (again.outcome, again.memory.id) == (SaveOutcome.DEDUPLICATED, first.memory.id)

    receipts = await services.memories.store.save_all(
        workspace_id,
        [
            MemoryDraft(content=text)
            for text in ("我喜欢喝茶。", "- 我喜欢喝茶！", "PocketBase runs on port -5000")
        ],
    )

    assert [each.outcome for each in receipts] == ["CREATED", "DEDUPLICATED", "CREATED"]
    assert await services.memories.store.count(workspace_id) == 3


async def test_twenty_concurrent_saves_create_one_memory(services, workspace_id, save) -> None:
    """A21: the other nineteen receipts name it."""
    receipts = await asyncio.gather(*(save("Ada lives in Oslo") for _ in range(20)))

    assert sorted(receipt.outcome for receipt in receipts) == ["CREATED"] + ["DEDUPLICATED"] * 19
    assert len({receipt.memory.id for receipt in receipts}) == 1
    assert await services.memories.store.count(workspace_id) == 1


async def test_concurrent_batches_store_each_text_once(services, workspace_id) -> None:
    """A21, A20: in any order of texts and keys."""
    texts = [f"statement number {number} about Ada" for number in range(8)]
    batches = [texts, texts[::-1], texts[4:] + texts[:4], texts[::2] + texts[1::2]]

    await asyncio.gather(
        *(
            services.memories.store.save_all(
                workspace_id,
                [
                    draft
                    for text in batch
                    for draft in (
                        MemoryDraft(content=text),
                        MemoryDraft(content=f"keyed {text}", key=text),
                    )
                ],
            )
            for batch in batches
        )
    )

    assert await services.memories.store.count(workspace_id) == 16


async def test_a_batch_does_not_repeat_itself(services, workspace_id) -> None:
    """A21: by text, and by the caller's vectors."""
    unit = (1.0,) + (0.0,) * 383
    receipts = await services.memories.store.save_all(
        workspace_id,
        [
            MemoryDraft(content="Ada likes green tea", embedding=unit),
            MemoryDraft(content="Ada likes green tea", embedding=unit),
            MemoryDraft(content="Ada enjoys green tea", embedding=unit),
            MemoryDraft(content="Ada likes black tea", embedding=unit),
        ],
    )

    assert [receipt.outcome for receipt in receipts] == [
        "CREATED", "DEDUPLICATED", "DEDUPLICATED", "CREATED",
    ]  # fmt: skip
    assert len({receipt.memory.id for receipt in receipts}) == 2


@pytest.mark.parametrize(
    "fields",
    [{"dedup": False}, {"key": "k"}, {"id": "own"}, {"source_conversation_id": "c"}],
    ids=lambda fields: next(iter(fields)),
)
async def test_keyed_saves_turns_and_saves_without_dedup_are_not_compared(
    services, workspace_id, save, fields
) -> None:
    """A21: ``dedup: false``, an upsert, a turn of a conversation."""
    if "id" in fields:
        fields = {"id": f"own.{workspace_id}"}
    await save("Ada lives in Oslo")

    assert (await save("Ada lives in Oslo", **fields)).outcome is SaveOutcome.CREATED
    assert await services.memories.store.count(workspace_id) == 2


@pytest.mark.parametrize(
    "fields",
    [
        {"speaker": "Bob"},
        {"timestamp": datetime(2024, 5, 1, tzinfo=UTC)},
        {"t_valid": datetime(2024, 5, 1, tzinfo=UTC)},
        {"t_invalid": datetime(2099, 5, 1, tzinfo=UTC)},
    ],
    ids=lambda fields: next(iter(fields)),
)
async def test_equal_texts_of_another_time_or_person_are_separate_memories(save, fields) -> None:
    """A21, A34."""
    await save("had tea with Ada")

    assert (await save("had tea with Ada", **fields)).outcome is SaveOutcome.CREATED
    assert (await save("had tea with Ada", **fields)).outcome is SaveOutcome.DEDUPLICATED


async def test_a_future_memory_is_not_a_duplicate_of_a_current_one(save) -> None:
    """A21, A34: by text; the same text with the same start is a duplicate."""
    begins = datetime(2099, 1, 1, tzinfo=UTC)
    await save("Ada works at Acme", t_valid=begins)

    assert (await save("Ada works at Acme")).outcome is SaveOutcome.CREATED
    assert (await save("Ada works at Acme", t_valid=begins)).outcome is SaveOutcome.DEDUPLICATED


async def test_a_past_memory_is_a_duplicate_of_one_without_a_time(save) -> None:
    """A21, A34."""
    await save("Ada works at Acme", t_valid=datetime(2020, 1, 1, tzinfo=UTC))

    assert (await save("Ada works at Acme")).outcome is SaveOutcome.DEDUPLICATED


async def test_an_option_in_capitals_differs(services, workspace_id, save) -> None:
    """A21: even in one batch and without a vector."""
    await save("Delete it with git branch -d")

    receipts = await services.memories.store.save_all(
        workspace_id, [MemoryDraft(content=f"Delete it with git branch {option}") for option in ("-D", "-d")]
    )

    assert [each.outcome for each in receipts] == [SaveOutcome.CREATED, SaveOutcome.DEDUPLICATED]


async def test_a_duplicate_adds_its_tags_and_keeps_the_pin(services, workspace_id, save) -> None:
    """A21: the pin counts even if the text is known; nothing else changes."""
    first = (await save("Always answer in German", tags=("language",))).memory
    await reached(services, workspace_id, [first.id], MemoryState.LINKED)

    again = await save("always answer in German.", tags=("pinned",), importance=0.9, metadata={"a": 1})

    assert (again.outcome, again.memory.id) == (SaveOutcome.DEDUPLICATED, first.id)
    assert again.merged == ("tags",)
    stored = await services.memories.store.get(workspace_id, first.id)
    assert stored == again.memory
    assert (stored.tags, stored.importance, stored.metadata) == (("language", "pinned"), 0.5, {})


async def test_automatic_saves_do_not_tag_memories_of_people(services, workspace_id, save) -> None:
    """A21."""
    first = (await save("Always answer in German")).memory

    again = await save("Always answer in German", tags=("found",), source_type=SourceType.AUTO_DEEP_THINK)

    assert again.outcome is SaveOutcome.DEDUPLICATED
    assert (await services.memories.store.get(workspace_id, first.id)).tags == ()


async def test_an_ending_memory_is_not_a_duplicate_of_an_unending_one(save) -> None:
    """A21, A35."""
    ending = await save("Ada lives in Oslo", expires_at=datetime(2099, 1, 1, tzinfo=UTC))

    staying = await save("Ada lives in Oslo")
    assert (staying.outcome, staying.memory.expires_at) == (SaveOutcome.CREATED, None)
    again = await save("Ada lives in Oslo", expires_at=datetime(2098, 1, 1, tzinfo=UTC))
    assert again.outcome is SaveOutcome.DEDUPLICATED
    assert again.memory.id in (ending.memory.id, staying.memory.id)


@pytest.mark.parametrize("how", ["soft", "hard", "invalid", "superseded", "changed"])
async def test_a_superseded_memory_does_not_block_a_save_of_its_text(
    services, workspace_id, save, how
) -> None:
    """A21, A30, A34, E3: the text is saved again."""
    first = (await save("Ada lives in Oslo")).memory
    if how in ("soft", "hard"):
        await services.memories.deletion.remove(workspace_id, first.id, hard=how == "hard")
    elif how == "invalid":
        change = MemoryChange(t_invalid=datetime(2024, 1, 1, tzinfo=UTC))
        await services.memories.store.update(workspace_id, first.id, change)
    elif how == "superseded":
        newer = (await save("Ada moved to Rome")).memory
        await services.memories.associations.associate(
            workspace_id, from_id=first.id, to_id=newer.id, type_="INVALIDATED_BY"
        )
    else:
        await services.memories.store.update(
            workspace_id, first.id, MemoryChange(content="Ada lives in Rome")
        )

    again = await save("Ada lives in Oslo")

    assert again.outcome is SaveOutcome.CREATED
    assert again.memory.id != first.id


@pytest.mark.parametrize("text", PARAPHRASES[1], ids=["in the same words", "in others"])
async def test_a_memory_that_is_current_again_blocks_a_duplicate(
    services, workspace_id, save_meant, text
) -> None:
    """A21: its successor was deleted."""
    first = (await save_meant(PARAPHRASES[1][0])).memory
    newer = (await save_meant("The user likes light mode")).memory
    await services.memories.associations.associate(
        workspace_id, from_id=first.id, to_id=newer.id, type_="INVALIDATED_BY"
    )
    await services.memories.deletion.delete(workspace_id, newer.id)

    again = await save_meant(text)

    assert (again.outcome, again.memory.id) == (SaveOutcome.DEDUPLICATED, first.id)


async def test_memories_of_another_workspace_are_not_duplicates(services, save, other_workspace_id) -> None:
    """A21, I8."""
    await save("Ada lives in Oslo")

    theirs = await services.memories.store.save(other_workspace_id, MemoryDraft(content="Ada lives in Oslo"))

    assert theirs.outcome is SaveOutcome.CREATED


async def test_an_uncompared_memory_is_compared_after_its_embedding(
    services, workspace_id, save, graphql
) -> None:
    """A21, B14, issue 35: a large save leaves the embedding to jobs, which then note the duplicate."""
    first = (await save("Ada likes green tea in the morning")).memory
    await reached(services, workspace_id, [first.id], MemoryState.EMBEDDED)
    same = MemoryDraft(content="In the morning Ada likes green tea")
    others = [MemoryDraft(content=f"filler of the number {number}") for number in range(100)]

    receipts = await services.memories.store.save_all(workspace_id, [same, *others])

    late = receipts[0].memory
    assert {receipt.outcome for receipt in receipts} == {SaveOutcome.CREATED}

    async def noted() -> bool:
        return (await services.memories.store.get(workspace_id, late.id)).duplicate_of is not None

    await until(noted)
    assert (await services.memories.store.get(workspace_id, late.id)).duplicate_of == first.id
    assert await services.memories.store.count(workspace_id) == 102
    shown = "query($id: ID!) { memory(id: $id) { duplicateOf } }"
    assert (await graphql.ok(shown, id=late.id))["memory"] == {"duplicateOf": first.id}
    await services.memories.deletion.delete(workspace_id, first.id)
    assert (await graphql.ok(shown, id=late.id))["memory"] == {"duplicateOf": None}


async def test_a_text_that_changes_during_its_comparison_gets_no_stale_hint(
    services, workspace_id, save, monkeypatch
) -> None:
    """Issue 35: the hint was about the old text; the new text is compared separately."""
    first = (await save("Ada likes green tea in the morning")).memory
    await reached(services, workspace_id, [first.id], MemoryState.EMBEDDED)
    same = MemoryDraft(content="In the morning Ada likes green tea")
    others = [MemoryDraft(content=f"filler of the number {number}") for number in range(100)]
    noted = queries.note_duplicates
    hints = []

    async def noted_after_a_change(runner, *, workspace_id, rows):
        hints.extend(row["duplicate_of"] for row in rows if row["id"] == late.id)
        if hints == [first.id]:
            change = MemoryChange(content="The boiler needs a new valve")
            await services.memories.store.update(workspace_id, late.id, change)
        await noted(runner, workspace_id=workspace_id, rows=rows)

    monkeypatch.setattr(queries, "note_duplicates", noted_after_a_change)
    late = (await services.memories.store.save_all(workspace_id, [same, *others]))[0].memory
    await until(lambda: _has(hints, 2))

    assert hints == [first.id, None]
    assert (await services.memories.store.get(workspace_id, late.id)).duplicate_of is None


async def _has(hints: list, number: int) -> bool:
    return len(hints) >= number
