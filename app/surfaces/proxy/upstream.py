"""The upstream server to which the proxy forwards requests."""

from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from dataclasses import dataclass
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any, Final

import httpx
import structlog
from pydantic_core import from_json

from app.client.loopback import is_here
from app.surfaces.http.errors import ProxyError, error_object
from app.surfaces.proxy.dialects import StreamState
from app.surfaces.proxy.event_stream import EventReader, ends_an_event, error_event

UPSTREAM_KEY_HEADER: Final = "x-recollect-upstream-key"
SILENT_SECONDS: Final = 600.0
"""Read timeout; reasoning models may send nothing for minutes."""
_LIST_SECONDS: Final = 10.0
"""Read timeout of a list of models, which takes no model's time."""
_CONNECT_SECONDS: Final = 10.0
"""Connect timeout; sufficient for a server on another continent."""

# Request headers about one connection, this service, or the caller's identity.
_NOT_PASSED_ON = frozenset(
    (
        "authorization connection content-length cookie expect forwarded host keep-alive "
        "proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade via "
        "x-api-key x-real-ip"
    ).split()
)
_NOT_PASSED_ON_PREFIXES = ("x-forwarded-", "x-omniroute-", "x-recollect-", "sec-")
_OF_THIS_REQUEST_PREFIXES = ("accept", "content-", "if-", "range")
"""Request headers that could change the form of a list of models, which the proxy parses."""
_NOT_PASSED_BACK = frozenset(
    (
        "alt-svc connection date keep-alive proxy-authenticate proxy-connection server set-cookie "
        "strict-transport-security trailer transfer-encoding upgrade"
    ).split()
)
_OF_THE_BYTES = frozenset({"content-encoding", "content-length"})


@dataclass(frozen=True)
class UpstreamEndpoint:
    """Address and credentials of the upstream.

    Attributes:
        url: Base URL, without the path of an operation.
        key: Bearer token, unless the caller sends its own key; None: none.
        silent_seconds: Read timeout, before and within the response, in seconds.
    """

    url: str
    key: str | None
    silent_seconds: float = SILENT_SECONDS


class Upstream:
    """Client of the upstream; lives as long as the process and keeps connections open."""

    def __init__(self, endpoint: UpstreamEndpoint) -> None:
        self._endpoint = endpoint
        self._client = httpx.AsyncClient(
            timeout=httpx.Timeout(endpoint.silent_seconds, connect=_CONNECT_SECONDS),
            limits=httpx.Limits(max_connections=None, max_keepalive_connections=100),
            trust_env=not is_here(endpoint.url),
            # Store no cookies: a cookie from one caller's response must not be sent with another caller's request.
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
        )

    async def send(
        self, path: str, query: str, headers: Mapping[str, str], body: bytes, *, plain: bool
    ) -> httpx.Response:
        """Return the response as soon as it begins; the caller must close it.

        Args:
            path: Path of the operation.
            query: Query string of the caller's URL.
            headers: Headers of the caller, with names in lower case.
            body: Bytes to send.
            plain: Whether to request an uncompressed response, which the proxy can parse.

        Raises:
            ProxyError: The upstream cannot be reached, or exceeds the read timeout.
        """
        url = self._endpoint.url.rstrip("/") + path + (f"?{query}" if query else "")
        passed = self._passed_on(headers)
        if plain:
            passed["accept-encoding"] = "identity"
        # As bytes, because httpx refuses strings with characters beyond ASCII.
        sent = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in passed.items()]
        try:
            request = self._client.build_request("POST", url, headers=sent, content=body)
            return await self._client.send(request, stream=True)
        except httpx.TimeoutException as error:
            raise ProxyError(504, "the upstream did not answer in time", code="upstream_timeout") from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            message = f"the upstream cannot be reached ({type(error).__name__})"
            raise ProxyError(502, message, code="upstream_unreachable") from error

    async def models(self, headers: Mapping[str, str]) -> list[dict[str, Any]]:
        """Return the models that the upstream lists, each with at least an ``id``.

        Args:
            headers: Headers of the caller, with names in lower case.

        Raises:
            ProxyError: The upstream cannot be reached, exceeds the read timeout or returns no such list.
        """
        sent = {
            name: value
            for name, value in self._passed_on(headers).items()
            if not name.startswith(_OF_THIS_REQUEST_PREFIXES)
        }
        try:
            response = await self._client.get(
                self._endpoint.url.rstrip("/") + "/models",
                headers=[(name.encode("latin-1"), value.encode("latin-1")) for name, value in sent.items()],
                timeout=min(_LIST_SECONDS, self._endpoint.silent_seconds),
            )
            response.raise_for_status()
            listed = response.json()["data"]
            return [each for each in listed if isinstance(each, dict) and isinstance(each.get("id"), str)]
        except httpx.HTTPStatusError as error:
            message = f"the upstream answered {error.response.status_code}"
            raise ProxyError(502, message, code="upstream_refused") from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            message = f"the upstream cannot be reached ({type(error).__name__})"
            raise ProxyError(502, message, code="upstream_unreachable") from error
        except (ValueError, TypeError, KeyError) as error:
            raise ProxyError(502, "the upstream listed no models", code="upstream_unreadable") from error

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    def _passed_on(self, headers: Mapping[str, str]) -> dict[str, str]:
        passed = {
            name: value
            for name, value in headers.items()
            if name not in _NOT_PASSED_ON and not name.startswith(_NOT_PASSED_ON_PREFIXES)
        }
        key = headers.get(UPSTREAM_KEY_HEADER) or self._endpoint.key
        return {**passed, "authorization": f"Bearer {key}"} if key else passed


def headers_passed_back(response: httpx.Response, *, same_bytes: bool) -> dict[str, str]:
    """Return the upstream's headers for the caller.

    Args:
        response: Response of the upstream.
        same_bytes: Whether the body is forwarded byte for byte.
    """
    hidden = _NOT_PASSED_BACK if same_bytes else _NOT_PASSED_BACK | _OF_THE_BYTES
    response.headers.encoding = "iso-8859-1"  # Litestar encodes headers the same way, so the bytes stay equal
    return {name: value for name, value in response.headers.items() if name not in hidden}


_log = structlog.get_logger("recollect.proxy")


async def shown_of(state: StreamState, response: httpx.Response) -> AsyncIterator[bytes]:
    """Yield the caller's part of one streamed response.

    Raises:
        ProxyError: The upstream closed the connection, or exceeded the read timeout.
    """
    reader = EventReader()
    try:
        async for chunk in response.aiter_bytes():
            if shown := b"".join(state.shown(event) for event in reader.feed(chunk)):
                yield shown
    except httpx.HTTPError as error:
        raise _broken_off(error) from error
    if reader.rest and (shown := state.shown(reader.last)):
        # A blank line keeps the next round's events separate from an unfinished event.
        yield shown if ends_an_event(shown) or not state.goes_on else shown + b"\n\n"


async def passed_on(response: httpx.Response, *, ends_in_events: bool) -> AsyncGenerator[bytes]:
    """Yield the bytes of a response exactly as received.

    Args:
        response: Response of the upstream.
        ends_in_events: Whether an error event may end the response: it is an uncompressed stream of events.

    Raises:
        ProxyError: The upstream closed the connection, or exceeded the read timeout, in a response that is no stream
            of events. The caller's connection is then closed.
    """
    try:
        async for chunk in response.aiter_raw():
            yield chunk
    except httpx.HTTPError as error:
        broken_off = _broken_off(error)
        if not ends_in_events:
            raise broken_off from error
        yield b"\n\n" + error_event(broken_off.body()["error"])
    finally:
        await response.aclose()


async def whole_of(response: httpx.Response) -> bytes:
    """Return the complete body of a response, and close it.

    Raises:
        ProxyError: The upstream closed the connection, or exceeded the read timeout.
    """
    try:
        return await response.aread()
    except httpx.HTTPError as error:
        raise _broken_off(error) from error
    finally:
        await response.aclose()


async def refusal_of(response: httpx.Response) -> bytes:
    """Return the upstream's error as the event that ends a stream."""
    error = (object_in(await whole_of(response)) or {}).get("error")
    default = error_object(
        502, f"the upstream answered with status {response.status_code}", code="upstream_error"
    )
    return error_event(error if isinstance(error, dict) else default)


def _broken_off(error: httpx.HTTPError) -> ProxyError:
    _log.warning("proxy.upstream_broke_off", reason=type(error).__name__)
    if isinstance(error, httpx.TimeoutException):
        return ProxyError(
            504, "the upstream fell silent in the middle of its answer", code="upstream_timeout"
        )
    return ProxyError(502, "the upstream hung up in the middle of its answer", code="upstream_disconnected")


def object_in(content: bytes) -> dict[str, Any] | None:
    """Return the JSON object of a body; None if it is anything else."""
    try:
        read = from_json(content)
    except ValueError:
        return None
    return read if isinstance(read, dict) else None
