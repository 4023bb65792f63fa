"""All use cases of the engine, as surfaces and workers get them."""

from dataclasses import dataclass

from graph.conversations.capture.service import Conversations
from graph.conversations.distillation.service import Distilling
from graph.conversations.episodes.service import Episodes
from graph.conversations.extraction.service import Extraction
from graph.conversations.from_messages.rerunning import Reruns
from graph.conversations.from_messages.service import Remembering
from graph.conversations.handoffs.service import Handoffs
from graph.core.audit.service import Audit
from graph.core.database import Database
from graph.core.events.announcing import Announcer
from graph.core.jobs.service import Jobs
from graph.core.ports import WakeUp
from graph.core.text.work import TextWork
from graph.core.working_set.service import WorkingSet
from graph.knowledge.artifacts.service import Artifacts
from graph.knowledge.connections.service import Connections
from graph.knowledge.documents.service import Documents
from graph.knowledge.exchange.service import OntologyExchange
from graph.knowledge.linking.service import Linking
from graph.knowledge.merging.service import Merging
from graph.knowledge.ontology.service import Ontology
from graph.knowledge.traversal.service import Traversal
from graph.memories.associations.service import Associations
from graph.memories.models import Memory
from graph.memories.service import Memories
from graph.memories.subscriptions import Events
from graph.operations.settings.service import RunningSettings
from graph.operations.status.round_trip import RoundTrip
from graph.operations.status.service import Status
from graph.retrieval.answering.service import Asking
from graph.retrieval.context.service import AgentContexts
from graph.retrieval.entities.service import EntitySearch
from graph.retrieval.pages.service import Listing
from graph.retrieval.recall.service import Recall
from graph.retrieval.search.service import Search
from graph.telemetry.benchmarks.service import Benchmarks
from graph.telemetry.noting import ActionNotes
from graph.telemetry.outcomes.service import Outcomes
from graph.telemetry.service import Telemetry
from graph.telemetry.usage.service import Usage
from graph.tenancy.access.limits import RequestLimits
from graph.tenancy.access.service import Access
from graph.tenancy.sessions.service import Sessions
from graph.tenancy.workspaces.service import Workspaces
from graph.vectors.external.service import ExternalTier
from graph.vectors.index.service import Embeddings


@dataclass(frozen=True)
class Services:
    """One of each; built once by ``app/bootstrap/runtime.py`` and shared by every request."""

    database: Database
    wake_up: WakeUp
    access: Access
    action_notes: ActionNotes
    agent_contexts: AgentContexts
    announcer: Announcer
    artifacts: Artifacts
    asking: Asking
    associations: Associations
    audit: Audit
    body_work: TextWork
    benchmarks: Benchmarks
    conversations: Conversations
    connections: Connections
    distilling: Distilling
    documents: Documents
    embeddings: Embeddings
    entity_search: EntitySearch
    episodes: Episodes
    events: Events
    handoffs: Handoffs
    extraction: Extraction
    jobs: Jobs
    linking: Linking
    listing: Listing
    memories: Memories
    merging: Merging
    ontology: Ontology
    ontology_exchange: OntologyExchange
    outcomes: Outcomes
    recall: Recall
    remembering: Remembering
    request_limits: RequestLimits
    reruns: Reruns
    round_trip: RoundTrip
    search: Search
    sessions: Sessions
    settings: RunningSettings
    status: Status
    telemetry: Telemetry
    text_work: TextWork
    traversal: Traversal
    usage: Usage
    vector_tier: ExternalTier[Memory]
    working_set: WorkingSet
    workspaces: Workspaces
