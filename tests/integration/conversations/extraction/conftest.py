"""Conversations, extraction and its jobs as in a separate process, with a clock that tests move."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from app.adapters.language_model import ChatEndpoint, ChatLanguageModel
from app.bootstrap.conversations import build_conversations
from app.bootstrap.dependencies import Dependencies, Signals, open_signals
from app.bootstrap.runtime import SystemClock
from app.bootstrap.services import conversation_runners
from app.settings import Settings
from app.settings.memories import ExtractionSettings
from graph.conversations.capture.models import CaptureDraft, CaptureReport, Conversation, MessageDraft
from graph.core.jobs import Jobs
from graph.core.models import Job, JobKind, JobRules
from graph.core.ports import LanguageModels
from graph.memories.models import Memory, MemoryFilter
from graph.operations.services import ConversationServices, Services
from graph.vectors.external.mirroring import Mirroring
from tests.fixtures.chat_server import ChatServer
from tests.fixtures.jobs import drop_jobs
from tests.fixtures.local_models import files_of
from tests.fixtures.memories import MovingClock, SameModel, ScriptedModel


@dataclass(frozen=True)
class Talk:
    """A conversation of a workspace and the engine that reads it."""

    services: Services
    workspace_id: str
    clock: MovingClock
    conversations: ConversationServices
    jobs: Jobs
    id: str = "talk"

    async def say(self, *messages: str | MessageDraft, **fields: Any) -> CaptureReport:
        """Capture messages of the user at the end of the conversation."""
        drafts = [
            each if isinstance(each, MessageDraft) else MessageDraft(content=each, role="user")
            for each in messages
        ]
        draft = CaptureDraft(conversation_id=self.id, messages=drafts, **fields)
        captured = await self.conversations.capture.append(self.workspace_id, draft)
        assert captured.capture is not None
        return captured.capture

    async def pass_by(self, seconds: float) -> None:
        """Move the clock and run all jobs due by then."""
        self.clock.move(seconds=seconds)
        await self.work()

    async def work(self) -> None:
        """Run all due jobs."""
        while await self.jobs.run_due("a test's worker"):
            pass

    async def choose(self, **settings: Any) -> None:
        """Change settings of the workspace."""
        await self.services.tenancy.workspaces.update(self.workspace_id, settings=settings)

    async def conversation(self) -> Conversation:
        found = await self.conversations.capture.find(self.workspace_id, self.id)
        assert found is not None
        return found

    async def memories(self) -> list[Memory]:
        """Return the workspace's memories, sorted by key."""
        page = await self.services.memories.store.page(self.workspace_id, MemoryFilter(), first=100)
        return sorted(page.items, key=lambda memory: memory.key or memory.content)

    async def keys(self) -> list[str | None]:
        return [memory.key for memory in await self.memories()]

    async def pending(self) -> Sequence[Job]:
        """Return the pending extraction jobs."""
        page = await self.services.core.jobs.page(self.workspace_id, first=100)
        return [job for job in page.items if job.kind in (JobKind.EXTRACT, JobKind.EXTRACT_FACTS)]

    def elsewhere(self, **fields: Any) -> "Talk":
        """Return a copy with other fields, such as another conversation."""
        return replace(self, **fields)


@pytest.fixture(autouse=True)
async def no_other_jobs(graph_driver) -> None:
    """Delete other tests' jobs, which would be due a day ahead and use this test's language model."""
    await drop_jobs(graph_driver)


@pytest.fixture
async def signals(settings) -> AsyncIterator[Signals]:
    """Yield the signals of the test's process."""
    async with AsyncExitStack() as stack:
        yield open_signals(settings, SystemClock(), stack)


@pytest.fixture
def talking(
    services, settings, signals, memory_parts_under, secret_patterns, capturing_workspace_id
) -> Callable[..., Talk]:
    """Return a function that opens a process with given settings and language model."""

    def talking(
        *,
        clock: MovingClock | None = None,
        model: ScriptedModel | None = None,
        models: LanguageModels | None = None,
        **extraction: Any,
    ) -> Talk:
        # A day ahead, so that the workers of the run's engine do not take its jobs.
        clock = clock or MovingClock(datetime.now(UTC) + timedelta(days=1))
        own: Settings = settings.model_copy(update={"extraction": ExtractionSettings(**extraction)})
        memories = memory_parts_under(clock=clock)
        on = Dependencies(
            own,
            services.core.database,
            clock,
            signals,
            services.core.text_work,
            services.core.body_work,
            files_of(),
            secrets=secret_patterns,
        )
        conversations = build_conversations(
            on,
            parts=memories,
            mirroring=Mirroring(),
            tenancy=replace(services.tenancy, language_models=models or SameModel(model)),
        )
        jobs = Jobs(
            services.core.database,
            services.core.wake_up,
            services.core.announcer,
            clock,
            JobRules(),
            conversation_runners(conversations),
        )
        return Talk(services, capturing_workspace_id, clock, conversations, jobs)

    return talking


@pytest.fixture
def talk(talking) -> Talk:
    """Return a conversation with the default settings."""
    return talking()


class Interrupted(ScriptedModel):
    """A language model that runs a callback during its first answer."""

    meanwhile: Callable[[], Awaitable[object]] | None = None

    async def complete(self, system: str, prompt: str) -> str:
        meanwhile, self.meanwhile = self.meanwhile, None
        if meanwhile:
            await meanwhile()
        return await super().complete(system, prompt)


def item(text: str, action: str = "ADD", **fields: Any) -> dict[str, Any]:
    return {"type": "preference", "text": text, "confidence": 0.9, "action": action, **fields}


def answer(*items: object) -> str:
    return json.dumps({"memories": items})


@pytest.fixture
async def model(chat_server: ChatServer) -> AsyncIterator[ChatLanguageModel]:
    chat_server.replies = [answer()]
    opened = ChatLanguageModel(ChatEndpoint(url=chat_server.url, model="a-model", attempts=1))
    yield opened
    await opened.close()


@pytest.fixture
def listening(talking: Callable[..., Talk], model: ChatLanguageModel) -> Talk:
    """Return a conversation that only the language model reads."""
    return talking(model=model, mode="llm")


def asked(server: ChatServer, call: int = -1) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """Return the system prompt, the input and the whole request of a call."""
    body = server.requests[call][2]
    system, user = body["messages"][:2]
    return system["content"], json.loads(user["content"]), body
