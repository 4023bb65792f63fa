"""Shapes of workspaces."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, field_validator
from pydantic_core import from_json


class Workspace(BaseModel):
    """A tenant: every other node belongs to exactly one."""

    model_config = ConfigDict(frozen=True)

    id: str
    name: str
    settings: Mapping[str, Any] = {}
    memory_enabled: bool
    is_default: bool = False
    created_at: datetime
    updated_at: datetime

    @field_validator("settings", mode="before")
    @classmethod
    def _read_json(cls, value: object) -> object:
        return from_json(value) if isinstance(value, str) else value

    @field_validator("is_default", mode="before")
    @classmethod
    def _absent_is_false(cls, value: object) -> object:
        return False if value is None else value
