"""Messages as they are stored."""

from datetime import UTC, datetime

import pytest

from graph.core.errors import InvalidInput
from graph.memories.models import MemoryChange, MemoryClearing, MemoryDraft

SAID_AT = datetime(2024, 5, 1, 12, tzinfo=UTC)


def turn(content: str, message_id: str, conversation_id: str = "c", **fields) -> MemoryDraft:
    return MemoryDraft(
        content=content, source_conversation_id=conversation_id, source_message_id=message_id, **fields
    )


async def test_a_turn_stores_its_message_unchanged(services, workspace_id) -> None:
    """D1: text, speaker, role, position and time; changing the memory does not change the message."""
    drafts = [
        turn("I live in Oslo", "m1", speaker="User", session_id="s", timestamp=SAID_AT),
        turn("Noted.", "m2", speaker="Ada", session_id="s"),
    ]
    first, _ = await services.memories.store.save_all(workspace_id, drafts)
    await services.memories.store.update(
        workspace_id, first.memory.id, MemoryChange(content="Ola lives in Oslo")
    )

    message = await services.conversations.capture.find_message(workspace_id, "m1")
    assert (message.content, message.speaker, message.role) == ("I live in Oslo", "User", "user")
    assert (message.conversation_id, message.session_id, message.position) == ("c", "s", 0)
    assert message.said_at == SAID_AT
    answer = await services.conversations.capture.find_message(workspace_id, "m2")
    assert (answer.speaker, answer.role, answer.position, answer.said_at) == ("Ada", None, 1, None)


async def test_equal_message_ids_are_allowed_in_different_conversations(services, workspace_id) -> None:
    for conversation in ("a", "b"):
        await services.memories.store.save(workspace_id, turn(f"said in {conversation}", "1", conversation))

    found = await services.conversations.capture.find_message(workspace_id, "1", conversation_id="b")
    assert found.content == "said in b"
    with pytest.raises(InvalidInput) as refused:
        await services.conversations.capture.find_message(workspace_id, "1")
    assert refused.value.field == "conversationId"


async def test_a_message_of_another_workspace_does_not_exist(
    services, workspace_id, other_workspace_id
) -> None:
    """I8."""
    await services.memories.store.save(other_workspace_id, turn("theirs", "m1"))

    assert await services.conversations.capture.find_message(workspace_id, "m1") is None


async def test_a_permanently_deleted_turn_deletes_its_message(services, workspace_id) -> None:
    """A30: none of its text stays; a soft deletion, or the deletion of another memory, keeps the message."""
    saved = await services.memories.store.save_all(workspace_id, [turn("one", "m1"), turn("two", "m2")])
    note = turn("somebody said one", "m1", source_type="user")
    remembered = (await services.memories.store.save(workspace_id, note)).memory

    await services.memories.deletion.remove(workspace_id, remembered.id, hard=True)
    await services.memories.deletion.remove(workspace_id, saved[0].memory.id)
    assert (await services.conversations.capture.find_message(workspace_id, "m1")).content == "one"

    await services.memories.deletion.clear(workspace_id, MemoryClearing(), hard=True)
    for id_ in ("m1", "m2"):
        assert await services.conversations.capture.find_message(workspace_id, id_) is None


async def test_a_source_that_is_not_captured_yet_is_filled_in_later(
    services, workspace_id, stored_memories
) -> None:
    """A10: the edges exist from the start."""
    note = (
        await services.memories.store.save(workspace_id, turn("Ola lives in Oslo", "m1", source_type="model"))
    ).memory
    assert sorted((await stored_memories.get(workspace_id, note.id))["outgoing"]) == [
        ["FROM", "Conversation", "c"],
        ["FROM", "Message", "m1"],
    ]
    assert (await services.conversations.capture.find_message(workspace_id, "m1")).content is None

    await services.memories.store.save(workspace_id, turn("I live in Oslo", "m1", speaker="user"))

    message = await services.conversations.capture.find_message(workspace_id, "m1")
    assert (message.content, message.role, message.position) == ("I live in Oslo", "user", 0)
