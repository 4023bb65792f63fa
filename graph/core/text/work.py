"""The port through which long work on texts is done where it keeps nobody waiting."""

from collections.abc import Callable
from typing import Protocol, TypeVar, TypeVarTuple

ResultT = TypeVar("ResultT")
Arguments = TypeVarTuple("Arguments")
TEXT_WORK = "text work"
"""Dependency in :class:`~graph.core.errors.Unavailable` for a text that could not be read."""


class TextWork(Protocol):
    """Does what takes long over texts where it keeps nobody waiting; safe to call from many tasks."""

    async def run(self, work: Callable[[*Arguments], ResultT], *arguments: *Arguments, chars: int) -> ResultT:
        """Return the result of ``work``, or raise its error.

        Raises:
            Unavailable: It took too long, or its process ended twice.
        """
        ...
