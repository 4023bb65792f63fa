"""Models of the external vector tier: settings, progress, mirrored data and results."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Final, Generic, Literal, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, SecretStr
from pydantic_core import to_json

from graph.core.models import Frozen
from graph.core.ports import TierHealth

FoundT = TypeVar("FoundT")
"""A memory in the caller's form."""

MOST_HITS: Final = 20
"""Maximum number of hits of a search in the tier only; recall has its own limit."""

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
"""Keys of the tier's stored settings."""


class VectorStore(StrEnum):
    """Store of the vectors that recall searches; ``sqlite-vec`` is another name of the graph's own index."""

    AUTO = "auto"
    NEO4J = "neo4j"
    SQLITE_VEC = "sqlite-vec"
    QDRANT = "qdrant"


class MirrorPhase(StrEnum):
    """Progress of filling a store: create an empty collection, copy the memories, complete."""

    PREPARING = "PREPARING"
    FILLING = "FILLING"
    COMPLETE = "COMPLETE"


class TierMeta(Frozen):
    """State of the tier in the graph, for all processes.

    Attributes:
        namespace: Name of this deployment within a store that other deployments share.
        target: Store that mirrors this deployment; None: no store.
        signature: Embedder of the vectors in the store.
        cursor: Position of the last memory that the filling has read, the ``done``-th of ``total``.
        grace_until: Start of the filling.
        cleaned: True if a cleanup has removed memories since the filling.
    """

    namespace: str
    target: str | None = None
    signature: str | None = None
    phase: MirrorPhase | None = None
    cursor: str = ""
    done: int = 0
    total: int = 0
    grace_until: datetime | None = None
    cleaned: bool = False


class TierSettings(Frozen):
    """Connection and use of the tier; its representation hides the key.

    Attributes:
        host: Name or address of the server, or location of an in-process store.
        instance: Distinguishes an in-process store, which is empty at every start, from the previous one.
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
        """Return these settings with the overrides stored at run time; an empty key means no key."""
        changes = {**stored, "api_key": stored["api_key"] or None} if "api_key" in stored else stored
        return type(self).model_validate({**dict(self), **changes})


class TierChange(BaseModel):
    """Settings to change at run time: unset fields stay unchanged, None restores the process's own setting.

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
        values = self.model_dump(exclude_unset=True)
        return type(self)(
            **{
                name: value
                for name, value in values.items()
                if value is None or value != getattr(shown, name)
            }
        )

    def rows(self) -> list[dict[str, str | None]]:
        """Return the stored values by key; null if no value remains."""
        values = self.model_dump(exclude_unset=True)
        return [{"key": TIER_KEYS[name], "value": _json(value)} for name, value in values.items()]


def _json(value: object) -> str | None:
    if isinstance(value, SecretStr):
        value = value.get_secret_value()
    return None if value is None else to_json(value).decode()


@dataclass(frozen=True)
class Nearest:
    """Response of the tier to a recall.

    Attributes:
        found: Ids with ``(1 + cosine) / 2``, not yet matched with the workspace; None: use the graph's own index.
        reason: Reason why the selected tier found nothing; None if it answered or is not selected.
        lacks: Missing parts of the request, for which the graph's own index is searched as well.
        milliseconds: Duration.
    """

    found: Sequence[Mapping[str, Any]] | None = None
    reason: str | None = None
    lacks: str | None = None
    milliseconds: float | None = None


@dataclass(frozen=True)
class TierHit(Generic[FoundT]):
    """A memory that the tier found; ``score`` is the tier's cosine."""

    memory: FoundT
    score: float


@dataclass(frozen=True)
class TierStatus:
    """State of the tier.

    Attributes:
        health: Result of a new check; None while the tier is off.
        serves: True if recall searches the tier.
        reason: Reason why recall does not search a selected tier; None otherwise.
        mirrored: Number of memories read since the filling began, out of ``total``.
        pending: Number of unfinished jobs for the store.
    """

    settings: TierSettings
    health: TierHealth | None
    serves: bool
    reason: str | None
    phase: MirrorPhase | None
    mirrored: int
    total: int
    pending: int
