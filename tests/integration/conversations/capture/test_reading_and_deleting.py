"""Conversations: listed by last activity, read page by page, and deleted with their messages."""

from collections import Counter

import pytest

from graph.conversations import queries
from graph.conversations.capture import service
from graph.conversations.capture.models import CaptureDraft, MessageDraft
from graph.core.errors import InvalidInput
from graph.core.scope import EVERYTHING, ReadScope, seeing
from graph.memories.models import MemoryDraft


@pytest.fixture
def append(services, capturing_workspace_id):
    """Return a function that captures the texts of a conversation."""

    async def append(id_: str, *texts: str, platform: str | None = None):
        messages = [MessageDraft(content=text, id=text) for text in texts]
        draft = CaptureDraft(conversation_id=id_, platform=platform, messages=messages)
        return await services.conversations.capture.append(capturing_workspace_id, draft)

    return append


async def test_the_conversation_last_added_to_comes_first(services, capturing_workspace_id, append) -> None:
    for id_ in ("a", "b", "c"):
        await append(id_, "Hello", platform="Claude" if id_ != "b" else "Gemini")
    await append("a", "Again")
    await append("b", "Hello")  # a known message, so no activity
    conversations = services.conversations.capture

    first = await conversations.page(capturing_workspace_id, first=2)
    rest = await conversations.page(capturing_workspace_id, first=2, after=first.cursors[-1].encode())
    of_claude = await conversations.page(capturing_workspace_id, platform="Claude")

    assert ([each.id for each in first.items], first.has_more) == (["a", "c"], True)
    assert ([each.id for each in rest.items], rest.has_more) == (["b"], False)
    assert [each.id for each in of_claude.items] == ["a", "c"]


async def test_messages_are_read_page_by_page(services, capturing_workspace_id, append) -> None:
    await append("a", *(f"said {number}" for number in range(5)))
    await append("b", "other")
    of = services.conversations.capture.messages_of

    pages = [await of(capturing_workspace_id, ["a", "b", "none"], first=2)]
    while pages[-1]["a"].has_more:
        after = pages[-1]["a"].cursors[-1].encode()
        pages.append(await of(capturing_workspace_id, ["a"], first=2, after=after))

    assert [[each.content for each in page["a"].items] for page in pages] == [
        ["said 0", "said 1"],
        ["said 2", "said 3"],
        ["said 4"],
    ]
    assert [each.content for each in pages[0]["b"].items] == ["other"]
    assert pages[0]["none"].items == []


async def test_messages_are_read_page_by_page_from_the_last_one_back(
    services, capturing_workspace_id, append
) -> None:
    await append("a", *(f"said {number}" for number in range(5)))
    await append("b", "other")
    of = services.conversations.capture.messages_before

    pages = [await of(capturing_workspace_id, ["a", "b", "none"], last=2)]
    while pages[-1]["a"].has_more:
        before = pages[-1]["a"].cursors[0].encode()
        pages.append(await of(capturing_workspace_id, ["a"], last=2, before=before))

    assert [[each.content for each in page["a"].items] for page in pages] == [
        ["said 3", "said 4"],
        ["said 1", "said 2"],
        ["said 0"],
    ]
    assert [each.content for each in pages[0]["b"].items] == ["other"]
    assert pages[0]["none"].items == []


@pytest.mark.parametrize(("paging", "field"), [({"last": 0}, "last"), ({"before": "?"}, "before")])
async def test_an_invalid_page_from_the_end_is_refused(
    services, capturing_workspace_id, paging, field
) -> None:
    with pytest.raises(InvalidInput) as refused:
        await services.conversations.capture.messages_before(capturing_workspace_id, ["a"], **paging)

    assert refused.value.field == field


@pytest.mark.parametrize(("paging", "field"), [({"first": 0}, "first"), ({"after": "?"}, "after")])
async def test_an_invalid_page_is_refused(services, capturing_workspace_id, paging, field) -> None:
    for read in (
        services.conversations.capture.page(capturing_workspace_id, **paging),
        services.conversations.capture.messages_of(capturing_workspace_id, ["a"], **paging),
    ):
        with pytest.raises(InvalidInput) as refused:
            await read
        assert refused.value.field == field


async def test_deleting_a_conversation_deletes_messages_but_no_facts(
    services, capturing_workspace_id, append, stored_conversations, stored_memories
) -> None:
    """F9, I14, A30: messages and turns are permanently deleted; facts extracted from them stay."""
    await append("a", "one", "two")
    await append("b", "kept")
    turn, deleted, learnt = [
        saved.memory.id
        for saved in await services.memories.store.save_all(
            capturing_workspace_id,
            [
                MemoryDraft(content="I live in Oslo", source_conversation_id="a", source_message_id="one"),
                MemoryDraft(content="Forget this", source_conversation_id="a", source_message_id="m9"),
                MemoryDraft(
                    content="Ola lives in Oslo",
                    source_type="model",
                    source_conversation_id="a",
                    source_message_id="one",
                ),
            ],
        )
    ]
    await services.memories.deletion.remove(capturing_workspace_id, deleted)

    assert await services.conversations.capture.delete(capturing_workspace_id, "a") is True

    find = services.memories.store.find
    assert await services.conversations.capture.find(capturing_workspace_id, "a") is None
    assert await stored_conversations.left(capturing_workspace_id) == 2
    for gone in (turn, deleted):
        assert await find(capturing_workspace_id, gone, include_deleted=True) is None
    assert (await find(capturing_workspace_id, learnt)).content == "Ola lives in Oslo"
    edges = (await stored_memories.get(capturing_workspace_id, learnt))["outgoing"]
    assert [edge for edge in edges if edge[0] == "FROM"] == []
    assert await services.conversations.capture.delete(capturing_workspace_id, "a") is False
    assert (await append("a", "new")).capture.added == 1


async def test_a_permanently_deleted_turn_leaves_the_chain_whole(
    services, capturing_workspace_id, append, stored_conversations
) -> None:
    """E4."""
    await append("a", "one", "two", "three")
    turn = MemoryDraft(content="two", source_conversation_id="a", source_message_id="two")
    saved = await services.memories.store.save(capturing_workspace_id, turn)

    await services.memories.deletion.remove(capturing_workspace_id, saved.memory.id, hard=True)

    assert await stored_conversations.chain(capturing_workspace_id, "a") == [
        ("one", ["three"]),
        ("three", []),
    ]


async def test_a_long_conversation_is_deleted_in_parts(
    services, capturing_workspace_id, append, stored_conversations, monkeypatch
) -> None:
    """E4: 100,000 messages in one transaction would exceed a small server's heap."""
    monkeypatch.setattr(service, "_DELETED_TOGETHER", 2)
    await append("a", *(f"said {number}" for number in range(7)))
    await append("b", "other")

    assert await services.conversations.capture.delete(capturing_workspace_id, "a")

    assert await stored_conversations.left(capturing_workspace_id) == 2
    assert not await services.conversations.capture.delete(capturing_workspace_id, "a")


async def test_a_turn_that_is_saved_during_the_deletion_goes_with_its_conversation(
    services, capturing_workspace_id, append, stored_conversations, monkeypatch
) -> None:
    """I14, issue 35: otherwise it would remain as a memory of a deleted conversation."""
    await append("a", "one")
    whole = queries.delete_messages
    late: list[str] = []

    async def after_a_save(runner, **parameters):
        turn = MemoryDraft(content="I live in Oslo", source_conversation_id="a", source_message_id="late")
        late.append((await services.memories.store.save(capturing_workspace_id, turn)).memory.id)
        return await whole(runner, **parameters)

    monkeypatch.setattr(queries, "delete_messages", after_a_save)
    assert await services.conversations.capture.delete(capturing_workspace_id, "a") is True

    (turn,) = late
    assert await services.memories.store.find(capturing_workspace_id, turn, include_deleted=True) is None
    assert await stored_conversations.left(capturing_workspace_id) == 0


async def test_many_turns_saved_during_the_deletion_are_deleted_in_bounded_transactions(
    services, capturing_workspace_id, append, stored_conversations, monkeypatch
) -> None:
    """E4, I14: a concurrent import may save any number of turns."""
    monkeypatch.setattr(service, "_FORGOTTEN_TOGETHER", 3)
    await append("a", "one")
    whole, remove = queries.delete_messages, services.memories.deletion.remove_within
    late: list[str] = []
    removed: Counter[object] = Counter()

    async def after_saves(runner, **parameters):
        if not late:
            turns = [
                MemoryDraft(
                    content=f"I live in city {number}",
                    source_conversation_id="a",
                    source_message_id=str(number),
                )
                for number in range(7)
            ]
            saved = await services.memories.store.save_all(capturing_workspace_id, turns)
            late.extend(each.memory.id for each in saved)
        return await whole(runner, **parameters)

    async def counting(tx, workspace_id, ids, **how):
        removed[tx] += len(ids)
        return await remove(tx, workspace_id, ids, **how)

    monkeypatch.setattr(queries, "delete_messages", after_saves)
    monkeypatch.setattr(services.memories.deletion, "remove_within", counting)
    assert await services.conversations.capture.delete(capturing_workspace_id, "a") is True

    assert len(late) == 7
    assert await services.memories.store.find_all(capturing_workspace_id, late) == {}
    assert sum(removed.values()) == 7
    assert max(removed.values()) <= 3
    assert await stored_conversations.left(capturing_workspace_id) == 0


async def test_deleting_a_conversation_deletes_every_writers_working_set(
    services, capturing_workspace_id
) -> None:
    """I14, H1: even if one user deletes a shared conversation; another user's with the same id stays."""
    working_set = services.core.working_set
    people = (EVERYTHING, ReadScope(user_id="alice"), ReadScope(user_id="bob"))

    async def written(id_: str, user_id: str | None) -> None:
        draft = CaptureDraft(conversation_id=id_, user_id=user_id, messages=[MessageDraft(content="Hello")])
        await services.conversations.capture.append(capturing_workspace_id, draft)
        for person in people:
            with seeing(person):
                await working_set.write(capturing_workspace_id, id_, "plan", 1)

    async def left(id_: str) -> list[str | None]:
        found = []
        for person in people:
            with seeing(person):
                if await working_set.read(capturing_workspace_id, id_, "plan"):
                    found.append(person.user_id)
        return found

    for id_, user_id in (("hers", "alice"), ("shared", None), ("not-shared", None)):
        await written(id_, user_id)
    await services.conversations.capture.delete(capturing_workspace_id, "hers")
    with seeing(ReadScope(user_id="alice")):
        await services.conversations.capture.delete(capturing_workspace_id, "shared")

    assert await left("hers") == ["bob"]
    assert await left("shared") == []
    assert await left("not-shared") == [None, "alice", "bob"]


async def test_conversations_are_separate_for_each_workspace(
    services, capturing_workspace_id, other_workspace_id, append
) -> None:
    """I8, N12: even with the same id."""
    await services.tenancy.workspaces.update(other_workspace_id, memory_enabled=True)
    await append("a", "ours")
    theirs = CaptureDraft(conversation_id="a", messages=[MessageDraft(content="theirs")])
    await services.conversations.capture.append(other_workspace_id, theirs)

    found = await services.conversations.capture.messages_of(other_workspace_id, ["a"])
    assert [each.content for each in found["a"].items] == ["theirs"]
    assert await services.conversations.capture.delete(other_workspace_id, "a") is True
    assert await services.conversations.capture.counts_of(other_workspace_id, ["a"]) == {}
    assert (await services.conversations.capture.counts_of(capturing_workspace_id, ["a"]))["a"].messages == 1
