"""The schema: the mixins of all features composed."""

from datetime import datetime

import strawberry
from strawberry.schema.config import StrawberryConfig

from app.surfaces.graphql.access import AccessMutations, AccessQueries
from app.surfaces.graphql.agent_context import AgentContextQueries, WorkingSetMutations, WorkingSetQueries
from app.surfaces.graphql.agent_telemetry import AgentTelemetryQueries
from app.surfaces.graphql.answering import AskingQueries
from app.surfaces.graphql.artifacts import ArtifactMutations, ArtifactQueries
from app.surfaces.graphql.associations import AssociationMutations
from app.surfaces.graphql.automatic_changes import AutomaticChangeMutations, AutomaticChangeQueries
from app.surfaces.graphql.benchmarks import BenchmarkMutations, BenchmarkQueries
from app.surfaces.graphql.bulk import BulkMutations, MemoryBatchMutations
from app.surfaces.graphql.compaction import CompactionMutations
from app.surfaces.graphql.connections import ConnectionMutations, ConnectionQueries
from app.surfaces.graphql.context import Notices
from app.surfaces.graphql.conversations import ConversationMutations, ConversationQueries
from app.surfaces.graphql.descriptions import DescribedSchema
from app.surfaces.graphql.documents import DocumentMutations, DocumentQueries
from app.surfaces.graphql.entities import EntityMutations, EntityQueries
from app.surfaces.graphql.entity_merges import EntityMergeMutations, EntityMergeQueries
from app.surfaces.graphql.entity_search import EntitySearchQueries
from app.surfaces.graphql.episodes import EpisodeMutations, EpisodeQueries
from app.surfaces.graphql.errors import ErrorCodes, failing_alone
from app.surfaces.graphql.events import Subscription, Transports
from app.surfaces.graphql.extraction import (
    DistillingMutations,
    ExtractionMutations,
    ExtractionQueries,
    RememberingMutations,
)
from app.surfaces.graphql.handoffs import HandoffMutations
from app.surfaces.graphql.inputs import DATE_TIME
from app.surfaces.graphql.jobs import JobMutations, JobQueries
from app.surfaces.graphql.language_models import LanguageModelMutations, LanguageModelQueries
from app.surfaces.graphql.limits import BoundedQueries, PersistedQueries
from app.surfaces.graphql.memories import ContradictionQueries, MemoryMutations, MemoryQueries
from app.surfaces.graphql.ontology import OntologyMutations, OntologyQueries
from app.surfaces.graphql.ontology_exchange import OntologyExchangeMutations, OntologyExchangeQueries
from app.surfaces.graphql.outcomes import OutcomeQueries
from app.surfaces.graphql.recall import RecallQueries
from app.surfaces.graphql.search import SearchQueries
from app.surfaces.graphql.settings import SettingsMutations, SettingsQueries
from app.surfaces.graphql.status import StatusMutations, StatusQueries
from app.surfaces.graphql.telemetry import TelemetryMutations, TelemetryQueries, note_mutations
from app.surfaces.graphql.traversal import TraversalQueries
from app.surfaces.graphql.users import UserMutations, UserQueries
from app.surfaces.graphql.vector_tier import VectorTierMutations
from app.surfaces.graphql.webhooks import WebhookMutations, WebhookQueries
from app.surfaces.graphql.workspaces import WorkspaceMutations, WorkspaceQueries


@failing_alone
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
    ContradictionQueries,
    AutomaticChangeQueries,
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
    UserQueries,
    WebhookQueries,
    LanguageModelQueries,
):
    """Reading."""


@failing_alone
@strawberry.type
class Mutation(
    WorkspaceMutations,
    AccessMutations,
    StatusMutations,
    MemoryMutations,
    MemoryBatchMutations,
    BulkMutations,
    RememberingMutations,
    CompactionMutations,
    AssociationMutations,
    AutomaticChangeMutations,
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
    WebhookMutations,
    UserMutations,
    LanguageModelMutations,
):
    """Writing."""


schema = DescribedSchema(
    query=Query,
    mutation=Mutation,
    subscription=Subscription,
    config=StrawberryConfig(auto_camel_case=True, scalar_map={datetime: DATE_TIME}),
    extensions=[
        ErrorCodes,
        Transports,
        PersistedQueries,
        BoundedQueries,
        Notices,
    ],
)
note_mutations(schema._schema)  # noqa: SLF001 - Strawberry has no other way


def sdl() -> str:
    """Return the schema in the schema definition language, as the committed snapshot holds it."""
    return schema.as_str() + "\n"
