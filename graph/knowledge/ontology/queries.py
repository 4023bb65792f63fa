"""The typed functions over ``cypher/knowledge/ontology``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from graph.core.query import query
from graph.core.rows import Row, Runner
from graph.knowledge.ontology.models import Entity, EntityType, Relation, RelationType


@query
async def archive_entity(runner: Runner, *, workspace_id: str, id: str, now: datetime) -> str | None: ...


@query
async def count_entities(
    runner: Runner, *, workspace_id: str, types: Sequence[str], name: str | None, connection_id: str | None
) -> int: ...


class CountEntitiesByTypeRow(Row):
    name: str
    entities: int


@query
async def count_entities_by_type(runner: Runner, *, workspace_id: str) -> list[CountEntitiesByTypeRow]: ...


class CountRelationsByTypeRow(Row):
    name: str
    relations: int


@query
async def count_relations_by_type(runner: Runner, *, workspace_id: str) -> list[CountRelationsByTypeRow]: ...


@query
async def create_missing_types(
    runner: Runner,
    *,
    workspace_id: str,
    entity_types: Sequence[Mapping[str, Any]],
    relation_types: Sequence[Mapping[str, Any]],
    now: datetime,
) -> None: ...


class DeleteEntityTypeRow(Row):
    used_by: str | None
    live: int
    inactive: int
    merged: int


@query
async def delete_entity_type(
    runner: Runner, *, workspace_id: str, name: str
) -> DeleteEntityTypeRow | None: ...


@query
async def delete_relation(
    runner: Runner, *, workspace_id: str, from_id: str, to_id: str, type: str
) -> str | None: ...


class DeleteRelationTypeRow(Row):
    relations: int
    live: int


@query
async def delete_relation_type(
    runner: Runner, *, workspace_id: str, name: str
) -> DeleteRelationTypeRow | None: ...


@query
async def get_entities(
    runner: Runner, *, workspace_id: str, ids: Sequence[str], keys: Sequence[str]
) -> list[Entity]: ...


@query
async def find_relation(
    runner: Runner, *, workspace_id: str, from_id: str, to_id: str, type: str
) -> Relation | None: ...


@query
async def list_entities(
    runner: Runner,
    *,
    workspace_id: str,
    types: Sequence[str],
    name: str | None,
    connection_id: str | None,
    after_created: datetime | None,
    after_id: str | None,
    limit: int,
) -> list[Entity]: ...


@query
async def list_entity_types(runner: Runner, *, workspace_id: str) -> list[EntityType]: ...


class ListRelationEndsRow(Row):
    entity_id: str
    type: str
    from_type: str
    to_type: str


@query
async def list_relation_ends(
    runner: Runner, *, workspace_id: str, entity_ids: Sequence[str]
) -> list[ListRelationEndsRow]: ...


class ListRelationPropertiesRow(Row):
    id: str
    properties: str


@query
async def list_relation_properties(
    runner: Runner, *, workspace_id: str, relations: Sequence[Mapping[str, Any]]
) -> list[ListRelationPropertiesRow]: ...


@query
async def list_relation_types(runner: Runner, *, workspace_id: str) -> list[RelationType]: ...


class ListRelationsRow(Row):
    entity_id: str
    relation: Relation


@query
async def list_relations(
    runner: Runner, *, workspace_id: str, entity_ids: Sequence[str], limit: int
) -> list[ListRelationsRow]: ...


class LockEntitiesRow(Row):
    asked: str
    by_key: bool
    is_duplicate: bool
    has_left: bool
    entity: Entity


@query
async def lock_entities(
    runner: Runner, *, workspace_id: str, names: Sequence[str]
) -> list[LockEntitiesRow]: ...


@query
async def restore_entity(runner: Runner, *, workspace_id: str, id: str, now: datetime) -> Entity | None: ...


@query
async def upsert_entity_types(
    runner: Runner, *, workspace_id: str, types: Sequence[Mapping[str, Any]], now: datetime
) -> list[EntityType]: ...


@query
async def upsert_relation_types(
    runner: Runner, *, workspace_id: str, types: Sequence[Mapping[str, Any]], now: datetime
) -> list[RelationType]: ...


@query
async def upsert_relations(
    runner: Runner, *, workspace_id: str, relations: Sequence[Mapping[str, Any]], now: datetime
) -> list[Relation]: ...


@query
async def write_entities(
    runner: Runner, *, workspace_id: str, entities: Sequence[Mapping[str, Any]], now: datetime
) -> int: ...
