"""The GraphQL schema, composed of the features' mixins."""

import inspect
import tomllib
from collections.abc import Mapping
from datetime import datetime
from importlib.resources import files
from typing import Any, Literal, Protocol

import strawberry
from graphql import GraphQLError, GraphQLInputObjectType
from strawberry.schema.config import StrawberryConfig
from strawberry.schema.schema_converter import GraphQLCoreConverter
from strawberry.types import ExecutionContext
from strawberry.types.base import StrawberryObjectDefinition
from strawberry.types.enum import StrawberryEnumDefinition
from strawberry.types.field import StrawberryField

from app.surfaces.graphql.access import AccessMutations, AccessQueries
from app.surfaces.graphql.agent_context import AgentContextQueries, WorkingSetMutations, WorkingSetQueries
from app.surfaces.graphql.answering import AnswerQueries
from app.surfaces.graphql.automatic_changes import AutomaticChangeMutations, AutomaticChangeQueries
from app.surfaces.graphql.benchmarks import AgentTelemetryQueries, BenchmarkMutations, BenchmarkQueries
from app.surfaces.graphql.bulk import BulkMutations, CompactionMutations, MemoryBatchMutations
from app.surfaces.graphql.connections import ConnectionMutations, ConnectionQueries
from app.surfaces.graphql.context import Notices
from app.surfaces.graphql.conversations import ConversationMutations, ConversationQueries, HandoffMutations
from app.surfaces.graphql.documents import (
    ArtifactMutations,
    ArtifactQueries,
    DocumentMutations,
    DocumentQueries,
)
from app.surfaces.graphql.entities import (
    EntityMergeMutations,
    EntityMergeQueries,
    EntityMutations,
    EntityQueries,
)
from app.surfaces.graphql.episodes import EpisodeMutations, EpisodeQueries
from app.surfaces.graphql.errors import ErrorCodes, failing_alone
from app.surfaces.graphql.events import Subscription, Transports
from app.surfaces.graphql.extraction import (
    DistillingMutations,
    ExtractionMutations,
    ExtractionQueries,
    RememberingMutations,
)
from app.surfaces.graphql.inputs import DATE_TIME
from app.surfaces.graphql.jobs import JobMutations, JobQueries
from app.surfaces.graphql.limits import BoundedQueries, PersistedQueries
from app.surfaces.graphql.memories import (
    AssociationMutations,
    ContradictionQueries,
    MemoryMutations,
    MemoryQueries,
    OutcomeQueries,
)
from app.surfaces.graphql.ontology import (
    OntologyExchangeMutations,
    OntologyExchangeQueries,
    OntologyMutations,
    OntologyQueries,
)
from app.surfaces.graphql.recall import RecallQueries
from app.surfaces.graphql.search import EntitySearchQueries, SearchQueries
from app.surfaces.graphql.settings import (
    LanguageModelMutations,
    LanguageModelQueries,
    SettingsMutations,
    SettingsQueries,
)
from app.surfaces.graphql.status import StatusMutations, StatusQueries, VectorTierMutations
from app.surfaces.graphql.telemetry import TelemetryMutations, TelemetryQueries, note_mutations
from app.surfaces.graphql.traversal import TraversalQueries
from app.surfaces.graphql.users import UserMutations, UserQueries
from app.surfaces.graphql.webhooks import WebhookMutations, WebhookQueries
from app.surfaces.graphql.workspaces import WorkspaceMutations, WorkspaceQueries

# ``descriptions.toml`` describes fields without a docstring, such as the many fields with the same name and meaning.


_WORDS: Mapping[str, Mapping[str, str]] = tomllib.loads(
    files(__package__).joinpath("descriptions.toml").read_text(encoding="utf-8")
)
_Section = Literal["fields", "inputs"]


class DescribedSchema(strawberry.Schema):
    """A schema whose types, enums and fields are described by the docstrings of their classes and resolvers.

    An explicit description stays; a field without any is described by its name.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, type_ in self._schema.type_map.items():
            if not name.startswith("__"):
                _describe(type_)
                _describe_members(name, type_)

    def process_errors(
        self, errors: list[GraphQLError], execution_context: ExecutionContext | None = None
    ) -> None:
        """Log nothing: Strawberry would log users' texts; ``errors`` logs unexpected errors without them."""


class _Describable(Protocol):
    """A type or a field of graphql-core."""

    description: str | None
    extensions: dict[str, Any]


def _describe(described: _Describable) -> None:
    documented = _documented(described.extensions.get(GraphQLCoreConverter.DEFINITION_BACKREF))
    if described.description is None and documented is not None:
        described.description = inspect.getdoc(documented)


def _describe_members(name: str, type_: Any) -> None:
    for field_name, field in getattr(type_, "fields", {}).items():
        _describe(field)
        section: _Section = "inputs" if isinstance(type_, GraphQLInputObjectType) else "fields"
        _describe_by_name(field, f"{name}.{field_name}", field_name, section)
        for argument_name, argument in getattr(field, "args", {}).items():
            _describe_by_name(argument, f"{name}.{field_name}.{argument_name}", argument_name, "inputs")
    for value_name, value in getattr(type_, "values", {}).items():
        value.description = value.description or _WORDS["values"].get(f"{name}.{value_name}")


def _describe_by_name(described: Any, place: str, name: str, section: _Section) -> None:
    if described.description is None:
        described.description = _WORDS["members"].get(place) or _WORDS[section].get(name)


def _documented(definition: object) -> object | None:
    """Return the class or function behind a definition, or None."""
    if isinstance(definition, StrawberryObjectDefinition):
        return definition.origin
    if isinstance(definition, StrawberryEnumDefinition):
        return definition.wrapped_cls
    if isinstance(definition, StrawberryField) and definition.base_resolver is not None:
        return definition.base_resolver.wrapped_func
    return None


@failing_alone
@strawberry.type
class Query(
    AccessQueries,
    StatusQueries,
    WorkspaceQueries,
    MemoryQueries,
    RecallQueries,
    SearchQueries,
    AnswerQueries,
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
    """Queries, which read."""


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
    """Mutations, which write."""


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
    """Return the schema in the schema definition language, in the form of the committed snapshot."""
    return schema.as_str() + "\n"
