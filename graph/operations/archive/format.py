"""The format of archives, as ``docs/how-to/archive.md`` describes it: members, limits and contents."""

import re
from collections.abc import Mapping
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

NAME: Final = "recollect-archive"
VERSION: Final = 1
MEDIA_TYPE: Final = "application/zstd"

FORMAT_MEMBER: Final = "format.json"
WORKSPACE_MEMBER: Final = "workspace.json"
MANIFEST_MEMBER: Final = "manifest.json"
NODES_MEMBER: Final = re.compile(r"nodes/(?P<label>[A-Za-z]{1,64})-(?P<number>[0-9]{6})\.jsonl")
EDGES_MEMBER: Final = re.compile(r"edges/(?P<number>[0-9]{6})\.jsonl")

MEMBER_BYTES: Final = 4 * 1024 * 1024
"""Size of a member at which the next one begins; a line is never split."""
MOST_MEMBER_BYTES: Final = 64 * 1024 * 1024
MOST_MEMBERS: Final = 200_000
MOST_RATIO: Final = 200
"""Maximum ratio of unpacked to packed size; JSON lines of memories have 5 to 20."""
RATIO_SLACK_BYTES: Final = 1024**3
"""Unpacked size that every archive may have: memories with equal long texts pack to a thousandth."""
MOST_BYTES: Final = 64 * 1024**3

WORKSPACE_ID: Final = re.compile(r"ws_[a-z0-9]{1,64}")


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class FormatNote(_Record):
    """``format.json``, the first member: what this is, before anything else is read."""

    format: Literal["recollect-archive"] = NAME
    version: int = VERSION


class WorkspaceRecord(_Record):
    """``workspace.json``, the second member.

    Attributes:
        workspace_id: Workspace of the contents.
        user_id: The one user whose they are; None: all of the workspace.
        vectors: The signature of the embedder whose vectors are in the archive; None: it holds none.
        nodes: Number of nodes at the start of the export, for the progress.
    """

    workspace_id: str = Field(pattern=WORKSPACE_ID.pattern)
    name: str = Field(min_length=1, max_length=200)
    memory_enabled: bool
    settings: Mapping[str, Any]
    user_id: str | None = None
    vectors: str | None = None
    nodes: int = Field(ge=0)


class MemberNote(_Record):
    """Entry of the manifest for another member."""

    name: str
    records: int = Field(ge=0)
    size: int = Field(ge=0)
    sha256: str = Field(pattern=r"[0-9a-f]{64}")


class Manifest(_Record):
    """``manifest.json``, the last member.

    Attributes:
        created_at: When the export ended, ISO 8601.
        nodes: Counts by label.
        edges: Number of relationships.
        members: All others, in their order.
    """

    format: Literal["recollect-archive"] = NAME
    version: int = VERSION
    created_at: str
    nodes: Mapping[str, int]
    edges: int = Field(ge=0)
    members: list[MemberNote]


class NodeLine(_Record):
    """One line of ``nodes/…``.

    Attributes:
        number: By which edges name the node; unique in the archive.
        labels: The first label is the kind of node.
        properties: See ``graph.operations.archive.values``.
        vector: 32-bit floats, little endian, in Base64.
    """

    number: int = Field(ge=1)
    labels: list[str] = Field(min_length=1, max_length=16)
    properties: dict[str, Any]
    vector: str | None = None


class EdgeLine(_Record):
    """One line of ``edges/…``: from a node to a node, by their numbers."""

    source: int = Field(ge=1)
    target: int = Field(ge=1)
    type: str = Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,127}$")
    properties: dict[str, Any]
