"""The typed functions over ``cypher/knowledge/merging``. The header of each file documents it."""

from datetime import datetime

from graph.core.query import query
from graph.core.rows import Row, Runner
from graph.knowledge.merging.models import EntityMerge
from graph.knowledge.ontology.models import Entity


@query
async def count_edges(runner: Runner, *, workspace_id: str, id: str, limit: int) -> int: ...


class FindMergeRow(Row):
    entity_merge: EntityMerge
    before: str
    after: str
    merged_further: bool


@query
async def find_merge(runner: Runner, *, workspace_id: str, id: str) -> FindMergeRow | None: ...


class ListAlikeEntitiesRow(Row):
    entity: Entity
    duplicate: Entity


@query
async def list_alike_entities(
    runner: Runner, *, workspace_id: str, limit: int
) -> list[ListAlikeEntitiesRow]: ...


@query
async def list_merges(
    runner: Runner, *, workspace_id: str, after_created: datetime | None, after_id: str | None, limit: int
) -> list[EntityMerge]: ...


class ListRelationKindsRow(Row):
    type: str
    other_type: str
    is_outgoing: bool


@query
async def list_relation_kinds(
    runner: Runner, *, workspace_id: str, id: str, other_id: str
) -> list[ListRelationKindsRow]: ...


@query
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
) -> int: ...


@query
async def undo_merge(runner: Runner, *, workspace_id: str, id: str, now: datetime) -> int: ...
