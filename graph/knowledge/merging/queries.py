"""The typed functions over ``cypher/knowledge/merging``. The header of each file documents it."""

from datetime import datetime

from cypher import load
from graph.core.rows import Row, Runner, fetch_many, fetch_one, fetch_optional
from graph.knowledge.merging.models import EntityMerge


class FindMergeRow(Row):
    entity_merge: EntityMerge
    before: str
    after: str
    merged_further: bool


async def find_merge(runner: Runner, *, workspace_id: str, id: str, now: datetime) -> FindMergeRow | None:
    return await fetch_optional(
        runner, load("find_merge"), FindMergeRow, {"workspace_id": workspace_id, "id": id, "now": now}
    )


class ListMergesRow(Row):
    entity_merge: EntityMerge


async def list_merges(
    runner: Runner, *, workspace_id: str, after_created: datetime | None, after_id: str | None, limit: int
) -> list[ListMergesRow]:
    return await fetch_many(
        runner,
        load("list_merges"),
        ListMergesRow,
        {"workspace_id": workspace_id, "after_created": after_created, "after_id": after_id, "limit": limit},
    )


class MergeEntitiesRow(Row):
    copied: int


async def merge_entities(
    runner: Runner,
    *,
    workspace_id: str,
    id: str,
    from_id: str,
    into_id: str,
    before: str,
    after: str,
    now: datetime,
) -> MergeEntitiesRow:
    return await fetch_one(
        runner,
        load("merge_entities"),
        MergeEntitiesRow,
        {
            "workspace_id": workspace_id,
            "id": id,
            "from_id": from_id,
            "into_id": into_id,
            "before": before,
            "after": after,
            "now": now,
        },
    )


class UndoMergeRow(Row):
    removed: int


async def undo_merge(runner: Runner, *, workspace_id: str, id: str, now: datetime) -> UndoMergeRow:
    return await fetch_one(
        runner, load("undo_merge"), UndoMergeRow, {"workspace_id": workspace_id, "id": id, "now": now}
    )
