"""External dependencies of the engine other than Neo4j, as protocols that ``app/adapters`` implement."""

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
    """Raised by an embedder that is not ready, unreachable, or answered with unusable vectors."""


class TextsRefused(EmbeddingFailed):
    """Raised by an embedder that works and does not take these texts."""


class EmbedderUnavailable(EmbeddingFailed):
    """Raised where no text is known to be at fault: the embedder is not ready, unreachable or overloaded."""


class EmbedderCrashed(EmbedderUnavailable):
    """Raised where each attempt crashed or timed out: the embedder is down, or one of these texts is at fault."""


class EmbeddingLate(EmbeddingFailed):
    """Raised if vectors are not complete within the caller's deadline."""


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

    async def embed(self, texts: Sequence[str], *, as_query: bool = False) -> Vectors:
        """Return one L2-normalised float32 row per text, in the order given.

        Args:
            texts: Any texts.
            as_query: Embed the texts as queries, for a comparison with searched texts; some models treat the two
                differently, and ``signature`` covers both.

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


class EmbedderCatalogue(Protocol):
    """Finds the embedder of stored vectors after the configuration has changed; loads it in the background."""

    def find(self, signature: str) -> Embedder | None:
        """Return the embedder of that signature, maybe not ready yet, or None where its model cannot be had."""
        ...


class PassageSplitter(Protocol):
    """Cuts a text that is longer than what one vector can say."""

    def split(self, text: str) -> Sequence[str]:
        """Return the passages in order, or none for a text that one vector covers. May take 20 ms; thread-safe."""
        ...


class TierFailed(Exception):
    """Raised by a vector tier that is unreachable or returns an error; recall continues with the next tier."""


class TierRefused(TierFailed):
    """Raised by a working vector tier that refuses a request."""


@dataclass(frozen=True)
class TierPoint:
    """A memory as an external vector store holds it.

    Attributes:
        vector: Of the memory as a whole.
        parts: Further vectors of its parts, which are found in its name.
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
        """Tell whether that place is still there."""
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
        """Return after a signal or after ``timeout_seconds``; never raises.

        A signal wakes every task that waits, and one that came since a task waited last ends its next wait at once.
        """
        ...


class EventBus(Protocol):
    """Sends short messages between processes, to current subscribers only; nothing is stored."""

    def publish(self, channel: str, message: str) -> None:
        """Hand over a message, which goes out soon and after those handed over before; never waits, never raises."""
        ...

    def subscribe(self, channel: str) -> AbstractAsyncContextManager[AsyncIterator[str]]:
        """Subscribe to a channel within the block; messages published after its start arrive.

        Raises:
            Unavailable: The server that carries the messages does not answer; the iterator raises it as well, when
                messages may have been lost.
            LimitExceeded: From the iterator: more messages wait than the buffer of one reader holds.
        """
        ...


class WorkingSetStore(Protocol):
    """Holds short-lived texts by workspace, conversation and slot; no method raises when its server does not answer."""

    async def get(self, workspace_id: str, conversation_id: str, slot: str) -> str | None:
        """Return the last value and restart its lifetime; None if it has expired or the server is unavailable."""
        ...

    async def set(
        self, workspace_id: str, conversation_id: str, slot: str, value: str, ttl_seconds: int
    ) -> bool:
        """Hold a text until it was not read for so long; return whether it is held."""
        ...

    async def clear(self, workspace_id: str, conversation_id: str | None) -> int:
        """Remove the slots of a conversation, or of all of a workspace; return how many there were."""
        ...

    async def clear_named(self, workspace_id: str, *, beginning: str = "", end: str = "") -> int:
        """Remove the slots of the conversations whose names begin and end so; return how many there were."""
        ...


class SessionStore(Protocol):
    """Holds who is signed in, for all processes; methods raise ``Unavailable`` when its server does not answer."""

    async def get(self, id_: str, *, renew_seconds: int) -> str | None:
        """Return the value and restart its lifetime; None if there is none or it has expired."""
        ...

    async def set(self, id_: str, value: str, *, ttl_seconds: int) -> None:
        """Hold a text until it was not read for so long."""
        ...

    async def delete(self, id_: str) -> None:
        """Hold it no longer."""
        ...


@dataclass(frozen=True)
class Counted:
    """Count of events within a time window, and the seconds (at least 1) until the next window."""

    count: int
    seconds_left: int


class Counters(Protocol):
    """Counts by name within fixed windows of time, for all processes; raises ``Unavailable`` without its server."""

    async def count(self, name: str, *, window_seconds: int) -> Counted:
        """Count one more; return how many that makes in this window."""
        ...

    async def uncount(self, name: str, *, window_seconds: int) -> None:
        """Take one back that was counted in this window."""
        ...


class SecretDetector(Protocol):
    """Finds credentials in text; pure computation, well below a millisecond for a memory of usual length."""

    def kinds_in(self, text: str) -> Sequence[str]:
        """Return what kinds of credentials the text holds, such as ``AWS access key``; empty: none."""
        ...


class LanguageModelFailed(Exception):
    """Raised by a language model that is unreachable, refuses, or returns an unusable response."""


class LanguageModelUnavailable(LanguageModelFailed):
    """Raised where no text is known to be at fault: the model is unreachable, overloaded, or lets nobody in."""


class LanguageModel(Protocol):
    """Completes texts; optional, everything works without one."""

    @property
    def name(self) -> str:
        """Name of the model at its endpoint, for the audit."""
        ...

    async def complete(self, system: str, prompt: str) -> str:
        """Return the model's answer.

        Args:
            system: Instructions for the model.
            prompt: The untrusted input.

        Raises:
            LanguageModelUnavailable: The model cannot answer anything now.
            LanguageModelFailed: The model cannot answer this.
        """
        ...

    async def complete_as(self, system: str, prompt: str, output_type: type[OutputT]) -> OutputT:
        """Return the answer as a pydantic model; its schema is sent to the model.

        Raises:
            LanguageModelUnavailable: The model cannot answer anything now.
            LanguageModelFailed: The model cannot answer this, or its answer does not fit the type.
        """
        ...


class LanguageModels(Protocol):
    """Knows which language model works for a workspace."""

    async def of(self, workspace_id: str) -> LanguageModel | None:
        """Return the model, or None where the workspace has to do without one."""
        ...
