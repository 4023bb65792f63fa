"""The port that measurements go through, and what takes them where nobody wants them."""

from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

_NOTHING: AbstractContextManager[None] = nullcontext()


class Measurements(Protocol):
    """Takes how long things took and how often they happened; costs microseconds and never raises.

    Every name comes from the code (a stage, a query's file, a kind of job) and none from a caller, for each becomes a
    time series of its own; nothing that a user wrote ever gets here.
    """

    def statement(self, name: str) -> AbstractContextManager[None]:
        """Watch a statement of the catalogue while it runs in the block; what the block raises passes."""
        ...

    def stage(self, name: str, seconds: float) -> None:
        """Take how long a stage of a use case took, such as ``recall.rank``."""
        ...

    def fallback(self, operation: str, reason: str) -> None:
        """Take that an operation had to do without something, by the kind of reason its answer names."""
        ...

    def jobs(self, kind: str, outcome: str, count: int) -> None:
        """Take that jobs ended as ``done``, ``failed`` (to be tried again) or ``parked``."""
        ...


class Unmeasured:
    """Implements :class:`Measurements` by discarding every measurement."""

    def statement(self, name: str) -> AbstractContextManager[None]:  # noqa: ARG002 - the port names it
        """Watch nothing."""
        return _NOTHING

    def stage(self, name: str, seconds: float) -> None:
        """Forget it."""

    def fallback(self, operation: str, reason: str) -> None:
        """Forget it."""

    def jobs(self, kind: str, outcome: str, count: int) -> None:
        """Forget it."""


UNMEASURED: Measurements = Unmeasured()
