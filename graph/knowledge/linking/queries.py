"""The typed functions over ``cypher/knowledge/linking``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from cypher import load
from graph.core.rows import Row, Runner, execute, fetch_many
from graph.knowledge.linking.models import LinkingSource, MentionEdge, NamedEntity


class FindNamedEntitiesRow(Row):
    entity: NamedEntity


async def find_named_entities(
    runner: Runner, *, workspace_id: str, queries: Sequence[str], limit: int
) -> list[FindNamedEntitiesRow]:
    return await fetch_many(
        runner,
        load("find_named_entities"),
        FindNamedEntitiesRow,
        {"workspace_id": workspace_id, "queries": queries, "limit": limit},
    )


class LinkMemoriesRow(Row):
    id: str


async def link_memories(
    runner: Runner,
    *,
    workspace_id: str,
    memories: Sequence[Mapping[str, Any]],
    automatic: Sequence[str],
    now: datetime,
) -> list[LinkMemoriesRow]:
    return await fetch_many(
        runner,
        load("link_memories"),
        LinkMemoriesRow,
        {"workspace_id": workspace_id, "memories": memories, "automatic": automatic, "now": now},
    )


class ListLinkingSourcesRow(Row):
    source: LinkingSource


async def list_linking_sources(
    runner: Runner, *, subjects: Sequence[Mapping[str, str]]
) -> list[ListLinkingSourcesRow]:
    return await fetch_many(
        runner, load("list_linking_sources"), ListLinkingSourcesRow, {"subjects": subjects}
    )


class ListMentionedRow(Row):
    mention: MentionEdge


async def list_mentioned(
    runner: Runner, *, workspace_id: str, memory_ids: Sequence[str], limit: int
) -> list[ListMentionedRow]:
    return await fetch_many(
        runner,
        load("list_mentioned"),
        ListMentionedRow,
        {"workspace_id": workspace_id, "memory_ids": memory_ids, "limit": limit},
    )


class ListMentioningRow(Row):
    mention: MentionEdge


async def list_mentioning(
    runner: Runner,
    *,
    workspace_id: str,
    entity_ids: Sequence[str],
    examined: int,
    limit: int,
    now: datetime,
) -> list[ListMentioningRow]:
    return await fetch_many(
        runner,
        load("list_mentioning"),
        ListMentioningRow,
        {
            "workspace_id": workspace_id,
            "entity_ids": entity_ids,
            "examined": examined,
            "limit": limit,
            "now": now,
        },
    )


async def mark_linking_failed(runner: Runner, *, rows: Sequence[Mapping[str, str]]) -> None:
    await execute(runner, load("mark_linking_failed"), {"rows": rows})
