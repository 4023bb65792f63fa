"""Shapes of connections."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True)


class GraphConnection(_Frozen):
    """Where a part of the graph came from, such as an import or a connector."""

    id: str
    workspace_id: str
    name: str
    kind: str | None = None
    uri: str | None = None
    created_at: datetime
    updated_at: datetime


class ConnectionChange(_Frozen):
    """What is known of a connection; a field that was not set stays as it is, null empties it."""

    name: str | None = None
    kind: str | None = None
    uri: str | None = None
