"""The port through which long work on texts is done where it keeps nobody waiting."""

from collections.abc import Callable
from typing import Protocol, TypeVar, TypeVarTuple

ResultT = TypeVar("ResultT")
Arguments = TypeVarTuple("Arguments")
TEXT_WORK = "text work"
"""What :class:`~graph.core.errors.Unavailable` names where a text could not be read."""


class TextWork(Protocol):
    """Does what takes long over texts where it keeps nobody waiting; safe to call from many tasks."""

    async def run(self, work: Callable[[*Arguments], ResultT], *arguments: *Arguments, chars: int) -> ResultT:
        """Return what ``work`` returns for the arguments, or raise what it raises.

        Args:
            work: A function of a module, without side effects: it may be done in another process, and twice.
            *arguments: What it takes; they and the result can be pickled.
            chars: How much text it reads, which says whether sending it elsewhere is worth it.

        Raises:
            Unavailable: It took too long, or the process that did it came to its end twice.
        """
        ...
