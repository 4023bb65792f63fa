"""Changes by people, which override the language model's changes at any time."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, NoReturn

import pytest

from app.adapters.language_model import ChatLanguageModel
from graph.core.errors import Unavailable
from graph.core.models import JobState
from graph.memories.models import MemoryChange, MemoryDraft
from tests.integration.conversations.extraction.conftest import answer, asked, item


@dataclass
class Pondering:
    """A language model that runs a callback once during its answer."""

    model: ChatLanguageModel
    meanwhile: Callable[[], Awaitable[object]] | None = None

    @property
    def name(self) -> str:
        return self.model.name

    async def complete_as(self, system: str, prompt: str, output_type: type[Any]) -> Any:
        answered = await self.model.complete_as(system, prompt, output_type)
        if self.meanwhile is not None:
            meanwhile, self.meanwhile = self.meanwhile, None
            await meanwhile()
        return answered


@pytest.mark.parametrize("by_hand", ["delete", "change"])
async def test_changes_by_people_during_a_model_call_are_kept(talking, model, chat_server, by_hand) -> None:
    """D32, I17: the model's change to a deleted or changed memory is dropped; the model is asked again."""
    pondering = Pondering(model)
    talk = talking(model=pondering, mode="llm")
    memories = talk.services.memories.store
    home = (await memories.save(talk.workspace_id, MemoryDraft(content="Lives near the harbour"))).memory

    async def delete() -> None:
        await talk.services.memories.deletion.delete(talk.workspace_id, home.id)

    async def change() -> None:
        await memories.update(talk.workspace_id, home.id, MemoryChange(content="Lives on a harbour boat"))

    pondering.meanwhile = {"delete": delete, "change": change}[by_hand]
    chat_server.replies = [answer(item("Lives behind the harbour", "UPDATE", target_id=home.id)), answer()]
    await talk.say("I live behind the harbour now.")
    await talk.pass_by(30)

    kept = {"delete": [], "change": ["Lives on a harbour boat"]}[by_hand]
    assert [memory.content for memory in await talk.memories()] == kept
    (job,) = await talk.pending()
    assert (job.state, job.attempts, job.error) == (JobState.PENDING, 1, "OutOfDate")
    assert (await talk.conversation()).extracted_up_to is None

    await talk.pass_by(5)

    known = [memory["text"] for memory in asked(chat_server)[1]["known"]]
    assert known == kept
    assert [memory.content for memory in await talk.memories()] == kept
    assert await talk.pending() == []
    assert (await talk.conversation()).extracted_up_to == 0


async def test_a_confirmation_that_fails_leaves_memory_and_proposal(
    listening, chat_server, monkeypatch
) -> None:
    """D32: both change, or neither does."""
    memories, deletions = listening.services.memories.store, listening.conversations.extraction.deletions
    job = (
        await memories.save(listening.workspace_id, MemoryDraft(content="Works at the harbour office"))
    ).memory
    chat_server.replies = [answer(item("Has left the office", "DELETE", target_id=job.id))]
    await listening.say("I left the harbour office.")
    await listening.pass_by(30)

    async def failing(*_: object, **__: object) -> NoReturn:
        raise Unavailable("neo4j", "the graph went away")

    with monkeypatch.context() as broken:
        broken.setattr("graph.memories.queries.archive_memories", failing)
        with pytest.raises(Unavailable):
            await deletions.confirm(listening.workspace_id, job.id)

    proposed = (await deletions.page(listening.workspace_id)).items
    assert [each.memory_id for each in proposed] == [job.id]
    assert [memory.id for memory in await listening.memories()] == [job.id]
    assert await deletions.confirm(listening.workspace_id, job.id) is True
    assert await listening.memories() == []
