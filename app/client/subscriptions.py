"""Subscriptions over a websocket with the protocol graphql-transport-ws; needs the package ``websockets``."""

import json
from collections.abc import AsyncIterator, Mapping
from http import HTTPStatus
from typing import Any

from .transport import ApiError, Client, reported_error

_PROTOCOL = "graphql-transport-ws"
_ID = "1"
_CODE_OF_CLOSE = {4401: "UNAUTHENTICATED", 4403: "FORBIDDEN", 1013: "UNAVAILABLE"}


async def subscribe(
    client: Client, document: str, variables: Mapping[str, Any]
) -> AsyncIterator[dict[str, Any]]:
    """Yield the ``data`` of each event until the service ends the subscription or the caller leaves the loop.

    Nothing is retried: events without a connection are lost, so after a new subscription the caller must reload its
    data.

    Raises:
        ApiError: The subscription is refused, was ended by an error, or lost its connection.
    """
    from websockets.asyncio.client import connect  # noqa: PLC0415 - only subscriptions need the package
    from websockets.exceptions import ConnectionClosed, WebSocketException  # noqa: PLC0415
    from websockets.typing import Subprotocol  # noqa: PLC0415

    connection = connect(
        f"ws{client.base_url.removeprefix('http')}/graphql",
        subprotocols=[Subprotocol(_PROTOCOL)],
        open_timeout=client.timeout_seconds,
        proxy=True if client.trusts_environment else None,
        max_size=None,
    )
    try:
        async with connection as socket:
            await socket.send(json.dumps({"type": "connection_init", "payload": client.credential}))
            payload = {"query": document, "variables": dict(variables)}
            async for text in socket:
                message = json.loads(text)
                if message["type"] == "connection_ack":
                    await socket.send(json.dumps({"type": "subscribe", "id": _ID, "payload": payload}))
                elif message["type"] == "ping":
                    await socket.send(json.dumps({"type": "pong"}))
                elif message["type"] == "complete":
                    return
                elif message["type"] in {"next", "error"}:
                    yield _data_of(message)
            raise ApiError("UNAVAILABLE", f"{client.base_url} closed the connection; subscribe again")
    except ConnectionClosed as closed:
        raise _error_of(closed.rcvd.code if closed.rcvd else None, str(closed)) from closed
    except (OSError, WebSocketException) as error:
        raise ApiError("UNAVAILABLE", f"{client.base_url} does not accept subscriptions: {error}") from error


def _data_of(message: Mapping[str, Any]) -> dict[str, Any]:
    payload = message["payload"]
    body = payload if message["type"] == "next" else {"errors": payload}
    error = reported_error(body, HTTPStatus.OK)
    if error is not None:
        raise error
    return dict(body["data"])


def _error_of(close_code: int | None, reason: str) -> ApiError:
    return ApiError(_CODE_OF_CLOSE.get(close_code or 0, "UNAVAILABLE"), f"the subscription ended: {reason}")
