"""Wire shapes of Qdrant's settings, searches and checks."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal, Self

from pydantic import ConfigDict, Field, SecretStr, field_validator
from pydantic.json_schema import SkipJsonSchema

from app.surfaces.rest.omniroute.memory_models import EntryFields, MemoryEntry
from app.surfaces.rest.omniroute.wire import Answer, Body
from app.surfaces.rest.texts import NOT_BLANK, Name
from graph.core.errors import InvalidInput
from graph.core.exact import Flag, Whole, not_null
from graph.core.ports import TierHealth
from graph.memories.models import Memory
from graph.vectors.external.models import MOST_HITS, TierChange, TierHit, TierSettings
from graph.vectors.index.models import EmbeddingProvider, VectorIndex

Quantization = Literal["none", "int8", "binary"]
_OF_THE_TIER = ("enabled", "host", "port", "api_key", "collection", "quantization")


class QdrantSettings(Answer):
    """Connection settings of Qdrant.

    Attributes:
        has_api_key: Whether requests to it have a key, which is never shown.
        embedding_model: Embedder of its vectors, the one in use; null before the first.
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
    """New settings of Qdrant, or all of the shown ones; ``apiKey: ""`` removes the key."""

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
    has_api_key: Flag | None = Field(None, description="As it is shown; not changed.")

    _is_given = field_validator(*_OF_THE_TIER)(not_null)

    def as_change(self, active: VectorIndex | None) -> TierChange:
        """Return the change of the tier.

        Raises:
            InvalidInput: Another embedding model is named than the one in use, whose vectors the tier holds.
        """
        used = _model_of(active) or ""
        if self.embedding_model not in (None, used, used.partition("/")[2]):
            raise InvalidInput(
                "embeddingModel",
                "embeddingModel: Qdrant holds the vectors of the embedder in use; set embeddingSource and "
                "embeddingProviderModel of /api/settings/memory, and it follows",
            )
        given = self.model_fields_set.intersection(_OF_THE_TIER)
        return TierChange(**{name: getattr(self, name) for name in given})


class QdrantHealth(Answer):
    """Health of Qdrant, with its latency."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"ok": True, "latencyMs": 1.5, "error": None}]})

    ok: bool
    latency_ms: float
    error: str | None

    @classmethod
    def of(cls, health: TierHealth | None) -> Self:
        """Return the shape of a probe; there is none where the tier is off."""
        if health is None:
            return cls(ok=False, latency_ms=0.0, error="Qdrant is not enabled")
        return cls(ok=health.ok, latency_ms=health.latency_ms, error=health.error)


class QdrantSearch(Body):
    """Query of a search in Qdrant alone."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"query": "indentation", "topK": 5}]})

    query: str = Field(min_length=1, json_schema_extra=NOT_BLANK)
    top_k: Whole = Field(5, description=f"Clamped to 1 to {MOST_HITS}.")
    api_key_id: Name | None = None
    session_id: Name | None = None


class QdrantHit(EntryFields):
    """A memory that Qdrant found; ``score`` is its cosine."""

    score: float


class QdrantFound(Answer):
    """Hits of Qdrant, nearest first."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"results": []}]})

    results: list[QdrantHit]

    @classmethod
    def of(cls, hits: Sequence[TierHit[Memory]]) -> Self:
        """Return the wire shape of the hits."""
        return cls(results=[_hit(hit) for hit in hits])


class QdrantCleanup(Answer):
    """Number of memories removed from Qdrant: expired, old, and in total."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"expired": 1, "old": 4, "deleted": 5}]})

    expired: int
    old: int
    deleted: int


class EmbeddingModelEntry(Answer):
    """A model of embeddings.

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
        """Return the model in use and every one known of the providers."""
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
