"""B3, B7, B15: embedding APIs over real HTTP; invalid responses are refused, never stored."""

import asyncio

import numpy as np
import pytest

from app.adapters.embedding.lazy import LazyEmbedder
from app.adapters.embedding.remote import (
    COHERE,
    CUSTOM,
    OPENAI,
    PROTOCOLS,
    VOYAGE,
    RemoteEmbedder,
    RemoteEndpoint,
)
from app.adapters.embedding.values import EmbedderChanged
from graph.core.ports import (
    EmbedderCrashed,
    EmbedderUnavailable,
    EmbeddingFailed,
    TextsRefused,
)
from tests.fixtures.listeners import JSON
from tests.fixtures.timeouts import scaled_timeout
from tests.fixtures.waiting import until

READ_AS = {"cohere": ("search_document", "search_query"), "voyage": ("document", "query")}
"""Providers' names for a stored text and for a query."""

HTML = (200, {"Content-Type": "text/html"}, b"<html>Sign in</html>")
BUSY = (429, {"Retry-After": "0"}, b"{}")
BROKEN = (500, JSON, b'{"error": "sk-secret"}')


def endpoint(server, protocol=OPENAI, **settings) -> RemoteEndpoint:
    return RemoteEndpoint(protocol, "a-model", base_url=server.url, api_key="sk-secret", **settings)


async def opened(server, protocol=OPENAI, **settings) -> RemoteEmbedder:
    embedder = await asyncio.to_thread(RemoteEmbedder, endpoint(server, protocol, **settings))
    server.requests.clear()
    return embedder


@pytest.mark.parametrize("protocol", PROTOCOLS.values(), ids=PROTOCOLS)
async def test_each_provider_receives_requests_in_its_own_form(embedding_server, protocol):
    """B3: the key is sent as a bearer token; the vectors have the order of the texts."""
    embedding_server.key = "sk-secret"
    embedder = await opened(embedding_server, protocol)

    rows = await embedder.embed(["tabs", "", "spaces"])

    assert embedder.signature == f"remote:{protocol.name}/a-model:32"
    np.testing.assert_allclose(
        rows[[0, 2]], await embedding_server.embedder.embed(["tabs", "spaces"]), atol=1e-6
    )
    ((path, _, body),) = embedding_server.requests
    assert path == f"/v1{protocol.path}"
    assert body["model"] == "a-model"
    assert body["texts" if protocol is COHERE else "input"] == ["tabs", " ", "spaces"]
    assert body.get("input_type") == READ_AS.get(protocol.name, (None, None))[0]
    assert body.get("truncate") == ("END" if protocol is COHERE else None)
    assert body.get("truncation") is (True if protocol is VOYAGE else None)


@pytest.mark.parametrize("protocol", PROTOCOLS.values(), ids=lambda protocol: protocol.name)
async def test_a_provider_with_query_prefixes_receives_them(embedding_server, protocol):
    """B7: other providers get queries like passages."""
    embedder = await opened(embedding_server, protocol)
    embedding_server.requests.clear()

    await embedder.embed(["tabs"], as_query=True)

    ((_, _, body),) = embedding_server.requests
    assert body.get("input_type") == READ_AS.get(protocol.name, (None, None))[1]


@pytest.mark.parametrize("dimension", [8, 768, 1024, 3072, 4096])
async def test_the_dimension_is_learnt_from_the_endpoint(embedding_server, dimension):
    """B7."""
    embedding_server.embedder.dimension = dimension

    embedder = await opened(embedding_server)

    assert embedder.dimension == dimension
    assert (await embedder.embed([])).shape == (0, dimension)


async def test_many_texts_are_split_into_several_requests(embedding_server):
    embedder = await opened(embedding_server, COHERE)
    texts = [f"text {number}" for number in range(200)]

    rows = await embedder.embed(texts)

    assert sorted(len(body["texts"]) for _, _, body in embedding_server.requests) == [8, 96, 96]
    np.testing.assert_allclose(rows, await embedding_server.embedder.embed(texts), atol=1e-6)


async def test_a_server_that_accepts_fewer_texts_receives_smaller_batches(embedding_server):
    """B3: servers with OpenAI's protocol may allow fewer texts; later requests use the learnt size."""
    embedder = await opened(embedding_server, CUSTOM)
    embedding_server.most_texts = 32
    texts = [f"text {number}" for number in range(140)]

    rows = await embedder.embed(texts)
    learnt_with = [len(body["input"]) for _, _, body in embedding_server.requests]
    embedding_server.requests.clear()
    again = await embedder.embed(texts)

    expected = await embedding_server.embedder.embed(texts)
    np.testing.assert_allclose(rows, expected, atol=1e-6)
    np.testing.assert_allclose(again, expected, atol=1e-6)
    assert sorted(learnt_with) == [12, 32, 32, 32, 32, 64, 64, 128]
    assert sorted(len(body["input"]) for _, _, body in embedding_server.requests) == [12, 32, 32, 32, 32]


async def test_a_refused_text_does_not_reduce_the_batch_size(embedding_server):
    """B15: only this text is refused; later texts are sent in one batch as before."""
    embedder = await opened(embedding_server, CUSTOM)
    embedding_server.refuses = "indigestible"
    texts = [f"text {number}" for number in range(7)]

    with pytest.raises(EmbeddingFailed, match="answered with status 422") as failure:
        await embedder.embed([*texts, "indigestible"])
    embedding_server.requests.clear()
    await embedder.embed(texts)

    assert not isinstance(failure.value, EmbedderUnavailable)
    assert [len(body["input"]) for _, _, body in embedding_server.requests] == [7]


@pytest.mark.parametrize(
    ("status", "raised"),
    [
        *((status, TextsRefused) for status in (400, 413, 422)),
        *((status, EmbedderUnavailable) for status in (401, 403, 404, 429, 503)),
        *((status, EmbedderCrashed) for status in (408, 500, 502, 504)),
    ],
)
async def test_the_status_shows_whether_a_text_is_the_cause(embedding_server, status, raised):
    """B15, issue 35 (13): it is, it is not, or only if the same status comes again."""
    embedder = await opened(embedding_server, attempts=1)
    embedding_server.faults = [(status, JSON, b"{}")]

    with pytest.raises(EmbeddingFailed, match=f"answered with status {status}") as failure:
        await embedder.embed(["tabs"])

    assert isinstance(failure.value, raised)
    assert isinstance(failure.value, EmbedderCrashed) is (raised is EmbedderCrashed)


async def test_overload_and_temporary_errors_are_retried(embedding_server):
    embedder = await opened(embedding_server)
    embedding_server.faults = [BUSY, BROKEN]

    assert (await embedder.embed(["tabs"])).shape == (1, 32)
    assert len(embedding_server.requests) == 3


@pytest.mark.parametrize(
    ("fault", "message", "requests"),
    [
        (HTML, "returned text/html instead of JSON", 1),
        (BROKEN, "answered with status 500", 3),
        ((404, JSON, b"{}"), "answered with status 404", 1),
        ((200, JSON, b"[]"), "did not return one vector per text", 1),
        ((200, JSON, b'{"data": "none"}'), "did not return one vector per text", 1),
        ((200, JSON, b'{"data": [{"index": 0, "embedding": [1, "x"]}]}'), "did not return rows", 1),
    ],
)
async def test_an_invalid_response_fails(embedding_server, fault, message, requests):
    """B15: the reason has the URL and the status, never the body, which may quote the key."""
    embedder = await opened(embedding_server)
    embedding_server.faults = [fault] * 3

    with pytest.raises(EmbeddingFailed, match=message) as failure:
        await embedder.embed(["tabs"])

    assert len(embedding_server.requests) == requests
    assert "sk-secret" not in str(failure.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda rows: rows[:-1], "did not return one vector per text"),
        (lambda rows: [*rows, rows[0]], "did not return one vector per text"),
        (lambda rows: [row[:-1] for row in rows], "vectors of length 31 instead of 32"),
        (lambda rows: [rows[0], rows[1][:-1]], "did not return rows"),
        (lambda rows: [rows[0], [float("nan")] * 32], "not finite"),
        (lambda rows: [rows[0], [float("inf")] * 32], "not finite"),
        (lambda rows: [rows[0], [0.0] * 32], "all zeros"),
        (lambda rows: [rows[0], None], "did not return rows|answered with shape"),
    ],
    ids=["fewer", "more", "shorter", "ragged", "nan", "infinite", "zero", "null"],
)
@pytest.mark.parametrize("protocol", [OPENAI, COHERE], ids=["openai", "cohere"])
async def test_wrong_vectors_are_refused_as_a_whole(embedding_server, protocol, change, message):
    """B15: no wrong vector is ever stored."""
    embedder = await opened(embedding_server, protocol)
    embedding_server.change = change

    with pytest.raises(EmbeddingFailed, match=message):
        await embedder.embed(["tabs", "spaces"])


async def test_another_dimension_means_another_model(embedding_server):
    """Issue 35 (13): the embedder reloads and gets another signature."""
    embedder = LazyEmbedder(lambda: RemoteEmbedder(endpoint(embedding_server)), name="a-model")
    embedder.start()

    async def is_ready() -> bool:
        return embedder.ready

    await until(is_ready)
    assert embedder.signature == "remote:openai/a-model:32"
    embedding_server.embedder.dimension = 16

    with pytest.raises(EmbedderChanged, match="vectors of length 16 instead of 32"):
        await embedder.embed(["tabs"])
    await until(is_ready)

    assert embedder.signature == "remote:openai/a-model:16"
    assert (await embedder.embed(["tabs"])).shape == (1, 16)
    await embedder.close()


async def test_silence_ends_at_the_deadline(embedding_server):
    embedder = await opened(embedding_server, timeout_seconds=scaled_timeout(1), attempts=1)
    embedding_server.faults = [embedding_server.over]

    with pytest.raises(EmbedderCrashed, match=r"did not answer within [\d.]+ seconds"):
        await embedder.embed(["tabs"])


async def test_opening_a_model_reports_a_wrong_key(embedding_server):
    embedding_server.key = "another"

    with pytest.raises(EmbeddingFailed, match="answered with status 401"):
        await opened(embedding_server)


async def test_nobody_at_the_address():
    nobody = RemoteEndpoint(CUSTOM, "a-model", base_url="http://127.0.0.1:9")

    with pytest.raises(EmbedderUnavailable, match=r"cannot be reached \(ConnectError\)") as failure:
        await asyncio.to_thread(RemoteEmbedder, nobody)

    assert not isinstance(failure.value, EmbedderCrashed)
