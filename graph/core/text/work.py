"""Port for long processor work on texts, outside of the event loop."""

from collections.abc import Callable
from typing import Protocol, TypeVar, TypeVarTuple

ResultT = TypeVar("ResultT")
Arguments = TypeVarTuple("Arguments")
TEXT_WORK = "text work"
"""Name of this dependency in :class:`~graph.core.errors.Unavailable`."""


class TextWork(Protocol):
    """Runs long work on texts without blocking the event loop; safe to call from many tasks."""

    async def run(self, work: Callable[[*Arguments], ResultT], *arguments: *Arguments, chars: int) -> ResultT:
        """Return the result of ``work``, or raise its error.

        Raises:
            Unavailable: The work took too long, or its process ended twice.
        """
        ...
