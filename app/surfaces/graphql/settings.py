"""Runtime settings of a workspace and of the deployment, and tests of their connections; for administrators."""

import strawberry
from pydantic.alias_generators import to_camel

from app.surfaces.graphql.context import Info, WorkspaceId
from app.surfaces.graphql.inputs import Shown, build, set_fields
from app.surfaces.graphql.memories import Memory
from graph.operations import models
from graph.tenancy import models as tenancy_models
from graph.tenancy.language_models import STORED_KEY
from graph.tenancy.models import Scope
from graph.vectors.external.models import MOST_HITS, TierChange, TierSettings


@strawberry.type
class VectorTierSettings(Shown[TierSettings]):
    """Connection to the external store; the API never returns its key."""

    enabled: bool
    host: str
    port: int
    has_key: bool
    collection: str
    quantization: str


@strawberry.type
class Settings:
    """The settings in force for a workspace."""

    enabled: bool = strawberry.field(description="True if memory is on: the workspace's memoryEnabled.")
    max_tokens: int = strawberry.field(description="Token budget of a turn's context; at most 8000.")
    retention_days: int | None = strawberry.field(
        description="Retention in days, where it applies; null: unlimited."
    )
    strategy: str = strawberry.field(description="Strategy of recall: recent, semantic or hybrid.")
    skills_enabled: bool
    embedding_source: str = strawberry.field(
        description="Source of embeddings: remote, static, transformers, auto or none."
    )
    embedding_provider_model: str | None
    transformers_enabled: bool
    static_enabled: bool
    rerank_enabled: bool
    rerank_provider_model: str | None
    vector_store: str = strawberry.field(description="Vector store: auto, neo4j (also sqlite-vec) or qdrant.")
    vector_tier: VectorTierSettings

    @classmethod
    def of(cls, settings: models.RunningMemorySettings, tier: TierSettings) -> "Settings":
        """Return the GraphQL form of the settings."""
        return cls(**dict(settings), vector_tier=VectorTierSettings.of(tier))


@strawberry.input
class UpdateSettingsInput:
    """New values of settings; omitted fields keep their values.

    The first five belong to the workspace. The others apply to all workspaces: only an administrator's key of the
    default workspace may set them.
    """

    enabled: bool | None = strawberry.field(
        default=strawberry.UNSET, description="Turn memory on: the workspace's memoryEnabled."
    )
    max_tokens: int | None = strawberry.field(
        default=strawberry.UNSET, description="Token budget of a turn's context, 0 to 16000."
    )
    retention_days: int | None = strawberry.field(
        default=strawberry.UNSET, description="Retention in days, 1 to 365."
    )
    strategy: str | None = strawberry.field(
        default=strawberry.UNSET, description="Strategy of recall: recent, semantic or hybrid."
    )
    skills_enabled: bool | None = strawberry.UNSET
    embedding_source: str | None = strawberry.field(
        default=strawberry.UNSET,
        description="Source of embeddings: remote, static, transformers, auto or none.",
    )
    embedding_provider_model: str | None = strawberry.field(
        default=strawberry.UNSET,
        description="Embedding model: provider/model, or the model alone; transformers/ and a local model, path or hub "
        "name; null: the first provider with a key, else the deployment's local model.",
    )
    transformers_enabled: bool | None = strawberry.UNSET
    static_enabled: bool | None = strawberry.UNSET
    rerank_enabled: bool | None = strawberry.UNSET
    rerank_provider_model: str | None = strawberry.field(
        default=strawberry.UNSET,
        description="Reranking model: transformers/ and a path or hub name, or provider/model of a remote one.",
    )
    vector_store: str | None = strawberry.field(
        default=strawberry.UNSET, description="Vector store: auto, neo4j (also sqlite-vec) or qdrant."
    )


@strawberry.input
class UpdateVectorTierInput:
    """Connection to the external store; null restores the environment's value, the key "" means no key."""

    enabled: bool | None = strawberry.UNSET
    host: str | None = strawberry.UNSET
    port: int | None = strawberry.UNSET
    api_key: str | None = strawberry.UNSET
    collection: str | None = strawberry.UNSET
    quantization: str | None = strawberry.field(
        default=strawberry.UNSET, description="Compression of the vectors: none, int8 or binary."
    )


@strawberry.type
class VectorTierHit:
    """A hit of the external store; ``score`` is its cosine."""

    memory: Memory
    score: float


@strawberry.type
class Verification:
    """Result of creating, finding and deleting a test memory."""

    working: bool
    latency_ms: float
    error: str | None


@strawberry.type
class ConnectionTest:
    """Result of a connection test, which stores nothing."""

    working: bool
    latency_ms: float
    signature: str | None = strawberry.field(
        description="Signature of the embedder with its dimension, or name of the reranker."
    )
    error: str | None

    @classmethod
    def of(cls, trial: models.ConnectionTrial) -> "ConnectionTest":
        """Return the GraphQL form of a trial."""
        return cls(working=trial.error is None, **trial.model_dump())


@strawberry.type
class SettingsQueries:
    """Queries of settings and of the external store."""

    @strawberry.field
    async def settings(self, info: Info, workspace_id: WorkspaceId = None) -> Settings:
        """Settings in force for a workspace."""
        workspace = await info.context.workspace(Scope.ADMIN, workspace_id)
        services = info.context.services
        return Settings.of(
            await services.operations.settings.of(workspace), services.vectors.external.settings
        )

    @strawberry.field
    async def search_vector_tier(
        self,
        info: Info,
        query: str,
        top_k: int | None = 5,
        api_key_id: strawberry.ID | None = None,
        session_id: strawberry.ID | None = None,
        workspace_id: WorkspaceId = None,
    ) -> list[VectorTierHit]:
        """Search the external store only, the nearest first; at most 20 hits."""
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        services = info.context.services
        await services.tenancy.access.enter_pool_of(workspace, api_key_id)
        hits = await services.vectors.external.search(
            workspace,
            query,
            top_k=MOST_HITS if top_k is None else top_k,
            api_key_id=api_key_id,
            session_id=session_id,
        )
        return [VectorTierHit(memory=Memory.of(hit.memory), score=hit.score) for hit in hits]


@strawberry.type
class SettingsMutations:
    """Mutations of settings, and tests of connections."""

    @strawberry.mutation
    async def update_settings(
        self,
        info: Info,
        input: UpdateSettingsInput,
        reset: list[str] | None = None,
        workspace_id: WorkspaceId = None,
    ) -> Settings:
        """Change settings, all or none; ``reset`` lists settings that return to the environment's values."""
        workspace = await info.context.workspace(Scope.ADMIN, workspace_id)
        services = info.context.services
        changed = await services.operations.settings.change(
            info.context.principal, workspace, _change(input), reset=reset or ()
        )
        return Settings.of(changed, services.vectors.external.settings)

    @strawberry.mutation
    async def test_embedder(
        self, info: Info, input: UpdateSettingsInput, workspace_id: WorkspaceId = None
    ) -> ConnectionTest:
        """Test the embedder that these settings would choose by embedding one text; changes nothing."""
        workspace = await info.context.workspace(Scope.ADMIN, workspace_id)
        settings = info.context.services.operations.settings
        return ConnectionTest.of(
            await settings.test_embedder(info.context.principal, workspace, _change(input))
        )

    @strawberry.mutation
    async def test_reranker(
        self, info: Info, input: UpdateSettingsInput, workspace_id: WorkspaceId = None
    ) -> ConnectionTest:
        """Score one text with the reranker that these settings name, even while it is off; change nothing."""
        workspace = await info.context.workspace(Scope.ADMIN, workspace_id)
        settings = info.context.services.operations.settings
        return ConnectionTest.of(
            await settings.test_reranker(info.context.principal, workspace, _change(input))
        )

    @strawberry.mutation
    async def test_vector_tier(self, info: Info, input: UpdateVectorTierInput) -> ConnectionTest:
        """Test the external store that these settings would reach; changes nothing.

        A new address receives only a key from `input`, never the stored key.
        """
        await info.context.workspace(Scope.ADMIN, None)
        change = build(TierChange, set_fields(input))
        settings = info.context.services.operations.settings
        return ConnectionTest.of(await settings.test_tier(info.context.principal, change))

    @strawberry.mutation
    async def update_vector_tier(self, info: Info, input: UpdateVectorTierInput) -> VectorTierSettings:
        """Change the connection to the external store; the service fills a new server with all vectors."""
        await info.context.workspace(Scope.ADMIN, None)
        change = build(TierChange, set_fields(input))
        services = info.context.services
        return VectorTierSettings.of(
            await services.operations.settings.change_tier(info.context.principal, change)
        )

    @strawberry.mutation
    async def verify_memory(self, info: Info) -> Verification:
        """Test the memory path: create, find and permanently delete a memory in a separate workspace."""
        await info.context.workspace(Scope.WRITE, None)
        found = await info.context.services.operations.readiness.verify()
        return Verification(working=found.error is None, latency_ms=found.latency_ms, error=found.error)


def _change(input_: UpdateSettingsInput) -> models.SettingsChange:
    return models.SettingsChange.read({to_camel(name): value for name, value in set_fields(input_).items()})


@strawberry.type
class OwnLanguageModel(Shown[tenancy_models.OwnModel]):
    """A language model that a workspace uses instead of the deployment's."""

    url: str = strawberry.field(
        description="Base URL of the server, which implements OpenAI's chat completions."
    )
    model: str = strawberry.field(description="Name of the model on that server.")
    has_key: bool = strawberry.field(
        description="True if it has a stored key; the API never returns the key."
    )


@strawberry.input
class LanguageModelInput:
    """A language model, and the API key of its server."""

    url: str = strawberry.field(
        description="Base URL of a server that implements OpenAI's chat completions, such as "
        "`https://api.openai.com/v1`."
    )
    model: str = strawberry.field(description="Name of the model on that server.")
    key: str | None = strawberry.field(
        default=strawberry.UNSET,
        description="API key for the server, stored encrypted; omitted: the stored key, unless the URL changes; "
        "null: none.",
    )


@strawberry.type
class LanguageModelQueries:
    """Queries of workspaces' language models."""

    @strawberry.field
    async def language_model(self, info: Info, workspace_id: WorkspaceId = None) -> OwnLanguageModel | None:
        """Language model of a workspace; null if it uses the deployment's model or none."""
        workspace = await info.context.workspace(Scope.ADMIN, workspace_id)
        found = await info.context.services.tenancy.language_models.find(workspace)
        return OwnLanguageModel.of(found) if found else None


@strawberry.type
class LanguageModelMutations:
    """Mutations of workspaces' language models."""

    @strawberry.mutation
    async def set_language_model(
        self, info: Info, input: LanguageModelInput, workspace_id: WorkspaceId = None
    ) -> OwnLanguageModel:
        """Set the language model for extraction, distillation, answers and summaries of a workspace.

        The service then sends the workspace's texts to this server, and no longer to the deployment's model.
        """
        workspace = await info.context.workspace(Scope.ADMIN, workspace_id)
        key = STORED_KEY if input.key is strawberry.UNSET else input.key
        chosen = await info.context.services.tenancy.language_models.choose(
            workspace, url=input.url, model=input.model, key=key
        )
        return OwnLanguageModel.of(chosen)

    @strawberry.mutation
    async def remove_language_model(self, info: Info, workspace_id: WorkspaceId = None) -> bool:
        """Return a workspace to the deployment's language model; false if it had no model of its own."""
        workspace = await info.context.workspace(Scope.ADMIN, workspace_id)
        return await info.context.services.tenancy.language_models.remove(workspace)
