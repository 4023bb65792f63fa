"""The tools ``recall``, ``get`` and ``relate``, and the chat proxy's ``x_`` tools for MCP."""

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, Field

from app.surfaces.mcp.reading import Connected, Content, connected, content_of
from app.surfaces.mcp.tool import ADDS, READS, SETS, BriefArguments, Call, Result, Tags, Tool
from app.surfaces.tools import X_TOOLS, Caller, Count, Fraction, Time, XTool
from graph.core.current_call import touches
from graph.core.errors import NotFound
from graph.core.text.budget import MOST_TOKENS
from graph.knowledge.models import NodeKind
from graph.memories.models import AssociationType, MemoryFacet, MemoryFilter, MemoryKind, MemoryType
from graph.retrieval.recall.models import RecallQuery
from graph.retrieval.recall.rules import MAX_LIMIT
from graph.tenancy.models import Scope


class RecallMemories(BriefArguments):
    """Arguments of ``recall``."""

    query: str | None = Field(None, description="Omitted: newest, or by tags.")
    tags: Tags | None = Field(None, description="Or tags below them.")
    tag_mode: Literal["any", "all"] = Field("any", description="Tags needed.")
    excluded_tags: Tags | None = Field(None, description="Unwanted.")
    types: list[MemoryType] | None = Field(None, description="Wanted.")
    kinds: list[MemoryKind] | None = Field(None, description="Wanted.")
    facets: list[MemoryFacet] | None = Field(None, description="Wanted.")
    categories: Tags | None = Field(None, description="Wanted.")
    source_types: Tags | None = Field(None, description="Such as api.")
    min_importance: Fraction | None = Field(None, description="0 to 1.")
    min_confidence: Fraction | None = Field(None, description="0 to 1.")
    since: Time | None = Field(None, description="ISO 8601.")
    until: Time | None = Field(None, description="ISO 8601.")
    valid_at: Time | None = Field(None, description="ISO 8601.")
    conversation_id: str | None = Field(None, description="Source.")
    session_id: str | None = Field(None, description="Source; implies used_by.")
    used_by: str | None = Field(None, description="Using session.")
    min_relevance: Fraction | None = Field(None, description="0 to 1; default calibrated.")
    limit: Count = Field(5, ge=1, le=MAX_LIMIT, description="Most results.")
    offset: Count = Field(0, ge=0, le=10_000, description="To skip.")
    max_tokens: Count | None = Field(None, description="Budget.")
    dry_run: bool = Field(default=False, description="Count no use.")


class GetNode(BriefArguments):
    """Arguments of ``get``."""

    id: str = Field(max_length=2048, description="Of any node.")
    limit: Count = Field(20, ge=1, le=100, description="Most neighbours.")


class Associate(BriefArguments):
    """Arguments of ``relate``."""

    from_id: str = Field(description="Of the invalid one, say.")
    to_id: str = Field(description="Of the valid one, say.")
    type: AssociationType = Field(description="From first to second.")
    strength: Fraction | None = Field(None, description="0 to 1; default 0.5.")


class NodeRecord(Result):
    """Result of ``get``."""

    id: str
    kind: NodeKind
    type: str | None = None
    caption: str | None = None
    content: Content | None = Field(None, description="All fields of a memory or an entity.")
    connected: tuple[Connected, ...] = Field(description="Neighbours, the strongest first.")


class Associated(Result):
    """Result of ``relate``."""

    id: str
    type: AssociationType
    strength: float
    from_id: str
    to_id: str
    created_at: datetime


async def _recall(call: Call, arguments: RecallMemories) -> str:
    values: dict[str, Any] = {
        "types": tuple(arguments.types or ()),
        "kinds": tuple(arguments.kinds or ()),
        "facets": tuple(arguments.facets or ()),
        "categories": tuple(arguments.categories or ()),
        "source_types": tuple(arguments.source_types or ()),
        "all_tags" if arguments.tag_mode == "all" else "any_tags": tuple(arguments.tags or ()),
        "excluded_tags": tuple(arguments.excluded_tags or ()),
        "min_importance": arguments.min_importance,
        "min_confidence": arguments.min_confidence,
        "since": arguments.since,
        "until": arguments.until,
        "valid_at": arguments.valid_at,
        "conversation_id": arguments.conversation_id,
        "session_id": arguments.session_id,
    }
    query = RecallQuery(
        query=arguments.query,
        limit=arguments.limit,
        offset=arguments.offset,
        max_tokens=MOST_TOKENS if arguments.max_tokens is None else arguments.max_tokens,
        min_relevance=arguments.min_relevance,
        filter=MemoryFilter(**values),
        used_by=arguments.used_by,
        dry_run=arguments.dry_run,
    )
    return await call.services.retrieval.recall.in_lines(call.workspace_id, query)


async def _get(call: Call, arguments: GetNode) -> NodeRecord:
    found = (await call.services.knowledge.traversal.find(call.workspace_id, [arguments.id])).get(
        arguments.id
    )
    touches(arguments.id if found is None else found.id)
    if found is None:
        raise NotFound(f"there is no node {arguments.id!r} in this workspace", field="id")
    return NodeRecord(
        id=found.id,
        kind=found.kind,
        type=found.type,
        caption=found.caption,
        content=await content_of(call, found),
        connected=await connected(call, found.id, limit=arguments.limit),
    )


async def _associate(call: Call, arguments: Associate) -> Associated:
    edge = await call.services.memories.associations.associate(
        call.workspace_id,
        from_id=arguments.from_id,
        to_id=arguments.to_id,
        type_=arguments.type,
        strength=arguments.strength,
    )
    return Associated(**{name: getattr(edge, name) for name in Associated.model_fields})


TOOLS = (
    Tool(
        "recall",
        "Recall",
        "Use it when you need an earlier fact: finds it by meaning, words, tags or time.",
        RecallMemories,
        None,
        Scope.READ,
        READS,
        _recall,
        aliases=("memory.recall",),
    ),
    Tool(
        "get",
        "Get",
        "Use it when you have an id: reads a memory or entity, with its neighbours.",
        GetNode,
        NodeRecord,
        Scope.READ,
        READS,
        _get,
        aliases=("memory.get",),
    ),
    Tool(
        "relate",
        "Relate",
        "Use it when one memory bears on another; after a correction the old is INVALIDATED_BY the new.",
        Associate,
        Associated,
        Scope.WRITE,
        SETS,
        _associate,
        aliases=("memory.associate",),
    ),
)


# The chat proxy distils texts that ``x_workspace_search`` reads into memories. Over MCP this does not happen, for two
# reasons: hosts call the tool without asking the user, because it is annotated as read-only, and a call has no
# conversation or turn that could be the source of a memory.


_TITLES = {
    "x_save_memory": "Save a memory",
    "x_recall_memory": "Recall memories",
    "x_workspace_search": "Search the workspace",
}


def _tool(tool: XTool) -> Tool:
    return Tool(
        tool.name,
        _TITLES[tool.name],
        tool.description,
        tool.arguments,
        None,
        tool.scope,
        READS if tool.scope is Scope.READ else ADDS,
        _runner(tool),
    )


def _runner(tool: XTool) -> Callable[[Call, BaseModel], Awaitable[str]]:
    async def run(call: Call, arguments: BaseModel) -> str:
        answer = await tool.run(call.services, Caller(call.principal, None), arguments)
        return answer.text

    return run


CHAT_TOOLS = tuple(_tool(tool) for tool in X_TOOLS.values())
