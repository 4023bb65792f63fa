"""Rerankers: a cross-encoder in a worker thread, or an endpoint that speaks Cohere's and Jina's rerank protocol."""

import asyncio
import math
from collections.abc import Sequence
from functools import cached_property
from importlib import import_module
from typing import Any

import httpx

from graph.core.ports import RerankFailed


class RemoteReranker:
    """Fulfils ``graph.core.ports.Reranker`` over ``POST <url>`` with ``{model, query, documents}``."""

    def __init__(self, url: str, *, model: str, api_key: str | None, timeout_seconds: float = 5.0) -> None:
        self.name = model
        self._model = model.partition("/")[2] or model
        headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._http = httpx.AsyncClient(headers=headers, timeout=timeout_seconds)
        self._url = url

    async def score(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """Return one relevance score per text in the order given.

        Raises:
            RerankFailed: The endpoint does not answer in time, refuses, or leaves a text without a finite score.
        """
        body = {"model": self._model, "query": query, "documents": list(texts)}
        try:
            answer = await self._http.post(self._url, json=body)
            answer.raise_for_status()
            scored = {int(row["index"]): float(row["relevance_score"]) for row in answer.json()["results"]}
        except (httpx.HTTPError, ValueError, KeyError, TypeError) as error:
            raise RerankFailed(f"{self.name} did not rerank: {type(error).__name__}") from error
        return _complete(self.name, [scored.get(index, math.nan) for index in range(len(texts))])

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()


class CrossEncoderReranker:
    """Fulfils ``graph.core.ports.Reranker`` with a sentence-transformers cross-encoder, loaded at its first use."""

    def __init__(self, model: str) -> None:
        self.name = f"transformers/{model}"
        self._path = model

    async def score(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """Return one score per text in the order given.

        Raises:
            RerankFailed: The extra ``transformers`` or the model is missing, or a score is not finite.
        """
        return await asyncio.to_thread(self._predict, query, texts)

    async def close(self) -> None:
        """Do nothing: the model goes with the process."""

    @cached_property
    def _model(self) -> Any:
        try:
            library = import_module("sentence_transformers")
        except ImportError as error:
            raise RerankFailed(
                "reranking needs the extra transformers: `make extra NAME=transformers` installs it"
            ) from error
        try:
            return library.CrossEncoder(self._path)
        except (OSError, ValueError) as error:
            raise RerankFailed(f"the cross-encoder {self._path} cannot be loaded") from error

    def _predict(self, query: str, texts: Sequence[str]) -> list[float]:
        scores = self._model.predict([(query, text) for text in texts], show_progress_bar=False)
        return _complete(self.name, [float(score) for score in scores])


def _complete(name: str, scores: list[float]) -> list[float]:
    if not all(math.isfinite(score) for score in scores):
        raise RerankFailed(f"{name} left texts without a score")
    return scores
