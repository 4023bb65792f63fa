"""The format of archives, as ``docs/how-to/archive.md`` describes it: members, limits and contents."""

import base64
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final, Literal

import numpy as np
from neo4j.time import Date, DateTime
from pydantic import BaseModel, ConfigDict, Field

from graph.core.text.stemming import LANGUAGES
from graph.knowledge.ontology.names import SYSTEM_LABELS

NAME: Final = "recollect-archive"
VERSION: Final = 1
MEDIA_TYPE: Final = "application/zstd"

FORMAT_MEMBER: Final = "format.json"
WORKSPACE_MEMBER: Final = "workspace.json"
MANIFEST_MEMBER: Final = "manifest.json"
NODES_MEMBER: Final = re.compile(r"nodes/(?P<label>[A-Za-z]{1,64})-(?P<number>[0-9]{6})\.jsonl")
EDGES_MEMBER: Final = re.compile(r"edges/(?P<number>[0-9]{6})\.jsonl")

MEMBER_BYTES: Final = 4 * 1024 * 1024
"""Size from which the next line goes into a new member; a line is never split."""
MOST_MEMBER_BYTES: Final = 64 * 1024 * 1024
MOST_MEMBERS: Final = 200_000
MOST_RATIO: Final = 200
"""Maximum ratio of unpacked to packed size; JSON lines of memories have 5 to 20."""
RATIO_SLACK_BYTES: Final = 1024**3
"""Unpacked size allowed for every archive: memories with equal long texts pack to a thousandth."""
MOST_BYTES: Final = 64 * 1024**3

WORKSPACE_ID: Final = re.compile(r"ws_[a-z0-9]{1,64}")


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class FormatNote(_Record):
    """``format.json``, the first member: format and version of the archive."""

    format: Literal["recollect-archive"] = NAME
    version: int = VERSION


class WorkspaceRecord(_Record):
    """``workspace.json``, the second member.

    Attributes:
        workspace_id: Workspace of the contents.
        user_id: Owner of the contents, if it is one user; None: the whole workspace.
        vectors: Signature of the embedder of the archive's vectors; None: no vectors.
        nodes: Number of nodes at the start of the export, for its progress.
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
        created_at: End of the export, in ISO 8601.
        nodes: Number of nodes by label.
        edges: Number of relationships.
        members: All other members, in order.
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
        number: Number of the node, unique in the archive; edges refer to it.
        labels: Labels; the first is the kind of node.
        properties: Properties in the form that :func:`to_json` describes.
        vector: 32-bit floats, little endian, in Base64.
    """

    number: int = Field(ge=1)
    labels: list[str] = Field(min_length=1, max_length=16)
    properties: dict[str, Any]
    vector: str | None = None


class EdgeLine(_Record):
    """One line of ``edges/…``: an edge between two nodes, given by their numbers."""

    source: int = Field(ge=1)
    target: int = Field(ge=1)
    type: str = Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,127}$")
    properties: dict[str, Any]


@dataclass(frozen=True)
class LabelRule:
    """Identities of nodes of one label within a workspace.

    Attributes:
        identities: Sets of properties; two nodes with equal values for all properties of one set are the same node. The
            first set is the primary identity, the others are further unique constraints of the schema.
        owner: Property with the id of the node that this one is a part of.
        is_text: True if the node is derived from its owner's text; an existing owner already has all such nodes.
    """

    identities: tuple[tuple[str, ...], ...]
    owner: str | None = None
    is_text: bool = False


_ID: Final = (("id",),)
_ID_AND_KEY: Final = (("id",), ("key",))
_ID_AND_NAME: Final = (("id",), ("name",))

ARCHIVED: Final[Mapping[str, LabelRule]] = {
    "EntityType": LabelRule(_ID_AND_NAME),
    "RelationType": LabelRule(_ID_AND_NAME),
    "Connection": LabelRule(_ID),
    "Entity": LabelRule(_ID_AND_KEY),
    "EntityMerge": LabelRule(_ID),
    "Document": LabelRule(_ID_AND_KEY),
    "Chunk": LabelRule(_ID, owner="document_id", is_text=True),
    "Artifact": LabelRule(_ID_AND_KEY),
    "Conversation": LabelRule(_ID),
    "Message": LabelRule((("conversation_id", "id"),)),
    "Episode": LabelRule(_ID),
    "ConversationSummary": LabelRule((("conversation_id",),)),
    "Distillation": LabelRule(_ID),
    "Memory": LabelRule((("id",), ("user_id", "agent_id", "key"), ("dedup_key",))),
    "MemoryVersion": LabelRule((("memory_id", "version"),), owner="memory_id"),
    "Passage": LabelRule((("memory_id", "slot", "ordinal"),), owner="memory_id", is_text=True),
    "Tombstone": LabelRule(_ID),
    "AutomaticChange": LabelRule(_ID),
    "AgentSequence": LabelRule((("id",), ("user_id", "session_id"))),
    "AgentAction": LabelRule(_ID, owner="sequence_id"),
    "AgentTally": LabelRule((("action_type", "node_type"),)),
    "AgentFailure": LabelRule((("id",), ("action_type", "node_type", "error_code"))),
    "Metric": LabelRule((("name",), ("id",))),
    "AgentBenchmark": LabelRule((("metric", "day"),)),
    "PromptRun": LabelRule(_ID),
    "Setting": LabelRule((("key",),)),
}
"""Rules by label, in the order of writing and restoring an archive: owners precede their parts."""

REFERENCES: Final[Mapping[str, tuple[str, ...]]] = {
    "EntityMerge": ("from_id", "into_id"),
    "AutomaticChange": ("subject_id", "cause_id", "other_ids"),
    "AgentAction": ("target_id",),
    "PromptRun": ("node_ids",),
}
"""Properties with ids of earlier nodes; the workspace may have such a node under another id."""

BESIDE: Final = frozenset(
    {"Searchable", "AgentPattern", "_mem"} | {each.label for each in LANGUAGES.values()}
)
"""Additional labels of nodes beside their kind."""

LEFT_OUT: Final[Mapping[str, str]] = {
    "ApiKey": "a secret; keys are created again where an archive is restored",
    "Job": "work in progress; what a restored node still needs is asked for again",
    "EventWebhook": "it holds a secret; webhooks are registered again",
    "EventWebhookDelivery": "work in progress",
    "Workspace": "a member of its own: workspace.json",
    "AuditEntry": "the deployment's own, and about those who acted there",
    "SchemaVersion": "the deployment's own",
    "VectorIndexMeta": "the deployment's own",
    "VectorTierMeta": "the deployment's own",
}

RESERVED: Final = SYSTEM_LABELS | BESIDE
"""Names that no entity type in an archive may have."""


# Texts, whole numbers, finite numbers, booleans and lists of them are plain JSON. Other values are an object whose only
# key is their type: ``{"datetime": "2026-05-01T12:00:00Z"}``, ``{"float": "NaN"}``, ``{"bytes": "…"}``. A vector is
# 32-bit floats, little endian, in Base64.


_DATETIME: Final = "datetime"
_DATE: Final = "date"
_FLOAT: Final = "float"
_BYTES: Final = "bytes"
_NOT_FINITE: Final = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
_LARGEST_INTEGER: Final = 2**63
_NANOSECOND_DECIMALS: Final = 9
_MICROSECOND: Final = 1000  # in nanoseconds; the smallest unit of Python's datetime


class UnknownValueError(ValueError):
    """Raised if the format does not support a value."""


def to_json(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return properties in JSON form, without null ones.

    Raises:
        UnknownValueError: A value is of a type that the format does not support.
    """
    return {name: _written(value) for name, value in properties.items() if value is not None}


def from_json(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return properties from their JSON form.

    Raises:
        UnknownValueError: A value has an unknown form.
    """
    return {name: _read(value) for name, value in properties.items()}


def vector_to_text(vector: Sequence[float]) -> str:
    """Return the archive form of a vector."""
    return base64.b64encode(np.asarray(vector, dtype="<f4").tobytes()).decode("ascii")


def vector_from_text(text: str) -> list[float]:
    """Return a vector from its archive form.

    Raises:
        UnknownValueError: The text is not Base64 of whole 32-bit floats, or a number is not finite.
    """
    try:
        vector = np.frombuffer(base64.b64decode(text, validate=True), dtype="<f4")
    except ValueError:
        raise UnknownValueError("a vector must be Base64 of 32-bit floats") from None
    if not vector.size or not np.isfinite(vector).all():
        raise UnknownValueError("a vector must have finite numbers")
    return [float(number) for number in vector]


def _written(value: Any) -> Any:
    if isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return (
            value
            if math.isfinite(value)
            else {_FLOAT: repr(value).replace("inf", "Infinity").replace("nan", "NaN")}
        )
    if isinstance(value, list):
        return [_written(item) for item in value]
    if isinstance(value, DateTime | datetime):
        return {_DATETIME: _iso(value)}
    if isinstance(value, Date):
        return {_DATE: value.iso_format()}
    if isinstance(value, bytes | bytearray):
        return {_BYTES: base64.b64encode(value).decode("ascii")}
    raise UnknownValueError(f"the format cannot represent a {type(value).__name__}")


def _iso(moment: DateTime | datetime) -> str:
    return moment.iso_format() if isinstance(moment, DateTime) else moment.isoformat()


def _read(value: Any) -> Any:
    match value:
        case str() | bool():
            return value
        case int() if -_LARGEST_INTEGER <= value < _LARGEST_INTEGER:
            return value
        case float() if math.isfinite(value):
            return value
        case list():
            return [_read_item(item) for item in value]
        case dict() if len(value) == 1:
            ((kind, text),) = value.items()
            if isinstance(text, str):
                return _read_tagged(kind, text)
    raise UnknownValueError(
        f"a property must be a text, a number, a boolean, a list of them or a tagged value, got {value!r:.60}"
    )


def _read_item(value: Any) -> Any:
    if isinstance(value, list):
        raise UnknownValueError("a property must not be a list of lists")
    return _read(value)


def _read_tagged(kind: str, text: str) -> Any:
    try:
        if kind == _DATETIME:
            return _moment(text)
        if kind == _DATE:
            return date.fromisoformat(text)
        if kind == _BYTES:
            return base64.b64decode(text, validate=True)
        if kind == _FLOAT:
            return _NOT_FINITE[text]
    except (ValueError, KeyError):
        raise UnknownValueError(f"{text[:60]!r} is not a valid {kind}") from None
    raise UnknownValueError(f"{kind[:60]!r} is not a type of values")


def _moment(text: str) -> datetime | DateTime:
    return DateTime.from_iso_format(text) if _has_nanoseconds(text) else datetime.fromisoformat(text)


def _has_nanoseconds(text: str) -> bool:
    """Tell whether a time is more precise than the six decimals of Python's datetime."""
    decimals = text.partition(".")[2][:_NANOSECOND_DECIMALS]
    return len(decimals) == _NANOSECOND_DECIMALS and decimals.isdigit() and int(decimals) % _MICROSECOND != 0
