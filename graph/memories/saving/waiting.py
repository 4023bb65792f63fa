"""Waits until memories reach a processing state."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from graph.core.errors import InvalidInput
from graph.memories.models import Memory, MemoryState

LONGEST_WAIT_MS = 10_000
_FIRST_PAUSE_SECONDS = 0.01
_LONGEST_PAUSE_SECONDS = 0.25
_STEPS = (MemoryState.STORED, MemoryState.EMBEDDED, MemoryState.LINKED)


def has_reached(memory: Memory, target: MemoryState) -> bool:
    """Tell whether waiting is over: the memory reached the state, or failed to.

    A memory that was embedded but could not be linked stays ``EMBEDDED``; its ``failure`` has the reason.
    """
    if memory.state is MemoryState.FAILED or target is MemoryState.FAILED:
        return memory.state is MemoryState.FAILED
    if memory.state is MemoryState.EMBEDDED and memory.failure is not None:
        return True
    return _STEPS.index(memory.state) >= _STEPS.index(target)


def validated_timeout(timeout_ms: int) -> float:
    """Return the timeout in seconds.

    Raises:
        InvalidInput: ``timeout_ms`` is not between 0 and 10,000.
    """
    if not 0 <= timeout_ms <= LONGEST_WAIT_MS:
        raise InvalidInput(
            "timeoutMs", f"timeoutMs must be between 0 and {LONGEST_WAIT_MS}, got {timeout_ms}"
        )
    return timeout_ms / 1000


async def wait_for(
    read: Callable[[Sequence[str]], Awaitable[dict[str, Memory]]],
    ids: Sequence[str],
    target: MemoryState,
    *,
    timeout_ms: int,
) -> dict[str, Memory]:
    """Read memories until all have reached a state or the timeout ends; return their last read versions."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + validated_timeout(timeout_ms)
    pause = _FIRST_PAUSE_SECONDS
    found: dict[str, Memory] = {}
    waiting = list(ids)
    while True:
        read_now = await read(waiting)
        found |= read_now
        waiting = [id_ for id_, memory in read_now.items() if not has_reached(memory, target)]
        rest = deadline - loop.time()
        if not waiting or rest <= 0:
            return found
        await asyncio.sleep(min(pause, rest))
        pause = min(pause * 1.5, _LONGEST_PAUSE_SECONDS)
