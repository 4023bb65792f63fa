"""Remembered messages that a language model rewrites later."""

from graph.conversations.message_memories import MessageToRemember, is_synthesized
from graph.memories.models import MemoryFilter
from tests.fixtures.memories import ScriptedModel
from tests.integration.conversations.message_memories.conftest import SAID


async def test_an_existing_memory_can_be_synthesized(
    services, workspace_id, message, remembering_with
) -> None:
    """A23, issue 35.25: the memory keeps its id, and its text becomes a version."""
    request = MessageToRemember(message_id=message)
    memory = (await services.conversations.message_memories.remember(workspace_id, request)).memory
    model = ScriptedModel("Lives in Oslo, works at the harbour.")
    remembering = remembering_with(model)

    saved = await remembering.remember(workspace_id, request.model_copy(update={"synthesize": True}))
    again = await remembering.remember(workspace_id, request.model_copy(update={"synthesize": True}))

    assert (saved.outcome, saved.memory.id, saved.memory.content) == ("UPDATED", memory.id, model.answer)
    assert (saved.memory.version, saved.memory.old_text, is_synthesized(saved.memory)) == (2, SAID, True)
    assert again.memory == saved.memory
    assert await services.memories.store.count(workspace_id, MemoryFilter(source_types=("user",))) == 1
