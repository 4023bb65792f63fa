"""Models of vector indexes and of embedded texts."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from graph.core.background import in_background
from graph.core.models import Frozen
from graph.core.ports import Clock, EmbedderState, EmbeddingFailed


class _Slot(Frozen):
    """One of the two slots for vectors, ``a`` or ``b``: an index and a property with this name."""

    slot: str

    @property
    def name(self) -> str:
        """Name of the vector index, for ``Statement.on_index``."""
        return f"vectors_{self.slot}"

    @property
    def vector_property(self) -> str:
        """Name of the property with the vectors."""
        return f"embedding_{self.slot}"


class VectorIndex(_Slot):
    """A slot, and the embedder of its vectors."""

    signature: str
    dimension: int
    quantization: str
    since: datetime

    @property
    def index_signature(self) -> str:
        """``source:model:dimension`` and the compression, e.g. ``…:int8``; a change of any part means a new index."""
        suffix = {"SCALAR": ":int8", "BINARY": ":binary"}.get(self.quantization, "")
        return f"{self.signature}{suffix}"


class BuildingPhase(StrEnum):
    """Phase of a slot before it becomes active."""

    CLEARING = "CLEARING"
    FILLING = "FILLING"


class BuildingIndex(VectorIndex):
    """The slot that a new embedder fills: ``done`` of ``total`` nodes have their new vector."""

    phase: BuildingPhase
    cursor: str
    done: int
    total: int

    def has_vectors_of(self, active: VectorIndex) -> bool:
        """Tell whether it can copy the active vectors, because only the compression of the index differs."""
        return self.signature == active.signature


class RetiringSlot(_Slot):
    """A slot whose index and vectors are being dropped; nodes up to the position ``cursor`` are done."""

    cursor: str


class Utterance(Frozen):
    """Text of a neighbouring turn, with its speaker."""

    content: str
    speaker: str | None = None


class EmbeddingSource(Frozen):
    """Text of a node to embed; ``revision`` detects a change of the text before the vector is stored.

    Attributes:
        words: Length of a memory's content; None for nodes embedded whole, such as entities and chunks.
        keywords: Keywords that a caller gave a memory, as one line.
        tags: Tags that a caller gave a memory, as one line.
    """

    workspace_id: str
    id: str
    revision: int
    content: str
    speaker: str | None
    words: int | None
    previous: Utterance | None
    following: Utterance | None
    keywords: str | None = None
    tags: str | None = None


@dataclass(frozen=True)
class EmbeddedQuery:
    """A query's vectors, and the index for their search and comparison.

    Attributes:
        vectors: One vector for each text, the whole query first.
        parts: Number of vectors, the last ones, that are of parts of the query.
    """

    vectors: list[list[float]]
    index: VectorIndex
    parts: int = 0

    @property
    def focus(self) -> list[float] | None:
        """Vector of the query's focus; None: it has none."""
        return self.vectors[1] if len(self.vectors) - self.parts > 1 else None

    @property
    def of_parts(self) -> list[list[float]]:
        """Vectors of the query's parts."""
        return self.vectors[len(self.vectors) - self.parts :]


@dataclass(frozen=True)
class EmbeddingProvider:
    """A remote provider with its known embedding models, and whether a key is configured."""

    name: str
    models: Sequence[str]
    has_key: bool


@dataclass(frozen=True)
class ReindexReport:
    """Result of a reindex request: whether this call started it, and the number of memories without a new vector."""

    started: bool
    pending: int


TRUSTED: Final = timedelta(minutes=1)
"""Time for which a successful call counts before a probe is due; some providers charge for each probe."""
RETRIED: Final = timedelta(seconds=10)
"""Time for which a failure counts before a probe is due."""
_PROBE_SECONDS = 0.9  # a health check answers within two seconds


@dataclass(frozen=True)
class _Failure:
    """Reason and start of an embedder's failure."""

    reason: str
    since: datetime


@dataclass(frozen=True)
class _Outcome:
    at: datetime
    failure: _Failure | None


class EmbedderOutcomes:
    """Results of the last calls in this process, by embedder; lives as long as the process."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._last: dict[str, _Outcome] = {}
        self._doubted: set[str] = set()
        self._probe: asyncio.Task[None] | None = None

    def worked(self, signature: str) -> None:
        """Record a call that returned vectors."""
        self._note(signature, None)

    def failed(self, signature: str, reason: str) -> None:
        """Record a failed call whose texts were not the cause."""
        failure = self._failure(signature)
        self._note(signature, _Failure(reason, failure.since if failure else self._clock.now()))

    def doubt(self, signature: str) -> None:
        """Record a refusal of texts, which says nothing about other texts, so that a probe is due."""
        self._doubted.add(signature)

    def state(self, signature: str) -> EmbedderState:
        """Return whether the last call of a loaded embedder worked; it is ready before the first."""
        failure = self._failure(signature)
        if failure is None:
            return EmbedderState(ready=True, signature=signature)
        return EmbedderState(ready=False, signature=signature, reason=failure.reason, since=failure.since)

    async def check(self, signature: str, probe: Callable[[], Awaitable[None]]) -> None:
        """Probe an embedder if its last result is too old or doubtful; never raises.

        One probe runs at a time. A caller waits for it briefly; a later result is still recorded.
        """
        if self._probe is None and self._is_probe_due(signature):
            self._probe = in_background(self._probed(signature, probe), name="probe_embedder")
        if self._probe is not None:
            await asyncio.wait({self._probe}, timeout=_PROBE_SECONDS)

    async def close(self) -> None:
        """Cancel a running probe."""
        if self._probe is not None:
            self._probe.cancel()
            await asyncio.gather(self._probe, return_exceptions=True)

    async def _probed(self, signature: str, probe: Callable[[], Awaitable[None]]) -> None:
        try:
            await probe()
        except EmbeddingFailed as error:
            self.failed(signature, str(error))
        else:
            self.worked(signature)
        finally:
            self._probe = None

    def _is_probe_due(self, signature: str) -> bool:
        outcome = self._last.get(signature)
        if outcome is None or signature in self._doubted:
            return True
        return self._clock.now() - outcome.at >= (RETRIED if outcome.failure else TRUSTED)

    def _failure(self, signature: str) -> _Failure | None:
        outcome = self._last.get(signature)
        return outcome.failure if outcome else None

    def _note(self, signature: str, failure: _Failure | None) -> None:
        self._doubted.discard(signature)
        self._last[signature] = _Outcome(self._clock.now(), failure)
