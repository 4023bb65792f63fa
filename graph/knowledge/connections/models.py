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
    """New fields of a connection; an unset field stays unchanged, null clears it."""

    name: str | None = None
    kind: str | None = None
    uri: str | None = None
