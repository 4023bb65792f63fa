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
    """Return the notice that memory is off, with the command that turns it on."""
    return f"{MEMORY_OFF}; `recollect settings set enabled true --workspace {workspace_id}` turns it on"


class Workspace(Frozen):
    """A tenant; every other node belongs to exactly one workspace."""

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
    """Permission of a key; no scope includes another."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"


class ApiKey(Frozen):
    """A stored key, without its secret.

    Attributes:
        last_used_at: Time of the last use, accurate to a minute; written in the background.
        rotated_at: Time at which its secret was last replaced.
        requests_per_minute: Limit of requests, 0 for none; None: the deployment's.
        user_id: User to whose memory it is bound; None: everybody's. ``agent_id`` likewise.
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
        has_own_pool: True if the key itself acts as the user, because its workspace has ``pool: KEY``.
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
        """Return the principal narrowed to the user and agent of a request, if it names any.

        Raises:
            Forbidden: The key is bound to another user or agent.
        """
        with seeing(self.memory_scope):
            user_id, agent_id = owner_named(user_id, agent_id)
        return self.model_copy(update={"user_id": user_id, "agent_id": agent_id})

    def may(self, scope: Scope) -> bool:
        """Tell whether the key has ``scope``; an administrator's key has all."""
        return scope in self.scopes or Scope.ADMIN in self.scopes


class ModelEndpoint(Frozen):
    """Address of a model, with its key.

    Attributes:
        url: Base address without the path of the operation.
        model: Name of the model on the server.
        key: Key for the server, if it needs one.
    """

    url: str
    model: str
    key: str | None = Field(None, repr=False)


class StoredModel(Frozen):
    """A workspace's own model in its stored form; only the deployment's sealing key can decrypt ``sealed_key``."""

    url: str
    model: str
    sealed_key: str | None = None


class OwnModel(Frozen):
    """A workspace's own model for display; it tells whether there is a key, but never the key itself."""

    url: str
    model: str
    has_key: bool


OpenModel = Callable[[ModelEndpoint], Awaitable[LanguageModel]]
"""Opens a model, which lives as long as the process. Raises ``Unavailable`` if no model can be opened at all, and
``InvalidInput`` for an invalid address."""


class Unsealable(Exception):
    """Raised if a text cannot be decrypted: it was encrypted with another key or purpose, or was altered."""


class Sealing(Protocol):
    """Encrypts texts so that nobody can read or change them without the key."""

    def seal(self, text: str, *, purpose: str) -> str:
        """Return the encrypted text, which only the same purpose can decrypt."""
        ...

    def unseal(self, sealed: str, *, purpose: str) -> str:
        """Return the decrypted text.

        Raises:
            Unsealable: The text cannot be decrypted.
        """
        ...
