"""The typed functions over ``cypher/knowledge/connections``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from graph.core.query import query
from graph.core.rows import Row, Runner
from graph.knowledge.connections.models import GraphConnection


class CountOfConnectionsRow(Row):
    id: str
    entities: int


@query
async def count_of_connections(
    runner: Runner, *, workspace_id: str, ids: Sequence[str]
) -> list[CountOfConnectionsRow]: ...


class DeleteConnectionRow(Row):
    id: str


@query
async def delete_connection(runner: Runner, *, workspace_id: str, id: str) -> DeleteConnectionRow | None: ...


class DeleteDocumentsOfConnectionRow(Row):
    deleted: int


@query
async def delete_documents_of_connection(
    runner: Runner, *, workspace_id: str, connection_id: str, limit: int
) -> DeleteDocumentsOfConnectionRow: ...


class DeleteEdgesOfEntitiesRow(Row):
    deleted: int
    relations: int


@query
async def delete_edges_of_entities(
    runner: Runner, *, workspace_id: str, ids: Sequence[str], limit: int
) -> DeleteEdgesOfEntitiesRow: ...


class DeleteEntitiesRow(Row):
    deleted: int


@query
async def delete_entities(runner: Runner, *, workspace_id: str, ids: Sequence[str]) -> DeleteEntitiesRow: ...


class FindConnectionRow(Row):
    connection: GraphConnection


@query
async def find_connection(runner: Runner, *, workspace_id: str, id: str) -> FindConnectionRow | None: ...


class ListConnectionsRow(Row):
    connection: GraphConnection


@query
async def list_connections(
    runner: Runner, *, workspace_id: str, after_id: str, limit: int
) -> list[ListConnectionsRow]: ...


class LockEntitiesOfConnectionRow(Row):
    id: str
    is_shared: bool


@query
async def lock_entities_of_connection(
    runner: Runner, *, workspace_id: str, connection_id: str, limit: int, now: datetime
) -> list[LockEntitiesOfConnectionRow]: ...


@query
async def release_entities(
    runner: Runner, *, workspace_id: str, connection_id: str, ids: Sequence[str]
) -> None: ...


class ReleaseRelationsRow(Row):
    deleted: int
    last_id: str | None


@query
async def release_relations(
    runner: Runner, *, workspace_id: str, connection_id: str, after_id: str, limit: int
) -> ReleaseRelationsRow: ...


class UpsertConnectionRow(Row):
    connection: GraphConnection


@query
async def upsert_connection(
    runner: Runner, *, workspace_id: str, id: str, properties: Mapping[str, Any], now: datetime
) -> UpsertConnectionRow: ...
