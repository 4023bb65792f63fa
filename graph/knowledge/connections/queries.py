"""The typed functions over ``cypher/knowledge/connections``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from cypher import load
from graph.core.rows import Row, Runner, execute, fetch_many, fetch_one, fetch_optional
from graph.knowledge.connections.models import GraphConnection


class CountOfConnectionsRow(Row):
    id: str
    entities: int


async def count_of_connections(
    runner: Runner, *, workspace_id: str, ids: Sequence[str]
) -> list[CountOfConnectionsRow]:
    return await fetch_many(
        runner,
        load("count_of_connections"),
        CountOfConnectionsRow,
        {"workspace_id": workspace_id, "ids": ids},
    )


class DeleteConnectionRow(Row):
    id: str


async def delete_connection(runner: Runner, *, workspace_id: str, id: str) -> DeleteConnectionRow | None:
    return await fetch_optional(
        runner, load("delete_connection"), DeleteConnectionRow, {"workspace_id": workspace_id, "id": id}
    )


class DeleteDocumentsOfConnectionRow(Row):
    deleted: int


async def delete_documents_of_connection(
    runner: Runner, *, workspace_id: str, connection_id: str, limit: int
) -> DeleteDocumentsOfConnectionRow:
    return await fetch_one(
        runner,
        load("delete_documents_of_connection"),
        DeleteDocumentsOfConnectionRow,
        {"workspace_id": workspace_id, "connection_id": connection_id, "limit": limit},
    )


class DeleteEdgesOfEntitiesRow(Row):
    deleted: int
    relations: int


async def delete_edges_of_entities(
    runner: Runner, *, workspace_id: str, ids: Sequence[str], limit: int
) -> DeleteEdgesOfEntitiesRow:
    return await fetch_one(
        runner,
        load("delete_edges_of_entities"),
        DeleteEdgesOfEntitiesRow,
        {"workspace_id": workspace_id, "ids": ids, "limit": limit},
    )


class DeleteEntitiesRow(Row):
    deleted: int


async def delete_entities(runner: Runner, *, workspace_id: str, ids: Sequence[str]) -> DeleteEntitiesRow:
    return await fetch_one(
        runner, load("delete_entities"), DeleteEntitiesRow, {"workspace_id": workspace_id, "ids": ids}
    )


class FindConnectionRow(Row):
    connection: GraphConnection


async def find_connection(runner: Runner, *, workspace_id: str, id: str) -> FindConnectionRow | None:
    return await fetch_optional(
        runner, load("find_connection"), FindConnectionRow, {"workspace_id": workspace_id, "id": id}
    )


class ListConnectionsRow(Row):
    connection: GraphConnection


async def list_connections(
    runner: Runner, *, workspace_id: str, after_id: str, limit: int
) -> list[ListConnectionsRow]:
    return await fetch_many(
        runner,
        load("list_connections"),
        ListConnectionsRow,
        {"workspace_id": workspace_id, "after_id": after_id, "limit": limit},
    )


class LockEntitiesOfConnectionRow(Row):
    id: str
    is_shared: bool


async def lock_entities_of_connection(
    runner: Runner, *, workspace_id: str, connection_id: str, limit: int, now: datetime
) -> list[LockEntitiesOfConnectionRow]:
    return await fetch_many(
        runner,
        load("lock_entities_of_connection"),
        LockEntitiesOfConnectionRow,
        {"workspace_id": workspace_id, "connection_id": connection_id, "limit": limit, "now": now},
    )


async def release_entities(
    runner: Runner, *, workspace_id: str, connection_id: str, ids: Sequence[str]
) -> None:
    await execute(
        runner,
        load("release_entities"),
        {"workspace_id": workspace_id, "connection_id": connection_id, "ids": ids},
    )


class ReleaseRelationsRow(Row):
    deleted: int
    last_id: str | None


async def release_relations(
    runner: Runner, *, workspace_id: str, connection_id: str, after_id: str, limit: int
) -> ReleaseRelationsRow:
    return await fetch_one(
        runner,
        load("release_relations"),
        ReleaseRelationsRow,
        {"workspace_id": workspace_id, "connection_id": connection_id, "after_id": after_id, "limit": limit},
    )


class UpsertConnectionRow(Row):
    connection: GraphConnection


async def upsert_connection(
    runner: Runner, *, workspace_id: str, id: str, properties: Mapping[str, Any], now: datetime
) -> UpsertConnectionRow:
    return await fetch_one(
        runner,
        load("upsert_connection"),
        UpsertConnectionRow,
        {"workspace_id": workspace_id, "id": id, "properties": properties, "now": now},
    )
