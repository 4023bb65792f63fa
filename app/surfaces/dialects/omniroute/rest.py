"""``/api/settings/…``: runtime settings of memory and of Qdrant."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal, Self

from litestar import Controller, Request, Response, delete, get, post, put
from litestar.datastructures import State
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody, Parameter, QueryParameter
from pydantic import ConfigDict, Field, SecretStr, field_validator
from pydantic.json_schema import SkipJsonSchema

from app.surfaces.dialects.omniroute.models import (
    OF_MEMORY,
    OF_SETTINGS,
    Answer,
    AsListed,
    Body,
    CacheFigures,
    Deleted,
    EntryChange,
    EntryFields,
    EntryPage,
    MemoryEntry,
    NewEntry,
    OwnKey,
)
from app.surfaces.http.answer_headers import NOTICE_HEADER
from app.surfaces.http.refusals import NOTHING_OF_THAT_ID
from app.surfaces.http.shapes import NOT_BLANK, Name, cut_notice
from graph.conversations.extraction.reference_form import out_of_reference_form
from graph.core.errors import InvalidInput, NotFound
from graph.core.exact import Flag, Whole, not_null
from graph.core.ports import TierHealth
from graph.memories.derived_keys import spells_out
from graph.memories.models import Memory, MemoryChange, MemoryDraft, MemoryKind, SaveOutcome
from graph.memories.policy import IdFormat
from graph.operations.models import RunningMemorySettings, SettingsChange
from graph.operations.services import Services
from graph.retrieval.pages import MOST_LISTED, Listed
from graph.tenancy.models import Scope
from graph.vectors.external.models import MOST_HITS, TierChange, TierHit, TierSettings
from graph.vectors.index.models import EmbeddingProvider, VectorIndex

_DEFAULT_LIMIT = 50
_FURTHEST = 10_000_000

MemoryId = Annotated[str, Parameter(max_length=512, description="Of either form: a UUID or `mem_…`.")]


Caller = Request[Any, Any, State]


class MemoryRoutes(Controller):
    """Routes of the memories of the key's workspace; memories of other workspaces do not exist for it."""

    path = "/api/memory"
    tags = ("omniroute",)
    opt = OF_MEMORY

    @get(summary="List memories, newest first")
    async def list_entries(
        self,
        request: Caller,
        state: State,
        api_key_id: OwnKey = None,
        kind: Annotated[MemoryKind | None, QueryParameter(name="type")] = None,
        session_id: Annotated[
            str | None, QueryParameter(name="sessionId", max_length=512, schema_extra=NOT_BLANK)
        ] = None,
        q: Annotated[
            str | None, Parameter(max_length=1000, description="Text in the content or the key.")
        ] = None,
        limit: Annotated[int, Parameter(ge=1, le=MOST_LISTED)] = _DEFAULT_LIMIT,
        page: Annotated[int, Parameter(ge=1, le=_FURTHEST)] = 1,
        offset: Annotated[
            int | None,
            Parameter(ge=0, le=_FURTHEST, description="Number of memories to skip; overrides `page`."),
        ] = None,
    ) -> EntryPage:
        """Return a page of memories of any age, with the totals of the whole list."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.READ)
        await services.tenancy.access.enter_pool_of(workspace_id, api_key_id)
        listed = Listed(
            kinds=(kind,) if kind else (), api_key_id=api_key_id, session_id=session_id, text=q or None
        )
        found = await services.retrieval.pages.page(
            workspace_id,
            listed,
            limit=limit,
            page=page,
            offset=offset,
        )
        return EntryPage.of(found, CacheFigures.of(services.vectors.embeddings.cache_stats))

    @post(
        summary="Save a memory, or update the memory with its id or key",
        status_code=201,
        responses={
            **NOTHING_OF_THAT_ID,
            200: ResponseSpec(
                MemoryEntry,
                description="A memory with that id or key existed and was updated.",
                generate_examples=False,
            ),
        },
    )
    async def save_entry(
        self, request: Caller, state: State, data: JSONBody[NewEntry]
    ) -> Response[MemoryEntry]:
        """Save a memory: 201 if it is new, 200 if a memory with its id or key existed."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.WRITE)
        owner = request.auth.key_id
        if data.api_key_id is not None:
            owner = await services.tenancy.keys.require(workspace_id, data.api_key_id)
            await services.tenancy.access.enter_pool_of(workspace_id, owner)
        if data.id is not None and (known := await services.memories.store.find(workspace_id, data.id)):
            return Response(await _changed(services, known, data), status_code=200)
        draft = MemoryDraft(
            content=data.content,
            key=data.key,
            key_is_derived=data.key is not None and spells_out(data.key, data.content),
            kind=data.type,
            session_id=data.session_id,
            api_key_id=owner,
            metadata=data.metadata,
            expires_at=data.expires_at,
        )
        receipt = await services.memories.store.save(workspace_id, draft, id_format=IdFormat.UUID)
        status = 201 if receipt.outcome is SaveOutcome.CREATED else 200
        return Response(MemoryEntry.of(receipt.memory), status_code=status)

    @get("/{memory_id:str}", summary="Get a memory")
    async def get_entry(self, request: Caller, state: State, memory_id: MemoryId) -> MemoryEntry:
        """Return a memory."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.READ)
        return MemoryEntry.of(await services.memories.store.get(workspace_id, memory_id))

    @put("/{memory_id:str}", summary="Change a memory")
    async def change_entry(
        self, request: Caller, state: State, memory_id: MemoryId, data: JSONBody[EntryChange]
    ) -> MemoryEntry:
        """Change a memory and return it; a changed content is embedded again."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.WRITE)
        known = await services.memories.store.get(workspace_id, memory_id)
        return await _changed(services, known, data)

    @delete("/{memory_id:str}", summary="Delete a memory permanently", status_code=200)
    async def delete_entry(self, request: Caller, state: State, memory_id: MemoryId) -> Deleted:
        """Delete a memory permanently with its versions and vectors; 404 if there is none."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.WRITE)
        if not await services.memories.deletion.delete(workspace_id, memory_id, hard=True):
            raise NotFound(f"there is no memory {memory_id!r} in this workspace", field="id")
        return Deleted(id=memory_id)


async def _changed(services: Services, known: Memory, entry: AsListed) -> MemoryEntry:
    change = MemoryChange(**out_of_reference_form(known, entry.changes))
    return MemoryEntry.of(await services.memories.store.update(known.workspace_id, known.id, change))


Quantization = Literal["none", "int8", "binary"]
_OF_THE_TIER = ("enabled", "host", "port", "api_key", "collection", "quantization")


class QdrantSettings(Answer):
    """Connection settings of Qdrant.

    Attributes:
        has_api_key: Whether a key is set; the service never returns it.
        embedding_model: Embedding model of its vectors, the one in use; null before the first.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "enabled": True,
                    "host": "qdrant.example",
                    "port": 6333,
                    "hasApiKey": True,
                    "collection": "omniroute_memory",
                    "embeddingModel": "transformers/all-MiniLM-L6-v2",
                    "quantization": "none",
                }
            ]
        }
    )

    enabled: bool
    host: str
    port: int
    has_api_key: bool
    collection: str
    embedding_model: str | None
    quantization: Quantization

    @classmethod
    def of(cls, settings: TierSettings, active: VectorIndex | None) -> Self:
        """Return the shape of the settings in force."""
        return cls(
            enabled=settings.enabled,
            host=settings.host,
            port=settings.port,
            has_api_key=settings.has_key,
            collection=settings.collection,
            embedding_model=_model_of(active),
            quantization=settings.quantization,
        )


_Host = Annotated[str, Field(pattern=r"^(https?://)?[\w.\-\[\]:]*\w\]?/?$", max_length=300)]


class QdrantChange(Body):
    """New settings of Qdrant; a client may send all fields as shown. ``apiKey: ""`` removes the key."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"enabled": True, "host": "qdrant.example", "port": 6333}]}
    )

    enabled: Flag | SkipJsonSchema[None] = None
    host: _Host | SkipJsonSchema[None] = None
    port: Annotated[Whole, Field(ge=1, le=65535)] | SkipJsonSchema[None] = None
    api_key: Annotated[SecretStr, Field(max_length=4096)] | SkipJsonSchema[None] = None
    collection: Annotated[str, Field(pattern=r"^[\w.\-]+$", max_length=200)] | SkipJsonSchema[None] = None
    embedding_model: str | None = Field(None, max_length=300)
    quantization: Quantization | SkipJsonSchema[None] = None
    has_api_key: Flag | None = Field(None, description="Accepted as shown, and ignored.")

    _is_not_null = field_validator(*_OF_THE_TIER)(not_null)

    def as_change(self, active: VectorIndex | None) -> TierChange:
        """Return the change of the external tier.

        Raises:
            InvalidInput: ``embedding_model`` differs from the model in use, whose vectors Qdrant contains.
        """
        used = _model_of(active) or ""
        if self.embedding_model not in (None, used, used.partition("/")[2]):
            raise InvalidInput(
                "embeddingModel",
                "embeddingModel: Qdrant stores the vectors of the deployment's embedder; set embeddingSource and "
                "embeddingProviderModel of /api/settings/memory, and it follows",
            )
        names = self.model_fields_set.intersection(_OF_THE_TIER)
        return TierChange(**{name: getattr(self, name) for name in names})


class QdrantHealth(Answer):
    """Health of Qdrant, with its latency."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"ok": True, "latencyMs": 1.5, "error": None}]})

    ok: bool
    latency_ms: float
    error: str | None

    @classmethod
    def of(cls, health: TierHealth | None) -> Self:
        """Return OmniRoute's form of a health check; None means that the tier is off."""
        if health is None:
            return cls(ok=False, latency_ms=0.0, error="Qdrant is not enabled")
        return cls(ok=health.ok, latency_ms=health.latency_ms, error=health.error)


class QdrantSearch(Body):
    """Query of a search in Qdrant only."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"query": "indentation", "topK": 5}]})

    query: str = Field(min_length=1, json_schema_extra=NOT_BLANK)
    top_k: Whole = Field(5, description=f"Maximum number of hits, clamped to 1 to {MOST_HITS}.")
    api_key_id: Name | None = None
    session_id: Name | None = None


class QdrantHit(EntryFields):
    """A hit of Qdrant; ``score`` is its cosine."""

    score: float


class QdrantFound(Answer):
    """Hits of Qdrant, nearest first."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"results": []}]})

    results: list[QdrantHit]

    @classmethod
    def of(cls, hits: Sequence[TierHit[Memory]]) -> Self:
        """Return OmniRoute's form of the hits."""
        return cls(results=[_hit(hit) for hit in hits])


class QdrantCleanup(Answer):
    """Number of memories removed from Qdrant: expired, old, and in total."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"expired": 1, "old": 4, "deleted": 5}]})

    expired: int
    old: int
    deleted: int


class EmbeddingModelEntry(Answer):
    """An embedding model.

    Attributes:
        available: Whether it is usable now: it is in use, or its provider has a key.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"model": "openai/text-embedding-3-small", "inUse": False, "available": False}]
        }
    )

    model: str
    in_use: bool
    available: bool

    @classmethod
    def all_of(cls, providers: Sequence[EmbeddingProvider], active: VectorIndex | None) -> list[Self]:
        """Return the model in use, then all known models of the providers."""
        used = _model_of(active)
        found = {used: cls(model=used, in_use=True, available=True)} if used else {}
        for provider in providers:
            for name in provider.models:
                model = f"{provider.name}/{name}"
                found.setdefault(model, cls(model=model, in_use=False, available=provider.has_key))
        return list(found.values())


def _hit(hit: TierHit[Memory]) -> QdrantHit:
    values: dict[str, Any] = dict(MemoryEntry.of(hit.memory))
    return QdrantHit(**values, score=hit.score)


def _model_of(active: VectorIndex | None) -> str | None:
    """Return ``provider/model`` of remote vectors, else ``source/model``."""
    if active is None:
        return None
    source, _, rest = active.signature.partition(":")
    model = rest.rpartition(":")[0]
    return model if source == "remote" else f"{source}/{model}"


class SettingsRoutes(Controller):
    """Routes of the twelve memory settings in force for the key's workspace."""

    path = "/api/settings/memory"
    tags = ("omniroute",)
    opt = OF_SETTINGS

    @get(summary="Get the settings of memory")
    async def show(self, request: Caller, state: State) -> RunningMemorySettings:
        """Return all twelve settings."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.ADMIN)
        return await services.operations.settings.of(workspace_id)

    @put(summary="Change settings of memory")
    async def change(
        self, request: Caller, state: State, data: JSONBody[SettingsChange]
    ) -> Response[RunningMemorySettings]:
        """Change settings, all or none, and return the settings in force.

        If the change turns memory on, the header `x-recollect-notice` has a warning about its cost.

        Settings of embeddings, reranking and the vector store apply to all workspaces; only an administrator's key of
        the default workspace may change them.
        """
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.ADMIN)
        changed = await services.operations.settings.change(request.auth, workspace_id, data)
        warning = changed.cost_warning if data.enabled else None
        return Response(changed, headers={NOTICE_HEADER: warning} if warning else None)


class QdrantRoutes(Controller):
    """Routes of the external tier, whose connection all workspaces share."""

    path = "/api/settings/qdrant"
    tags = ("omniroute",)
    opt = OF_SETTINGS

    @get(summary="Get the settings of Qdrant")
    async def show(self, request: Caller, state: State) -> QdrantSettings:
        """Return the connection settings without the key."""
        services: Services = state.services
        await services.tenancy.access.authorize(request.auth, Scope.ADMIN)
        return QdrantSettings.of(services.vectors.external.settings, services.vectors.embeddings.active)

    @put(summary="Change the settings of Qdrant")
    async def change(self, request: Caller, state: State, data: JSONBody[QdrantChange]) -> QdrantSettings:
        """Change the connection settings; the service fills a new server with all vectors."""
        services: Services = state.services
        await services.tenancy.access.authorize(request.auth, Scope.ADMIN)
        changed = await services.operations.settings.change_tier(
            request.auth, data.as_change(services.vectors.embeddings.active)
        )
        return QdrantSettings.of(changed, services.vectors.embeddings.active)

    @get("/health", summary="Check Qdrant")
    async def health(self, request: Caller, state: State) -> QdrantHealth:
        """Send a request to Qdrant's health check."""
        services: Services = state.services
        await services.tenancy.access.authorize(request.auth, Scope.ADMIN)
        return QdrantHealth.of(await services.vectors.external.health())

    @post("/search", summary="Search Qdrant only", status_code=200, opt=OF_MEMORY)
    async def search(
        self, request: Caller, state: State, data: JSONBody[QdrantSearch]
    ) -> Response[QdrantFound]:
        """Search the memories of the key's workspace in Qdrant; `topK` is clamped to 1 to 20.

        The service reads the last 8,000 characters of a long query and reports this in the header `x-recollect-notice`.
        """
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.READ)
        await services.tenancy.access.enter_pool_of(workspace_id, data.api_key_id)
        hits = await services.vectors.external.search(
            workspace_id,
            data.query,
            top_k=data.top_k,
            api_key_id=data.api_key_id,
            session_id=data.session_id,
        )
        return Response(QdrantFound.of(hits), headers=cut_notice([data.query]))

    @post(
        "/cleanup",
        summary="Remove expired and old memories from Qdrant",
        status_code=200,
        opt=OF_MEMORY,
    )
    async def cleanup(self, request: Caller, state: State) -> QdrantCleanup:
        """Remove the workspace's memories from Qdrant that are expired or older than the setting `retentionDays`."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.WRITE)
        days = (await services.operations.settings.of(workspace_id)).retention_days
        removed = await services.vectors.external.cleanup(workspace_id, retention_days=days)
        return QdrantCleanup(expired=removed.expired, old=removed.old, deleted=removed.expired + removed.old)

    @get("/embedding-models", summary="List embedding models")
    async def embedding_models(self, request: Caller, state: State) -> list[EmbeddingModelEntry]:
        """Return the model in use, then the models that the setting `embeddingProviderModel` may name."""
        services: Services = state.services
        await services.tenancy.access.authorize(request.auth, Scope.ADMIN)
        return EmbeddingModelEntry.all_of(
            services.vectors.embeddings.providers, services.vectors.embeddings.active
        )
