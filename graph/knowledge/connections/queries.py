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


@query
async def delete_connection(runner: Runner, *, workspace_id: str, id: str) -> str | None: ...


@query
async def delete_documents_of_connection(
    runner: Runner, *, workspace_id: str, connection_id: str, limit: int
) -> int: ...


class DeleteEdgesOfEntitiesRow(Row):
    deleted: int
    relations: int


@query
async def delete_edges_of_entities(
    runner: Runner, *, workspace_id: str, ids: Sequence[str], limit: int
) -> DeleteEdgesOfEntitiesRow: ...


@query
async def delete_entities(runner: Runner, *, workspace_id: str, ids: Sequence[str]) -> int: ...


@query
async def find_connection(runner: Runner, *, workspace_id: str, id: str) -> GraphConnection | None: ...


@query
async def list_connections(
    runner: Runner, *, workspace_id: str, after_id: str, limit: int
) -> list[GraphConnection]: ...


class LockEntitiesOfConnectionRow(Row):
    id: str
    is_shared: bool


@query
async def lock_entities_of_connection(
    runner: Runner, *, workspace_id: str, connection_id: str, limit: int
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


@query
async def upsert_connection(
    runner: Runner, *, workspace_id: str, id: str, properties: Mapping[str, Any], now: datetime
) -> GraphConnection | None: ...
