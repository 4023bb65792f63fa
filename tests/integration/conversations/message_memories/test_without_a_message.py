"""Reruns for memories from a whole conversation instead of a single message."""

import pytest

from graph.core.errors import Conflict
from graph.memories.models import MemoryDraft

SAID = "I finally moved: since May I live in Oslo, and I work at the harbour."
RERUN = "mutation($id: ID!) { rerunExtraction(id: $id) { memory { summary content } } }"


@pytest.mark.parametrize("source_type", ["model", "extracted", "auto_deep_think", "auto_research"])
async def test_a_memory_of_a_conversation_is_rewritten_from_its_best_message(
    graphql, services, workspace_id, source_type
) -> None:
    """Issue 35 (7): no message contains a tool's output; if no text is left, the response says so.

    No summary of the message would be shorter than the memory.
    """
    said = [
        MemoryDraft(content=content, source_conversation_id="chat-1", source_message_id=id_)
        for id_, content in (("m1", "How are you?"), ("m2", SAID), ("m3", "Good to hear."))
    ]
    await services.memories.store.save_all(workspace_id, said)

    async def saved(conversation_id: str) -> str:
        draft = MemoryDraft(
            content="The user moved to Oslo in May",
            source_type=source_type,
            source_conversation_id=conversation_id,
            dedup=False,
        )
        return (await services.memories.store.save(workspace_id, draft)).memory.id

    rerun = (await graphql.ok(RERUN, id=await saved("chat-1")))["rerunExtraction"]
    gone = await saved("chat-2")
    error = await graphql.error(RERUN, id=gone)

    assert rerun["memory"] == {
        "summary": None,
        "content": "The user moved to Oslo in May",
    }
    assert (error["code"], error["field"]) == ("CONFLICT", "sourceMessageId")
    with pytest.raises(Conflict):
        await services.conversations.reruns.request(workspace_id, gone)
