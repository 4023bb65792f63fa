"""How long whoever asks waits for the vectors of a query, where that is less than the deployment lets queries wait."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass
class Patience:
    """How long the vectors of some queries may take together, and what became of it.

    Attributes:
        until: By the clock of the event loop, in seconds.
        was_late: Whether any were not there in time.
        has_failed: Whether any could not be had at all.
    """

    until: float
    was_late: bool = False
    has_failed: bool = False

    def left(self, most: float) -> float:
        """Return how many seconds vectors may take from now on, 0 to ``most``."""
        return max(0.0, min(most, self.until - asyncio.get_running_loop().time()))


_patience: ContextVar[Patience | None] = ContextVar("patience", default=None)


@contextmanager
def vectors_within(seconds: float) -> Iterator[Patience]:
    """Bound all vectors of queries that are asked for inside, together, also by the tasks that are begun there."""
    patience = Patience(asyncio.get_running_loop().time() + seconds)
    token = _patience.set(patience)
    try:
        yield patience
    finally:
        _patience.reset(token)


def patience() -> Patience | None:
    """Return what bounds the vectors that are asked for here, or None where nothing does."""
    return _patience.get()
