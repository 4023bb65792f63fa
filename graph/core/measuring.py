"""Port for measurements, and an implementation that discards them."""

from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

_NOTHING: AbstractContextManager[None] = nullcontext()


class Measurements(Protocol):
    """Receives durations and counts; costs microseconds and never raises.

    All names come from the code (a stage, a query file, a kind of job), never from callers, because each name becomes a
    time series. Users' texts never get here.
    """

    def statement(self, name: str) -> AbstractContextManager[None]:
        """Measure the statement that runs in the block; errors of the block propagate."""
        ...

    def stage(self, name: str, seconds: float) -> None:
        """Receive the duration of a stage of a use case, such as ``recall.rank``."""
        ...

    def fallback(self, operation: str, reason: str) -> None:
        """Count an operation that ran without one of its parts, by the kind of reason in its response."""
        ...

    def jobs(self, kind: str, outcome: str, count: int) -> None:
        """Count ended jobs by outcome: ``done``, ``failed`` (will be retried) or ``parked``."""
        ...


class Unmeasured:
    """Implements :class:`Measurements` by discarding every measurement."""

    def statement(self, name: str) -> AbstractContextManager[None]:  # noqa: ARG002 - the port names it
        """Measure nothing."""
        return _NOTHING

    def stage(self, name: str, seconds: float) -> None:
        """Forget it."""

    def fallback(self, operation: str, reason: str) -> None:
        """Forget it."""

    def jobs(self, kind: str, outcome: str, count: int) -> None:
        """Forget it."""


UNMEASURED: Measurements = Unmeasured()
