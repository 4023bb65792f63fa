"""Models of an export's and a restore's reports."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass

from graph.core.models import Frozen


@dataclass(frozen=True)
class ArchiveStream:
    """An archive that is packed while it is read.

    Attributes:
        nodes: Number of nodes at the start.
        pieces: Its bytes.
    """

    nodes: int
    pieces: AsyncGenerator[bytes]


class RestoreProgress(Frozen):
    """Progress of a restore; the last one is its report.

    Attributes:
        nodes: Processed part of ``total_nodes``; ``edges`` likewise.
        created_nodes: Number of created nodes; the others existed.
        skipped_nodes: Parts of nodes that the workspace has under another id or with another text, and parts of a
            conversation that does not exist.
        embedding: Number of nodes that wait for a vector.
        is_done: True once everything is written.
    """

    workspace_id: str
    total_nodes: int
    total_edges: int
    nodes: int = 0
    edges: int = 0
    created_nodes: int = 0
    created_edges: int = 0
    skipped_nodes: int = 0
    embedding: int = 0
    is_done: bool = False
