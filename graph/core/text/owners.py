"""Owners of embedded texts, so that no workspace can detect another's texts in a cache."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

_OWNERS: ContextVar[str | Sequence[str] | None] = ContextVar("text_owners", default=None)


def note_owner(workspace_id: str) -> None:
    """Note that the texts of this task are a workspace's, as far as nobody says otherwise."""
    _OWNERS.set(workspace_id)


@contextmanager
def texts_owned_by(workspace_ids: Sequence[str]) -> Iterator[None]:
    """Say for each text that is embedded within the block, in order, which workspace it belongs to."""
    token = _OWNERS.set(tuple(workspace_ids))
    try:
        yield
    finally:
        _OWNERS.reset(token)


def owners_of(count: int) -> Sequence[str] | None:
    """Return the workspace of each of so many texts; None where nobody said it."""
    owners = _OWNERS.get()
    if isinstance(owners, str):
        return (owners,) * count
    return owners if owners is not None and len(owners) == count else None
