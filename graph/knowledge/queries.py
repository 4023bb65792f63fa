"""The typed functions over ``cypher/knowledge``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from graph.core.query import query
from graph.core.rows import Row, Runner
from graph.knowledge.documents.models import Chunk, Document, StoredChunk
from graph.knowledge.linking.models import LinkingSource, MentionEdge, NamedEntity, SharedEntity
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


@query
async def connect_document(
    runner: Runner, *, workspace_id: str, id: str, connection_id: str, now: datetime
) -> None: ...


class CountPartlyEmbeddedRow(Row):
    document_id: str
    chunks: int


@query
async def count_partly_embedded(
    runner: Runner, *, workspace_id: str, document_ids: Sequence[str]
) -> list[CountPartlyEmbeddedRow]: ...


@query
async def create_chunks(
    runner: Runner, *, workspace_id: str, document_id: str, chunks: Sequence[Mapping[str, Any]]
) -> None: ...


@query
async def delete_chunks(runner: Runner, *, workspace_id: str, ids: Sequence[str]) -> None: ...


@query
async def delete_document(runner: Runner, *, workspace_id: str, id: str) -> str | None: ...


@query
async def drop_chunk_jobs(runner: Runner, *, workspace_id: str, ids: Sequence[str]) -> None: ...


@query
async def get_chunks(runner: Runner, *, workspace_id: str, ids: Sequence[str]) -> list[Chunk]: ...


@query
async def get_documents(runner: Runner, *, workspace_id: str, ids: Sequence[str]) -> list[Document]: ...


@query
async def link_chunks(runner: Runner, *, workspace_id: str, document_id: str) -> None: ...


@query
async def list_chunk_states(runner: Runner, *, workspace_id: str, key: str) -> list[StoredChunk]: ...


@query
async def list_chunks(
    runner: Runner, *, workspace_id: str, document_ids: Sequence[str], after_ordinal: int, limit: int
) -> list[Chunk]: ...


@query
async def list_documents(
    runner: Runner,
    *,
    workspace_id: str,
    connection_id: str | None,
    media_type: str | None,
    text: str | None,
    after_created: datetime | None,
    after_id: str | None,
    limit: int,
) -> list[Document]: ...


class LockDocumentRow(Row):
    id: str
    document: Document | None


@query
async def lock_document(
    runner: Runner, *, workspace_id: str, key: str, id: str, now: datetime
) -> LockDocumentRow: ...


@query
async def update_chunks(
    runner: Runner, *, workspace_id: str, updates: Sequence[Mapping[str, Any]]
) -> None: ...


@query
async def update_document(
    runner: Runner, *, workspace_id: str, id: str, properties: Mapping[str, Any]
) -> Document: ...


@query
async def delete_orphaned_entities(runner: Runner, *, workspace_id: str, ids: Sequence[str]) -> int: ...


@query
async def find_named_entities(
    runner: Runner, *, workspace_id: str, queries: Sequence[str], limit: int
) -> list[NamedEntity]: ...


@query
async def link_memories(
    runner: Runner,
    *,
    workspace_id: str,
    memories: Sequence[Mapping[str, Any]],
    automatic: Sequence[str],
    now: datetime,
) -> list[str]: ...


@query
async def list_linking_sources(
    runner: Runner, *, subjects: Sequence[Mapping[str, str]]
) -> list[LinkingSource]: ...


@query
async def list_mentioned(
    runner: Runner, *, workspace_id: str, memory_ids: Sequence[str], limit: int
) -> list[MentionEdge]: ...


@query
async def list_mentioning(
    runner: Runner,
    *,
    workspace_id: str,
    entity_ids: Sequence[str],
    examined: int,
    limit: int,
    now: datetime,
) -> list[MentionEdge]: ...


@query
async def list_shared_entities(
    runner: Runner,
    *,
    workspace_id: str,
    memory_ids: Sequence[str],
    entity_limit: int,
    mention_limit: int,
    now: datetime,
) -> list[SharedEntity]: ...


@query
async def mark_linking_failed(runner: Runner, *, rows: Sequence[Mapping[str, str]]) -> None: ...


@query
async def relate_memories(
    runner: Runner, *, workspace_id: str, memories: Sequence[Mapping[str, Any]], how: str, now: datetime
) -> None: ...
