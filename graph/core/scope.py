"""Read scope of the current task: memory of one user, of one agent, shared memory, or the whole workspace.

The scope belongs to the task, like the acting key. Every query that reads or changes owned data takes it from here, so
that no code between a surface and a query can forget to pass it on.
"""

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

from pydantic import BaseModel

from graph.core.errors import Forbidden

SHARED: Final = ""
"""The ``user_id`` and ``agent_id`` of shared data."""


def search_term(user_id: str) -> str:
    """Return a user's term in full-text indexes; it has only digits, which no analyser changes."""
    return str(int.from_bytes(hashlib.sha256(user_id.encode()).digest()[:8]))


def owner_properties(user_id: str | None, agent_id: str | None) -> dict[str, str]:
    """Return the searchable owner properties of a user and an agent; None means everybody."""
    owner = {"user_id": user_id or SHARED, "agent_id": agent_id or SHARED}
    return {**owner, "search_user": search_term(owner["user_id"])}


class ReadScope(BaseModel, frozen=True):
    """Visible part of a workspace.

    Attributes:
        user_id: Visible user; None: everybody.
        agent_id: Visible agent; None: every agent.
        include_shared: Include data without a user, or without an agent.
        is_exact: Show only data of exactly that user and agent; None then means no owner.
    """

    user_id: str | None = None
    agent_id: str | None = None
    include_shared: bool = True
    is_exact: bool = False

    @classmethod
    def of_owner(cls, user_id: str | None, agent_id: str | None) -> "ReadScope":
        """Return the scope of exactly that user and agent; None means unowned data."""
        return cls(user_id=user_id, agent_id=agent_id, is_exact=True)

    @property
    def users(self) -> list[str] | None:
        """Visible values of ``user_id``, which may include :data:`SHARED`; None: all."""
        return self._seen(self.user_id)

    @property
    def agents(self) -> list[str] | None:
        """Visible values of ``agent_id``, which may include :data:`SHARED`; None: all."""
        return self._seen(self.agent_id)

    @property
    def parameters(self) -> Mapping[str, Any]:
        """Value of the statements' parameter ``$scope``."""
        return {"users": self.users, "agents": self.agents}

    def _seen(self, name: str | None) -> list[str] | None:
        if self.is_exact:
            return [name or SHARED]
        if name is None:
            return None
        return [name, SHARED] if self.include_shared else [name]


EVERYTHING: Final = ReadScope()
_SCOPE: Final[ContextVar[ReadScope]] = ContextVar("read_scope", default=EVERYTHING)


def current_scope() -> ReadScope:
    """Return the read scope of the current task; the default, for workers, is everything."""
    return _SCOPE.get()


def see_only(scope: ReadScope) -> None:
    """Restrict this task, and the tasks that it starts, to the scope."""
    _SCOPE.set(scope)


@contextmanager
def seeing(scope: ReadScope) -> Iterator[None]:
    """Restrict the block, including tasks that it starts, to the scope."""
    token = _SCOPE.set(scope)
    try:
        yield
    finally:
        _SCOPE.reset(token)


def require_whole_workspace(what: str) -> None:
    """Refuse an action on the whole workspace if the task only sees one user's or agent's memory.

    Raises:
        Forbidden: The scope is narrower.
    """
    if current_scope() != EVERYTHING:
        raise Forbidden(
            f"{what}: a caller bound to a user or an agent may not do this for the whole workspace"
        )


def owner_named(user_id: str | None, agent_id: str | None) -> tuple[str | None, str | None]:
    """Return the owner of new data: the named user and agent, else those of the current scope.

    Raises:
        Forbidden: The scope is another user's or agent's.
    """
    scope = current_scope()
    for field, named, own in (("userId", user_id, scope.user_id), ("agentId", agent_id, scope.agent_id)):
        if named is not None and own is not None and named != own:
            raise Forbidden(f"{field} {named!r} is outside the scope of this request, {own!r}")
    return user_id or scope.user_id, agent_id or scope.agent_id


def narrowed(to: ReadScope) -> ReadScope:
    """Return the current scope narrowed to the requested one.

    Raises:
        Forbidden: The current scope is another user's or agent's.
    """
    user_id, agent_id = owner_named(to.user_id, to.agent_id)
    current = current_scope()
    return ReadScope(
        user_id=user_id,
        agent_id=agent_id,
        include_shared=to.include_shared and current.include_shared,
        is_exact=to.is_exact or current.is_exact,
    )
