"""The remote reranker against a local server that speaks the protocol."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from app.adapters.llm.rerankers import RemoteReranker
from graph.core.ports import RerankFailed


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
            """Stay quiet."""

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


async def test_texts_are_scored_in_the_order_given():
    """C16: ``provider/model`` names the reranker; the endpoint gets the model."""
    seen: list[dict] = []
    with endpoint(200, answer(0.1, 0.9), seen) as url:
        reranker = RemoteReranker(url, model="cohere/rerank-v3", api_key="secret")

        assert await reranker.score("q", ["a", "b"]) == [0.1, 0.9]

    assert seen == [{"auth": "Bearer secret", "model": "rerank-v3", "query": "q", "documents": ["a", "b"]}]


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (500, b"{}"),
        (200, b"<html>"),
        (200, b"{}"),
        (200, answer(0.1)),
        (200, b'{"results": [{"index": "x"}]}'),
    ],
)
async def test_an_answer_that_cannot_be_used_is_a_failure_and_never_a_wrong_order(status, body):
    """C16."""
    with endpoint(status, body, []) as url, pytest.raises(RerankFailed):
        await RemoteReranker(url, model="p/m", api_key=None).score("q", ["a", "b"])


async def test_an_endpoint_that_is_not_there_is_a_failure():
    """C16."""
    with pytest.raises(RerankFailed):
        await RemoteReranker("http://127.0.0.1:9/rerank", model="p/m", api_key=None).score("q", ["a"])
