"""Actor and targets of the current task: its key or job, and the nodes that its call touched."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, NamedTuple

_MOST_TOUCHED = 1000  # the maximum number of memories that one call may save

ACTING_KEY: Final[ContextVar[str | None]] = ContextVar("acting_key", default=None)
"""Id of the key; None if the service acts automatically, as workers do."""

ACTING_JOB: Final[ContextVar[str | None]] = ContextVar("acting_job", default=None)
"""Kind of the job that the task runs; None outside of jobs."""


class Touched(NamedTuple):
    """A node that a call named, read or changed, by its id or key, by the type that the caller named, or by both."""

    id: str | None
    type: str | None = None


class CurrentCall:
    """A running call.

    Attributes:
        workspace_id: Last authorised workspace; None before the first.
        touched: Touched nodes in order, at most 1000.
        is_dead_end: True if it succeeded without a useful result.
    """

    def __init__(self) -> None:
        self.workspace_id: str | None = None
        self.touched: dict[Touched, None] = {}
        self.is_dead_end = False


_CALL: Final[ContextVar[CurrentCall | None]] = ContextVar("call", default=None)


@contextmanager
def running_job(kind: str) -> Iterator[None]:
    """Act as a job of a kind within the block, including tasks that it starts."""
    token = ACTING_JOB.set(kind)
    try:
        yield
    finally:
        ACTING_JOB.reset(token)


@contextmanager
def answering() -> Iterator[CurrentCall]:
    """Handle a call within the block, including tasks that it starts."""
    call = CurrentCall()
    token = _CALL.set(call)
    try:
        yield call
    finally:
        _CALL.reset(token)


def acts_in(workspace_id: str) -> None:
    """Note that the current call, if there is one, is authorised for a workspace."""
    if (call := _CALL.get()) is not None:
        call.workspace_id = workspace_id


def touches(*ids: str, type_: str | None = None) -> None:
    """Note that the current call, if there is one, touches nodes.

    Args:
        ids: Ids or keys of the nodes, at most 1000 of a call; empty if only the type is known.
        type_: Entity type that the caller named; the entity may not exist.
    """
    if (call := _CALL.get()) is None:
        return
    named = [Touched(id_, type_) for id_ in ids[:_MOST_TOUCHED]] or ([Touched(None, type_)] if type_ else [])
    call.touched |= dict.fromkeys(named[: _MOST_TOUCHED - len(call.touched)])


def leads_nowhere() -> None:
    """Note that the current call, if there is one, found nothing or had nothing to do."""
    if (call := _CALL.get()) is not None:
        call.is_dead_end = True
