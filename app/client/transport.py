"""Sends documents to the service: one connection pool, retries, error shapes. ``generated`` has the documents."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from types import TracebackType
from typing import Any, Self

import httpx
from tenacity import (
    AsyncRetrying,
    RetryCallState,
    retry_if_exception_type,
    stop_after_attempt,
    wait_chain,
    wait_fixed,
)

from .loopback import is_here
from .repeating import may_be_repeated, takes_long

TIMEOUT_SECONDS = 25.0
"""Time limit of one attempt."""
LONG_TIMEOUT_SECONDS = 630.0
"""Timeout of long operations: slightly above the 600 seconds that the service allows a transaction."""
RETRY_DELAYS_SECONDS = (0.5, 1.0, 2.0)
"""Waits before the first, second and third retry."""

CODE_OF_STATUS: dict[int, str] = {
    HTTPStatus.BAD_REQUEST: "INVALID_INPUT",
    HTTPStatus.UNAUTHORIZED: "UNAUTHENTICATED",
    HTTPStatus.FORBIDDEN: "FORBIDDEN",
    HTTPStatus.NOT_FOUND: "NOT_FOUND",
    HTTPStatus.CONFLICT: "CONFLICT",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "TOO_LARGE",
    HTTPStatus.TOO_MANY_REQUESTS: "RATE_LIMITED",
    HTTPStatus.SERVICE_UNAVAILABLE: "UNAVAILABLE",
}
"""Error code of a status, if the response has none."""
NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
"""Failures after which a request cannot have arrived."""
IS_IT_RUNNING = "is it running (`recollect up`)?"
MAY_BE_DONE = "what was asked may have been done: look before you ask again"
_PLANNED_DELAY = wait_chain(*(wait_fixed(seconds) for seconds in RETRY_DELAYS_SECONDS))


class ApiError(Exception):
    """Raised if the service refuses a request or cannot be reached.

    Attributes:
        code: The service's ``extensions.code``; ``UNAVAILABLE`` without a response.
        message: Message for people, with a remedy.
        field: Invalid input field, if any.
    """

    def __init__(self, code: str, message: str, *, field: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.field = field

    def __str__(self) -> str:
        named = self.field and self.field not in self.message
        return f"{self.field}: {self.message}" if named else self.message


class _TransientError(Exception):
    """Raised by an attempt if another may succeed; callers get its ``error``."""

    def __init__(self, error: ApiError, retry_after_seconds: float | None = None) -> None:
        super().__init__(error.message)
        self.error = error
        self.retry_after_seconds = retry_after_seconds


class Client:
    """One connection pool to one service; an asynchronous context manager, safe for concurrent calls of one event loop.

    Attributes:
        base_url: Address of the service, without a slash at its end.
        credential: Headers that authenticate the caller; empty without a key.
        timeout_seconds: Time limit of one attempt.
        long_timeout_seconds: The same for operations of ``repeating.LONG`` and ``repeating.MANY``.
        trusts_environment: Use the proxies in the environment.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str | None,
        *,
        transport: httpx.AsyncBaseTransport | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        timeout_seconds: float = TIMEOUT_SECONDS,
        long_timeout_seconds: float = LONG_TIMEOUT_SECONDS,
    ) -> None:
        self.base_url = base_url.rstrip("/")
        self.timeout_seconds = timeout_seconds
        self.long_timeout_seconds = long_timeout_seconds
        self.credential = _credential(api_key)
        # Requests to this machine must not go to a proxy for the outside world.
        self.trusts_environment = not is_here(str(_parse_url(self.base_url)))
        self._sleep = sleep
        self._http = httpx.AsyncClient(
            headers=self.credential,
            timeout=timeout_seconds,
            transport=transport,
            trust_env=self.trusts_environment,
        )

    async def __aenter__(self) -> Self:
        await self._http.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._http.__aexit__(kind, error, trace)

    async def execute(self, document: str, variables: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Send one GraphQL document and return its ``data``.

        It retries network failures and 5xx responses up to three times. It never retries 4xx responses, nor those in
        which only some of several fields failed, because a retry would repeat the writes of the others. It retries
        operations of ``repeating.ONCE`` and ``repeating.LONG``, and saves that would add a memory each time, only if
        the request cannot have arrived or the service answers that it is unavailable; for ``repeating.LONG`` within the
        timeout of other operations, because a later answer means that the service reached its own deadline.

        Raises:
            ApiError: The service refused the request, or does not answer.
        """
        retrying = AsyncRetrying(
            stop=stop_after_attempt(1 + len(RETRY_DELAYS_SECONDS)),
            wait=_delay_seconds,
            retry=retry_if_exception_type(_TransientError),
            sleep=self._sleep,
            reraise=True,
        )
        try:
            return await retrying(self._attempt, {"query": document, "variables": dict(variables or {})})
        except _TransientError as transient:
            raise transient.error from transient.__cause__

    @asynccontextmanager
    async def stream(self, method: str, path: str, **options: Any) -> AsyncIterator[httpx.Response]:
        """Send one request over REST and yield its streamed response; never retries.

        Args:
            method: HTTP method.
            path: Path, beginning with a slash.
            **options: Options of httpx, such as ``params`` and ``content``.

        Raises:
            ApiError: The service refused the request, does not answer, or broke off.
        """
        try:
            async with self._http.stream(method, f"{self.base_url}{path}", **options) as response:
                if not response.is_success:
                    await response.aread()
                    error = reported_error(_json_object(response), response.status_code)
                    raise error or self._not_recollect(response)
                yield response
        except httpx.RequestError as error:
            raise self._unreachable(error) from error

    async def _attempt(self, body: Mapping[str, Any]) -> dict[str, Any]:
        document = body["query"]
        began = time.monotonic()
        is_repeatable = may_be_repeated(document, body["variables"])
        timeout = self.long_timeout if takes_long(document) else self.timeout_seconds
        try:
            response = await self._http.post(f"{self.base_url}/graphql", json=body, timeout=timeout)
        except ValueError as error:  # lone surrogates, NaN
            raise ApiError("INVALID_INPUT", f"the request cannot be written as JSON: {error}") from error
        except (httpx.UnsupportedProtocol, httpx.LocalProtocolError) as error:
            raise ApiError("INVALID_INPUT", f"cannot send a request to {self.base_url}: {error}") from error
        except NOT_SENT as error:
            raise _TransientError(self._unreachable(error)) from error
        except httpx.RequestError as error:
            if is_repeatable:
                raise _TransientError(self._unreachable(error)) from error
            raise self._unreachable(error, advice=MAY_BE_DONE) from error
        has_run = takes_long(document) and time.monotonic() - began > self.timeout_seconds
        return self._read(response, may_be_repeated=is_repeatable, has_run=has_run)

    @property
    def long_timeout(self) -> httpx.Timeout:
        """Timeouts of a long operation: its own for the response, the usual one for everything else."""
        return httpx.Timeout(self.timeout_seconds, read=self.long_timeout_seconds)

    def _read(self, response: httpx.Response, *, may_be_repeated: bool, has_run: bool) -> dict[str, Any]:
        body = _json_object(response)
        error = reported_error(body, response.status_code)
        if error is None and response.is_success and isinstance(body.get("data"), dict):
            return dict(body["data"])
        error = error or self._not_recollect(response)
        is_answered = isinstance(body.get("data"), dict) and any(
            value is not None for value in body["data"].values()
        )
        failed = error.code == "UNAVAILABLE" or (response.is_server_error and may_be_repeated)
        # A repetition would exceed the service's deadline again.
        if failed and not is_answered and not has_run:
            raise _TransientError(error, _retry_after_seconds(response))
        raise error

    def _unreachable(self, error: httpx.RequestError, *, advice: str = IS_IT_RUNNING) -> ApiError:
        return ApiError("UNAVAILABLE", no_answer(self.base_url, error, advice=advice))

    def _not_recollect(self, response: httpx.Response) -> ApiError:
        code = CODE_OF_STATUS.get(response.status_code, "UNEXPECTED")
        return ApiError(
            code,
            f"{response.url} gave {response.status_code} and no result of Recollect's; check the address",
        )


async def lines_of(response: httpx.Response) -> AsyncIterator[bytes]:
    """Yield the lines of a streamed response, without line ends.

    httpx also splits text at U+2028, U+2029 and U+0085, which JSON strings may contain.
    """
    unread = b""
    async for chunk in response.aiter_bytes():
        *lines, unread = (unread + chunk).split(b"\n")
        for line in lines:
            yield line.removesuffix(b"\r")
    if unread:
        yield unread


def no_answer(url: str, error: httpx.RequestError, *, advice: str) -> str:
    """Return the message that an address does not answer, with advice."""
    what = "does not answer"
    if isinstance(error, httpx.TimeoutException):
        what = "took too long"
    elif isinstance(error, httpx.DecodingError):
        what = "gives an answer that cannot be read"
    return f"Recollect at {url} {what}; {advice}"


def _parse_url(base_url: str) -> httpx.URL:
    try:
        url = httpx.URL(base_url)
    except httpx.InvalidURL as error:
        raise ApiError("INVALID_INPUT", f"{base_url!r} is not an address: {error}") from error
    if url.scheme not in {"http", "https"} or not url.host:
        raise ApiError("INVALID_INPUT", f"{base_url!r} is not an address such as http://127.0.0.1:8000")
    return url


def _credential(api_key: str | None) -> dict[str, str]:
    key = (api_key or "").strip()
    if not key:
        return {}
    if not (key.isascii() and key.isprintable()):
        raise ApiError(
            "UNAUTHENTICATED", "the API key contains characters that are not allowed; check RECOLLECT_API_KEY"
        )
    return {"Authorization": f"Bearer {key}"}


def _delay_seconds(state: RetryCallState) -> float:
    planned = _PLANNED_DELAY(state)
    error = state.outcome.exception() if state.outcome else None
    requested = error.retry_after_seconds if isinstance(error, _TransientError) else None
    return planned if requested is None else min(planned, requested)


def _retry_after_seconds(response: httpx.Response) -> float | None:
    """Parse ``Retry-After`` in either form (RFC 9110 §10.2.3); None if it is missing or malformed."""
    value = response.headers.get("Retry-After", "").strip()
    if value.isdecimal():
        return float(value)
    try:
        until = parsedate_to_datetime(value)
    except ValueError:
        return None
    zoned = until if until.tzinfo else until.replace(tzinfo=UTC)
    return max(0.0, (zoned - datetime.now(UTC)).total_seconds())


def _json_object(response: httpx.Response) -> dict[str, Any]:
    try:
        body = response.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def reported_error(body: Mapping[str, Any], status: int) -> ApiError | None:
    """Return the error in a body, in GraphQL's or REST's form; None if the body has no error."""
    errors = body.get("errors")
    if isinstance(errors, list) and errors and isinstance(errors[0], dict):
        extensions = errors[0].get("extensions") or {}
        code = extensions.get("code") or CODE_OF_STATUS.get(status, "INVALID_INPUT")
        return ApiError(code, str(errors[0].get("message")), field=extensions.get("field"))
    if isinstance(body.get("error"), str):
        code = body.get("code") or CODE_OF_STATUS.get(status, "UNEXPECTED")
        return ApiError(code, body["error"], field=body.get("field"))
    return None
