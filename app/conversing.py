"""Builds what turns conversations into memory: capture, episodes, handoffs and remembering."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.memory_policy import memory_policy, refusing_detector
from app.settings import Settings
from app.signals import Signals
from graph.conversations.capturing import Capturer
from graph.conversations.service import Conversations
from graph.core.database import Database
from graph.distilling.service import Distilling
from graph.episodes.service import Episodes
from graph.handoffs.service import Handoffs
from graph.jobs.models import JobKind
from graph.jobs.service import JobRunner
from graph.memories.service import Memories
from graph.ports import Clock, LanguageModel, SecretDetector
from graph.remembering.service import Remembering


@dataclass(frozen=True)
class Conversing:
    """The use cases of what was said, and the jobs they ask for."""

    conversations: Conversations
    distilling: Distilling
    episodes: Episodes
    handoffs: Handoffs
    remembering: Remembering

    @property
    def runners(self) -> Mapping[JobKind, JobRunner]:
        """Who does those jobs."""
        return {JobKind.DISTILL: JobRunner(self.distilling.run_jobs)}


def build_conversing(
    settings: Settings,
    database: Database,
    signals: Signals,
    clock: Clock,
    memories: Memories,
    secrets: SecretDetector | None,
    language_model: LanguageModel | None,
) -> Conversing:
    """Return the services over one store."""
    capturer = Capturer(
        database,
        clock,
        most_chars=settings.memory.max_turn_chars,
        secrets=refusing_detector(settings.memory, secrets),
    )
    conversations = Conversations(database, clock, memories, signals.working_set, capturer)
    episodes = Episodes(database, signals.wake_up, clock)
    return Conversing(
        conversations=conversations,
        distilling=Distilling(
            database,
            memories,
            signals.wake_up,
            clock,
            secrets=refusing_detector(settings.memory, secrets),
            language_model=language_model,
        ),
        episodes=episodes,
        handoffs=Handoffs(database, conversations, episodes, memories, clock, language_model),
        remembering=Remembering(memories, conversations, memory_policy(settings.memory), language_model),
    )
