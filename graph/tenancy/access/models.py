"""Models of API keys and of their principals."""

from datetime import datetime
from enum import StrEnum

from graph.core.models import Frozen
from graph.core.scope import ReadScope, owner_named, seeing


class Scope(StrEnum):
    """Permission of a key; a scope includes no other."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"


class ApiKey(Frozen):
    """A key as it is kept: without its secret.

    Attributes:
        last_used_at: To a minute; written in the background.
        rotated_at: When its secret was last replaced.
        requests_per_minute: Its own limit, 0 for none; None: the deployment's.
        user_id: The one user whose memory it opens; None: everybody's. ``agent_id`` likewise.
    """

    id: str
    workspace_id: str
    name: str
    prefix: str
    scopes: tuple[Scope, ...]
    created_at: datetime
    expires_at: datetime | None = None
    last_used_at: datetime | None = None
    rotated_at: datetime | None = None
    requests_per_minute: int | None = None
    user_id: str | None = None
    agent_id: str | None = None


class Principal(Frozen):
    """Caller of a request: one key, bound to one workspace and optionally to one user and one agent.

    Attributes:
        has_own_pool: True if the user is the key itself, by ``pool: KEY`` of its workspace.
    """

    key_id: str
    name: str
    workspace_id: str
    scopes: frozenset[Scope]
    requests_per_minute: int | None = None
    user_id: str | None = None
    agent_id: str | None = None
    has_own_pool: bool = False

    @property
    def memory_scope(self) -> ReadScope:
        """Part of a workspace's memory that the key may see."""
        return ReadScope(user_id=self.user_id, agent_id=self.agent_id)

    def speaking_for(self, user_id: str | None, agent_id: str | None) -> "Principal":
        """Return the principal as a request narrows it to a user, to an agent, or to neither.

        Raises:
            Forbidden: The key is bound to another one.
        """
        with seeing(self.memory_scope):
            user_id, agent_id = owner_named(user_id, agent_id)
        return self.model_copy(update={"user_id": user_id, "agent_id": agent_id})

    def may(self, scope: Scope) -> bool:
        """Tell whether the key allows ``scope``; an administrator's allows every one."""
        return scope in self.scopes or Scope.ADMIN in self.scopes
