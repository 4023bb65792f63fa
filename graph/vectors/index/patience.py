"""Deadlines of the models that serve one caller, where they are shorter than those of the deployment."""

import asyncio
import math
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass
class Patience:
    """Total time limit of the vectors of some queries, and its outcome.

    Attributes:
        until: By the clock of the event loop, in seconds.
        reranked_until: Deadline of the reranker, by the same clock.
        was_late: Whether any vector was late.
        failure: Why some could not be had, if so; the last one.
    """

    until: float
    reranked_until: float = math.inf
    was_late: bool = False
    failure: str | None = None

    def left(self, most: float) -> float:
        """Return the remaining seconds for vectors, 0 to ``most``."""
        return _left(self.until, most)

    def left_to_rerank(self, most: float) -> float:
        """Return the remaining seconds for the reranker, 0 to ``most``."""
        return _left(self.reranked_until, most)


def _left(until: float, most: float) -> float:
    return max(0.0, min(most, until - asyncio.get_running_loop().time()))


_patience: ContextVar[Patience | None] = ContextVar("patience", default=None)


@contextmanager
def vectors_within(seconds: float, *, reranked_within: float = math.inf) -> Iterator[Patience]:
    """Limit the total time of query vectors within the block, including tasks that it starts.

    Args:
        seconds: For all vectors.
        reranked_within: After how many seconds the order stays as it is.
    """
    now = asyncio.get_running_loop().time()
    patience = Patience(now + seconds, now + reranked_within)
    token = _patience.set(patience)
    try:
        yield patience
    finally:
        _patience.reset(token)


def patience() -> Patience | None:
    """Return the limit in effect, or None."""
    return _patience.get()
