"""The stored fields of a saved memory."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from graph.core.errors import Conflict, InvalidInput
from graph.knowledge.ontology.models import EntityDraft
from graph.memories.models import (
    ImportanceBand,
    MemoryChange,
    MemoryDraft,
    MemoryFacet,
    MemoryKind,
    MemoryState,
    MemoryType,
    SaveOutcome,
)
from graph.memories.policy import AUTOMATIC_SOURCES, SourceType

DIMENSION = 384
UNIT = (1.0,) + (0.0,) * (DIMENSION - 1)


async def saved(memories, workspace_id, content="Ada lives in Oslo", **fields):
    receipt = await memories.save(workspace_id, MemoryDraft(content=content, **fields))
    return receipt.memory


async def test_every_field_is_returned_unchanged(services, workspace_id) -> None:
    """A1, A7, A9, A10, A11, A18."""
    east = timezone(timedelta(hours=2))
    given = {
        "category": "Not an ENUM",
        "type": MemoryType.HABIT,
        "kind": MemoryKind.SEMANTIC,
        "facet": MemoryFacet.OBJECTIVE,
        "tags": ("Slack:Channel:General", "b"),
        "keywords": ("oslo",),
        "importance": 0.75,
        "confidence": 0.25,
        "metadata": {"a": {"b": [1, None, "ü"]}, "c": 1.5},
        "timestamp": datetime(2024, 5, 1, 14, tzinfo=east),
        "t_valid": datetime.fromisoformat("2024-01-01"),
        "t_invalid": datetime(2099, 1, 1, tzinfo=UTC),
        "expires_at": datetime(2098, 1, 1, tzinfo=UTC),
        "speaker": "Ada",
        "source_type": "user",
        "source_conversation_id": "chat-1",
        "source_message_id": "msg-1",
        "session_id": "s-1",
        "api_key_id": "key-1",
    }

    answered = await saved(services.memories.store, workspace_id, **given)

    memory = await services.memories.store.get(workspace_id, answered.id)
    expected = {
        **given,
        "timestamp": datetime(2024, 5, 1, 12, tzinfo=UTC),
        "t_valid": datetime(2024, 1, 1, tzinfo=UTC),
    }
    assert {name: getattr(memory, name) for name in given} == expected
    assert memory.workspace_id == workspace_id
    assert (memory.summary, memory.deleted_at, memory.old_text) == (None, None, None)
    assert answered.enriched is False  # the stored memory may be linked by then


async def test_omitted_fields_have_their_defaults(services, workspace_id) -> None:
    """A2, A7, A11, A12, A15, A38: a save infers no category and writes no summary."""
    before = datetime.now(UTC)
    memory = await saved(services.memories.store, workspace_id)

    assert memory.id.startswith("mem_")
    assert len(memory.id) == len("mem_") + 24
    assert (memory.category, memory.key, memory.summary, memory.expires_at) == (None, None, None, None)
    assert (memory.tags, memory.metadata, memory.importance, memory.usage_count) == ((), {}, 0.5, 0)
    assert before <= memory.created_at == memory.updated_at == memory.timestamp <= datetime.now(UTC)


@pytest.mark.parametrize(
    ("content", "given", "expected"),
    [
        ("We decided to use PostgreSQL", {}, ("Decision", "episodic", "context", 0.8)),
        ("Ada prefers tabs", {}, ("Preference", "factual", "preference", 0.8)),
        ("Ada usually runs at noon", {}, ("Habit", "factual", "skill", 0.8)),
        ("The office is in Oslo", {}, ("Context", "factual", "context", 0.3)),
        ("The office is in Oslo", {"type": "Pattern"}, ("Pattern", "procedural", "skill", 0.9)),
        ("The office is in Oslo", {"type": "Insight"}, ("Insight", "factual", "context", 0.9)),
        ("The office is in Oslo", {"type": "Style"}, ("Style", "factual", "preference", 0.9)),
        ("The office is in Oslo", {"facet": "objective"}, ("Context", "episodic", "objective", 0.9)),
        (
            "The office is in Oslo",
            {"type": "Habit", "confidence": 0.1},
            ("Habit", "factual", "skill", 0.1),
        ),
    ],
)
async def test_the_confidence_of_the_type_depends_on_its_origin(
    services, workspace_id, content, given, expected
) -> None:
    """A8, A14, D35, D36, D37: 0.9 for a stated type, 0.8 for a recognised one, else Context with 0.3."""
    memory = await saved(services.memories.store, workspace_id, content, **given)

    assert (memory.type, memory.kind, memory.facet, memory.confidence) == expected


@pytest.mark.parametrize(
    ("importance", "band"),
    [
        (1.0, "CRITICAL"), (0.9, "CRITICAL"), (0.89, "IMPORTANT"), (0.7, "IMPORTANT"), (0.69, "STANDARD"),
        (0.5, "STANDARD"), (0.49, "MINOR"), (0.3, "MINOR"), (0.29, "LOW"), (0.0, "LOW"),
    ],
)  # fmt: skip
async def test_importance_determines_its_band(services, workspace_id, importance, band) -> None:
    """A12."""
    memory = await saved(services.memories.store, workspace_id, importance=importance)

    assert memory.importance_band is ImportanceBand(band)


async def test_tag_prefixes_follow_every_change_of_the_tags(services, workspace_id, stored_memories) -> None:
    """A15, A16."""
    memory = await saved(
        services.memories.store, workspace_id, tags=("Slack:Channel/General", " slack ", "x")
    )
    assert memory.tags == ("Slack:Channel/General", "slack", "x")
    assert (await stored_memories.get(workspace_id, memory.id))["tag_prefixes"] == [
        "slack", "slack:channel", "slack:channel/general", "x",
    ]  # fmt: skip

    await services.memories.store.update(workspace_id, memory.id, MemoryChange(tags=("b/c", "B")))
    assert (await stored_memories.get(workspace_id, memory.id))["tag_prefixes"] == ["b", "b/c"]

    await services.memories.store.update(workspace_id, memory.id, MemoryChange(importance=0.6))
    assert (await stored_memories.get(workspace_id, memory.id))["tag_prefixes"] == ["b", "b/c"]

    changed = await services.memories.store.update(workspace_id, memory.id, MemoryChange(tags=None))
    assert changed.tags == ()
    assert (await stored_memories.get(workspace_id, memory.id))["tag_prefixes"] == []


async def test_metadata_is_merged_and_its_nulls_remove_keys(services, workspace_id) -> None:
    """A19, A20: in updates and in upserts; the merge is shallow."""
    memory = await saved(
        services.memories.store, workspace_id, key="k", metadata={"a": 1, "b": {"c": 1}, "d": 1}
    )

    change = MemoryChange(metadata={"a": None, "b": {"e": 2}, "new": [None]})
    changed = await services.memories.store.update(workspace_id, memory.id, change)
    assert changed.metadata == {"b": {"e": 2}, "d": 1, "new": [None]}

    again = await saved(
        services.memories.store, workspace_id, key="k", metadata={"d": None, "f": None, "g": 1}
    )
    assert again.metadata == {"b": {"e": 2}, "new": [None], "g": 1}
    assert (await services.memories.store.get(workspace_id, memory.id)).metadata == again.metadata


async def test_a_key_that_is_stored_updates_its_memory(services, workspace_id) -> None:
    """A20: in place; an equal upsert changes nothing."""
    first = await services.memories.store.save(
        workspace_id, MemoryDraft(content="Ada likes tea", key="drink", category="taste", tags=("a",))
    )
    second = await services.memories.store.save(
        workspace_id, MemoryDraft(content="Ada likes coffee", key="drink")
    )
    third = await services.memories.store.save(
        workspace_id, MemoryDraft(content="Ada likes coffee", key="drink")
    )

    outcomes = [receipt.outcome for receipt in (first, second, third)]
    assert outcomes == [SaveOutcome.CREATED, SaveOutcome.UPDATED, SaveOutcome.UNCHANGED]
    memory = await services.memories.store.get(workspace_id, first.memory.id)
    assert (memory.content, memory.old_text, memory.version) == ("Ada likes coffee", "Ada likes tea", 2)
    assert (memory.category, memory.tags) == ("taste", ("a",))
    assert third.memory.updated_at == memory.updated_at
    assert await services.memories.store.count(workspace_id) == 1


async def test_repeated_extraction_keeps_tags_of_people(services, workspace_id) -> None:
    """A15, A20: and adds its own."""
    fact = MemoryDraft(content="Ada likes tea", key="drink", source_type=SourceType.EXTRACTED)
    memory = (await services.memories.store.save(workspace_id, fact)).memory
    await services.memories.store.update(workspace_id, memory.id, MemoryChange(tags=("pinned", "mine")))

    receipts = [
        await services.memories.store.save(
            workspace_id, fact.model_copy(update={"content": f"Ada dislikes tea {tags}", "tags": tags})
        )
        for tags in ((), ("found",))
    ]

    assert [receipt.memory.tags for receipt in receipts] == [("pinned", "mine"), ("pinned", "mine", "found")]


async def test_a_batch_may_repeat_a_key(services, workspace_id) -> None:
    """A20: the later entry updates the earlier one."""
    receipts = await services.memories.store.save_all(
        workspace_id,
        [
            MemoryDraft(content="one", key="k", metadata={"a": 1}),
            MemoryDraft(content="other"),
            MemoryDraft(content="two", key="k", metadata={"b": 2}),
        ],
    )

    assert receipts[0].memory.id == receipts[2].memory.id
    memory = await services.memories.store.get(workspace_id, receipts[0].memory.id)
    assert (memory.content, memory.version, memory.metadata) == ("two", 2, {"a": 1, "b": 2})
    assert await services.memories.store.count(workspace_id) == 2


@pytest.mark.parametrize(
    "id_", ["3f2b8a52-7f11-4b43-9a53-0d0f1f0f9f11", "mem_abcdefghijklmnopqrstuvwx", "x:1"]
)
async def test_a_supplied_id_that_is_stored_updates_its_memory(services, workspace_id, id_) -> None:
    """A2, A42, A29: an id of any form names one memory, which keeps it."""
    unique = f"{id_}.{workspace_id[-6:]}"
    await saved(services.memories.store, workspace_id, "one", id=unique, importance=0.9)
    memory = await saved(services.memories.store, workspace_id, "two", id=unique)

    assert (memory.id, memory.content, memory.version, memory.importance) == (unique, "two", 2, 0.9)
    assert await services.memories.store.count(workspace_id) == 1


async def test_an_id_used_in_another_workspace_is_available(
    services, workspace_id, other_workspace_id
) -> None:
    """A42, C20."""
    theirs = await saved(services.memories.store, other_workspace_id, "theirs", id=f"id.{other_workspace_id}")

    await services.memories.store.save_all(
        workspace_id, [MemoryDraft(content="beside"), MemoryDraft(content="mine", id=theirs.id)]
    )

    assert (await services.memories.store.get(workspace_id, theirs.id)).content == "mine"
    assert await services.memories.store.count(workspace_id) == 2
    assert (await services.memories.store.get(other_workspace_id, theirs.id)).content == "theirs"


async def test_an_id_of_another_kind_of_node_is_refused(services, workspace_id) -> None:
    """A42: and nothing else of the batch is stored."""
    (ada,) = await services.knowledge.ontology.upsert_entities(
        workspace_id, [EntityDraft(type="Person", name="Ada")]
    )

    with pytest.raises(Conflict) as refused:
        await services.memories.store.save_all(
            workspace_id, [MemoryDraft(content="beside"), MemoryDraft(content="mine", id=ada.id)]
        )

    assert refused.value.field == "id"
    assert await services.memories.store.count(workspace_id) == 0


async def test_an_id_and_a_key_of_two_memories_are_refused(services, workspace_id) -> None:
    """A20, A42."""
    await saved(services.memories.store, workspace_id, "one", key="k")
    other = await saved(services.memories.store, workspace_id, "two")

    with pytest.raises(Conflict) as refused:
        await saved(services.memories.store, workspace_id, "three", id=other.id, key="k")
    assert refused.value.field == "key"

    with pytest.raises(Conflict) as refused:
        await services.memories.store.update(workspace_id, other.id, MemoryChange(key="k"))
    assert refused.value.field == "key"


async def test_a_supplied_vector_is_stored_and_not_queued(services, workspace_id, stored_memories) -> None:
    """B8: at once, even if it replaces another vector."""
    memory = await saved(services.memories.store, workspace_id, embedding=UNIT)

    assert memory.state is MemoryState.EMBEDDED
    stored = await stored_memories.get(workspace_id, memory.id)
    assert (stored["jobs"], stored["signature"]) == (0, services.vectors.embeddings.active.signature)

    change = MemoryChange(content="Ada lives in Bergen", embedding=UNIT[::-1])
    changed = await services.memories.store.update(workspace_id, memory.id, change)
    assert changed.state is MemoryState.EMBEDDED
    assert (await stored_memories.get(workspace_id, memory.id))["jobs"] == 0


async def test_a_turn_knows_its_conversation_and_message(services, workspace_id, stored_memories) -> None:
    """A10, E16: as edges and as properties."""
    first, second = await services.memories.store.save_all(
        workspace_id,
        [
            MemoryDraft(content=f"turn {number}", source_conversation_id="c", source_message_id=f"m{number}")
            for number in (1, 2)
        ],
    )

    found = await stored_memories.get(workspace_id, first.memory.id)
    assert sorted(found["outgoing"]) == [
        ["FROM", "Conversation", "c"],
        ["FROM", "Message", "m1"],
        ["NEXT", "Memory", second.memory.id],
    ]


@pytest.mark.parametrize("source_type", AUTOMATIC_SOURCES)
async def test_what_background_paths_extract_is_cut_to_the_limit(services, workspace_id, source_type) -> None:
    """A4, A6: a client's text of this length is refused."""
    memory = await saved(services.memories.store, workspace_id, "word " * 500, source_type=source_type)
    assert memory.content == ("word " * 400).strip()

    with pytest.raises(InvalidInput) as refused:
        await saved(services.memories.store, workspace_id, "word " * 500)
    assert refused.value.field == "content"
    with pytest.raises(InvalidInput) as refused:
        await services.memories.store.update(workspace_id, memory.id, MemoryChange(content="x" * 2001))
    assert refused.value.field == "content"


async def test_a_change_of_type_changes_derived_fields(services, workspace_id) -> None:
    """A8, A14, A27: explicitly stated fields stay."""
    memory = await saved(services.memories.store, workspace_id, facet="objective")
    change = MemoryChange(type=MemoryType.DECISION)

    changed = await services.memories.store.update(workspace_id, memory.id, change)

    assert (changed.type, changed.facet, changed.confidence) == ("Decision", "objective", 0.9)


async def test_a_change_keeps_earlier_times(services, workspace_id) -> None:
    """A26, A29: only ``updated_at`` changes."""
    memory = await saved(services.memories.store, workspace_id, category="c", source_type="user")
    changed = await services.memories.store.update(workspace_id, memory.id, MemoryChange(content="Ada moved"))

    assert (changed.timestamp, changed.created_at) == (memory.timestamp, memory.created_at)
    assert changed.updated_at > memory.updated_at
    assert (changed.category, changed.source_type) == ("c", "user")
    stored = await services.memories.store.get(workspace_id, memory.id)
    # The stored memory may be linked by then.
    assert stored.model_copy(update={"state": changed.state, "enriched": changed.enriched}) == changed


async def test_imported_times_are_kept_and_never_in_the_future(services, workspace_id) -> None:
    """Issue 35: a creation time of another store is kept unless it is in the future; later saves keep it."""
    early = datetime(2020, 1, 2, tzinfo=UTC)
    drafts = [
        MemoryDraft(content="Ada keeps bees", key="bees", created_at=early),
        MemoryDraft(content="Ada drinks tea", key="tea", created_at=datetime(9000, 1, 1, tzinfo=UTC)),
    ]

    bees, tea = await services.memories.store.save_all(workspace_id, drafts)
    again = await services.memories.store.save(
        workspace_id, drafts[0].model_copy(update={"created_at": datetime(2021, 1, 1, tzinfo=UTC)})
    )

    stored = await services.memories.store.get(workspace_id, bees.memory.id)
    assert bees.memory.created_at == stored.created_at == again.memory.created_at == early
    assert again.outcome is SaveOutcome.UNCHANGED
    assert tea.memory.created_at <= datetime.now(UTC)
