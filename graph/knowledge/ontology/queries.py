"""The typed functions over ``cypher/knowledge/ontology``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from graph.core.query import query
from graph.core.rows import Row, Runner
from graph.knowledge.ontology.models import Entity, EntityType, Relation, RelationType


class ArchiveEntityRow(Row):
    id: str


@query
async def archive_entity(
    runner: Runner, *, workspace_id: str, id: str, now: datetime
) -> ArchiveEntityRow | None: ...


class CountEntitiesRow(Row):
    entities: int


@query
async def count_entities(
    runner: Runner, *, workspace_id: str, types: Sequence[str], name: str | None, connection_id: str | None
) -> CountEntitiesRow: ...


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


@query
async def delete_entity_type(
    runner: Runner, *, workspace_id: str, name: str, now: datetime
) -> DeleteEntityTypeRow | None: ...


class DeleteRelationRow(Row):
    id: str


@query
async def delete_relation(
    runner: Runner, *, workspace_id: str, from_id: str, to_id: str, type: str
) -> DeleteRelationRow | None: ...


class DeleteRelationTypeRow(Row):
    used_by: str | None


@query
async def delete_relation_type(
    runner: Runner, *, workspace_id: str, name: str, now: datetime
) -> DeleteRelationTypeRow | None: ...


class GetEntitiesRow(Row):
    entity: Entity


@query
async def get_entities(
    runner: Runner, *, workspace_id: str, ids: Sequence[str], keys: Sequence[str]
) -> list[GetEntitiesRow]: ...


class GetRelationRow(Row):
    relation: Relation


@query
async def get_relation(
    runner: Runner, *, workspace_id: str, from_id: str, to_id: str, type: str
) -> GetRelationRow | None: ...


class ListEntitiesRow(Row):
    entity: Entity


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
) -> list[ListEntitiesRow]: ...


class ListEntityTypesRow(Row):
    entity_type: EntityType


@query
async def list_entity_types(runner: Runner, *, workspace_id: str) -> list[ListEntityTypesRow]: ...


class ListRelationPropertiesRow(Row):
    id: str
    properties: str


@query
async def list_relation_properties(
    runner: Runner, *, workspace_id: str, relations: Sequence[Mapping[str, Any]]
) -> list[ListRelationPropertiesRow]: ...


class ListRelationTypesRow(Row):
    relation_type: RelationType


@query
async def list_relation_types(runner: Runner, *, workspace_id: str) -> list[ListRelationTypesRow]: ...


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
    entity: Entity


@query
async def lock_entities(
    runner: Runner, *, workspace_id: str, names: Sequence[str], now: datetime
) -> list[LockEntitiesRow]: ...


class RestoreEntityRow(Row):
    entity: Entity


@query
async def restore_entity(
    runner: Runner, *, workspace_id: str, id: str, now: datetime
) -> RestoreEntityRow | None: ...


class UpsertEntityTypesRow(Row):
    entity_type: EntityType


@query
async def upsert_entity_types(
    runner: Runner, *, workspace_id: str, types: Sequence[Mapping[str, Any]], now: datetime
) -> list[UpsertEntityTypesRow]: ...


class UpsertRelationTypesRow(Row):
    relation_type: RelationType


@query
async def upsert_relation_types(
    runner: Runner, *, workspace_id: str, types: Sequence[Mapping[str, Any]], now: datetime
) -> list[UpsertRelationTypesRow]: ...


class UpsertRelationsRow(Row):
    relation: Relation


@query
async def upsert_relations(
    runner: Runner, *, workspace_id: str, relations: Sequence[Mapping[str, Any]], now: datetime
) -> list[UpsertRelationsRow]: ...


class WriteEntitiesRow(Row):
    written: int


@query
async def write_entities(
    runner: Runner, *, workspace_id: str, entities: Sequence[Mapping[str, Any]], now: datetime
) -> WriteEntitiesRow: ...
