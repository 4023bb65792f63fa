"""All use cases of the engine, grouped by room, for surfaces and workers."""

from dataclasses import dataclass

from graph.conversations.capture.service import Conversations
from graph.conversations.distillation.service import Distillations
from graph.conversations.episodes.service import Episodes
from graph.conversations.extraction.service import Extraction
from graph.conversations.handoffs.service import Handoffs
from graph.conversations.message_memories import MessageMemories, Reruns
from graph.conversations.moving import ConversationMoves
from graph.core.audit import Audit
from graph.core.database import Database
from graph.core.events import Announcer
from graph.core.jobs import Jobs
from graph.core.ports import Clock, WakeUp
from graph.core.text.work import TextWork
from graph.core.working_set import WorkingSet
from graph.knowledge.artifacts import Artifacts
from graph.knowledge.connections import Connections
from graph.knowledge.documents.service import Documents
from graph.knowledge.exchange import OntologyExchange
from graph.knowledge.linking.service import Linking
from graph.knowledge.merging import Merging
from graph.knowledge.ontology.service import Ontology
from graph.knowledge.traversal import Traversal
from graph.memories.associations import Associations
from graph.memories.bulk import BulkMemories
from graph.memories.compaction.service import Compactor
from graph.memories.contradictions import Contradictions
from graph.memories.deletion import Deleter
from graph.memories.models import Memory
from graph.memories.service import Memories
from graph.memories.subscriptions import Events
from graph.memories.users import Users
from graph.operations.archive.service import Archives
from graph.operations.automatic_changes import AutomaticChanges
from graph.operations.erasure import Erasure
from graph.operations.job_watching import JobWatch
from graph.operations.round_trip import RoundTrip
from graph.operations.settings import RunningSettings
from graph.operations.status import Status
from graph.operations.webhooks import Webhooks
from graph.retrieval.answering.service import Answering
from graph.retrieval.context.service import AgentContexts
from graph.retrieval.entities import EntitySearch
from graph.retrieval.pages import MemoryPages
from graph.retrieval.profile.service import Profiles
from graph.retrieval.recall.injection import Injection
from graph.retrieval.recall.service import Recall
from graph.retrieval.search.service import Search
from graph.telemetry.action_notes import ActionNotes
from graph.telemetry.benchmarks import Benchmarks
from graph.telemetry.outcomes import Outcomes
from graph.telemetry.promoting import PatternPromoter
from graph.telemetry.reading import TelemetryReader
from graph.telemetry.recording import ActionRecorder
from graph.telemetry.usage import Usage
from graph.tenancy.access import Access, RequestLimits
from graph.tenancy.keys import Keys
from graph.tenancy.language_models import WorkspaceModels
from graph.tenancy.sessions import Sessions
from graph.tenancy.workspaces import Workspaces
from graph.vectors.external.service import ExternalTier
from graph.vectors.index.service import Embeddings


@dataclass(frozen=True)
class CoreServices:
    """Services that every room uses."""

    database: Database
    clock: Clock
    wake_up: WakeUp
    announcer: Announcer
    audit: Audit
    jobs: Jobs
    working_set: WorkingSet
    body_work: TextWork
    text_work: TextWork


@dataclass(frozen=True)
class TenancyServices:
    """Authentication, authorisation and workspaces."""

    workspaces: Workspaces
    access: Access
    keys: Keys
    sessions: Sessions
    request_limits: RequestLimits
    language_models: WorkspaceModels


@dataclass(frozen=True)
class VectorServices:
    """Vectors of texts, in the graph's index and in an external store."""

    embeddings: Embeddings
    external: ExternalTier[Memory]


@dataclass(frozen=True)
class MemoryServices:
    """Memories, their associations and events."""

    store: Memories
    deletion: Deleter
    compaction: Compactor
    associations: Associations
    contradictions: Contradictions
    bulk: BulkMemories
    users: Users
    subscriptions: Events
    job_watch: JobWatch


@dataclass(frozen=True)
class KnowledgeServices:
    """The typed graph of entities, documents and artifacts."""

    ontology: Ontology
    exchange: OntologyExchange
    linking: Linking
    merging: Merging
    connections: Connections
    traversal: Traversal
    documents: Documents
    artifacts: Artifacts


@dataclass(frozen=True)
class TelemetryServices:
    """Recording and evaluation of agents' actions."""

    recorder: ActionRecorder
    reader: TelemetryReader
    promoter: PatternPromoter
    notes: ActionNotes
    benchmarks: Benchmarks
    outcomes: Outcomes
    usage: Usage


@dataclass(frozen=True)
class ConversationServices:
    """Conversations and data derived from them."""

    capture: Conversations
    moving: ConversationMoves
    extraction: Extraction
    episodes: Episodes
    handoffs: Handoffs
    distillation: Distillations
    message_memories: MessageMemories
    reruns: Reruns


@dataclass(frozen=True)
class RetrievalServices:
    """Retrieval of stored data."""

    recall: Recall
    injection: Injection
    search: Search
    entities: EntitySearch
    answering: Answering
    context: AgentContexts
    pages: MemoryPages
    profiles: Profiles


@dataclass(frozen=True)
class OperationServices:
    """Services for operators."""

    status: Status
    readiness: RoundTrip
    settings: RunningSettings
    archives: Archives
    webhooks: Webhooks
    erasure: Erasure
    changes: AutomaticChanges


@dataclass(frozen=True)
class Services:
    """The services of all rooms; built once by ``app.bootstrap`` and shared by all requests."""

    core: CoreServices
    tenancy: TenancyServices
    vectors: VectorServices
    memories: MemoryServices
    knowledge: KnowledgeServices
    telemetry: TelemetryServices
    conversations: ConversationServices
    retrieval: RetrievalServices
    operations: OperationServices
