"""A message to remember, and the service with a test's own language model."""

from datetime import UTC, datetime

import pytest

from graph.conversations.message_memories import MessageMemories
from graph.memories.models import MemoryDraft
from graph.memories.policy import MemoryPolicy
from tests.fixtures.memories import SameModel, ScriptedModel

SAID = "I finally moved: since May I live in Oslo, and I work at the harbour."
SAID_AT = datetime(2024, 5, 1, 12, tzinfo=UTC)


@pytest.fixture
async def message(services, workspace_id) -> str:
    """Save a conversation of two messages; return the id of the second one."""
    said = [
        MemoryDraft(
            content=content,
            speaker=speaker,
            source_conversation_id="chat-1",
            source_message_id=id_,
            session_id="s",
            timestamp=SAID_AT,
        )
        for id_, speaker, content in (("m1", "assistant", "How are you?"), ("m2", "user", SAID))
    ]
    await services.memories.store.save_all(workspace_id, said)
    return "m2"


@pytest.fixture
def remembering_with(services, memories_under):
    """Return a function that builds the service with a given language model."""
    capture, text_work = services.conversations.capture, services.vectors.embeddings.text_work

    def remembering(model: ScriptedModel | None) -> MessageMemories:
        memories = memories_under(language_model=model)
        return MessageMemories(memories, capture, MemoryPolicy(), SameModel(model), text_work)

    return remembering
