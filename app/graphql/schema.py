"""The schema: the mixins of all features composed."""

import strawberry
from strawberry.schema.config import StrawberryConfig

from app.graphql.access import AccessMutations, AccessQueries
from app.graphql.agent_context import AgentContextQueries
from app.graphql.agent_telemetry import AgentTelemetryQueries
from app.graphql.artifacts import ArtifactMutations, ArtifactQueries
from app.graphql.asking import AskingQueries
from app.graphql.associations import AssociationMutations
from app.graphql.benchmarks import BenchmarkMutations, BenchmarkQueries
from app.graphql.compaction import CompactionMutations
from app.graphql.connections import ConnectionMutations, ConnectionQueries
from app.graphql.conversations import ConversationMutations, ConversationQueries
from app.graphql.descriptions import DescribedSchema
from app.graphql.distilling import DistillingMutations
from app.graphql.documents import DocumentMutations, DocumentQueries
from app.graphql.entities import EntityMutations, EntityQueries
from app.graphql.entity_merges import EntityMergeMutations, EntityMergeQueries
from app.graphql.entity_search import EntitySearchQueries
from app.graphql.episodes import EpisodeMutations, EpisodeQueries
from app.graphql.errors import ErrorCodes
from app.graphql.events import Subscription
from app.graphql.extraction import ExtractionMutations, ExtractionQueries
from app.graphql.handoffs import HandoffMutations
from app.graphql.jobs import JobMutations, JobQueries
from app.graphql.limits import BoundedQueries
from app.graphql.memories import MemoryMutations, MemoryQueries
from app.graphql.notices import Notices
from app.graphql.noting import note_mutations
from app.graphql.ontology import OntologyMutations, OntologyQueries
from app.graphql.ontology_exchange import OntologyExchangeMutations, OntologyExchangeQueries
from app.graphql.outcomes import OutcomeQueries
from app.graphql.recall import RecallQueries
from app.graphql.remembering import RememberingMutations
from app.graphql.search import SearchQueries
from app.graphql.settings import SettingsMutations, SettingsQueries
from app.graphql.status import StatusMutations, StatusQueries
from app.graphql.telemetry import TelemetryMutations, TelemetryQueries
from app.graphql.transports import OneTransportEach
from app.graphql.traversal import TraversalQueries
from app.graphql.vector_tier import VectorTierMutations
from app.graphql.working_set import WorkingSetMutations, WorkingSetQueries
from app.graphql.workspaces import WorkspaceMutations, WorkspaceQueries


@strawberry.type
class Query(
    AccessQueries,
    StatusQueries,
    WorkspaceQueries,
    MemoryQueries,
    RecallQueries,
    SearchQueries,
    AskingQueries,
    EntityQueries,
    EntityMergeQueries,
    EntitySearchQueries,
    ConnectionQueries,
    OntologyQueries,
    OntologyExchangeQueries,
    TraversalQueries,
    JobQueries,
    TelemetryQueries,
    BenchmarkQueries,
    OutcomeQueries,
    AgentContextQueries,
    AgentTelemetryQueries,
    DocumentQueries,
    ArtifactQueries,
    ConversationQueries,
    ExtractionQueries,
    EpisodeQueries,
    WorkingSetQueries,
    SettingsQueries,
):
    """Reading."""


@strawberry.type
class Mutation(
    WorkspaceMutations,
    AccessMutations,
    StatusMutations,
    MemoryMutations,
    RememberingMutations,
    CompactionMutations,
    AssociationMutations,
    EntityMutations,
    EntityMergeMutations,
    ConnectionMutations,
    OntologyMutations,
    OntologyExchangeMutations,
    JobMutations,
    TelemetryMutations,
    BenchmarkMutations,
    VectorTierMutations,
    DocumentMutations,
    ArtifactMutations,
    ConversationMutations,
    ExtractionMutations,
    DistillingMutations,
    EpisodeMutations,
    HandoffMutations,
    WorkingSetMutations,
    SettingsMutations,
):
    """Writing."""


schema = DescribedSchema(
    query=Query,
    mutation=Mutation,
    subscription=Subscription,
    config=StrawberryConfig(auto_camel_case=True),
    extensions=[
        ErrorCodes,
        OneTransportEach,
        BoundedQueries,
        Notices,
    ],
)
note_mutations(schema._schema)  # noqa: SLF001 - Strawberry has no other way


def sdl() -> str:
    """Return the schema in the schema definition language, as the committed snapshot holds it."""
    return schema.as_str() + "\n"
