"""Waiting until a memory has come as far as a caller needs it."""

import asyncio
from collections.abc import Awaitable, Callable

from graph.core.errors import InvalidInput
from graph.memories.models import Memory, MemoryState

LONGEST_WAIT_MS = 10_000
_FIRST_PAUSE_SECONDS = 0.01
_LONGEST_PAUSE_SECONDS = 0.25
_STEPS = (MemoryState.STORED, MemoryState.EMBEDDED, MemoryState.LINKED)


def has_reached(state: MemoryState, wanted: MemoryState) -> bool:
    """Tell whether waiting is over: the state is reached or passed, or will never be because the work failed."""
    if state is MemoryState.FAILED or wanted is MemoryState.FAILED:
        return state is MemoryState.FAILED
    return _STEPS.index(state) >= _STEPS.index(wanted)


def checked_timeout(timeout_ms: int) -> float:
    """Return the timeout in seconds.

    Raises:
        InvalidInput: It is not between 0 and 10,000 milliseconds.
    """
    if not 0 <= timeout_ms <= LONGEST_WAIT_MS:
        raise InvalidInput(
            "timeoutMs", f"timeoutMs must be between 0 and {LONGEST_WAIT_MS}, got {timeout_ms}"
        )
    return timeout_ms / 1000


async def wait_for(
    read: Callable[[], Awaitable[Memory | None]], wanted: MemoryState, *, timeout_ms: int
) -> Memory | None:
    """Read a memory until it has reached a state or the time is up; return it as it was stored last.

    What is returned was read from the store, so a state it shows is durable.
    """
    loop = asyncio.get_running_loop()
    deadline = loop.time() + checked_timeout(timeout_ms)
    pause = _FIRST_PAUSE_SECONDS
    while True:
        memory = await read()
        rest = deadline - loop.time()
        if memory is None or has_reached(memory.state, wanted) or rest <= 0:
            return memory
        await asyncio.sleep(min(pause, rest))
        pause = min(pause * 1.5, _LONGEST_PAUSE_SECONDS)
