"""An unavailable language model: extraction waits, drops nothing and delays no other workspace (B15, D20)."""

from dataclasses import dataclass

import pytest

from app.adapters.language_model import ChatEndpoint, ChatLanguageModel
from graph.core.models import JobState
from graph.core.ports import LanguageModel
from tests.fixtures.listeners import JSON
from tests.integration.conversations.extraction.conftest import answer, item

OVERLOADED = (503, JSON, b'{"error": "later"}')
REFUSED = (400, JSON, b'{"error": "too long"}')
MORE_THAN_ARE_TRIED = 8


async def test_extraction_waits_for_an_outage_of_any_length(listening, chat_server) -> None:
    """B15, D20."""
    chat_server.faults = [OVERLOADED] * MORE_THAN_ARE_TRIED
    chat_server.replies = [answer(item("Likes apples"))]
    await listening.say("I like apples.")
    for _ in range(MORE_THAN_ARE_TRIED):
        await listening.pass_by(60)

    (job,) = await listening.pending()
    assert (job.state, job.attempts) == (JobState.PENDING, MORE_THAN_ARE_TRIED)
    assert "answered with status 503" in (job.error or "")
    await listening.pass_by(60)

    assert [memory.content for memory in await listening.memories()] == ["Likes apples"]
    assert await listening.pending() == []


async def test_a_refused_conversation_is_skipped(listening, chat_server) -> None:
    """B15: the model would refuse it each time."""
    chat_server.faults = [REFUSED] * MORE_THAN_ARE_TRIED
    await listening.say("I like apples.")
    for _ in range(MORE_THAN_ARE_TRIED):
        await listening.pass_by(60)

    (job,) = await listening.pending()
    assert (job.state, job.attempts) == (JobState.FAILED, 5)
    assert len(chat_server.requests) == 5


@dataclass
class EachItsOwn:
    """Fake ``LanguageModels``: one workspace has its own model, all others share one."""

    workspace_id: str
    own: LanguageModel
    shared: LanguageModel

    async def of(self, workspace_id: str) -> LanguageModel:
        return self.own if workspace_id == self.workspace_id else self.shared


@pytest.mark.parametrize("rounds", [1, 4])
async def test_an_unavailable_model_delays_only_its_workspace(
    talking, model, services, chat_server, rounds: int
) -> None:
    """D20, F1: at the first attempt, in one batch, and behind failed attempts."""
    away = ChatLanguageModel(ChatEndpoint(url="http://127.0.0.1:9/v1", model="a-model", attempts=1))
    other = await services.tenancy.workspaces.create("its own model", memory_enabled=True)
    models = EachItsOwn(other.id, own=away, shared=model)
    here = talking(models=models, mode="llm")
    there = here.elsewhere(workspace_id=other.id, id="elsewhere")
    chat_server.replies = [answer(item("Likes apples"))]
    chat_server.faults = [OVERLOADED] * (rounds - 1)
    for number in range(10):
        await there.elsewhere(id=f"elsewhere-{number}").say("I like pears.")
    await here.say("I like apples.")

    for _ in range(rounds):
        await here.pass_by(60)

    assert [memory.content for memory in await here.memories()] == ["Likes apples"]
    assert await there.memories() == []
    assert {job.state for job in await there.pending()} == {JobState.PENDING}
    await away.close()
