"""Limits the requests of a key in a minute."""

import time
from dataclasses import dataclass

import structlog

from graph.core.errors import LimitExceeded, Unavailable
from graph.core.ports import Counters
from graph.tenancy.access.models import Principal

_log = structlog.get_logger("recollect.access")

WINDOW_SECONDS = 60
_BLIND_SECONDS = 5.0  # how long nothing is counted once the counters did not answer


@dataclass(frozen=True)
class Allowance:
    """Remaining requests of a key in this minute.

    Attributes:
        limit: Requests within a minute.
        remaining: Remaining requests, after this one.
        reset_seconds: When the next minute begins.
    """

    limit: int
    remaining: int
    reset_seconds: int


class RequestLimits:
    """Counts requests for all processes; lives as long as the process.

    While the counters do not answer nobody is limited: a limit protects the service, and must not be what stops it.

    Args:
        counters: Stores the counts.
        per_minute: The limit of a key that has none of its own; 0: none.
    """

    def __init__(self, counters: Counters, *, per_minute: int) -> None:
        self._counters = counters
        self._per_minute = per_minute
        self._blind_until = 0.0

    async def admit(self, principal: Principal) -> Allowance | None:
        """Count a request; return the remaining allowance, or None without a limit.

        Raises:
            LimitExceeded: The key made more requests than it may within this minute.
        """
        own = principal.requests_per_minute
        limit = self._per_minute if own is None else own
        if limit == 0 or time.monotonic() < self._blind_until:
            return None
        try:
            counted = await self._counters.count(f"key:{principal.key_id}", window_seconds=WINDOW_SECONDS)
        except Unavailable as error:
            self._blind_until = time.monotonic() + _BLIND_SECONDS
            _log.warning("access.not_limited", reason=error.message)
            return None
        if counted.count > limit:
            raise LimitExceeded(
                f"this key may make {limit} requests a minute", retry_after_seconds=counted.seconds_left
            )
        return Allowance(limit, limit - counted.count, counted.seconds_left)
