"""The source of a fact that a later message restates."""

from tests.integration.conversations.extraction.conftest import answer, item


async def test_a_restated_fact_has_the_new_message_as_its_source(listening, chat_server) -> None:
    """Issue 35.7: the best-matching one of several; undoing the change restores the first source."""
    chat_server.replies = [answer(item("Lives in a small harbour town"))]
    await listening.say("I live in a small harbour town.")
    await listening.pass_by(30)
    (fact,) = await listening.memories()
    chat_server.replies = [
        answer(item("Lives in the mountains, no longer by the harbour", "UPDATE", target_id=fact.id))
    ]

    await listening.say(
        "I left the harbour town and moved to the mountains.", "Green tea is nice in the morning."
    )
    await listening.pass_by(30)

    memories, changes = listening.services.memories.store, listening.services.operations.changes
    changed = await memories.get(listening.workspace_id, fact.id)
    said = await listening.conversations.capture.messages_of(
        listening.workspace_id, [fact.source_conversation_id]
    )
    text_of = {message.id: message.content for message in said[fact.source_conversation_id].items}
    assert text_of[fact.source_message_id] == "I live in a small harbour town."
    assert text_of[changed.source_message_id] == "I left the harbour town and moved to the mountains."
    undone, *_ = (await changes.page(listening.workspace_id)).items
    await changes.undo(listening.workspace_id, undone.id)
    back = await memories.get(listening.workspace_id, fact.id)
    assert (back.content, back.source_message_id) == (fact.content, fact.source_message_id)
