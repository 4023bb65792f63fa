"""Requests and responses of the embedding APIs of OpenAI, Cohere and Voyage; many servers use OpenAI's."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

Request = dict[str, Any]


@dataclass(frozen=True)
class RemoteProtocol:
    """One provider's dialect.

    Attributes:
        name: Name of the provider in settings and signatures.
        url: Base address of its public API.
        path: Path of the embedding endpoint below the base address.
        models: Embedding models known of it, the usual one first; others work as well.
        most_texts: Maximum number of texts in a request.
        request: Makes the body out of model, texts and whether they are queries.
        rows: Takes the vectors, in order, out of an answer; raises LookupError, TypeError or ValueError.
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
"""In the order in which ``auto`` looks for a key."""
