"""Proxy settings of the environment, which clients ignore for servers on this machine."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

import pytest

from app.adapters.embedding.remote import CUSTOM, RemoteEmbedder, RemoteEndpoint
from app.adapters.language_model import ChatEndpoint, ChatLanguageModel
from app.adapters.qdrant_tier import QdrantTier, open_qdrant
from app.adapters.rerankers import RemoteReranker
from app.cli.examination import check_service
from app.client.transport import ApiError, Client
from app.surfaces.proxy.upstream import Upstream, UpstreamEndpoint
from graph.core.ports import LanguageModelFailed, RerankFailed, TierFailed
from tests.fixtures.timeouts import scaled_timeout

ANSWER = b'{"data": [{"index": 0, "embedding": [1.0, 0.0]}], "result": {"exists": false}}'


class Listener:
    """A server that counts requests and answers each with a vector and a Qdrant collection."""

    def __init__(self) -> None:
        self.asked = 0
        self.url = ""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        self.asked += 1
        lengths = [line[15:] for line in head.split(b"\r\n") if line.startswith(b"content-length:")]
        await reader.readexactly(int(lengths[0]) if lengths else 0)
        writer.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n"
            b"Content-Length: %d\r\n\r\n%b" % (len(ANSWER), ANSWER)
        )
        await writer.drain()
        writer.close()


@asynccontextmanager
async def listening() -> AsyncIterator[Listener]:
    listener = Listener()
    async with await asyncio.start_server(listener.serve, "127.0.0.1", 0) as server:
        listener.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        yield listener


def tier_at(url: str) -> QdrantTier:
    client, address = open_qdrant(url, 0, api_key=None, timeout_seconds=scaled_timeout(60))
    return QdrantTier(client, collection="c", namespace="n", quantization="none", url=address)


async def by_doctor(url: str) -> None:
    await check_service(url, is_needed=True)


async def by_the_client(url: str) -> None:
    async with Client(url, "rk") as client:
        with suppress(ApiError):
            await client.execute("{ me { name } }")


async def by_the_probe_of_qdrant(url: str) -> None:
    tier = tier_at(url)
    assert (await tier.health()).ok
    await tier.close()


async def by_the_client_of_qdrant(url: str) -> None:
    tier = tier_at(url)
    with suppress(TierFailed):
        await tier.holds("fake:x:2")
    await tier.close()


async def by_the_embedder(url: str) -> None:
    embedder = await asyncio.to_thread(RemoteEmbedder, RemoteEndpoint(CUSTOM, "a-model", base_url=url))
    await embedder.embed(["a text"])
    await embedder.close()


async def by_the_reranker(url: str) -> None:
    reranker = RemoteReranker(url, model="p/m", api_key=None)
    with suppress(RerankFailed):
        await reranker.score("q", ["a"])
    await reranker.close()


async def by_the_language_model(url: str) -> None:
    model = ChatLanguageModel(ChatEndpoint(url=url, model="m", attempts=1))
    with suppress(LanguageModelFailed):
        await model.complete("Be brief.", "Say hello.")
    await model.close()


async def by_the_chat_proxy(url: str) -> None:
    upstream = Upstream(UpstreamEndpoint(url, None, silent_seconds=5.0))
    response = await upstream.send("/chat/completions", "", {}, b"{}", plain=True)
    await response.aclose()
    await upstream.close()


@pytest.mark.parametrize(
    ("ask", "times"),
    [
        (by_doctor, 1),
        (by_the_client, 1),
        (by_the_probe_of_qdrant, 1),
        (by_the_client_of_qdrant, 1),
        (by_the_embedder, 2),  # one text to learn the dimension
        (by_the_reranker, 1),
        (by_the_language_model, 1),
        (by_the_chat_proxy, 1),
    ],
)
async def test_a_server_on_this_machine_is_called_without_a_proxy(
    monkeypatch, ask: Callable[[str], Awaitable[None]], times: int
) -> None:
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)

    async with listening() as server, listening() as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.url)
        await ask(server.url)

    assert (server.asked, proxy.asked) == (times, 0)
