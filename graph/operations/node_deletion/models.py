"""Shapes of deleting nodes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from graph.core.errors import RecollectError
from graph.knowledge.traversal.models import NodeKind
from graph.tenancy.workspaces.models import Workspace


class OtherKind(StrEnum):
    """What is deleted by its id beside the nodes that a traversal meets."""

    RELATION = "Relation"
    ASSOCIATION = "Association"
    ENTITY_TYPE = "EntityType"
    RELATION_TYPE = "RelationType"
    METRIC = "Metric"
    WEBHOOK = "Webhook"


Kind = NodeKind | OtherKind


@dataclass(frozen=True)
class NamedNode:
    """What is to be deleted.

    Attributes:
        workspace_id: Where it is.
        id: Its own.
        kind: What it is; None: that is looked up.
    """

    workspace_id: str
    id: str
    kind: Kind | None = None


@dataclass(frozen=True)
class NodeDeletions:
    """What became of nodes that were to be deleted.

    Attributes:
        deleted_ids: Their own ids, in the order in which they were named.
        refused: Why others were not, by their places from 0.
        workspaces: Those that something was deleted of, each once, as they are afterwards.
    """

    deleted_ids: Sequence[str]
    refused: Mapping[int, RecollectError]
    workspaces: Sequence[Workspace]
