"""Protocols for external dependencies other than Neo4j; ``app/adapters`` implements them."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from graph.core.scope import SHARED

Vectors = NDArray[np.float32]
OutputT = TypeVar("OutputT", bound=BaseModel)


@dataclass(frozen=True)
class EmbedderState:
    """Result of the last call or probe, with reason and time of a failure; no ``signature``: unknown yet."""

    ready: bool
    signature: str | None
    reason: str | None = None
    since: datetime | None = None


class EmbeddingFailed(Exception):
    """Raised by an embedder that is not ready, cannot be reached, or returns unusable vectors."""


class TextsRefused(EmbeddingFailed):
    """Raised by a working embedder that refuses these texts."""


class EmbedderUnavailable(EmbeddingFailed):
    """Raised if no text is known to cause the failure: the embedder is not ready, unreachable or overloaded."""


class EmbedderCrashed(EmbedderUnavailable):
    """Raised if each attempt crashed or timed out: the embedder is down, or one of these texts causes it."""


class EmbeddingLate(EmbeddingFailed):
    """Raised if vectors are not complete within the caller's deadline."""


class Embedder(Protocol):
    """Turns texts into unit vectors of one model; safe to call from many tasks at once."""

    @property
    def signature(self) -> str:
        """``source:model:dimension``; only vectors with equal signatures are comparable."""
        ...

    @property
    def dimension(self) -> int:
        """Length of each vector."""
        ...

    async def embed(self, texts: Sequence[str], *, as_query: bool = False) -> Vectors:
        """Return one L2-normalised float32 row per text, in order.

        Args:
            texts: Any texts.
            as_query: Embed the texts as search queries; some models embed queries and searched texts differently, and
                ``signature`` covers both.

        Raises:
            EmbeddingFailed: The model or its endpoint cannot answer now.
        """
        ...


class RerankFailed(Exception):
    """Raised by a reranker that cannot be reached or returns unusable scores."""


class Reranker(Protocol):
    """Scores texts by reading query and text together, which is slower and more precise than comparing vectors."""

    @property
    def name(self) -> str:
        """``provider/model``, for the explanation of a recall."""
        ...

    async def score(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """Return one score per text, in order; higher is better.

        Raises:
            RerankFailed: The model or its endpoint cannot answer now.
        """
        ...


class EmbedderCatalogue(Protocol):
    """Finds the embedder of stored vectors after a change of the configuration; loads it in the background."""

    def find(self, signature: str) -> Embedder | None:
        """Return the embedder with a signature, which may still be loading; None if its model is not available."""
        ...


class PassageSplitter(Protocol):
    """Splits texts that exceed the embedder's token limit."""

    def split(self, text: str) -> Sequence[str]:
        """Return the passages in order, or none for a text that one vector covers. May take 20 ms; thread-safe."""
        ...


class TierFailed(Exception):
    """Raised by a vector tier that is unreachable or returns an error; recall continues with the next tier."""


class TierRefused(TierFailed):
    """Raised by a working vector tier that refuses a request."""


@dataclass(frozen=True)
class TierPoint:
    """The point of a memory in an external vector store.

    Attributes:
        vector: Vector of the whole memory.
        parts: Vectors of its passages; a match of one returns the memory.
        user_id: Owner; empty: everybody.
    """

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
    parts: Sequence[Sequence[float]] = ()
    user_id: str = SHARED


@dataclass(frozen=True)
class TierScope:
    """Filter of a search: one workspace's memories, optionally of one key, session or some users, or since a time."""

    workspace_id: str
    api_key_id: str | None = None
    session_id: str | None = None
    created_since: datetime | None = None
    users: Sequence[str] | None = None


@dataclass(frozen=True)
class TierCleanup:
    """Number of memories whose points were removed because of expiry, and because of age."""

    expired: int
    old: int


@dataclass(frozen=True)
class TierHealth:
    """Health of the store, with its latency."""

    ok: bool
    latency_ms: float
    error: str | None = None


class VectorTier(Protocol):
    """An external vector store beside the graph's own index; every method but ``health`` may raise ``TierFailed``."""

    async def prepare(self, signature: str, dimension: int) -> None:
        """Create an empty collection for one embedder's vectors; drops this deployment's earlier one."""
        ...

    async def holds(self, signature: str) -> bool:
        """Tell whether the collection for an embedder still exists."""
        ...

    async def upsert(self, signature: str, points: Sequence[TierPoint]) -> None:
        """Write points with vectors of the embedder ``signature``; replaces existing points."""
        ...

    async def delete(self, workspace_id: str, memory_ids: Sequence[str]) -> None:
        """Remove memories of one workspace."""
        ...

    async def delete_workspace(self, workspace_id: str) -> None:
        """Remove every memory of one workspace."""
        ...

    async def search(
        self,
        signature: str,
        scope: TierScope,
        vector: Sequence[float],
        limit: int,
        *,
        with_parts: bool = True,
    ) -> list[tuple[str, float]]:
        """Return ids of memories with cosines, nearest first; a memory with matching parts appears repeatedly."""
        ...

    async def cleanup(self, workspace_id: str, *, now: datetime, created_before: datetime) -> TierCleanup:
        """Remove memories that expired by ``now`` or were created before the cut-off."""
        ...

    async def health(self) -> TierHealth:
        """Tell whether the store answers; never raises."""
        ...

    async def close(self) -> None:
        """Close the connections."""
        ...


@dataclass(frozen=True)
class CacheStats:
    """Counters of the embedding cache since the process started; a repetition within one call counts once.

    Attributes:
        hits: Texts with a cached vector.
        joined: Texts whose vector another task was already computing.
        misses: Texts sent to the embedder.
        entries: Cached vectors, at most the configured number.
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
    """Signals to the workers of all processes that jobs are due; a lost signal only delays the jobs."""

    async def ping(self) -> bool:
        """Tell whether the server for the signals answers; never raises."""
        ...

    async def signal(self) -> None:
        """Wake one or more waiting workers; never raises."""
        ...

    async def wait(self, timeout_seconds: float) -> None:
        """Return after a signal or after ``timeout_seconds``; never raises.

        A signal wakes every waiting task. If it arrives between two waits of a task, it ends the next wait immediately.
        """
        ...


class EventBus(Protocol):
    """Sends short messages between processes, to current subscribers only; nothing is stored."""

    def publish(self, channel: str, message: str) -> None:
        """Enqueue a message, which is sent soon and in order; never waits or raises."""
        ...

    def subscribe(self, channel: str) -> AbstractAsyncContextManager[AsyncIterator[str]]:
        """Subscribe to a channel within the block; messages published after its start arrive.

        Raises:
            Unavailable: The server for the messages does not answer; the iterator raises it as well, if messages may
                have been lost.
            LimitExceeded: From the iterator: the reader is too slow, and its buffer is full.
        """
        ...


class WorkingSetStore(Protocol):
    """Stores short-lived texts by workspace, conversation and slot; no method raises if its server does not answer."""

    async def get(self, workspace_id: str, conversation_id: str, slot: str) -> str | None:
        """Return the last value and restart its lifetime; None if it has expired or the server is unavailable."""
        ...

    async def set(
        self, workspace_id: str, conversation_id: str, slot: str, value: str, ttl_seconds: int
    ) -> bool:
        """Store a text until it is not read for ``ttl_seconds``; return whether it is stored."""
        ...

    async def clear(self, workspace_id: str, conversation_id: str | None) -> int:
        """Remove the slots of a conversation, or of the whole workspace; return their number."""
        ...

    async def clear_named(self, workspace_id: str, *, beginning: str = "", end: str = "") -> int:
        """Remove the slots of conversations with a beginning and end of their name; return the number of slots."""
        ...


class SessionStore(Protocol):
    """Stores sessions for all processes; methods raise ``Unavailable`` if its server does not answer."""

    async def get(self, id_: str, *, renew_seconds: int) -> str | None:
        """Return the value and restart its lifetime; None if there is none or it has expired."""
        ...

    async def set(self, id_: str, value: str, *, ttl_seconds: int) -> None:
        """Store a text until it is not read for ``ttl_seconds``."""
        ...

    async def delete(self, id_: str) -> None:
        """Delete a session."""
        ...


@dataclass(frozen=True)
class Counted:
    """Count of events within a time window, and the seconds (at least 1) until the next window."""

    count: int
    seconds_left: int


class Counters(Protocol):
    """Counts by name in fixed time windows, for all processes; raises ``Unavailable`` if its server does not answer."""

    async def count(self, name: str, *, window_seconds: int) -> Counted:
        """Count one event; return the number in this window."""
        ...

    async def uncount(self, name: str, *, window_seconds: int) -> None:
        """Take back one event that was counted in this window."""
        ...


class SecretDetector(Protocol):
    """Finds credentials in text; pure computation, far below a millisecond for a typical memory."""

    def kinds_in(self, text: str) -> Sequence[str]:
        """Return the kinds of credentials in a text, such as ``AWS access key``; empty if there are none."""
        ...


class LanguageModelFailed(Exception):
    """Raised by a language model that cannot be reached, refuses, or returns an unusable response."""


class LanguageModelUnavailable(LanguageModelFailed):
    """Raised if no text is known to cause the failure: the model is unreachable, overloaded or refuses the key."""


class LanguageModel(Protocol):
    """Completes texts; optional, everything works without one."""

    @property
    def name(self) -> str:
        """Name of the model at its endpoint."""
        ...

    async def complete(self, system: str, prompt: str) -> str:
        """Return the model's answer.

        Args:
            system: Instructions for the model.
            prompt: The untrusted input.

        Raises:
            LanguageModelUnavailable: The model cannot answer any prompt now.
            LanguageModelFailed: The model cannot answer this prompt.
        """
        ...

    async def complete_as(self, system: str, prompt: str, output_type: type[OutputT]) -> OutputT:
        """Return the answer as a pydantic model; its schema is sent to the model.

        Raises:
            LanguageModelUnavailable: The model cannot answer any prompt now.
            LanguageModelFailed: The model cannot answer this prompt, or its answer does not fit the type.
        """
        ...


class LanguageModels(Protocol):
    """Selects the language model of a workspace."""

    async def of(self, workspace_id: str) -> LanguageModel | None:
        """Return the model, or None if the workspace has none."""
        ...
