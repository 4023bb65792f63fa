"""Shapes of connections."""

from datetime import datetime

from graph.core.models import Frozen


class GraphConnection(Frozen):
    """The source of a part of the graph, such as an import or a connector."""

    id: str
    workspace_id: str
    name: str
    kind: str | None = None
    uri: str | None = None
    created_at: datetime
    updated_at: datetime


class ConnectionChange(Frozen):
    """What is known of a connection; a field that was not set stays as it is, null empties it."""

    name: str | None = None
    kind: str | None = None
    uri: str | None = None
