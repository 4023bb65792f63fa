"""AutoMem's tools: store, update and delete a memory."""

from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from app.surfaces.mcp.tool import ADDS, REMOVES, SETS, Arguments, Call, Result, Tags, Tool
from app.surfaces.tools import Fraction, Time
from graph.core.errors import InvalidInput
from graph.core.exact import Numbers
from graph.memories.models import (
    Memory,
    MemoryChange,
    MemoryDraft,
    MemoryState,
    MemoryType,
    SavedMemory,
    SaveOutcome,
)
from graph.memories.policy import IdFormat
from graph.tenancy.models import Scope

MOST_CHARS = 1999  # "under 2000 characters"

MemoryId = Annotated[str, Field(description="Of the memory.")]
Embedding = Annotated[
    Numbers,
    Field(description="Normally omitted."),
]


class StoreMemory(Arguments):
    """Arguments of ``store_memory``."""

    content: str = Field(
        min_length=1,
        max_length=MOST_CHARS,
        description="One self-contained statement, best 150 to 300 characters.",
    )
    tags: Tags = Field(
        [],
        description="':' or '/' divide levels.",
    )
    importance: Fraction = Field(
        0.5,
        description="0.9 corrections, decisions; 0.8 bug fixes.",
    )
    embedding: Embedding | None = None
    metadata: dict[str, Any] = Field({}, description="Such as files_modified.")
    timestamp: Time | None = Field(None, description="Event time; default now.")


class UpdateMemory(Arguments):
    """Arguments of ``update_memory``."""

    memory_id: MemoryId
    content: str | None = Field(None, min_length=1, max_length=2000, description="Replaces the text.")
    tags: Tags | None = Field(None, description="Replace all tags.")
    importance: Fraction | None = None
    metadata: dict[str, Any] | None = Field(None, description="Merged; a key set to null is removed.")
    timestamp: Time | None = Field(None, description="Time of the event, ISO 8601.")
    updated_at: Time | None = Field(None, description="Time of the change, ISO 8601; omitted: now.")
    last_accessed: Time | None = Field(None, description="Time of the last read, ISO 8601.")
    type: MemoryType | None = None
    confidence: Fraction | None = None


class DeleteMemory(Arguments):
    """Arguments of ``delete_memory``."""

    memory_id: MemoryId


class StoreReceipt(Result):
    """The receipt of ``store_memory``, like that of ``POST /memory``."""

    memory_id: str
    type: MemoryType
    confidence: float
    enrichment: Literal["queued", "done"]
    embedding: Literal["queued", "stored"]
    deduplicated: bool = Field(description="Already stored; memory_id is the existing memory.")
    merged: tuple[str, ...] = Field(description="Fields merged into the existing memory.")
    summarized: bool
    original_length: int | None = None
    summarized_length: int | None = None
    warnings: tuple[str, ...] = Field(description="Possible improvements.")
    suggested_associations: tuple[str, ...] = Field(description="Hints for relate.")

    @classmethod
    def of(cls, saved: SavedMemory) -> "StoreReceipt":
        """Return the receipt of a save."""
        memory = saved.memory
        has_vector = memory.state in (MemoryState.EMBEDDED, MemoryState.LINKED)
        return cls(
            memory_id=memory.id,
            type=memory.type,
            confidence=memory.confidence,
            enrichment="done" if memory.enriched else "queued",
            embedding="stored" if has_vector else "queued",
            deduplicated=saved.outcome is SaveOutcome.DEDUPLICATED,
            merged=saved.merged,
            summarized=saved.summarized,
            original_length=saved.original_length,
            summarized_length=saved.summarized_length,
            warnings=saved.warnings,
            suggested_associations=saved.suggested_associations,
        )


class ToolMemory(Result):
    """A memory under AutoMem's names."""

    id: str
    content: str
    type: MemoryType
    confidence: float
    tags: tuple[str, ...]
    importance: float
    metadata: dict[str, Any]
    timestamp: datetime
    created_at: datetime
    updated_at: datetime
    last_accessed: datetime | None
    t_valid: datetime | None
    t_invalid: datetime | None
    enriched: bool

    @classmethod
    def of(cls, memory: Memory) -> "ToolMemory":
        """Return the form of a memory."""
        fields = {name: getattr(memory, name) for name in cls.model_fields if name != "last_accessed"}
        fields["metadata"] = dict(memory.metadata)
        return cls(**fields, last_accessed=memory.last_accessed_at)


class UpdatedMemory(Result):
    """Result of ``update_memory``."""

    status: Literal["success"] = "success"
    memory: ToolMemory


class DeleteReceipt(Result):
    """Result of ``delete_memory``."""

    status: Literal["success"] = "success"
    message: str
    deleted: bool = Field(description="False if there was none.")


async def _store(call: Call, arguments: StoreMemory) -> StoreReceipt:
    draft = MemoryDraft(
        content=arguments.content,
        tags=tuple(arguments.tags),
        importance=arguments.set_fields().get("importance"),
        embedding=None if arguments.embedding is None else tuple(arguments.embedding),
        metadata=arguments.metadata,
        timestamp=arguments.timestamp,
        api_key_id=call.principal.key_id,
        merges=True,
    )
    saved = await call.services.memories.store.save(call.workspace_id, draft, id_format=IdFormat.UUID)
    return StoreReceipt.of(saved)


async def _update(call: Call, arguments: UpdateMemory) -> UpdatedMemory:
    changes = {name: value for name, value in arguments.set_fields().items() if name != "memory_id"}
    if not changes:
        raise InvalidInput(
            "arguments", "there is nothing to change; give a field, such as content, tags or importance"
        )
    if "last_accessed" in changes:
        changes["last_accessed_at"] = changes.pop("last_accessed")
    if "tags" in changes:
        changes["tags"] = tuple(changes["tags"])
    changed = await call.services.memories.store.update(
        call.workspace_id, arguments.memory_id, MemoryChange(**changes)
    )
    return UpdatedMemory(memory=ToolMemory.of(changed))


async def _delete(call: Call, arguments: DeleteMemory) -> DeleteReceipt:
    deleted = await call.services.memories.deletion.delete(call.workspace_id, arguments.memory_id, hard=True)
    return DeleteReceipt(message=f"Memory {arguments.memory_id} deleted", deleted=deleted)


_NAMES = {"id": "memory_id", "lastAccessedAt": "last_accessed"}

STORE = Tool(
    "store_memory",
    "Store a memory",
    "Use it when another conversation will need something: a decision with its reason, a correction, a bug's "
    "cause, a preference. No secrets.",
    StoreMemory,
    StoreReceipt,
    Scope.WRITE,
    ADDS,
    _store,
    names=_NAMES,
)
DELETE = Tool(
    "delete_memory",
    "Delete a memory",
    "Use it when asked to forget something; deletes it permanently.",
    DeleteMemory,
    DeleteReceipt,
    Scope.WRITE,
    REMOVES,
    _delete,
    names=_NAMES,
)
TOOLS = (
    STORE,
    Tool(
        "update_memory",
        "Update a memory",
        "Use it when a memory is no longer right or complete: changes its fields; omitted ones keep their values. The "
        "previous text stays as a version.",
        UpdateMemory,
        UpdatedMemory,
        Scope.WRITE,
        SETS,
        _update,
        names=_NAMES,
    ),
    DELETE,
)

PLAIN_TOOLS = (
    replace(STORE, name="remember", title="Remember"),
    replace(DELETE, name="forget", title="Forget"),
)
"""The same tools under the names that an agent sees by default."""
