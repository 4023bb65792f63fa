"""Shapes of artifacts."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pydantic import field_validator
from pydantic_core import from_json

from graph.core.models import Frozen
from graph.memories.models import MemoryState


class ArtifactDraft(Frozen):
    """An artifact to add; omitted fields of a stored artifact with the same key stay unchanged."""

    name: str
    kind: str | None = None
    uri: str | None = None
    summary: str | None = None
    key: str | None = None
    metadata: Mapping[str, Any] | None = None
    session_id: str | None = None


class Artifact(Frozen):
    """Something an agent made or refers to: its location and description, never its content.

    Attributes:
        key: Identity in a repeated add, unique in the workspace.
        kind: Kind, such as ``file`` or ``report``; lower case.
    """

    id: str
    workspace_id: str
    key: str
    name: str
    kind: str
    uri: str | None = None
    summary: str | None = None
    metadata: Mapping[str, Any] = {}
    session_id: str | None = None
    state: MemoryState
    failure: str | None = None
    created_at: datetime
    updated_at: datetime

    @field_validator("metadata", mode="before")
    @classmethod
    def _read_json(cls, value: object) -> object:
        return from_json(value) if isinstance(value, str) else value
