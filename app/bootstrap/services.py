"""Builds the services of all rooms, each from the rooms below it."""

from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from functools import partial
from typing import Final

from app.adapters.documents.isolation import IsolatedParser
from app.adapters.documents.reading import ReadingLimits
from app.adapters.embedding.word_pieces import WordPieces
from app.bootstrap.conversations import build_conversations
from app.bootstrap.dependencies import Dependencies
from app.bootstrap.memories import MemoryParts, build_memories
from app.bootstrap.operations import build_operations
from app.bootstrap.retrieval import build_retrieval, open_reranker
from app.bootstrap.tenancy import build_tenancy
from app.bootstrap.vectors import VectorParts, mirror_runners
from graph.core.audit import Audit
from graph.core.jobs import JobRunner, Jobs, failing_as_job
from graph.core.models import JobKind, Lane
from graph.core.queries import ClaimJobsRow
from graph.knowledge.artifacts import Artifacts
from graph.knowledge.connections import Connections
from graph.knowledge.documents.chunking import MAX_CHUNK_CHARS
from graph.knowledge.documents.rules import DocumentPolicy
from graph.knowledge.documents.service import Documents
from graph.knowledge.exchange import OntologyExchange
from graph.knowledge.linking.service import Linking
from graph.knowledge.merging import Merging
from graph.knowledge.ontology.service import Ontology
from graph.knowledge.traversal import Traversal
from graph.memories.associations import Associations
from graph.memories.changes.service import Timelines
from graph.memories.deduplication.service import Deduplicator
from graph.memories.deletion import Deleter
from graph.memories.service import Memories
from graph.memories.subscriptions import Events
from graph.memories.users import Users
from graph.operations.erasure import Erasure
from graph.operations.job_watching import JobWatch
from graph.operations.services import (
    ConversationServices,
    CoreServices,
    KnowledgeServices,
    MemoryServices,
    Services,
    TelemetryServices,
    TenancyServices,
    VectorServices,
)
from graph.operations.webhooks import DELIVERED_TOGETHER, Webhooks
from graph.telemetry.action_notes import ActionNotes
from graph.telemetry.benchmarks import Benchmarks
from graph.telemetry.outcomes import Outcomes
from graph.telemetry.promoting import PatternPromoter
from graph.telemetry.reading import TelemetryReader
from graph.telemetry.recording import ActionRecorder
from graph.telemetry.usage import Usage
from graph.tenancy.workspaces import Workspaces
from graph.vectors.external.service import ExternalTier
from graph.vectors.index.service import Embeddings

_DOCUMENT_POLICY: Final = DocumentPolicy()
_DOCUMENT_LIMITS: Final = ReadingLimits(
    seconds=20.0, memory_mb=1024, pages=1000, chars=_DOCUMENT_POLICY.max_chunks * MAX_CHUNK_CHARS
)
"""Memory limit of the parsing process, enough for a book of 1,000 pages; the process is killed beyond it."""


def build_documents(on: Dependencies, *, embeddings: Embeddings, workspaces: Workspaces) -> Documents:
    """Return the use cases of documents."""
    return Documents(
        on.database,
        embeddings,
        on.signals.wake_up,
        on.clock,
        workspaces,
        parser=IsolatedParser(_DOCUMENT_LIMITS),
        measure=WordPieces(on.tokenizer).count_tokens,
        policy=_DOCUMENT_POLICY,
        guard=on.guard,
        text_work=on.text_work,
        specificity=on.specificity,
    )


def build_knowledge(on: Dependencies, *, embeddings: Embeddings, workspaces: Workspaces) -> KnowledgeServices:
    """Return the room."""
    database, clock = on.database, on.clock
    ontology = Ontology(database, workspaces, on.signals.wake_up, clock, secrets=on.refusing)
    return KnowledgeServices(
        ontology=ontology,
        exchange=OntologyExchange(database, ontology.types, on.text_work),
        linking=Linking(database, ontology.types, clock, on.text_work, secrets=on.secrets),
        merging=Merging(database, ontology.types, clock),
        connections=Connections(database, clock),
        traversal=Traversal(database, clock),
        documents=build_documents(on, embeddings=embeddings, workspaces=workspaces),
        artifacts=Artifacts(database, on.signals.wake_up, clock, guard=on.guard),
    )


def build_telemetry(
    on: Dependencies, *, embeddings: Embeddings, workspaces: Workspaces, memories: Memories
) -> TelemetryServices:
    """Return the room."""
    memory = on.settings.memory
    recorder = ActionRecorder(on.database, on.signals.wake_up, on.clock)
    outcomes = Outcomes(on.database, memories, on.clock)
    return TelemetryServices(
        recorder=recorder,
        reader=TelemetryReader(on.database, embeddings, workspaces),
        promoter=PatternPromoter(on.database, on.clock, on.signals.announcer),
        notes=ActionNotes(recorder, on.measurements, on.clock, most_waiting=memory.noted_actions),
        benchmarks=Benchmarks(on.database, on.signals.wake_up, on.clock),
        outcomes=outcomes,
        usage=Usage(on.database, on.clock, link=outcomes.link),
    )


_EMBEDDED_FIRST = 16
"""Number of batches to embed before other jobs, so that search by meaning finds memories before they are linked."""
_READ_TOGETHER = 8  # a language model takes seconds for each, so a claim leaves some to other workers

_DELIVERED_FOR_SECONDS = 86_400.0
_LONGEST_DELIVERY_DELAY_SECONDS = 3_600.0


def build_jobs(
    on: Dependencies,
    *,
    vectors: VectorParts,
    deduplicator: Deduplicator,
    timelines: Timelines,
    linking: Linking,
    telemetry: TelemetryServices,
    conversations: ConversationServices,
    webhooks: Webhooks,
    erasure: Erasure,
) -> Jobs:
    """Return the queue with the runners of its jobs."""
    runners = {
        **memory_runners(on, vectors=vectors, deduplicator=deduplicator, linking=linking),
        **mirror_runners(vectors.mirror),
        **telemetry_runners(telemetry),
        **conversation_runners(conversations),
        JobKind.TIMELINE: JobRunner(timelines.run_jobs),
        JobKind.WEBHOOK: webhook_runner(webhooks),
        JobKind.ERASE: JobRunner(erasure.run_jobs, lane=Lane.ERASURE, most_together=1),
    }
    signals = on.signals
    return Jobs(
        on.database,
        signals.wake_up,
        signals.announcer,
        on.clock,
        on.job_rules,
        runners,
        measurements=on.measurements,
    )


def webhook_runner(webhooks: Webhooks) -> JobRunner:
    """Return the runner that delivers events: it retries for a day, at least once an hour."""
    return JobRunner(
        webhooks.run_jobs,
        lane=Lane.WEBHOOK,
        most_together=DELIVERED_TOGETHER,
        patience_seconds=_DELIVERED_FOR_SECONDS,
        longest_delay_seconds=_LONGEST_DELIVERY_DELAY_SECONDS,
    )


def conversation_runners(conversations: ConversationServices) -> Mapping[JobKind, JobRunner]:
    """Return the runners that extract, distil and summarise conversations."""
    extraction, reruns = conversations.extraction, conversations.reruns
    # Each workspace may have its own language model, so an unavailable one must not delay other workspaces.
    reads = partial(JobRunner, lane=Lane.LANGUAGE_MODEL, most_together=_READ_TOGETHER, has_one_server=False)
    return {
        JobKind.DISTILL: JobRunner(conversations.distillation.run_jobs, lane=Lane.LANGUAGE_MODEL),
        JobKind.EXTRACT: reads(extraction.run_jobs),
        JobKind.EXTRACT_FACTS: JobRunner(extraction.run_facts_jobs),
        JobKind.RESTATE: reads(reruns.restate),
        JobKind.SYNTHESIZE: reads(reruns.synthesize),
    }


def telemetry_runners(telemetry: TelemetryServices) -> Mapping[JobKind, JobRunner]:
    """Return the runners that promote patterns and measure days."""
    return {
        JobKind.PROMOTE: JobRunner(telemetry.promoter.run_jobs),
        JobKind.BENCHMARK: JobRunner(telemetry.benchmarks.run_jobs),
    }


def memory_runners(
    on: Dependencies, *, vectors: VectorParts, deduplicator: Deduplicator, linking: Linking
) -> Mapping[JobKind, JobRunner]:
    """Return the runners that embed and link memories.

    Embedding needs no delay to gather texts: a worker takes all due texts immediately, and texts that arrive during a
    batch form the next one. A delay would delay single memories and not enlarge the batches under load.
    """
    embeddings, reembedding, mirroring = vectors.embeddings, vectors.reembedding, vectors.mirroring

    async def embed(jobs: Sequence[ClaimJobsRow]) -> None:
        await embeddings.embed_memories(jobs)
        await deduplicator.note_duplicates(jobs)
        embedded = [(job.workspace_id, job.subject_id) for job in jobs]
        await mirroring.enqueue_memories(on.database, embedded, on.clock.now())

    return {
        JobKind.EMBED: JobRunner(
            failing_as_job(embed),
            is_ready=lambda: embeddings.can_embed_memories,
            on_parked=embeddings.mark_failed,
            batches=_EMBEDDED_FIRST,
        ),
        JobKind.LINK: JobRunner(failing_as_job(linking.run_jobs), on_parked=linking.mark_failed),
        JobKind.REEMBED: JobRunner(failing_as_job(reembedding.run), is_ready=lambda: reembedding.is_ready),
    }


def build_services(on: Dependencies, parts: VectorParts, stack: AsyncExitStack) -> Services:
    """Return all use cases; ``stack`` closes their resources."""
    embeddings, mirroring = parts.embeddings, parts.mirroring
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
        associations=Associations(on.database, on.clock, on.signals.announcer),
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
    external = ExternalTier(
        on.database,
        parts.embeddings,
        store.find_all,
        parts.mirror,
        on.clock,
        retention_days=store.retention.days,
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
