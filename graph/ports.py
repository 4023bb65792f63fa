"""What the knowledge engine needs from outside Neo4j, as protocols that ``app/adapters`` fulfil."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


@dataclass(frozen=True)
class EmbedderState:
    """Whether an embedder can be used now, and if not, why; ``signature`` is None until it is known."""

    ready: bool
    signature: str | None
    reason: str | None = None


class EmbeddingFailed(Exception):
    """Raised by an embedder that is not ready, unreachable, or answered with unusable vectors."""


class Embedder(Protocol):
    """Turns texts into unit vectors of one model; safe to call from many tasks at once."""

    @property
    def signature(self) -> str:
        """``source:model:dimension``: vectors of equal signatures may be compared."""
        ...

    @property
    def dimension(self) -> int:
        """Length of each vector."""
        ...

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one L2-normalised float32 row per text, in the order given.

        Raises:
            EmbeddingFailed: The model or its endpoint cannot answer now.
        """
        ...


class RerankFailed(Exception):
    """Raised by a reranker that is unreachable or answered with unusable scores."""


class Reranker(Protocol):
    """Scores texts for a query by reading both together, which is slower and better than comparing vectors."""

    @property
    def name(self) -> str:
        """``provider/model``, for the account of a recall."""
        ...

    async def score(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """Return one score per text in the order given, higher is better.

        Raises:
            RerankFailed: The model or its endpoint cannot answer now.
        """
        ...


class EmbedderShelf(Protocol):
    """Finds the embedder of stored vectors after another one was configured; loading goes on in the background."""

    def find(self, signature: str) -> Embedder | None:
        """Return the embedder of that signature, maybe not ready yet, or None where its model cannot be had."""
        ...


class PassageSplitter(Protocol):
    """Cuts a text that is longer than what one vector can say."""

    def split(self, text: str) -> Sequence[str]:
        """Return the passages in order, or none for a text that one vector covers. May take 20 ms; thread-safe."""
        ...


class TierFailed(Exception):
    """Raised by a vector tier that is unreachable or answers with an error; recall goes on with the next one."""


@dataclass(frozen=True)
class TierPoint:
    """A memory as an external vector store holds it."""

    workspace_id: str
    memory_id: str
    api_key_id: str | None
    session_id: str | None
    key: str | None
    content: str
    metadata: Mapping[str, Any]
    created_at: datetime
    expires_at: datetime | None
    vector: Sequence[float]


@dataclass(frozen=True)
class TierScope:
    """What may be found: one workspace, and in it optionally one key's or session's memories."""

    workspace_id: str
    api_key_id: str | None = None
    session_id: str | None = None


@dataclass(frozen=True)
class TierCleanup:
    """How many points were removed because they had expired, and how many others for their age."""

    expired: int
    old: int


@dataclass(frozen=True)
class TierHealth:
    """Whether the store answers, and how fast."""

    ok: bool
    latency_ms: float
    error: str | None = None


class VectorTier(Protocol):
    """An external vector store beside the graph's own index; every method but ``health`` may raise ``TierFailed``."""

    async def upsert(self, signature: str, points: Sequence[TierPoint]) -> None:
        """Write points whose vectors are of the embedder ``signature``."""
        ...

    async def delete(self, workspace_id: str, memory_ids: Sequence[str]) -> None:
        """Remove memories of one workspace."""
        ...

    async def search(
        self, signature: str, scope: TierScope, vector: Sequence[float], top_k: int
    ) -> list[tuple[str, float]]:
        """Return ids of memories with their cosine, the nearest first; ``top_k`` is clamped to 1 … 20."""
        ...

    async def cleanup(self, workspace_id: str, *, now: datetime, created_before: datetime) -> TierCleanup:
        """Remove what has expired by ``now`` or was created before the cut-off."""
        ...

    async def health(self) -> TierHealth:
        """Tell whether the store answers; never raises."""
        ...


@dataclass(frozen=True)
class CacheStats:
    """What the embedding cache did since the process started; a text that repeats within one call counts once.

    Attributes:
        hits: Texts answered from memory.
        joined: Texts answered by a computation that another task had begun.
        misses: Texts given to the embedder.
        entries: Vectors held now, at most the configured number.
    """

    hits: int
    joined: int
    misses: int
    entries: int


class Clock(Protocol):
    """Tells the time, so that tests can move it."""

    def now(self) -> datetime:
        """Return the current time, timezone-aware UTC."""
        ...


class WakeUp(Protocol):
    """Tells workers of every process that jobs wait; losing a signal only delays them."""

    async def ping(self) -> bool:
        """Tell whether the server that carries the signals answers; never raises."""
        ...

    async def signal(self) -> None:
        """Wake one or more waiting workers; never raises."""
        ...

    async def wait(self, timeout_seconds: float) -> None:
        """Return after a signal or after ``timeout_seconds``; never raises."""
        ...


class SecretDetector(Protocol):
    """Finds credentials in text; pure computation, well below a millisecond for a memory of usual length."""

    def kinds_in(self, text: str) -> Sequence[str]:
        """Return what kinds of credentials the text holds, such as ``AWS access key``; empty: none."""
        ...


class LanguageModelFailed(Exception):
    """Raised by a language model that is unreachable, refuses, or answers with what cannot be used."""


class LanguageModel(Protocol):
    """Completes texts; optional, everything works without one."""

    async def complete(self, system: str, prompt: str) -> str:
        """Return the model's answer.

        Args:
            system: What the model is to do.
            prompt: What it is to do it to; untrusted text.

        Raises:
            LanguageModelFailed: The model cannot answer now.
        """
        ...
