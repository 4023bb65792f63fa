"""Builds the engine: every room over those below it."""

from contextlib import AsyncExitStack

from app.bootstrap.conversations import build_conversations
from app.bootstrap.dependencies import Dependencies
from app.bootstrap.jobs import build_jobs
from app.bootstrap.knowledge import build_knowledge
from app.bootstrap.memories import MemoryParts, build_memories
from app.bootstrap.operations import build_operations
from app.bootstrap.recall import open_reranker
from app.bootstrap.retrieval import build_retrieval
from app.bootstrap.telemetry import build_telemetry
from app.bootstrap.tenancy import build_tenancy
from app.bootstrap.vectors import VectorParts
from graph.core.audit.service import Audit
from graph.core.jobs.service import Jobs
from graph.memories.associations.service import Associations
from graph.memories.deletion.service import Deleter
from graph.memories.service import Memories
from graph.memories.subscriptions import Events
from graph.memories.users.service import Users
from graph.operations.erasure.service import Erasure
from graph.operations.job_watching.service import JobWatch
from graph.operations.services import (
    ConversationServices,
    CoreServices,
    MemoryServices,
    Services,
    TelemetryServices,
    TenancyServices,
    VectorServices,
)
from graph.vectors.external.service import ExternalTier


def build_services(on: Dependencies, parts: VectorParts, stack: AsyncExitStack) -> Services:
    """Return all use cases; ``stack`` closes their resources."""
    embeddings, mirroring = parts.embeddings, parts.tier.mirroring
    tenancy = build_tenancy(on, on_removed=mirroring.enqueue_workspace)
    models = tenancy.language_models
    memories = build_memories(
        on, workspaces=tenancy.workspaces, embeddings=embeddings, mirroring=mirroring, language_models=models
    )
    store = memories.store
    vectors = _vectors(on, parts, store)
    knowledge = build_knowledge(on, embeddings=embeddings, workspaces=tenancy.workspaces)
    telemetry = build_telemetry(on, embeddings=embeddings, workspaces=tenancy.workspaces, memories=store)
    conversations = build_conversations(on, parts=memories, mirroring=mirroring, tenancy=tenancy)
    retrieval = build_retrieval(
        on,
        workspaces=tenancy.workspaces,
        vectors=vectors,
        memories=store,
        knowledge=knowledge,
        telemetry=telemetry,
        conversations=conversations,
        reranker=open_reranker(on.settings.recall, stack),
        language_models=models,
    )
    operations = build_operations(
        on,
        stack,
        tenancy=tenancy,
        parts=parts,
        vectors=vectors,
        memories=memories,
        retrieval=retrieval,
        erasure=_erasure(on, tenancy, memories.deletion, conversations, telemetry),
        merging=knowledge.merging,
        telemetry=telemetry,
    )
    jobs = build_jobs(
        on,
        vectors=parts,
        deduplicator=memories.deduplicator,
        timelines=memories.timelines,
        linking=knowledge.linking,
        telemetry=telemetry,
        conversations=conversations,
        webhooks=operations.webhooks,
        erasure=operations.erasure,
    )
    return Services(
        core=_core(on, jobs),
        tenancy=tenancy,
        vectors=vectors,
        memories=_memories(on, memories, conversations, jobs),
        knowledge=knowledge,
        telemetry=telemetry,
        conversations=conversations,
        retrieval=retrieval,
        operations=operations,
    )


def _memories(
    on: Dependencies, parts: MemoryParts, conversations: ConversationServices, jobs: Jobs
) -> MemoryServices:
    subscriptions = Events(on.signals.event_bus, parts.store, jobs)
    return MemoryServices(
        store=parts.store,
        deletion=parts.deletion,
        compaction=parts.compaction,
        associations=Associations(on.database, on.clock),
        contradictions=parts.contradictions,
        bulk=parts.bulk,
        users=Users(on.database),
        subscriptions=subscriptions,
        job_watch=JobWatch(subscriptions, conversations.capture, parts.store),
    )


def _erasure(
    on: Dependencies,
    tenancy: TenancyServices,
    deletion: Deleter,
    conversations: ConversationServices,
    telemetry: TelemetryServices,
) -> Erasure:
    return Erasure(
        on.database,
        tenancy.access,
        tenancy.keys,
        deletion,
        conversations.capture,
        telemetry.promoter,
        on.signals.working_set,
        on.signals.wake_up,
        on.clock,
    )


def _vectors(on: Dependencies, parts: VectorParts, store: Memories) -> VectorServices:
    reconciler, days = parts.tier.reconciler, store.retention.days
    external = ExternalTier(
        on.database, parts.embeddings, store.find_all, reconciler, on.clock, retention_days=days
    )
    return VectorServices(embeddings=parts.embeddings, external=external)


def _core(on: Dependencies, jobs: Jobs) -> CoreServices:
    return CoreServices(
        database=on.database,
        clock=on.clock,
        wake_up=on.signals.wake_up,
        announcer=on.signals.announcer,
        audit=Audit(on.database),
        jobs=jobs,
        working_set=on.signals.working_set,
        body_work=on.body_work,
        text_work=on.text_work,
    )
