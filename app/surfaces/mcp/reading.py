"""Content and neighbours of one node, for tools and resources."""

import re
from datetime import datetime
from typing import Any
from urllib.parse import unquote

from mcp import types
from mcp.server.lowlevel.helper_types import ReadResourceContents
from pydantic import Field

from app.surfaces.mcp.shapes import MemoryShape
from app.surfaces.mcp.tool import Call, Result
from graph.core.errors import NotFound
from graph.knowledge.models import FoundNode, NodeKind
from graph.knowledge.ontology.models import Entity
from graph.memories.changes.relative_times import text_time, with_day
from graph.memories.models import Memory

BESIDE = 20


class EntityShape(Result):
    """An entity."""

    id: str
    key: str
    type: str
    name: str
    aliases: tuple[str, ...]
    description: str | None
    summary: str | None
    properties: dict[str, Any]
    uri: str | None
    created_at: datetime
    updated_at: datetime

    @classmethod
    def of(cls, entity: Entity) -> "EntityShape":
        """Return the form of an entity."""
        fields = {name: getattr(entity, name) for name in cls.model_fields}
        return cls(**{**fields, "properties": dict(entity.properties)})


class Connected(Result):
    """An adjacent node, and the edge to it."""

    relation: str = Field(description="Type of the edge.")
    outgoing: bool = Field(description="True if the edge leads to this node.")
    strength: float | None
    id: str
    kind: NodeKind
    type: str | None
    caption: str | None


Content = MemoryShape | EntityShape


async def content_of(call: Call, node: FoundNode) -> Content | None:
    """Return all fields of a memory or an entity; None for other kinds, and for a deleted node."""
    if node.kind is NodeKind.MEMORY:
        memory = await call.services.memories.store.find(call.workspace_id, node.id)
        return None if memory is None else MemoryShape.of(memory)
    if node.kind is NodeKind.ENTITY:
        entity = await call.services.knowledge.ontology.find(call.workspace_id, id_=node.id)
        return None if entity is None else EntityShape.of(entity)
    return None


async def connected(call: Call, id_: str, *, limit: int = BESIDE) -> tuple[Connected, ...]:
    """Return the neighbours of a node, the strongest edges first, with memories' captions as models see them."""
    found = await call.services.knowledge.traversal.neighbours(call.workspace_id, [id_], first=limit)
    beside = found.get(id_, ())
    memories = await call.services.memories.store.find_all(
        call.workspace_id, [each.node.id for each in beside if each.node.kind is NodeKind.MEMORY]
    )
    return tuple(
        Connected(
            relation=each.edge.type,
            outgoing=each.edge.from_id == id_,
            strength=each.edge.strength,
            id=each.node.id,
            kind=each.node.kind,
            type=each.node.type,
            caption=each.node.caption and _dated(each.node.caption, memories.get(each.node.id)),
        )
        for each in beside
    )


def _dated(caption: str | None, memory: Memory | None) -> str | None:
    return with_day(caption, text_time(memory)) if caption and memory is not None else caption


MIME_TYPE = "application/json"
_KINDS = {"memory": NodeKind.MEMORY, "entity": NodeKind.ENTITY}
_URI = re.compile(r"recollect://(memory|entity)/([^/?#]+)")

TEMPLATES = [
    types.ResourceTemplate(
        name="memory",
        title="A memory",
        uriTemplate="recollect://memory/{id}",
        description="A memory with all of its fields and its neighbours in the graph.",
        mimeType=MIME_TYPE,
    ),
    types.ResourceTemplate(
        name="entity",
        title="An entity",
        uriTemplate="recollect://entity/{id}",
        description="An entity with all of its fields, its relations and the memories that mention it.",
        mimeType=MIME_TYPE,
    ),
]


class ReadNode(Result):
    """Content of a resource."""

    content: Content
    connected: tuple[Connected, ...]


async def read_resource(call: Call, uri: str) -> list[ReadResourceContents]:
    """Return the content of a resource.

    Raises:
        NotFound: This workspace has no resource with that URI.
    """
    named = _URI.fullmatch(uri)
    if named is None:
        raise _nothing(uri)
    id_ = unquote(named[2])
    node = (await call.services.knowledge.traversal.find(call.workspace_id, [id_], field="uri")).get(id_)
    if node is None or node.kind is not _KINDS[named[1]]:
        raise _nothing(uri)
    content = await content_of(call, node)
    if content is None:
        raise _nothing(uri)
    read = ReadNode(content=content, connected=await connected(call, node.id))
    return [ReadResourceContents(content=read.model_dump_json(exclude_none=True), mime_type=MIME_TYPE)]


def _nothing(uri: str) -> NotFound:
    return NotFound(f"there is nothing at {uri[:200]!r} in this workspace", field="uri")
