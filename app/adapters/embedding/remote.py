"""Embedding models behind HTTP APIs: OpenAI, Cohere, Voyage, and every server with OpenAI's protocol."""

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import httpx
import numpy as np
from tenacity import (
    AsyncRetrying,
    RetryCallState,
    retry_if_exception_type,
    stop_after_attempt,
    wait_exponential,
)

from app.adapters.embedding.values import EmbedderChanged, encodable, unit_vectors
from app.client.loopback import is_here
from graph.core.ports import (
    EmbedderCrashed,
    EmbedderUnavailable,
    EmbeddingFailed,
    TextsRefused,
    Vectors,
)

Request = dict[str, Any]


@dataclass(frozen=True)
class RemoteProtocol:
    """Protocol of one provider.

    Attributes:
        name: Name of the provider in settings and signatures.
        url: Base address of its public API.
        path: Path of the embedding endpoint below the base address.
        models: Its known embedding models, the default one first; other models work as well.
        most_texts: Maximum number of texts in a request.
        request: Builds the body from the model, the texts and whether they are queries.
        rows: Extracts the vectors, in order, from a response; raises LookupError, TypeError or ValueError.
    """

    name: str
    url: str
    path: str
    models: Sequence[str]
    most_texts: int
    request: Callable[[str, Sequence[str], bool], Request]
    rows: Callable[[Any, int], Sequence[Any]]


def _openai_request(model: str, texts: Sequence[str], _: bool) -> Request:
    return {"model": model, "input": list(texts), "encoding_format": "float"}


def _voyage_request(model: str, texts: Sequence[str], as_query: bool) -> Request:
    kind = "query" if as_query else "document"
    return {"model": model, "input": list(texts), "input_type": kind, "truncation": True}


def _cohere_request(model: str, texts: Sequence[str], as_query: bool) -> Request:
    return {
        "model": model,
        "texts": list(texts),
        "input_type": "search_query" if as_query else "search_document",
        "embedding_types": ["float"],
        "truncate": "END",
    }


def _indexed_rows(answer: Any, count: int) -> Sequence[Any]:
    """Return the rows of ``data`` in the order of their ``index``, which must be 0 … count - 1."""
    by_index = {item["index"]: item["embedding"] for item in answer["data"]}
    if len(answer["data"]) != count:
        raise ValueError(f"{len(answer['data'])} vectors for {count} texts")
    return [by_index[index] for index in range(count)]


def _cohere_rows(answer: Any, count: int) -> Sequence[Any]:
    rows = answer["embeddings"]["float"]
    if len(rows) != count:
        raise ValueError(f"{len(rows)} vectors for {count} texts")
    return list(rows)


OPENAI = RemoteProtocol(
    name="openai",
    url="https://api.openai.com/v1",
    path="/embeddings",
    models=("text-embedding-3-small", "text-embedding-3-large", "text-embedding-ada-002"),
    most_texts=128,
    request=_openai_request,
    rows=_indexed_rows,
)
COHERE = RemoteProtocol(
    name="cohere",
    url="https://api.cohere.com/v2",
    path="/embed",
    models=("embed-v4.0", "embed-multilingual-v3.0", "embed-english-v3.0"),
    most_texts=96,
    request=_cohere_request,
    rows=_cohere_rows,
)
VOYAGE = RemoteProtocol(
    name="voyage",
    url="https://api.voyageai.com/v1",
    path="/embeddings",
    models=("voyage-3.5", "voyage-3.5-lite", "voyage-3-large"),
    most_texts=128,
    request=_voyage_request,
    rows=_indexed_rows,
)
CUSTOM = RemoteProtocol(
    name="custom",
    url="",
    path="/embeddings",
    models=(),
    most_texts=128,
    request=_openai_request,
    rows=_indexed_rows,
)
PROTOCOLS = {protocol.name: protocol for protocol in (OPENAI, COHERE, VOYAGE, CUSTOM)}
"""Protocols by name, in the order in which ``auto`` looks for a key."""


SOURCE: Final = "remote"
MOST_CHARS: Final = 8_000
"""Maximum length of a text in characters: providers refuse more than 8,192 tokens."""
_AT_ONCE: Final = 4
_LONGEST_WAIT_SECONDS: Final = 10.0
_TRY_AGAIN: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
_CRASHED: Final = frozenset({408, 500, 502, 504})
"""Statuses of a server that is down, or that crashes or times out on one of the texts."""
_REFUSED: Final = frozenset({400, 413, 422})
"""Statuses of a refusal because of a text, or because of the number of texts."""
_PROBE: Final = "How long are your vectors?"


@dataclass(frozen=True)
class RemoteEndpoint:
    """Address and protocol of a remote model.

    Attributes:
        base_url: Base address without the path of the operation; by default the provider's own.
        api_key: Key, sent as a bearer token; None: no key.
        timeout_seconds: Timeout of one request.
        attempts: Number of attempts for a request that times out, or that an overloaded or failing server refuses.
    """

    protocol: RemoteProtocol
    model: str
    base_url: str | None = None
    api_key: str | None = None
    timeout_seconds: float = 10.0
    attempts: int = 3

    @property
    def url(self) -> str:
        """Address of the embedding endpoint."""
        return (self.base_url or self.protocol.url).rstrip("/") + self.protocol.path

    @property
    def headers(self) -> dict[str, str]:
        """Headers of each request."""
        return {"Authorization": f"Bearer {self.api_key}"} if self.api_key else {}


class _Temporary(EmbedderUnavailable):
    """Raised for a response or timeout after which a retry makes sense.

    Attributes:
        wait_seconds: Value of ``Retry-After``.
    """

    def __init__(self, message: str, wait_seconds: float = 0.0) -> None:
        super().__init__(message)
        self.wait_seconds = wait_seconds


class _Crashed(_Temporary, EmbedderCrashed):
    """Raised for a failure that one of the texts may cause, if it repeats."""


class RemoteEmbedder:
    """Implements ``graph.core.ports.Embedder``; used from any number of tasks of one event loop.

    It learns the length of the vectors from a first text. Later it refuses a whole response with another length,
    another number of rows, or a value that is not a finite number. If a server accepts fewer texts per request than its
    protocol states, it learns this number as well.
    """

    def __init__(self, endpoint: RemoteEndpoint) -> None:
        """Embed one text to learn the dimension; blocks during this request.

        Raises:
            EmbeddingFailed: The endpoint cannot be reached, refuses the key, or returns something else than vectors.
        """
        self._endpoint = endpoint
        self._most_texts = endpoint.protocol.most_texts
        request = httpx.Request(
            "POST", endpoint.url, headers=endpoint.headers, json=self._body([_PROBE], as_query=False)
        )
        trusts_environment = not is_here(endpoint.url)
        with httpx.Client(timeout=endpoint.timeout_seconds, trust_env=trusts_environment) as client:
            rows = self._rows_of(_sent(endpoint, lambda: client.send(request)), 1)
        self.dimension: Final = _length_of(rows[0])
        self.signature: Final = f"{SOURCE}:{endpoint.protocol.name}/{endpoint.model}:{self.dimension}"
        self._client = httpx.AsyncClient(
            timeout=endpoint.timeout_seconds, headers=endpoint.headers, trust_env=trusts_environment
        )
        self._slots = asyncio.Semaphore(_AT_ONCE)

    async def embed(self, texts: Sequence[str], *, as_query: bool = False) -> Vectors:
        """Return one unit vector per text, in order.

        Raises:
            TextsRefused: The server refuses one of the texts; no vectors are returned.
            EmbedderCrashed: The server failed or timed out in each attempt.
            EmbedderChanged: The vectors have another dimension than before.
            EmbedderUnavailable: The failure is not known to come from a text.
            EmbeddingFailed: The response is unusable.
        """
        step = self._most_texts
        batches = [texts[start : start + step] for start in range(0, len(texts), step)]
        answers = await asyncio.gather(*(self._embed_batch(batch, as_query=as_query) for batch in batches))
        return np.concatenate([np.empty((0, self.dimension), dtype=np.float32), *answers])

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def _embed_batch(self, texts: Sequence[str], *, as_query: bool) -> Vectors:
        try:
            return await self._answer(texts, as_query=as_query)
        except TextsRefused:
            if len(texts) == 1:
                raise
        half = (len(texts) + 1) // 2
        parts = [await self._embed_batch(part, as_query=as_query) for part in (texts[:half], texts[half:])]
        self._most_texts = min(self._most_texts, half)  # both halves succeeded, so the number was too large
        return np.concatenate(parts)

    async def _answer(self, texts: Sequence[str], *, as_query: bool) -> Vectors:
        attempts = AsyncRetrying(
            retry=retry_if_exception_type(_Temporary),
            stop=stop_after_attempt(self._endpoint.attempts),
            wait=_wait,
            reraise=True,
        )
        async with self._slots:
            response: httpx.Response = await attempts(self._post, self._body(texts, as_query=as_query))
        rows = self._rows_of(response, len(texts))
        length = len(rows[0]) if isinstance(rows[0], list) else 0
        vectors = unit_vectors(rows, count=len(texts), dimension=length or self.dimension)
        if length != self.dimension:
            raise EmbedderChanged(
                f"{self._endpoint.url} returned vectors of length {length} instead of {self.dimension}: "
                "the model is another one"
            )
        return vectors

    async def _post(self, body: dict[str, Any]) -> httpx.Response:
        try:
            response = await self._client.post(self._endpoint.url, json=body)
        except httpx.HTTPError as error:
            may_be_a_text = isinstance(error, httpx.ReadTimeout | httpx.ReadError | httpx.RemoteProtocolError)
            raised = _Crashed if may_be_a_text else _Temporary
            raise raised(_unreachable(self._endpoint, error)) from error
        return _accepted(self._endpoint, response)

    def _body(self, texts: Sequence[str], *, as_query: bool) -> dict[str, Any]:
        # Providers refuse an empty text.
        prepared = [encodable(text)[:MOST_CHARS] or " " for text in texts]
        return self._endpoint.protocol.request(self._endpoint.model, prepared, as_query)

    def _rows_of(self, response: httpx.Response, count: int) -> Sequence[Any]:
        try:
            return self._endpoint.protocol.rows(response.json(), count)
        except (json.JSONDecodeError, UnicodeDecodeError) as error:
            kind = response.headers.get("content-type", "no content type")
            raise EmbedderUnavailable(f"{self._endpoint.url} returned {kind} instead of JSON") from error
        except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
            raise EmbeddingFailed(f"{self._endpoint.url} did not return one vector per text") from error


def _sent(endpoint: RemoteEndpoint, send: Callable[[], httpx.Response]) -> httpx.Response:
    try:
        return _accepted(endpoint, send())
    except httpx.HTTPError as error:
        raise EmbedderUnavailable(_unreachable(endpoint, error)) from error


def _accepted(endpoint: RemoteEndpoint, response: httpx.Response) -> httpx.Response:
    if response.is_success:
        return response
    # The message omits the body, because some servers quote the texts or the key in their errors.
    message = f"{endpoint.url} answered with status {response.status_code}"
    if response.status_code in _TRY_AGAIN:
        raised = _Crashed if response.status_code in _CRASHED else _Temporary
        raise raised(message, _retry_after(response))
    raise (TextsRefused if response.status_code in _REFUSED else EmbedderUnavailable)(message)


def _unreachable(endpoint: RemoteEndpoint, error: httpx.HTTPError) -> str:
    if isinstance(error, httpx.TimeoutException):
        return f"{endpoint.url} did not answer within {endpoint.timeout_seconds:g} seconds"
    return f"{endpoint.url} cannot be reached ({type(error).__name__})"


def _retry_after(response: httpx.Response) -> float:
    seconds = response.headers.get("retry-after", "")
    return float(seconds) if seconds.isdecimal() else 0.0


def _wait(attempt: RetryCallState) -> float:
    error = attempt.outcome.exception() if attempt.outcome else None
    requested = error.wait_seconds if isinstance(error, _Temporary) else 0.0
    return min(max(requested, wait_exponential(multiplier=0.2)(attempt)), _LONGEST_WAIT_SECONDS)


def _length_of(row: Any) -> int:
    length = len(row) if isinstance(row, list) else 0
    unit_vectors([row], count=1, dimension=max(length, 1))
    return length
