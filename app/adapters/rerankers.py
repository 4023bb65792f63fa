"""Rerankers: a cross-encoder in its own thread, or an endpoint with the rerank protocol of Cohere and Jina."""

import asyncio
import math
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from typing import Any, Final

import httpx
import structlog

from app.adapters.daemon_threads import in_daemon_thread
from app.client.loopback import is_here
from graph.core.background import in_background
from graph.core.ports import RerankFailed

_RELOAD_SECONDS: Final = 60.0
"""Minimum pause after a failed load before a recall starts another."""
_PROVIDERS: Final = frozenset({"cohere", "jina", "voyage", "custom"})
"""Prefixes to remove from a remote model's name; others are part of the name, as in ``BAAI/bge-reranker-v2-m3``."""
_EXTRA_MISSING: Final = "reranking needs the extra transformers: `make extra NAME=transformers` installs it"

_log = structlog.get_logger("recollect.reranking")


class RemoteReranker:
    """Implements ``graph.core.ports.Reranker`` over ``POST <url>`` with ``{model, query, documents}``."""

    def __init__(self, url: str, *, model: str, api_key: str | None, timeout_seconds: float = 5.0) -> None:
        self.name = model
        provider, _, rest = model.partition("/")
        self._model = rest if rest and provider in _PROVIDERS else model
        headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._http = httpx.AsyncClient(headers=headers, timeout=timeout_seconds, trust_env=not is_here(url))
        self._url = url

    async def score(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """Return one relevance score per text, in order.

        Raises:
            RerankFailed: The endpoint does not answer in time, refuses, or returns no finite score for a text.
        """
        body = {"model": self._model, "query": query, "documents": list(texts)}
        try:
            answer = await self._http.post(self._url, json=body)
            answer.raise_for_status()
            scored = {int(row["index"]): float(row["relevance_score"]) for row in answer.json()["results"]}
        except httpx.HTTPStatusError as error:
            raise RerankFailed(f"{self.name} did not rerank: HTTP {error.response.status_code}") from error
        except Exception as error:  # an unexpected response, or a request that cannot be serialised
            raise RerankFailed(f"{self.name} did not rerank: {type(error).__name__}") from error
        scores = [scored.get(index, math.nan) for index in range(len(texts))]
        return _complete(self.name, scores, count=len(texts))

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()


class CrossEncoderReranker:
    """Implements ``graph.core.ports.Reranker`` with a sentence-transformers cross-encoder; belongs to one event loop.

    The first recall starts loading the model in the background; until it is loaded, recalls skip reranking. After a
    failed load, the first recall after a minute starts another. A separate thread scores one recall at a time.
    """

    def __init__(
        self,
        model: str,
        *,
        load: Callable[[str], Any] | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepare, without loading.

        Args:
            model: Path or hub name of a cross-encoder.
            load: Loads the model, in a thread; None: sentence-transformers does.
            now: Monotonic clock, in seconds.
        """
        self.name = f"transformers/{model}"
        self._path = model
        self._load = load or _cross_encoder
        self._now = now
        self._model: Any = None
        self._loading: asyncio.Task[None] | None = None
        self._failure: RerankFailed | None = None
        self._reason = ""
        self._failed_at = 0.0
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="rerank")

    async def score(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """Return one score per text, in order.

        Raises:
            RerankFailed: The model is loading, failed on these texts, or is missing, or the extra ``transformers`` is.
        """
        if self._model is None:
            raise self._not_loaded()
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._predict, query, texts)

    async def load(self) -> None:
        """Load the model and wait for it.

        Raises:
            RerankFailed: The extra ``transformers`` or the model is missing; the error has the reason.
        """
        await self._load_once()
        if self._failure is not None:
            raise RerankFailed(f"{self._failure}: {self._reason}")

    async def close(self) -> None:
        """Stop, and discard a running load or scoring."""
        if self._loading is not None:
            self._loading.cancel()
            await asyncio.gather(self._loading, return_exceptions=True)
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _not_loaded(self) -> RerankFailed:
        """Return the error for a missing model, and start loading it unless a load is running or has just failed."""
        if self._failure is not None and self._now() - self._failed_at < _RELOAD_SECONDS:
            return self._failure
        if self._loading is None or self._loading.done():
            self._failure = None
            self._loading = in_background(self._load_once(), name=f"load {self.name}")
        return RerankFailed(f"{self.name} is loading")

    async def _load_once(self) -> None:
        try:
            self._model = await in_daemon_thread(self._load, self._path)
        except Exception as error:  # noqa: BLE001 - whatever a library or a damaged file raises
            failure = RerankFailed(f"the cross-encoder {self._path} cannot be loaded")
            self._failure = error if isinstance(error, RerankFailed) else failure
            self._failed_at = self._now()
            self._reason = f"{type(error).__name__}: {error}"
            _log.warning("reranker.failed_to_load", reranker=self.name, reason=self._reason)

    def _predict(self, query: str, texts: Sequence[str]) -> list[float]:
        try:
            scores = self._model.predict([(query, text) for text in texts], show_progress_bar=False)
            found = [float(score) for score in scores]
        except Exception as error:  # errors of torch, of the tokenizer, or of a model with several scores
            raise RerankFailed(f"{self.name} did not rerank: {type(error).__name__}") from error
        return _complete(self.name, found, count=len(texts))


def _cross_encoder(path: str) -> Any:
    try:
        library = import_module("sentence_transformers")
    except ImportError as error:
        raise RerankFailed(_EXTRA_MISSING) from error
    return library.CrossEncoder(path)


def _complete(name: str, scores: list[float], *, count: int) -> list[float]:
    if len(scores) != count or not all(math.isfinite(score) for score in scores):
        raise RerankFailed(f"{name} returned no score for some texts")
    return scores
