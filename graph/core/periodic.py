"""Work that is done every few seconds for as long as a process lives."""

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from graph.core.errors import RecollectError

_log = structlog.get_logger("recollect.periodic")


async def every(seconds: float, work: Callable[[], Awaitable[object]], *, name: str) -> None:
    """Do the work now and after each pause until cancelled; where it fails, however it does, the next turn tries again.

    Args:
        seconds: The pause between two turns.
        work: One turn.
        name: Name in log entries.
    """
    while True:
        try:
            await work()
        except RecollectError as error:
            _log.warning("periodic.failed", work=name, reason=error.message)
        except Exception:  # noqa: BLE001 - one bad turn must not be the last
            _log.exception("periodic.crashed", work=name)
        await asyncio.sleep(seconds)
