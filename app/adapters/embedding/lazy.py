"""An embedder that loads its model in the background.

Until the model is loaded, every call fails with ``EmbeddingFailed``: recall then uses words only, and workers wait.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from enum import StrEnum
from typing import Final

import structlog
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type, wait_exponential

from app.adapters.daemon_threads import in_daemon_thread
from app.adapters.embedding.values import EmbedderAround, EmbedderChanged
from graph.core.background import in_background
from graph.core.measuring import Measurements
from graph.core.ports import Embedder, EmbedderUnavailable, EmbeddingFailed, TextsRefused, Vectors
from graph.vectors.index.models import EmbedderOutcomes

FIRST_RETRY_SECONDS: Final = 1.0
LONGEST_RETRY_SECONDS: Final = 60.0

_log = structlog.get_logger(__name__)


class LoadState(StrEnum):
    """State of a model's loading."""

    LOADING = "LOADING"
    READY = "READY"
    FAILED = "FAILED"


class LazyEmbedder:
    """Implements ``graph.core.ports.Embedder``; belongs to the event loop on which ``start`` was called.

    Lives from ``start`` to ``close``. A failed load is retried after 1, 2, 4 … 60 seconds, without end. If the model
    behind an endpoint changes, it is loaded again and gets another signature.
    """

    def __init__(
        self,
        load: Callable[[], Embedder],
        *,
        name: str,
        signature: str | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Prepare, without loading.

        Args:
            load: Creates the embedder; may block, because it is called in a thread.
            name: Name of the model in messages.
            signature: Signature of the embedder, if known before loading; a loaded model with another signature counts
                as failed.
            sleep: Waits between two attempts.
        """
        self._load = load
        self._name = name
        self._signature = signature
        self._sleep = sleep
        self._inner: Embedder | None = None
        self._reason: str | None = None
        self._loading: asyncio.Task[None] | None = None

    @property
    def signature(self) -> str:
        """``source:model:dimension``; raises ``EmbeddingFailed`` while it is unknown."""
        return self._signature or self._loaded().signature

    @property
    def dimension(self) -> int:
        """Length of each vector; raises ``EmbeddingFailed`` while it is unknown."""
        return int(self.signature.rpartition(":")[2])

    @property
    def ready(self) -> bool:
        """True after the model is loaded."""
        return self._inner is not None

    @property
    def state(self) -> LoadState:
        """State of loading; FAILED lasts from a failed attempt until one succeeds."""
        if self.ready:
            return LoadState.READY
        return LoadState.FAILED if self._reason else LoadState.LOADING

    @property
    def reason(self) -> str | None:
        """Reason of the last failure; None unless ``state`` is FAILED."""
        return self._reason

    def start(self) -> None:
        """Start loading in the background; further calls do nothing."""
        if self._loading is None:
            self._loading = in_background(self._load_until_ready(), name=f"load {self._name}")

    async def close(self) -> None:
        """Stop the attempts to load; the result of a running load is discarded."""
        if self._loading is not None:
            self._loading.cancel()
            await asyncio.gather(self._loading, return_exceptions=True)

    async def embed(self, texts: Sequence[str], *, as_query: bool = False) -> Vectors:
        """Return one unit vector per text, in order.

        Raises:
            EmbeddingFailed: The model is loading, could not be loaded, or failed on these texts.
        """
        inner = self._loaded()
        try:
            return await inner.embed(texts, as_query=as_query)
        except EmbedderChanged as error:
            if self._inner is inner:
                _log.warning("embedder.changed", signature=inner.signature, reason=str(error))
                self._inner = self._loading = None
                self.start()
            raise

    def _loaded(self) -> Embedder:
        if self._inner is not None:
            return self._inner
        if self._reason:
            raise EmbedderUnavailable(f"{self._name} could not be loaded and is tried again: {self._reason}")
        raise EmbedderUnavailable(f"{self._name} is loading.")

    async def _load_until_ready(self) -> None:
        attempts = AsyncRetrying(
            retry=retry_if_exception_type(Exception),
            wait=wait_exponential(multiplier=FIRST_RETRY_SECONDS, max=LONGEST_RETRY_SECONDS),
            before_sleep=self._note_failure,
            sleep=self._sleep,
        )
        started_at = time.monotonic()
        loaded: Embedder = await attempts(self._attempt)
        self._inner, self._reason = loaded, None
        seconds = round(time.monotonic() - started_at, 2)
        _log.info("embedder.ready", signature=loaded.signature, seconds=seconds)

    async def _attempt(self) -> Embedder:
        loaded = await in_daemon_thread(self._load)
        if self._signature not in {None, loaded.signature}:
            raise EmbeddingFailed(f"expected {self._signature}, found {loaded.signature}")
        return loaded

    def _note_failure(self, attempt: RetryCallState) -> None:
        error = attempt.outcome.exception() if attempt.outcome else None
        self._reason = str(error) or type(error).__name__
        _log.warning("embedder.failed_to_load", embedder=self._name, reason=self._reason)


class MeasuredEmbedder(EmbedderAround):
    """Wraps an embedder and reports each call that the cache does not answer."""

    def __init__(self, inner: Embedder, measurements: Measurements, outcomes: EmbedderOutcomes) -> None:
        super().__init__(inner)
        self._measurements = measurements
        self._outcomes = outcomes

    async def embed(self, texts: Sequence[str], *, as_query: bool = False) -> Vectors:
        """Return one unit vector per text, in order.

        Raises:
            EmbeddingFailed: The inner embedder failed.
        """
        signature, start = self._inner.signature, time.perf_counter()
        try:
            vectors = await self._inner.embed(texts, as_query=as_query)
        except TextsRefused:
            self._outcomes.doubt(signature)
            raise
        except EmbeddingFailed as error:
            self._outcomes.failed(signature, str(error))
            raise
        if texts:
            self._outcomes.worked(signature)
        self._measurements.stage("embed", time.perf_counter() - start)
        return vectors
