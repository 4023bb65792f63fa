"""Posting webhooks over real HTTP: allowed addresses only, no redirects, and a timeout (15.10)."""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator

import pytest

from app.adapters.webhook_sender import HttpWebhookSender
from graph.operations.webhooks import DeliveryFailed
from tests.fixtures.timeouts import scaled_timeout
from tests.fixtures.webhook_server import WebhookServer, taking_webhooks


@pytest.fixture
def server() -> Iterator[WebhookServer]:
    with taking_webhooks() as running:
        yield running


@pytest.fixture
async def sender() -> AsyncIterator[HttpWebhookSender]:
    made = HttpWebhookSender(timeout_seconds=scaled_timeout(30), allow_private=True)
    yield made
    await made.close()


@pytest.fixture
async def strict() -> AsyncIterator[HttpWebhookSender]:
    made = HttpWebhookSender(timeout_seconds=scaled_timeout(30), allow_private=False)
    yield made
    await made.close()


async def test_a_body_is_posted_with_its_headers(sender, server: WebhookServer) -> None:
    await sender.send(server.url, {"webhook-id": "evt_1"}, b"{}")

    ((headers, body),) = server.taken
    assert (headers["webhook-id"], headers["content-length"], body) == ("evt_1", "2", b"{}")
    assert headers["host"] == server.url.split("/")[2]


@pytest.mark.parametrize("status", [400, 404, 410, 500])
async def test_other_answers_are_failures(sender, server: WebhookServer, status: int) -> None:
    server.faults = [status]

    with pytest.raises(DeliveryFailed, match=f"^answered {status}$"):
        await sender.send(server.url, {}, b"{}")


async def test_a_redirect_is_not_followed(sender, server: WebhookServer) -> None:
    server.faults, server.location = [302], server.url

    with pytest.raises(DeliveryFailed, match="redirects are not followed"):
        await sender.send(server.url, {}, b"{}")
    assert len(server.taken) == 1


async def test_an_answer_that_comes_late_is_a_failure(server: WebhookServer) -> None:
    server.faults = [server.over]
    impatient = HttpWebhookSender(timeout_seconds=scaled_timeout(1), allow_private=True)

    with pytest.raises(DeliveryFailed, match=r"no answer within [\d.]+ s"):
        await impatient.send(server.url, {}, b"{}")
    await impatient.close()


async def test_an_unreachable_webhook_address_is_a_failure(sender) -> None:
    with pytest.raises(DeliveryFailed, match="cannot be reached"):
        await sender.send("http://127.0.0.1:1/", {}, b"{}")
    with pytest.raises(DeliveryFailed, match="cannot be reached"):
        await sender.send("http://nowhere.invalid/", {}, b"{}")


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "0.0.0.0", "[::ffff:127.0.0.1]", "2130706433", "0x7f.1"]
)
async def test_a_private_address_is_not_connected_to(strict, server: WebhookServer, host: str) -> None:
    port = server.url.split(":")[2].split("/")[0]

    with pytest.raises(DeliveryFailed, match=r"private address|cannot be reached"):
        await strict.send(f"http://{host}:{port}/hook", {}, b"{}")
    assert server.taken == []


async def test_a_name_that_resolves_to_a_private_address_is_not_connected_to(
    strict, server: WebhookServer, monkeypatch
) -> None:
    """The sender connects to the address that it checked, even if the name resolves differently later."""
    port = int(server.url.split(":")[2].split("/")[0])
    answers = [
        [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]
        for address in ("127.0.0.1", "93.184.215.14")
    ]

    async def resolve(*_arguments, **_options):
        return [entry for answer in answers for entry in answer]

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", resolve, raising=False)

    with pytest.raises(DeliveryFailed, match="leads to a private address"):
        await strict.send(f"http://public.example:{port}/hook", {}, b"{}")
    assert server.taken == []
