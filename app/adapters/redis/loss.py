"""The errors that a lost connection to Redis raises, and the cancellations that they may hide."""

import asyncio
import contextlib
from collections.abc import Iterator
from typing import Final

from redis.exceptions import RedisError

LOSS: Final = (RedisError, OSError, RuntimeError)
"""uvloop raises ``RuntimeError`` for a write to a connection that was closed concurrently."""


@contextlib.contextmanager
def keeping_cancellation() -> Iterator[None]:
    """Let a cancellation through that an error hides: closing the connection of a cancelled task may fail as well.

    Raises:
        CancelledError: The current task is being cancelled, and something was lost.
    """
    try:
        yield
    except LOSS as error:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise asyncio.CancelledError from error
        raise
