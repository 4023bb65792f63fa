"""Models of workspaces, their keys and principals, and their language models."""

from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol

from pydantic import Field, field_validator
from pydantic_core import from_json

from graph.core.ids import default_key_id
from graph.core.models import Frozen
from graph.core.ports import LanguageModel
from graph.core.scope import ReadScope, owner_named, seeing

MEMORY_OFF = "memory is off in this workspace"


def memory_off(workspace_id: str) -> str:
    """Return that memory is off, with the command that turns it on."""
    return f"{MEMORY_OFF}; `recollect settings set enabled true --workspace {workspace_id}` turns it on"


class Workspace(Frozen):
    """A tenant: every other node belongs to exactly one."""

    id: str
    name: str
    settings: Mapping[str, Any] = {}
    memory_enabled: bool
    is_default: bool = False
    created_at: datetime
    updated_at: datetime

    @property
    def default_key_id(self) -> str:
        """Id of its first API key, which owns memories saved without a key."""
        return default_key_id(self.id)

    @field_validator("settings", mode="before")
    @classmethod
    def _read_json(cls, value: object) -> object:
        return from_json(value) if isinstance(value, str) else value

    @field_validator("is_default", mode="before")
    @classmethod
    def _absent_is_false(cls, value: object) -> object:
        return False if value is None else value


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


class ModelEndpoint(Frozen):
    """Address of a model, with its key.

    Attributes:
        url: Base address without the path of the operation.
        model: Its name there.
        key: None where the server wants none.
    """

    url: str
    model: str
    key: str | None = Field(None, repr=False)


class StoredModel(Frozen):
    """A workspace's own model as it is stored; ``sealed_key`` can be read with the deployment's sealing key only."""

    url: str
    model: str
    sealed_key: str | None = None


class OwnModel(Frozen):
    """A workspace's own model for display: whether it has a key, but never the key itself."""

    url: str
    model: str
    has_key: bool


OpenModel = Callable[[ModelEndpoint], Awaitable[LanguageModel]]
"""Opens a model, which lives as long as the process; raises ``Unavailable`` where no model can be opened at all, and
``InvalidInput`` for an address that cannot be asked."""


class Unsealable(Exception):
    """Raised when a key cannot be decrypted: it was encrypted with another key, for another purpose, or changed."""


class Sealing(Protocol):
    """Encrypts texts so that nobody can read or change them without the key."""

    def seal(self, text: str, *, purpose: str) -> str:
        """Return the text encrypted, to be unsealed for the same purpose only."""
        ...

    def unseal(self, sealed: str, *, purpose: str) -> str:
        """Return the text.

        Raises:
            Unsealable: It cannot be read.
        """
        ...
