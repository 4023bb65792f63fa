"""Keeps recall and workers from asking a store that does not answer, and lets them try again, later and later."""

from datetime import datetime, timedelta

from graph.core.ports import Clock

_FIRST_PAUSE_SECONDS = 1.0
_LONGEST_PAUSE_SECONDS = 60.0
_MOST_DOUBLINGS = 10


class CircuitBreaker:
    """Open while the store answers; lives as long as the connection.

    A failure shuts it. After a pause it is worth a probe: only a probe that succeeds opens it again, and only work
    that succeeds makes the pauses short again, so that a server which says it is ready and is not is seldom asked.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._failures = 0
        self._shut_until: datetime | None = None
        self._reason: str | None = None

    @property
    def reason(self) -> str | None:
        """Why it is shut; None while it is open."""
        return self._reason

    @property
    def is_open(self) -> bool:
        """True if requests to the store are allowed."""
        return self._reason is None

    @property
    def is_worth_a_probe(self) -> bool:
        """True if the breaker is open and the pause is over."""
        return self._shut_until is not None and self._clock.now() >= self._shut_until

    def failed(self, reason: str) -> None:
        """Shut it, twice as long as the last time."""
        pause = min(_FIRST_PAUSE_SECONDS * 2 ** min(self._failures, _MOST_DOUBLINGS), _LONGEST_PAUSE_SECONDS)
        self._failures += 1
        self._reason = reason
        self._shut_until = self._clock.now() + timedelta(seconds=pause)

    def probed(self) -> None:
        """Open it for a try."""
        self._reason = self._shut_until = None

    def worked(self) -> None:
        """Record a successful request."""
        self._failures = 0
        self.probed()
