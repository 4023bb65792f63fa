"""The parts of a Graphiti graph, wherever they come from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from app.cli.importers.models import Moment


def _none_as_empty(value: Any) -> Any:
    return {} if value is None else value


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    uuid: str = Field(min_length=1)
    group_id: str | None = None
    created_at: Moment | None = None


class Entity(_Part):
    """A node; ``attributes`` are of its own type."""

    name: str = Field(min_length=1)
    labels: tuple[str, ...] = ()
    summary: str | None = None
    attributes: Annotated[Mapping[str, Any], BeforeValidator(_none_as_empty)] = {}


class Edge(_Part):
    """A fact about two entities; it holds from ``valid_at`` until ``invalid_at``; ``attributes`` are of its type."""

    source_node_uuid: str
    target_node_uuid: str
    name: str
    fact: str = Field(min_length=1)
    episodes: tuple[str, ...] | None = None
    valid_at: Moment | None = None
    invalid_at: Moment | None = None
    expired_at: Moment | None = None
    attributes: Annotated[Mapping[str, Any], BeforeValidator(_none_as_empty)] = {}


class Episode(_Part):
    """Source of facts; ``role`` is Zep's."""

    content: str
    name: str | None = None
    source: str | None = None
    source_description: str | None = None
    valid_at: Moment | None = None
    role: str | None = None


@dataclass(frozen=True)
class Graph:
    """Records of each kind, not checked yet, and how many there are of kinds that are not imported."""

    entities: Sequence[Mapping[str, Any]]
    edges: Sequence[Mapping[str, Any]]
    episodes: Sequence[Mapping[str, Any]]
    others: Mapping[str, int] = field(default_factory=dict)
