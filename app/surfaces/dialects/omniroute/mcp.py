"""OmniRoute's tools: search, add and clear the memories of an API key."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import ConfigDict, Field
from pydantic.alias_generators import to_camel

from app.surfaces.mcp.tool import READS, REMOVES, SETS, Arguments, Call, Result, Tool
from app.surfaces.tools import Count, Time
from graph.conversations.extraction.reference_form import in_reference_form
from graph.core.models import RecallTier
from graph.memories.derived_keys import spells_out
from graph.memories.models import (
    Memory,
    MemoryClearing,
    MemoryDraft,
    MemoryFilter,
    MemoryKind,
    SaveOutcome,
)
from graph.memories.policy import IdFormat, RetentionSurface
from graph.retrieval.recall.models import Fusion, RecallHit, RecallQuery, RecallStrategy, Validity
from graph.retrieval.recall.rules import MAX_LIMIT
from graph.tenancy.models import Scope

DEFAULT_LIMIT = 10

KeyId = Annotated[
    str,
    Field(description="API key that owns the memories; any key of the caller's workspace."),
]


class _CamelArguments(Arguments):
    model_config = ConfigDict(alias_generator=to_camel)


class SearchMemories(_CamelArguments):
    """Arguments of ``omniroute_memory_search``."""

    api_key_id: KeyId
    query: str | None = Field(None, description="Query; omitted: the newest memories.")
    type: MemoryKind | None = None
    max_tokens: Count | None = Field(
        None,
        description="Token budget of all results, at most 8000; 0: no results; default: the setting maxTokens.",
    )
    limit: Count = Field(DEFAULT_LIMIT, ge=1, le=MAX_LIMIT)


class AddMemory(_CamelArguments):
    """Arguments of ``omniroute_memory_add``."""

    api_key_id: KeyId
    session_id: str | None = Field(None, description="Source session.")
    type: MemoryKind
    key: str = Field(description="Key, such as preference:editor; an existing memory with it is updated.")
    content: str = Field(min_length=1, max_length=2000)
    metadata: dict[str, Any] | None = Field(None, description="Merged into the existing memory's metadata.")


class ClearMemories(_CamelArguments):
    """Arguments of ``omniroute_memory_clear``."""

    api_key_id: KeyId
    type: MemoryKind | None = Field(None, description="Only memories of this type.")
    older_than: Time | None = Field(None, description="Only memories created before this time, ISO 8601.")


class _CamelResult(Result):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)


class OmniRouteMemory(_CamelResult):
    """A memory under OmniRoute's names."""

    id: str
    api_key_id: str | None
    session_id: str | None
    type: MemoryKind
    key: str | None
    content: str
    metadata: dict[str, Any]
    created_at: datetime
    updated_at: datetime
    expires_at: datetime | None

    @classmethod
    def of(cls, memory: Memory) -> "OmniRouteMemory":
        """Return the form of a memory."""
        return cls(**_fields(memory))


class FoundMemory(OmniRouteMemory):
    """A memory that a search found."""

    score: float = Field(description="Rank score within one search.")
    tokens: int
    t_valid: datetime | None = Field(description="Start of validity; null if unbounded.")
    t_invalid: datetime | None = Field(description="End of validity; null if unbounded.")
    superseded_by: tuple[str, ...] = Field(description="Ids of the memories that supersede it.")
    validity: Validity = Field(description="Whether the memory is current or history.")

    @classmethod
    def found(cls, hit: RecallHit) -> "FoundMemory":
        """Return the form of a hit."""
        return cls(
            **_fields(hit.memory),
            score=hit.score,
            tokens=hit.tokens,
            t_valid=hit.memory.t_valid,
            t_invalid=hit.memory.t_invalid,
            superseded_by=tuple(hit.superseded_by),
            validity=hit.validity,
        )


class FoundMemories(_CamelResult):
    """Result of ``omniroute_memory_search``, best first."""

    memories: tuple[FoundMemory, ...]
    total_tokens: int
    strategy: RecallStrategy
    tier: RecallTier
    fallback: str | None = Field(description="Reason why a less capable tier served.")
    degraded: tuple[str, ...] = Field(
        description="Truncated, approximated or skipped parts, with the reason."
    )


class AddedMemory(_CamelResult):
    """Result of ``omniroute_memory_add``."""

    memory: OmniRouteMemory
    created: bool = Field(description="False if a memory with the key was updated.")
    warnings: tuple[str, ...]


class ClearedMemories(_CamelResult):
    """Result of ``omniroute_memory_clear``."""

    cleared: int = Field(description="Number of deleted memories.")


def _fields(memory: Memory) -> dict[str, Any]:
    memory = in_reference_form(memory)
    fields = {name: getattr(memory, name) for name in OmniRouteMemory.model_fields}
    return {**fields, "type": memory.kind, "metadata": dict(memory.metadata)}


async def _owner(call: Call, api_key_id: str) -> str:
    """Return the id of the named key; restrict the call to its pool if each key has its own memories."""
    owner = await call.services.tenancy.keys.require(call.workspace_id, api_key_id)
    await call.services.tenancy.access.enter_pool_of(call.workspace_id, owner)
    return owner


async def _search(call: Call, arguments: SearchMemories) -> FoundMemories:
    owner = await _owner(call, arguments.api_key_id)
    chosen = await call.services.operations.settings.of(call.workspace_id)
    kinds = () if arguments.type is None else (arguments.type,)
    query = RecallQuery(
        query=arguments.query,
        fusion=Fusion.RRF,
        limit=arguments.limit,
        max_tokens=chosen.max_tokens if arguments.max_tokens is None else arguments.max_tokens,
        filter=MemoryFilter(api_key_id=owner, kinds=kinds),
    )
    result = await call.services.retrieval.recall.recall(
        call.workspace_id, query, surface=RetentionSurface.API_MEMORY
    )
    return FoundMemories(
        memories=tuple(FoundMemory.found(hit) for hit in result.hits),
        total_tokens=result.total_tokens,
        strategy=result.resolution.strategy,
        tier=result.resolution.tier,
        fallback=result.resolution.fallback,
        degraded=tuple(result.resolution.degraded),
    )


async def _add(call: Call, arguments: AddMemory) -> AddedMemory:
    draft = MemoryDraft(
        content=arguments.content,
        kind=arguments.type,
        key=arguments.key,
        key_is_derived=arguments.key is not None and spells_out(arguments.key, arguments.content),
        metadata=arguments.metadata,
        session_id=arguments.session_id,
        api_key_id=await _owner(call, arguments.api_key_id),
    )
    saved = await call.services.memories.store.save(call.workspace_id, draft, id_format=IdFormat.UUID)
    return AddedMemory(
        memory=OmniRouteMemory.of(saved.memory),
        created=saved.outcome is SaveOutcome.CREATED,
        warnings=saved.warnings,
    )


async def _clear(call: Call, arguments: ClearMemories) -> ClearedMemories:
    kinds: dict[str, Any] = {} if arguments.type is None else {"kinds": (arguments.type,)}
    clearing = MemoryClearing(
        api_key_id=await _owner(call, arguments.api_key_id), older_than=arguments.older_than, **kinds
    )
    return ClearedMemories(
        cleared=await call.services.memories.deletion.clear(call.workspace_id, clearing, hard=True)
    )


TOOLS = (
    Tool(
        "omniroute_memory_search",
        "Search an API key's memories",
        "Use it when you need only the memories of one API key: finds them by meaning and words, within a token "
        "budget. To search the whole workspace, use recall.",
        SearchMemories,
        FoundMemories,
        Scope.READ,
        READS,
        _search,
    ),
    Tool(
        "omniroute_memory_add",
        "Add a memory under a key",
        "Use it when a fact has one current value, such as a setting: saves it under a key; another save with the "
        "same key updates that memory.",
        AddMemory,
        AddedMemory,
        Scope.WRITE,
        SETS,
        _add,
    ),
    Tool(
        "omniroute_memory_clear",
        "Clear an API key's memories",
        "Use it when somebody asks to start over: permanently deletes the memories of one API key, all of them, or "
        "only those of a type or created before a time.",
        ClearMemories,
        ClearedMemories,
        Scope.WRITE,
        REMOVES,
        _clear,
    ),
)
