"""The remote reranker against a local server that speaks the protocol."""

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from app.adapters.rerankers import CrossEncoderReranker, RemoteReranker
from graph.core.ports import RerankFailed
from tests.fixtures.timeouts import scaled_timeout


@contextmanager
def endpoint(status: int, body: bytes, seen: list[dict]) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            length = int(self.headers["Content-Length"])
            seen.append({"auth": self.headers["Authorization"], **json.loads(self.rfile.read(length))})
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args):
            """Log nothing."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/rerank"
    finally:
        server.shutdown()


def answer(*scores: float) -> bytes:
    return json.dumps(
        {"results": [{"index": i, "relevance_score": s} for i, s in enumerate(scores)]}
    ).encode()


async def test_texts_are_scored_in_order():
    """C16: ``provider/model`` names the reranker; the endpoint gets the model."""
    seen: list[dict] = []
    with endpoint(200, answer(0.1, 0.9), seen) as url:
        reranker = RemoteReranker(url, model="cohere/rerank-v3", api_key="secret")

        assert await reranker.score("q", ["a", "b"]) == [0.1, 0.9]

    assert seen == [{"auth": "Bearer secret", "model": "rerank-v3", "query": "q", "documents": ["a", "b"]}]


@pytest.mark.parametrize(
    ("model", "sent"),
    [
        ("BAAI/bge-reranker-v2-m3", "BAAI/bge-reranker-v2-m3"),
        ("custom/BAAI/bge-reranker-v2-m3", "BAAI/bge-reranker-v2-m3"),
        ("jina/jina-reranker-v2", "jina-reranker-v2"),
        ("rerank-v3", "rerank-v3"),
        ("cohere/", "cohere/"),
    ],
)
async def test_only_a_provider_prefix_is_removed(model, sent):
    """C16: an organisation before the slash belongs to the model's name."""
    seen: list[dict] = []
    with endpoint(200, answer(0.1), seen) as url:
        await RemoteReranker(url, model=model, api_key=None).score("q", ["a"])

    assert [request["model"] for request in seen] == [sent]


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (500, b"{}"),
        (200, b"<html>"),
        (200, b"{}"),
        (200, answer(0.1)),
        (200, b'{"results": [{"index": "x"}]}'),
        (200, b'{"results": [{"index": 1e400, "relevance_score": 1}]}'),
        (200, b'{"results": [{"index": 0, "relevance_score": 1' + b"0" * 400 + b"}]}"),
        (200, b'["a list"]'),
        (200, b"[" * 100_000),
        (200, b"\xff\xfe"),
    ],
)
async def test_an_unusable_response_is_a_failure(status, body):
    """C16."""
    with endpoint(status, body, []) as url, pytest.raises(RerankFailed):
        await RemoteReranker(url, model="p/m", api_key=None).score("q", ["a", "b"])


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("http://127.0.0.1:9/rerank", "a"),
        ("http://127.0.0.1:abc/rerank", "a"),
        ("nonsense", "a"),
        ("http://127.0.0.1:9/rerank", "half \ud800 a character"),
    ],
    ids=["nobody there", "no port", "no address", "no text"],
)
async def test_an_unreachable_endpoint_is_a_failure(url, text):
    """C16."""
    with pytest.raises(RerankFailed):
        await RemoteReranker(url, model="p/m", api_key=None).score("q", [text])


class Scores:
    """A cross-encoder with the given scores."""

    def __init__(self, *scores: float) -> None:
        self.scores = scores

    def predict(self, pairs, *, show_progress_bar):
        if not self.scores:
            raise RuntimeError("the model has no room left")
        return self.scores


async def failure_of(reranker: CrossEncoderReranker) -> str:
    with pytest.raises(RerankFailed) as failure:
        await reranker.score("q", ["a", "b"])
    return str(failure.value)


async def loaded(model: Scores) -> CrossEncoderReranker:
    reranker = CrossEncoderReranker("a-model", load=lambda _: model)
    assert await failure_of(reranker) == "transformers/a-model is loading"
    await reranker._loading
    return reranker


async def test_a_cross_encoder_loads_in_the_background_and_scores_from_then_on():
    reranker = await loaded(Scores(0.25, 0.5))

    assert await reranker.score("q", ["a", "b"]) == [0.25, 0.5]
    await reranker.close()


@pytest.mark.parametrize("model", [Scores(), Scores(0.5), Scores(0.5, float("nan"))])
async def test_a_failing_cross_encoder_keeps_the_order(model):
    reranker = await loaded(model)

    assert "transformers/a-model" in await failure_of(reranker)
    await reranker.close()


async def test_a_failed_load_is_kept_for_a_minute():
    """Each attempt imports a library and calls a hub, and no recall must wait for that."""
    attempts, now = [], [0.0]

    def load(path: str) -> Scores:
        attempts.append(path)
        raise RuntimeError("half a file")

    reranker = CrossEncoderReranker("a-model", load=load, now=lambda: now[0])
    assert "is loading" in await failure_of(reranker)
    await reranker._loading
    now[0] = 59.0
    assert await failure_of(reranker) == "the cross-encoder a-model cannot be loaded"
    assert len(attempts) == 1

    now[0] = 60.0
    assert "is loading" in await failure_of(reranker)
    await reranker._loading
    assert len(attempts) == 2
    await reranker.close()


async def test_loading_on_request_waits_and_reports_the_reason():
    """Issue 35.25."""

    def load(path: str) -> Scores:
        raise RuntimeError("half a file")

    ready = CrossEncoderReranker("a-model", load=lambda _: Scores(0.25))
    broken = CrossEncoderReranker("a-model", load=load)
    await ready.load()
    with pytest.raises(
        RerankFailed, match=r"^the cross-encoder a-model cannot be loaded: RuntimeError: half a file$"
    ):
        await broken.load()

    assert await ready.score("q", ["a"]) == [0.25]
    for each in (ready, broken):
        await each.close()


async def test_closing_does_not_wait_for_a_load_that_hangs():
    hanging = threading.Event()
    reranker = CrossEncoderReranker("a-model", load=lambda _: hanging.wait())
    await failure_of(reranker)

    await asyncio.wait_for(reranker.close(), scaled_timeout(90))

    hanging.set()
