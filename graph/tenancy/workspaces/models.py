"""Shapes of workspaces."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pydantic import field_validator
from pydantic_core import from_json

from graph.core.ids import default_key_id
from graph.core.models import Frozen

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
