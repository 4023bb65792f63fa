"""Recall, reading and associating: what agents need of memories beyond the tools that other services have."""

from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from app.surfaces.mcp.reading import Connected, Content, connected, content_of
from app.surfaces.mcp.shapes import HitShape, ResolutionShape
from app.surfaces.mcp.tool import READS, SETS, Arguments, Call, Result, Tags, Tool
from app.surfaces.tools.values import Count, Fraction, Time
from graph.core.acting import touches
from graph.core.errors import NotFound
from graph.knowledge.traversal.models import NodeKind
from graph.memories.associations.models import AssociationType
from graph.memories.models import MemoryFacet, MemoryFilter, MemoryKind, MemoryType
from graph.retrieval.recall.models import RecallQuery
from graph.retrieval.recall.rules import MAX_LIMIT
from graph.tenancy.access.models import Scope


class RecallMemories(Arguments):
    """What ``recall`` takes."""

    query: str | None = Field(
        None, description="What to look for, in natural language; left out: the newest, or what has the tags."
    )
    tags: Tags | None = Field(None, description="Only what has them, or a tag below them.")
    tag_mode: Literal["any", "all"] = "any"
    excluded_tags: Tags | None = Field(None, description="Nothing that has one of them, or a tag below them.")
    types: list[MemoryType] | None = None
    kinds: list[MemoryKind] | None = None
    facets: list[MemoryFacet] | None = None
    categories: Tags | None = None
    source_types: Tags | None = None
    min_importance: Fraction | None = None
    min_confidence: Fraction | None = None
    since: Time | None = Field(
        None, description="Only what happened since then, ISO 8601; a year from its start."
    )
    until: Time | None = Field(
        None, description="Only what happened until then, ISO 8601; a year to its end."
    )
    valid_at: Time | None = Field(None, description="Only what was valid at that moment, ISO 8601.")
    conversation_id: str | None = None
    session_id: str | None = Field(
        None, description="Only memories of this session, which is also taken for used_by."
    )
    used_by: str | None = Field(
        None,
        description="The session whose run uses what is returned, so that memories are known by how their runs ended. "
        "It leaves nothing out.",
    )
    min_relevance: Fraction | None = Field(
        None, description="Only what is evidence for the query with at least this probability."
    )
    limit: Count = Field(5, ge=1, le=MAX_LIMIT)
    offset: Count = Field(0, ge=0, le=10_000, description="How many of the best to skip.")
    max_tokens: Count | None = Field(None, description="What all results may have together, 8000 at most.")
    dry_run: bool = Field(default=False, description="Whether to count no use.")


class GetNode(Arguments):
    """What ``get`` takes."""

    id: str = Field(
        max_length=2048, description="Id of a memory, an entity, a document, an episode or any other node."
    )
    limit: Count = Field(20, ge=1, le=100, description="How many of the nodes beside it to show.")


class Associate(Arguments):
    """What ``relate`` takes."""

    from_id: str = Field(description="The memory that is, for example, invalidated.")
    to_id: str = Field(description="The memory it is invalidated by.")
    type: AssociationType
    strength: Fraction | None = Field(None, description="Left out: 0.5, or what it was.")


class Recalled(Result):
    """What ``recall`` answers, best first."""

    hits: tuple[HitShape, ...]
    total_tokens: int
    resolution: ResolutionShape


class Node(Result):
    """What ``get`` answers."""

    id: str
    kind: NodeKind
    type: str | None = Field(description="Of an entity, or of a memory.")
    caption: str | None
    content: Content | None = Field(
        description="Everything about a memory or an entity; null for other kinds."
    )
    connected: tuple[Connected, ...] = Field(description="What it is joined to, the strongest first.")


class Associated(Result):
    """What ``relate`` answers."""

    id: str
    type: AssociationType
    strength: float
    from_id: str
    to_id: str
    created_at: datetime


async def _recall(call: Call, asked: RecallMemories) -> Recalled:
    wanted: dict[str, Any] = {
        "types": tuple(asked.types or ()),
        "kinds": tuple(asked.kinds or ()),
        "facets": tuple(asked.facets or ()),
        "categories": tuple(asked.categories or ()),
        "source_types": tuple(asked.source_types or ()),
        "all_tags" if asked.tag_mode == "all" else "any_tags": tuple(asked.tags or ()),
        "excluded_tags": tuple(asked.excluded_tags or ()),
        "min_importance": asked.min_importance,
        "min_confidence": asked.min_confidence,
        "since": asked.since,
        "until": asked.until,
        "valid_at": asked.valid_at,
        "conversation_id": asked.conversation_id,
        "session_id": asked.session_id,
    }
    query = RecallQuery(
        query=asked.query,
        limit=asked.limit,
        offset=asked.offset,
        max_tokens=asked.max_tokens,
        min_relevance=asked.min_relevance,
        filter=MemoryFilter(**wanted),
        used_by=asked.used_by,
        dry_run=asked.dry_run,
    )
    result = await call.services.retrieval.recall.recall(call.workspace_id, query)
    return Recalled(
        hits=tuple(HitShape.of(hit) for hit in result.hits),
        total_tokens=result.total_tokens,
        resolution=ResolutionShape.of(result.resolution),
    )


async def _get(call: Call, asked: GetNode) -> Node:
    found = (await call.services.knowledge.traversal.find(call.workspace_id, [asked.id])).get(asked.id)
    touches(asked.id if found is None else found.id)
    if found is None:
        raise NotFound(f"there is no node {asked.id!r} in this workspace", field="id")
    return Node(
        id=found.id,
        kind=found.kind,
        type=found.type,
        caption=found.caption,
        content=await content_of(call, found),
        connected=await connected(call, found.id, limit=asked.limit),
    )


async def _associate(call: Call, asked: Associate) -> Associated:
    edge = await call.services.memories.associations.associate(
        call.workspace_id,
        from_id=asked.from_id,
        to_id=asked.to_id,
        type_=asked.type,
        strength=asked.strength,
    )
    return Associated(**{name: getattr(edge, name) for name in Associated.model_fields})


TOOLS = (
    Tool(
        "recall",
        "Recall memories",
        "Use it when you need a fact of earlier work or conversations: finds what is remembered by meaning, words, "
        "tags, time or importance, and says why each was found.",
        RecallMemories,
        Recalled,
        Scope.READ,
        READS,
        _recall,
        aliases=("memory.recall",),
    ),
    Tool(
        "get",
        "Read a node and what is beside it",
        "Use it when you have an id from another tool and need all of it: everything about a memory or an entity, and "
        "what it is joined to in the graph; take an id from there to go on, hop by hop.",
        GetNode,
        Node,
        Scope.READ,
        READS,
        _get,
        aliases=("memory.get",),
    ),
    Tool(
        "relate",
        "Relate two memories",
        "Use it when one memory bears on another, above all after a correction: INVALIDATED_BY a correction, "
        "DERIVED_FROM a cause, PREFERS_OVER an alternative, EVOLVED_INTO a newer form, LEADS_TO an effect, "
        "OCCURRED_BEFORE, EXEMPLIFIES a pattern, CONTRADICTS, REINFORCES, PART_OF a larger whole, RELATES_TO.",
        Associate,
        Associated,
        Scope.WRITE,
        SETS,
        _associate,
        aliases=("memory.associate",),
    ),
)
