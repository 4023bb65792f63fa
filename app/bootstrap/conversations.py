"""Builds the room of conversations: capture, extraction, distillation, episodes, handoffs, remembering."""

from app.bootstrap.dependencies import Dependencies, memory_policy
from app.bootstrap.memories import MemoryParts
from app.settings import ExtractionSettings
from graph.conversations.capture.service import Capturer, Conversations
from graph.conversations.distillation.service import Distillations
from graph.conversations.episodes.service import Episodes
from graph.conversations.extraction.fact_saving import FactSaver
from graph.conversations.extraction.model_reading import ModelReader
from graph.conversations.extraction.models import ExtractionMode, ExtractionPolicy
from graph.conversations.extraction.scheduling import Scheduler
from graph.conversations.extraction.service import DeletionSuggestions, Extraction
from graph.conversations.handoffs.service import Handoffs
from graph.conversations.message_memories import MessageMemories, Reruns
from graph.conversations.moving import ConversationMoves
from graph.core.ports import LanguageModels
from graph.memories.deletion import Deleter
from graph.memories.service import Memories
from graph.operations.services import ConversationServices, TenancyServices
from graph.tenancy.settings import RawRetention
from graph.tenancy.workspaces import Workspaces
from graph.vectors.external.mirroring import Mirroring


def extraction_policy(settings: ExtractionSettings) -> ExtractionPolicy:
    """Return the default policy of extraction for workspaces."""
    return ExtractionPolicy(
        mode=ExtractionMode(settings.mode),
        at_once=settings.at_once,
        raw_retention=RawRetention(settings.raw_conversation_retention),
    )


def build_conversations(
    on: Dependencies,
    *,
    parts: MemoryParts,
    mirroring: Mirroring,
    tenancy: TenancyServices,
) -> ConversationServices:
    """Return the room."""
    memories, deletion = parts.store, parts.deletion
    language_models, workspaces = tenancy.language_models, tenancy.workspaces
    database, clock = on.database, on.clock
    policy = extraction_policy(on.settings.extraction)
    capturer = Capturer(
        database,
        clock,
        secrets=on.refusing,
        scheduler=Scheduler(policy),
    )
    capture = Conversations(database, clock, deletion, on.signals.working_set, capturer)
    episodes = Episodes(
        database,
        on.signals.wake_up,
        clock,
        policy,
        language_models=language_models,
        specificity=on.specificity,
        text_work=on.text_work,
    )
    message_memories = MessageMemories(
        memories, capture, memory_policy(on.settings.memory), language_models, on.text_work
    )
    return ConversationServices(
        capture=capture,
        moving=ConversationMoves(
            database,
            clock,
            capture,
            mirroring=mirroring,
            working_set=on.signals.working_set,
            announcer=on.signals.announcer,
            wake_up=on.signals.wake_up,
        ),
        extraction=_extraction(on, policy, memories, deletion, language_models, workspaces),
        episodes=episodes,
        handoffs=Handoffs(database, capture, episodes, clock, language_models, on.text_work),
        distillation=Distillations(
            database,
            memories,
            on.signals.wake_up,
            clock,
            on.text_work,
            secrets=on.refusing,
            language_models=language_models,
        ),
        message_memories=message_memories,
        reruns=Reruns(database, memories, message_memories, on.signals.wake_up, clock),
    )


def _extraction(
    on: Dependencies,
    policy: ExtractionPolicy,
    memories: Memories,
    deletion: Deleter,
    language_models: LanguageModels,
    workspaces: Workspaces,
) -> Extraction:
    database, clock = on.database, on.clock
    return Extraction(
        database,
        on.signals.wake_up,
        clock,
        policy,
        FactSaver(database, memories, clock, on.refusing, on.text_work),
        ModelReader(database, memories, clock, on.refusing),
        language_models,
        DeletionSuggestions(database, deletion, clock),
        memories,
        workspaces,
    )
