"""Builds what turns conversations into memory: capture, extraction, distilling, episodes, handoffs, remembering."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.adapters.text.word_specificity import word_specificity
from app.bootstrap.memories import memory_policy, refusing_detector
from app.bootstrap.signals import Signals
from app.settings import Settings
from app.settings.extraction import ExtractionSettings
from graph.conversations.capture.capturing import Capturer
from graph.conversations.capture.service import Conversations
from graph.conversations.distillation.service import Distilling
from graph.conversations.episodes.service import Episodes
from graph.conversations.extraction.deletions import DeletionSuggestions
from graph.conversations.extraction.fact_saving import FactSaver
from graph.conversations.extraction.model_reading import ModelReader
from graph.conversations.extraction.models import ExtractionMode, ExtractionPolicy
from graph.conversations.extraction.scheduling import Scheduler
from graph.conversations.extraction.service import Extraction
from graph.conversations.from_messages.rerunning import Reruns
from graph.conversations.from_messages.service import Remembering
from graph.conversations.handoffs.service import Handoffs
from graph.core.database import Database
from graph.core.jobs.models import JobKind
from graph.core.jobs.service import JobRunner
from graph.core.ports import Clock, LanguageModel, SecretDetector
from graph.core.text.work import TextWork
from graph.memories.service import Memories
from graph.tenancy.workspaces.retention import RawRetention

# A language model takes seconds for each, and a lease must not run out meanwhile.
_READ_TOGETHER = 8


@dataclass(frozen=True)
class Conversing:
    """The use cases of what was said, and the jobs they ask for."""

    conversations: Conversations
    distilling: Distilling
    episodes: Episodes
    handoffs: Handoffs
    extraction: Extraction
    remembering: Remembering
    reruns: Reruns

    @property
    def runners(self) -> Mapping[JobKind, JobRunner]:
        """Who does those jobs."""
        return {
            JobKind.DISTILL: JobRunner(self.distilling.run_jobs),
            JobKind.EXTRACT: JobRunner(self.extraction.run_jobs, most_together=_READ_TOGETHER),
            JobKind.EXTRACT_FACTS: JobRunner(self.extraction.run_facts_jobs),
            JobKind.RESTATE: JobRunner(self.reruns.restate, most_together=_READ_TOGETHER),
            JobKind.SYNTHESIZE: JobRunner(self.reruns.synthesize, most_together=_READ_TOGETHER),
        }


def extraction_policy(settings: ExtractionSettings) -> ExtractionPolicy:
    """Return how conversations are extracted from, where a workspace does not say."""
    return ExtractionPolicy(
        mode=ExtractionMode(settings.mode),
        speakers=settings.speakers,
        window_seconds=settings.window_seconds,
        at_once=settings.at_once,
        least_confidence=settings.auto_confidence,
        least_confidence_asked=settings.manual_confidence,
        raw_retention=RawRetention(settings.raw_conversation_retention),
    )


def build_conversing(
    settings: Settings,
    database: Database,
    signals: Signals,
    clock: Clock,
    memories: Memories,
    secrets: SecretDetector | None,
    language_model: LanguageModel | None,
    text_work: TextWork,
) -> Conversing:
    """Return the services over one store."""
    policy = extraction_policy(settings.extraction)
    refusing = refusing_detector(settings.memory, secrets)
    capturer = Capturer(
        database,
        clock,
        most_chars=settings.memory.max_turn_chars,
        secrets=refusing,
        scheduler=Scheduler(policy),
    )
    conversations = Conversations(database, clock, memories, signals.working_set, capturer)
    episodes = Episodes(
        database,
        signals.wake_up,
        clock,
        policy.raw_retention,
        language_model=language_model,
        specificity=word_specificity,
        text_work=text_work,
    )
    remembering = Remembering(memories, conversations, memory_policy(settings.memory), language_model)
    return Conversing(
        conversations=conversations,
        distilling=Distilling(
            database,
            memories,
            signals.wake_up,
            clock,
            text_work,
            secrets=refusing,
            language_model=language_model,
        ),
        episodes=episodes,
        handoffs=Handoffs(database, conversations, episodes, memories, clock, language_model, text_work),
        extraction=Extraction(
            database,
            signals.wake_up,
            clock,
            policy,
            FactSaver(database, memories, clock, refusing, text_work),
            ModelReader(database, memories, clock, language_model, refusing) if language_model else None,
            DeletionSuggestions(database, memories, clock),
        ),
        remembering=remembering,
        reruns=Reruns(database, memories, remembering, signals.wake_up, clock),
    )
