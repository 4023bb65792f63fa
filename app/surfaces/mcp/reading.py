"""Content and neighbours of one node, for tools and resources."""

from datetime import datetime
from typing import Any

from pydantic import Field

from app.surfaces.mcp.shapes import MemoryShape
from app.surfaces.mcp.tool import Call, Result
from graph.knowledge.ontology.models import Entity
from graph.knowledge.traversal.models import FoundNode, NodeKind

BESIDE = 20


class EntityShape(Result):
    """A thing the workspace knows of."""

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
        kept = {name: getattr(entity, name) for name in cls.model_fields}
        return cls(**{**kept, "properties": dict(entity.properties)})


class Connected(Result):
    """A node beside another one."""

    relation: str = Field(description="The type of the edge between the two.")
    outgoing: bool = Field(description="Whether the edge leads to this node.")
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
    """Return what a node is joined to, the strongest first."""
    found = await call.services.knowledge.traversal.neighbours(call.workspace_id, [id_], first=limit)
    return tuple(
        Connected(
            relation=each.edge.type,
            outgoing=each.edge.from_id == id_,
            strength=each.edge.strength,
            id=each.node.id,
            kind=each.node.kind,
            type=each.node.type,
            caption=each.node.caption,
        )
        for each in found.get(id_, ())
    )
