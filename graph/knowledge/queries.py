"""The typed functions over ``cypher/knowledge``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from graph.core.query import query
from graph.core.rows import Row, Runner
from graph.knowledge.models import Artifact, EntityMerge, GraphConnection, NodeKind
from graph.knowledge.ontology.models import Entity


@query
async def delete_artifact(runner: Runner, *, workspace_id: str, id: str) -> str | None: ...


@query
async def get_artifacts(runner: Runner, *, workspace_id: str, ids: Sequence[str]) -> list[Artifact]: ...


@query
async def list_artifacts(
    runner: Runner,
    *,
    workspace_id: str,
    kind: str | None,
    session_id: str | None,
    after_created: datetime | None,
    after_id: str | None,
    limit: int,
) -> list[Artifact]: ...


class LockArtifactRow(Row):
    id: str
    artifact: Artifact | None
    revision: int


@query
async def lock_artifact(
    runner: Runner, *, workspace_id: str, key: str, id: str, now: datetime
) -> LockArtifactRow: ...


@query
async def update_artifact(
    runner: Runner, *, workspace_id: str, id: str, properties: Mapping[str, Any]
) -> Artifact: ...


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


class NodeRow(Row):
    """A node; only a message has a ``conversation_id``, because its id is unique only within its conversation."""

    id: str
    conversation_id: str | None
    kind: NodeKind
    type: str | None
    caption: str | None


class EdgeRow(Row):
    """An edge, from the perspective of the expanded node."""

    type: str
    is_outgoing: bool
    strength: float | None
    id: str | None


class ExpandNodesRow(Row):
    from_id: str
    edge: EdgeRow | None
    node: NodeRow | None
    is_cut: bool


class FindNodesRow(Row):
    asked: str
    node: NodeRow


@query
async def expand_nodes(
    runner: Runner,
    *,
    workspace_id: str,
    nodes: Sequence[Mapping[str, str | None]],
    kinds: Sequence[str],
    types: Sequence[str],
    direction: str,
    passed_over: Sequence[str],
    examined: int,
    fan_out: int,
    now: datetime,
    as_of: datetime | None,
) -> list[ExpandNodesRow]: ...


@query
async def find_nodes(
    runner: Runner,
    *,
    workspace_id: str,
    nodes: Sequence[Mapping[str, str | None]],
    kinds: Sequence[str],
    now: datetime,
    as_of: datetime | None,
) -> list[FindNodesRow]: ...
