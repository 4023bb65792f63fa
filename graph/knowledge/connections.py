"""Connections: sources of parts of the graph, and the removal of such a part."""

from collections.abc import Sequence

from graph.core.audit import note_act
from graph.core.database import Database
from graph.core.deadlines import takes_long
from graph.core.errors import InvalidInput, NotFound
from graph.core.models import AuditAction
from graph.core.pages import Cursor, Page, page_of, page_size
from graph.core.ports import Clock
from graph.core.rows import Runner
from graph.core.text.checks import short_name
from graph.knowledge import queries
from graph.knowledge.models import ConnectionChange, GraphConnection
from graph.knowledge.ontology import rules
from graph.memories.deletion_marks import note_deleted

_ENTITIES_SEEN_TOGETHER = 1000
_ENTITIES_PER_TRANSACTION = 500
_EDGES_PER_TRANSACTION = 10_000
_DOCUMENTS_PER_TRANSACTION = 5  # each may have thousands of chunks


class Connections:
    """The use cases of connections; lives as long as the process."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def page(
        self, workspace_id: str, *, first: int = 50, after: str | None = None
    ) -> Page[GraphConnection]:
        """Return a page of connections, by id."""
        size = page_size(first)
        found = await queries.list_connections(
            self._database,
            workspace_id=workspace_id,
            after_id=Cursor.decode(after).id if after else "",
            limit=size + 1,
        )
        return page_of(found, [Cursor(id=connection.id) for connection in found], size)

    async def count_entities(self, workspace_id: str, ids: Sequence[str]) -> dict[str, int]:
        """Return the number of live entities of each connection."""
        rows = await queries.count_of_connections(self._database, workspace_id=workspace_id, ids=ids)
        return {row.id: row.entities for row in rows}

    async def upsert(self, workspace_id: str, id_: str, change: ConnectionChange) -> GraphConnection:
        """Describe a connection; create it if it does not exist.

        Raises:
            InvalidInput: A field breaks a rule.
            NotFound: The workspace does not exist.
        """
        checked = rules.connection_id(id_)
        if checked is None:
            raise InvalidInput("id", "id is required")
        values = change.model_dump(include=change.model_fields_set)
        checks = {
            "name": lambda text: short_name("name", text) or checked,
            "kind": lambda text: short_name("kind", text),
            "uri": rules.validated_uri,
        }
        connection = await queries.upsert_connection(
            self._database,
            workspace_id=workspace_id,
            id=checked,
            properties={name: checks[name](value) for name, value in values.items()},
            now=self._clock.now(),
        )
        if connection is None:
            raise NotFound(f"there is no workspace {workspace_id!r}", field="workspaceId")
        return connection

    @takes_long
    async def delete(self, workspace_id: str, id_: str) -> int:
        """Permanently delete the data of this connection alone; return the number of deleted nodes and edges.

        Entities and relations stay if a person has written them too, or if they come from another connection. An entity
        that linking created before the connection stays while memories mention it. The deletion runs in bounded
        transactions; if it is interrupted, another call continues it.

        Raises:
            NotFound: The connection does not exist in this workspace.
        """
        if await queries.find_connection(self._database, workspace_id=workspace_id, id=id_) is None:
            raise NotFound(f"there is no connection {id_[:80]!r} in this workspace", field="id")
        removed = await self._release_relations(workspace_id, id_)
        while True:
            page = await self._release_entities(workspace_id, id_)
            if page is None:
                break
            removed += page
        removed += await self._delete_documents(workspace_id, id_)
        await self._delete_itself(workspace_id, id_, removed)
        return removed

    async def _delete_itself(self, workspace_id: str, id_: str, removed: int) -> None:
        now = self._clock.now()

        async def work(tx: Runner) -> None:
            if await queries.delete_connection(tx, workspace_id=workspace_id, id=id_) is not None:
                await note_deleted(tx, workspace_id, "connection", id_, now=now)
                await note_act(
                    tx,
                    AuditAction.CONNECTION_REMOVED,
                    workspace_id,
                    subject_id=id_,
                    count=removed,
                    now=now,
                )

        await self._database.transaction(work)

    async def _delete_documents(self, workspace_id: str, id_: str) -> int:
        """Delete the connection's documents with their chunks; a document has only one connection."""
        removed = 0
        while True:
            deleted = await queries.delete_documents_of_connection(
                self._database, workspace_id=workspace_id, connection_id=id_, limit=_DOCUMENTS_PER_TRANSACTION
            )
            removed += deleted
            if deleted < _DOCUMENTS_PER_TRANSACTION:
                return removed

    async def _release_relations(self, workspace_id: str, id_: str) -> int:
        removed, after_id = 0, ""
        while True:
            row = await queries.release_relations(
                self._database,
                workspace_id=workspace_id,
                connection_id=id_,
                after_id=after_id,
                limit=_ENTITIES_SEEN_TOGETHER,
            )
            removed += row.deleted
            if row.last_id is None:
                return removed
            after_id = row.last_id

    async def _release_entities(self, workspace_id: str, id_: str) -> int | None:
        """Delete some entities or edges of entities; return their number, or None if nothing is left."""

        async def work(tx: Runner) -> int | None:
            rows = await queries.lock_entities_of_connection(
                tx,
                workspace_id=workspace_id,
                connection_id=id_,
                limit=_ENTITIES_PER_TRANSACTION,
            )
            if not rows:
                return None
            shared = [row.id for row in rows if row.is_shared]
            await queries.release_entities(tx, workspace_id=workspace_id, connection_id=id_, ids=shared)
            return await self._delete(tx, workspace_id, [row.id for row in rows if not row.is_shared])

        return await self._database.transaction(work)

    async def _delete(self, tx: Runner, workspace_id: str, ids: Sequence[str]) -> int:
        edges = await queries.delete_edges_of_entities(
            tx, workspace_id=workspace_id, ids=ids, limit=_EDGES_PER_TRANSACTION
        )
        if edges.deleted == _EDGES_PER_TRANSACTION:
            return edges.relations
        entities = await queries.delete_entities(tx, workspace_id=workspace_id, ids=ids)
        return edges.relations + entities
