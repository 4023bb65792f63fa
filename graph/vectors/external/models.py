"""Models of the external vector tier: settings, progress, mirrored data and results."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Final, Generic, Literal, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator
from pydantic_core import from_json, to_json

from graph.core.models import Frozen
from graph.core.ports import TierHealth, TierPoint
from graph.core.scope import SHARED
from graph.vectors.index.models import EmbeddingSource

FoundT = TypeVar("FoundT")
"""Form of ids in a store."""

MOST_HITS: Final = 20
"""The most a caller gets from a search of the tier alone; recall reads as many as it needs."""

Quantization = Literal["none", "int8", "binary"]
TIER_KEYS: Final[Mapping[str, str]] = {
    "enabled": "qdrantEnabled",
    "host": "qdrantHost",
    "port": "qdrantPort",
    "api_key": "qdrantApiKey",
    "collection": "qdrantCollection",
    "quantization": "qdrantQuantization",
    "vector_store": "memoryVectorStore",
}
"""The keys under which settings of the tier are stored."""


class VectorStore(StrEnum):
    """Store of the vectors that recall searches; ``sqlite-vec`` is another name of the graph's own index."""

    AUTO = "auto"
    NEO4J = "neo4j"
    SQLITE_VEC = "sqlite-vec"
    QDRANT = "qdrant"


class MirrorPhase(StrEnum):
    """Progress of a store: it creates an empty collection, copies the existing memories, is complete."""

    PREPARING = "PREPARING"
    FILLING = "FILLING"
    COMPLETE = "COMPLETE"


class TierMeta(Frozen):
    """State of the tier in the graph, for all processes.

    Attributes:
        namespace: Of this deployment within stores that others use too.
        target: The store that mirrors this deployment; None: none does.
        signature: The embedder whose vectors it holds, or is filled with.
        cursor: Memories up to this place have been looked at, ``done`` of ``total``.
        grace_until: Filling begins then.
        cleaned: Whether a cleanup has removed memories of some workspace since.
    """

    namespace: str
    target: str | None = None
    signature: str | None = None
    dimension: int | None = None
    phase: MirrorPhase | None = None
    cursor: str = ""
    done: int = 0
    total: int = 0
    grace_until: datetime | None = None
    cleaned: bool = False

    @field_validator("cursor", mode="before")
    @classmethod
    def _from_the_start(cls, value: object) -> object:
        return value or ""

    @field_validator("done", "total", "cleaned", mode="before")
    @classmethod
    def _nothing_yet(cls, value: object) -> object:
        return value or 0


class TierSettings(Frozen):
    """Connection and use of the tier; the key is never shown.

    Attributes:
        host: Name or address of the server, or where an in-process store lives.
        instance: Tells an in-process store, which is empty at every start, from the one before.
    """

    enabled: bool = False
    host: str = "127.0.0.1"
    port: int = 6333
    api_key: SecretStr | None = None
    collection: str = "omniroute_memory"
    quantization: Quantization = "none"
    vector_store: VectorStore = VectorStore.AUTO
    instance: str = ""

    @property
    def target(self) -> str | None:
        """Identity of the store; None while the tier is off."""
        return f"{self.host}:{self.port}/{self.collection}{self.instance}" if self.enabled else None

    @property
    def has_key(self) -> bool:
        """True if requests to the server have a key."""
        return self.api_key is not None

    def with_stored(self, stored: Mapping[str, Any]) -> Self:
        """Return these settings under the ones that were changed while running; an empty key is none."""
        changes = {**stored, "api_key": stored["api_key"] or None} if "api_key" in stored else stored
        return type(self).model_validate({**dict(self), **changes})


class TierChange(BaseModel):
    """Settings to change at run time: unset fields stay, None restores the process's own setting.

    Attributes:
        api_key: An empty text removes the key.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    enabled: bool | None = None
    host: str | None = Field(None, pattern=r"^(https?://)?[\w.\-\[\]:]*\w\]?/?$", max_length=300)
    port: int | None = Field(None, ge=1, le=65535)
    api_key: SecretStr | None = None
    collection: str | None = Field(None, pattern=r"^[\w.\-]+$", max_length=200)
    quantization: Quantization | None = None
    vector_store: VectorStore | None = None

    def over(self, shown: TierSettings) -> Self:
        """Return the change without settings that already have this value; keeps None, which resets."""
        given = {name: getattr(self, name) for name in self.model_fields_set}
        changed = {
            name: value for name, value in given.items() if value is None or value != getattr(shown, name)
        }
        return type(self)(**changed)

    def rows(self) -> list[dict[str, str | None]]:
        """Return the stored values by key; null if no value remains."""
        return [
            {"key": TIER_KEYS[name], "value": _json(getattr(self, name))}
            for name in sorted(self.model_fields_set)
        ]


def _json(value: object) -> str | None:
    if isinstance(value, SecretStr):
        value = value.get_secret_value()
    return None if value is None else to_json(value).decode()


class MirrorSource(EmbeddingSource):
    """A memory as it is to be found in the store.

    Attributes:
        stamp: Changes with every mirrored property.
    """

    key: str | None = None
    metadata: Mapping[str, Any] = {}
    api_key_id: str | None = None
    session_id: str | None = None
    user_id: str = SHARED
    created_at: datetime
    expires_at: datetime | None = None
    stamp: str

    @field_validator("metadata", mode="before")
    @classmethod
    def _read_json(cls, value: object) -> object:
        return from_json(value) if isinstance(value, str) else value or {}

    def point(self, vector: Sequence[float], parts: Sequence[Sequence[float]]) -> TierPoint:
        """Return the memory's point in the store."""
        return TierPoint(
            workspace_id=self.workspace_id,
            memory_id=self.id,
            api_key_id=self.api_key_id,
            session_id=self.session_id,
            key=self.key,
            content=self.content,
            metadata=self.metadata,
            created_at=self.created_at,
            expires_at=self.expires_at,
            vector=vector,
            parts=parts,
            user_id=self.user_id,
        )


@dataclass(frozen=True)
class Nearest:
    """Response of the tier to a recall.

    Attributes:
        found: Ids with ``(1 + cosine) / 2``, to be matched with the workspace; None: the graph's own index is to serve.
        reason: Why, where the tier should have served.
        lacks: Missing parts of the request, for which the graph's own index is searched as well.
        milliseconds: Duration.
    """

    found: Sequence[Mapping[str, Any]] | None = None
    reason: str | None = None
    lacks: str | None = None
    milliseconds: float | None = None


@dataclass(frozen=True)
class TierHit(Generic[FoundT]):
    """A memory the tier found; ``score`` is the cosine it tells."""

    memory: FoundT
    score: float


@dataclass(frozen=True)
class TierStatus:
    """State of the tier.

    Attributes:
        health: Result of a check just now; None while it is off.
        serves: Whether recall searches it.
        reason: Why not, where it should.
        mirrored: Memories looked at since filling began, of ``total``.
        pending: Jobs that have still to tell it something.
    """

    settings: TierSettings
    health: TierHealth | None
    serves: bool
    reason: str | None
    phase: MirrorPhase | None
    mirrored: int
    total: int
    pending: int
