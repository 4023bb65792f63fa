"""Posts webhooks to addresses that callers chose, and connects only to public addresses unless configured otherwise."""

import asyncio
import ssl
from collections.abc import Iterable, Mapping
from typing import Any, Final

import certifi
import httpcore

from graph.operations.webhooks import DeliveryFailed, is_public

_SUCCESS = range(200, 300)
_REDIRECTS = range(300, 400)
DELIVERY_SECONDS: Final = 10.0
"""Timeout of one delivery: far below the lease of its job, so that no other worker repeats it concurrently."""


class _RefusedAddressError(httpcore.ConnectError):
    """Raised if a name resolves to a forbidden address."""


class HttpWebhookSender:
    """Opens a connection for each delivery, follows no redirects and reads only the status of the response.

    Args:
        allow_private: Allow connections to addresses that are not public.
        timeout_seconds: Timeout of one whole delivery.
    """

    def __init__(self, *, allow_private: bool, timeout_seconds: float = DELIVERY_SECONDS) -> None:
        self._timeout_seconds = timeout_seconds
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=ssl.create_default_context(cafile=certifi.where()),
            max_keepalive_connections=0,
            network_backend=_PublicNetwork(allow_private=allow_private),
        )

    async def send(self, url: str, headers: Mapping[str, str], body: bytes) -> None:
        """Post a body; see :class:`~graph.operations.webhooks.WebhookSender`."""
        try:
            async with asyncio.timeout(self._timeout_seconds):
                status = await self._status(url, headers, body)
        except TimeoutError:
            raise DeliveryFailed(f"no answer within {self._timeout_seconds:g} s") from None
        except _RefusedAddressError as error:
            raise DeliveryFailed(str(error)) from error
        except (
            httpcore.NetworkError,
            httpcore.ProtocolError,
            httpcore.TimeoutException,
            ssl.SSLError,
        ) as error:
            raise DeliveryFailed(f"cannot be reached ({type(error).__name__})") from error
        if status in _REDIRECTS:
            raise DeliveryFailed(f"answered {status}: redirects are not followed")
        if status not in _SUCCESS:
            raise DeliveryFailed(f"answered {status}")

    async def close(self) -> None:
        """Close the connections."""
        await self._pool.aclose()

    async def _status(self, url: str, headers: Mapping[str, str], body: bytes) -> int:
        sent = {**headers, "content-length": str(len(body))}
        async with self._pool.stream("POST", url, headers=list(sent.items()), content=body) as response:
            return response.status


class _PublicNetwork(httpcore.AsyncNetworkBackend):
    """Resolves names itself and connects to the checked address, so that another resolution cannot bypass the check."""

    def __init__(self, *, allow_private: bool) -> None:
        self._allow_private = allow_private
        self._network = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - as httpcore has it
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        addresses = await _resolved(host, port)
        if not self._allow_private and not all(map(is_public, addresses)):
            raise _RefusedAddressError("leads to a private address")
        failure: httpcore.NetworkError = httpcore.ConnectError("no address")
        for address in addresses:
            try:
                return await self._network.connect_tcp(address, port, timeout, local_address, socket_options)
            except httpcore.NetworkError as error:
                failure = error
        raise failure

    async def connect_unix_socket(self, *_args: Any, **_options: Any) -> httpcore.AsyncNetworkStream:
        raise _RefusedAddressError("leads to a socket of this machine")

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


async def _resolved(host: str, port: int) -> list[str]:
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, proto=6)
    except (OSError, UnicodeError) as error:
        raise httpcore.ConnectError("the name cannot be resolved") from error
    return list(dict.fromkeys(str(each[4][0]) for each in found))
