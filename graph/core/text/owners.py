"""Owners of embedded texts, so that no workspace can detect another's texts in a cache."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

_OWNERS: ContextVar[str | Sequence[str] | None] = ContextVar("text_owners", default=None)


def note_owner(workspace_id: str) -> None:
    """Set the workspace that owns the texts of this task; ``texts_owned_by`` overrides it."""
    _OWNERS.set(workspace_id)


@contextmanager
def texts_owned_by(workspace_ids: Sequence[str]) -> Iterator[None]:
    """Set the owning workspace of each text that the block embeds, in order."""
    token = _OWNERS.set(tuple(workspace_ids))
    try:
        yield
    finally:
        _OWNERS.reset(token)


def owners_of(count: int) -> Sequence[str] | None:
    """Return the owning workspace of each of ``count`` texts; None if unknown."""
    owners = _OWNERS.get()
    if isinstance(owners, str):
        return (owners,) * count
    return owners if owners is not None and len(owners) == count else None
