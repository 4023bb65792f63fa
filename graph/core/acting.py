"""Who acts: the key that was last authorised in the present task, for what is written down of its acts."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

ACTING_KEY: Final[ContextVar[str | None]] = ContextVar("acting_key", default=None)
"""Id of the key; None where the service acts by itself, as workers do."""


class CurrentCall:
    """A call while it is answered.

    Attributes:
        workspace_id: Where it was last authorised to act; None as long as it was nowhere.
    """

    def __init__(self) -> None:
        self.workspace_id: str | None = None


_CALL: Final[ContextVar[CurrentCall | None]] = ContextVar("call", default=None)


@contextmanager
def answering() -> Iterator[CurrentCall]:
    """Answer a call within the block, tasks that it starts included."""
    call = CurrentCall()
    token = _CALL.set(call)
    try:
        yield call
    finally:
        _CALL.reset(token)


def acts_in(workspace_id: str) -> None:
    """Note that the present call, if there is one, was authorised to act in a workspace."""
    if (call := _CALL.get()) is not None:
        call.workspace_id = workspace_id
