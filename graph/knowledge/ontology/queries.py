"""The typed functions over ``cypher/knowledge/ontology``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from cypher import load
from graph.core.rows import Row, Runner, execute, fetch_many, fetch_one, fetch_optional
from graph.knowledge.ontology.models import Entity, EntityType, Relation, RelationType


class ArchiveEntityRow(Row):
    id: str


async def archive_entity(
    runner: Runner, *, workspace_id: str, id: str, now: datetime
) -> ArchiveEntityRow | None:
    return await fetch_optional(
        runner, load("archive_entity"), ArchiveEntityRow, {"workspace_id": workspace_id, "id": id, "now": now}
    )


class CountEntitiesRow(Row):
    entities: int


async def count_entities(
    runner: Runner, *, workspace_id: str, types: Sequence[str], name: str | None, connection_id: str | None
) -> CountEntitiesRow:
    return await fetch_one(
        runner,
        load("count_entities"),
        CountEntitiesRow,
        {"workspace_id": workspace_id, "types": types, "name": name, "connection_id": connection_id},
    )


class CountEntitiesByTypeRow(Row):
    name: str
    entities: int


async def count_entities_by_type(runner: Runner, *, workspace_id: str) -> list[CountEntitiesByTypeRow]:
    return await fetch_many(
        runner, load("count_entities_by_type"), CountEntitiesByTypeRow, {"workspace_id": workspace_id}
    )


class CountRelationsByTypeRow(Row):
    name: str
    relations: int


async def count_relations_by_type(runner: Runner, *, workspace_id: str) -> list[CountRelationsByTypeRow]:
    return await fetch_many(
        runner, load("count_relations_by_type"), CountRelationsByTypeRow, {"workspace_id": workspace_id}
    )


async def create_missing_types(
    runner: Runner,
    *,
    workspace_id: str,
    entity_types: Sequence[Mapping[str, Any]],
    relation_types: Sequence[Mapping[str, Any]],
    now: datetime,
) -> None:
    await execute(
        runner,
        load("create_missing_types"),
        {
            "workspace_id": workspace_id,
            "entity_types": entity_types,
            "relation_types": relation_types,
            "now": now,
        },
    )


class DeleteEntityTypeRow(Row):
    used_by: str | None


async def delete_entity_type(
    runner: Runner, *, workspace_id: str, name: str, now: datetime
) -> DeleteEntityTypeRow | None:
    return await fetch_optional(
        runner,
        load("delete_entity_type"),
        DeleteEntityTypeRow,
        {"workspace_id": workspace_id, "name": name, "now": now},
    )


class DeleteRelationRow(Row):
    id: str


async def delete_relation(
    runner: Runner, *, workspace_id: str, from_id: str, to_id: str, type: str
) -> DeleteRelationRow | None:
    return await fetch_optional(
        runner,
        load("delete_relation"),
        DeleteRelationRow,
        {"workspace_id": workspace_id, "from_id": from_id, "to_id": to_id, "type": type},
    )


class DeleteRelationTypeRow(Row):
    used_by: str | None


async def delete_relation_type(
    runner: Runner, *, workspace_id: str, name: str, now: datetime
) -> DeleteRelationTypeRow | None:
    return await fetch_optional(
        runner,
        load("delete_relation_type"),
        DeleteRelationTypeRow,
        {"workspace_id": workspace_id, "name": name, "now": now},
    )


class GetEntitiesRow(Row):
    entity: Entity


async def get_entities(
    runner: Runner, *, workspace_id: str, ids: Sequence[str], keys: Sequence[str]
) -> list[GetEntitiesRow]:
    return await fetch_many(
        runner, load("get_entities"), GetEntitiesRow, {"workspace_id": workspace_id, "ids": ids, "keys": keys}
    )


class GetRelationRow(Row):
    relation: Relation


async def get_relation(
    runner: Runner, *, workspace_id: str, from_id: str, to_id: str, type: str
) -> GetRelationRow | None:
    return await fetch_optional(
        runner,
        load("get_relation"),
        GetRelationRow,
        {"workspace_id": workspace_id, "from_id": from_id, "to_id": to_id, "type": type},
    )


class ListEntitiesRow(Row):
    entity: Entity


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
) -> list[ListEntitiesRow]:
    return await fetch_many(
        runner,
        load("list_entities"),
        ListEntitiesRow,
        {
            "workspace_id": workspace_id,
            "types": types,
            "name": name,
            "connection_id": connection_id,
            "after_created": after_created,
            "after_id": after_id,
            "limit": limit,
        },
    )


class ListEntityTypesRow(Row):
    entity_type: EntityType


async def list_entity_types(runner: Runner, *, workspace_id: str) -> list[ListEntityTypesRow]:
    return await fetch_many(
        runner, load("list_entity_types"), ListEntityTypesRow, {"workspace_id": workspace_id}
    )


class ListRelationPropertiesRow(Row):
    id: str
    properties: str


async def list_relation_properties(
    runner: Runner, *, workspace_id: str, relations: Sequence[Mapping[str, Any]]
) -> list[ListRelationPropertiesRow]:
    return await fetch_many(
        runner,
        load("list_relation_properties"),
        ListRelationPropertiesRow,
        {"workspace_id": workspace_id, "relations": relations},
    )


class ListRelationTypesRow(Row):
    relation_type: RelationType


async def list_relation_types(runner: Runner, *, workspace_id: str) -> list[ListRelationTypesRow]:
    return await fetch_many(
        runner, load("list_relation_types"), ListRelationTypesRow, {"workspace_id": workspace_id}
    )


class ListRelationsRow(Row):
    entity_id: str
    relation: Relation


async def list_relations(
    runner: Runner, *, workspace_id: str, entity_ids: Sequence[str], limit: int
) -> list[ListRelationsRow]:
    return await fetch_many(
        runner,
        load("list_relations"),
        ListRelationsRow,
        {"workspace_id": workspace_id, "entity_ids": entity_ids, "limit": limit},
    )


class LockEntitiesRow(Row):
    asked: str
    by_key: bool
    is_duplicate: bool
    entity: Entity


async def lock_entities(
    runner: Runner, *, workspace_id: str, names: Sequence[str], now: datetime
) -> list[LockEntitiesRow]:
    return await fetch_many(
        runner,
        load("lock_entities"),
        LockEntitiesRow,
        {"workspace_id": workspace_id, "names": names, "now": now},
    )


class RestoreEntityRow(Row):
    entity: Entity


async def restore_entity(
    runner: Runner, *, workspace_id: str, id: str, now: datetime
) -> RestoreEntityRow | None:
    return await fetch_optional(
        runner, load("restore_entity"), RestoreEntityRow, {"workspace_id": workspace_id, "id": id, "now": now}
    )


class UpsertEntityTypesRow(Row):
    entity_type: EntityType


async def upsert_entity_types(
    runner: Runner, *, workspace_id: str, types: Sequence[Mapping[str, Any]], now: datetime
) -> list[UpsertEntityTypesRow]:
    return await fetch_many(
        runner,
        load("upsert_entity_types"),
        UpsertEntityTypesRow,
        {"workspace_id": workspace_id, "types": types, "now": now},
    )


class UpsertRelationTypesRow(Row):
    relation_type: RelationType


async def upsert_relation_types(
    runner: Runner, *, workspace_id: str, types: Sequence[Mapping[str, Any]], now: datetime
) -> list[UpsertRelationTypesRow]:
    return await fetch_many(
        runner,
        load("upsert_relation_types"),
        UpsertRelationTypesRow,
        {"workspace_id": workspace_id, "types": types, "now": now},
    )


class UpsertRelationsRow(Row):
    relation: Relation


async def upsert_relations(
    runner: Runner, *, workspace_id: str, relations: Sequence[Mapping[str, Any]], now: datetime
) -> list[UpsertRelationsRow]:
    return await fetch_many(
        runner,
        load("upsert_relations"),
        UpsertRelationsRow,
        {"workspace_id": workspace_id, "relations": relations, "now": now},
    )


class WriteEntitiesRow(Row):
    written: int


async def write_entities(
    runner: Runner, *, workspace_id: str, entities: Sequence[Mapping[str, Any]], now: datetime
) -> WriteEntitiesRow:
    return await fetch_one(
        runner,
        load("write_entities"),
        WriteEntitiesRow,
        {"workspace_id": workspace_id, "entities": entities, "now": now},
    )
