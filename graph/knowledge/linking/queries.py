"""The typed functions over ``cypher/knowledge/linking``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from graph.core.query import query
from graph.core.rows import Runner
from graph.knowledge.linking.models import LinkingSource, MentionEdge, NamedEntity, SharedEntity


@query
async def delete_orphaned_entities(runner: Runner, *, workspace_id: str, ids: Sequence[str]) -> int: ...


@query
async def find_named_entities(
    runner: Runner, *, workspace_id: str, queries: Sequence[str], limit: int
) -> list[NamedEntity]: ...


@query
async def link_memories(
    runner: Runner,
    *,
    workspace_id: str,
    memories: Sequence[Mapping[str, Any]],
    automatic: Sequence[str],
    now: datetime,
) -> list[str]: ...


@query
async def list_linking_sources(
    runner: Runner, *, subjects: Sequence[Mapping[str, str]]
) -> list[LinkingSource]: ...


@query
async def list_mentioned(
    runner: Runner, *, workspace_id: str, memory_ids: Sequence[str], limit: int
) -> list[MentionEdge]: ...


@query
async def list_mentioning(
    runner: Runner,
    *,
    workspace_id: str,
    entity_ids: Sequence[str],
    examined: int,
    limit: int,
    now: datetime,
) -> list[MentionEdge]: ...


@query
async def list_shared_entities(
    runner: Runner,
    *,
    workspace_id: str,
    memory_ids: Sequence[str],
    entity_limit: int,
    mention_limit: int,
    now: datetime,
) -> list[SharedEntity]: ...


@query
async def mark_linking_failed(runner: Runner, *, rows: Sequence[Mapping[str, str]]) -> None: ...


@query
async def relate_memories(
    runner: Runner, *, workspace_id: str, memories: Sequence[Mapping[str, Any]], how: str, now: datetime
) -> None: ...
