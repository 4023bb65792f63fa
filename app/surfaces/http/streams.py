"""Answers that are written while they are made."""

from collections.abc import AsyncGenerator, Mapping
from typing import Any

from litestar.background_tasks import BackgroundTask
from litestar.response import Stream


def streamed(
    body: AsyncGenerator[bytes], *, status_code: int = 200, headers: Mapping[str, str] | None = None
) -> Stream:
    """Return an answer whose generator is closed by its own request; see :func:`closing`."""
    return Stream(body, status_code=status_code, headers=dict(headers or {}), background=closing(body))


def closing(body: AsyncGenerator[Any]) -> BackgroundTask:
    """Return what closes the generator of an answer once that is sent, or its caller has gone.

    If a slow caller disconnects, Litestar leaves the waiting generator open. The garbage collector would then close it,
    late and during any other request, with that request's scope.
    """

    async def close() -> None:
        await body.aclose()

    return BackgroundTask(close)
