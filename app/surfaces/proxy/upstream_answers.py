"""Reads what the upstream answers: its bytes, its events, its errors, and that it hung up."""

from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any

import httpx
import structlog
from pydantic_core import from_json

from app.surfaces.proxy.dialects import StreamState
from app.surfaces.proxy.errors import ProxyError, error_object
from app.surfaces.proxy.event_stream import EventReader, ends_an_event, error_event

_log = structlog.get_logger("recollect.proxy")


async def shown_of(state: StreamState, response: httpx.Response) -> AsyncIterator[bytes]:
    """Yield what the caller sees of one answer of the upstream.

    Raises:
        ProxyError: The upstream hung up, or was silent for too long.
    """
    reader = EventReader()
    try:
        async for chunk in response.aiter_bytes():
            if shown := b"".join(state.shown(event) for event in reader.feed(chunk)):
                yield shown
    except httpx.HTTPError as error:
        raise _broken_off(error) from error
    if reader.rest and (shown := state.shown(reader.last)):
        # What follows in the next round must not become a part of it.
        yield shown if ends_an_event(shown) or not state.goes_on else shown + b"\n\n"


async def passed_on(response: httpx.Response, *, ends_in_events: bool) -> AsyncGenerator[bytes]:
    """Yield the bytes of an answer as they come over the wire.

    Raises:
        ProxyError: The upstream hung up; the caller, who has part of an answer, finds the connection closed. In a
            stream of events the last one says it instead.
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
    """Return a whole answer.

    Raises:
        ProxyError: The upstream hung up, or was silent for too long.
    """
    try:
        return await response.aread()
    except httpx.HTTPError as error:
        raise _broken_off(error) from error
    finally:
        await response.aclose()


async def refusal_of(response: httpx.Response) -> bytes:
    """Return an upstream's error as the event that ends a stream."""
    said = (object_in(await whole_of(response)) or {}).get("error")
    default = error_object(
        502, f"the upstream answered with status {response.status_code}", code="upstream_error"
    )
    return error_event(said if isinstance(said, dict) else default)


def _broken_off(error: httpx.HTTPError) -> ProxyError:
    _log.warning("proxy.upstream_broke_off", reason=type(error).__name__)
    if isinstance(error, httpx.TimeoutException):
        return ProxyError(
            504, "the upstream fell silent in the middle of its answer", code="upstream_timeout"
        )
    return ProxyError(502, "the upstream hung up in the middle of its answer", code="upstream_disconnected")


def object_in(content: bytes) -> dict[str, Any] | None:
    """Return the object that an answer is, or None where it is anything else."""
    try:
        read = from_json(content)
    except ValueError:
        return None
    return read if isinstance(read, dict) else None
