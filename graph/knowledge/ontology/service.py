"""Use cases of the ontology: its types, entities, relations and connections."""

from collections.abc import Sequence
from typing import Any

from graph.core.acting import touches
from graph.core.audit.models import AuditAction
from graph.core.audit.service import note_act
from graph.core.database import Database
from graph.core.errors import InvalidInput, NotFound
from graph.core.pages import Cursor, Page, Paging
from graph.core.ports import Clock, SecretDetector, WakeUp
from graph.core.rows import Runner
from graph.core.text.normal_forms import composed
from graph.knowledge.ontology import names, queries
from graph.knowledge.ontology.changes import locked_keys_of
from graph.knowledge.ontology.entities import MAX_BATCH, EntityWriter
from graph.knowledge.ontology.models import (
    Entity,
    EntityDraft,
    EntityFilter,
    Relation,
    RelationDraft,
)
from graph.knowledge.ontology.registry import Registering
from graph.knowledge.ontology.relations import Relations
from graph.tenancy.workspaces.service import Workspaces


class Ontology:
    """The use cases of the ontology; lives as long as the process.

    Other objects have the use cases of types and relations. Every method concerns one workspace; data of another does
    not exist for it. The ontology works regardless of the workspace's memory switch.
    """

    def __init__(
        self,
        database: Database,
        workspaces: Workspaces,
        wake_up: WakeUp,
        clock: Clock,
        *,
        secrets: SecretDetector | None = None,
    ) -> None:
        self._database = database
        self._wake_up = wake_up
        self._clock = clock
        self.types = Registering(database, workspaces, clock)
        self.relations = Relations(database, self.types, clock, secrets=secrets)
        self._writer = EntityWriter(database, self.types, clock, secrets=secrets)

    async def upsert_entities(
        self, workspace_id: str, drafts: Sequence[EntityDraft], *, restores_deleted: bool = True
    ) -> list[Entity]:
        """Write entities in one transaction and return them in order.

        An entity is identified by its key, which is the caller's or derived from type and name. An upsert changes the
        given fields of a known entity, merges properties and removes null ones. It restores a deleted entity; for a
        merged one it changes the target, which keeps its name. If the text is new, a job of the same transaction
        computes the vector.

        Args:
            workspace_id: Where.
            drafts: At most 1000.
            restores_deleted: Whether one that somebody deleted, or whose connection, comes back.

        Raises:
            InvalidInput: A draft breaks a rule or its type's schema, or names an unknown type of a strict registry.
            NotFound: An id names no entity of the workspace.
            Conflict: An id and a key name two entities, or one was deleted and is not to come back.
        """
        for draft in drafts[:MAX_BATCH]:
            touches(draft.id or locked_keys_of(draft)[0], type_=draft.type)
        written = await self._writer.upsert(workspace_id, drafts, restores_deleted=restores_deleted)
        await self._wake_up.signal()
        return written

    async def get(self, workspace_id: str, id_: str) -> Entity:
        """Return one entity.

        Raises:
            NotFound: It does not exist in this workspace, or was deleted.
        """
        found = await self.find_all(workspace_id, [id_])
        if id_ not in found:
            raise _not_found(id_)
        return found[id_]

    async def find_all(self, workspace_id: str, ids: Sequence[str]) -> dict[str, Entity]:
        """Return those of the entities that are live, by their ids."""
        entities = await queries.get_entities(self._database, workspace_id=workspace_id, ids=ids, keys=[])
        return {entity.id: entity for entity in entities}

    async def find_named(self, workspace_id: str, names_: Sequence[str]) -> dict[str, Entity]:
        """Return the live entities with these ids or keys, by the given name; unknown names are missing."""
        entities = await queries.get_entities(
            self._database, workspace_id=workspace_id, ids=names_, keys=names_
        )
        known = {entity.key: entity for entity in entities} | {entity.id: entity for entity in entities}
        return {name: known[name] for name in names_ if name in known}

    async def find(
        self, workspace_id: str, *, id_: str | None = None, key: str | None = None
    ) -> Entity | None:
        """Return the live entity of an id or of a key, or None.

        Raises:
            InvalidInput: Neither or both are set.
        """
        if (id_ is None) == (key is None):
            raise InvalidInput("id", "give either id or key")
        entities = await queries.get_entities(
            self._database,
            workspace_id=workspace_id,
            ids=[] if id_ is None else [id_],
            keys=[] if key is None else [composed(key)],
        )
        return entities[0] if entities else None

    async def page(
        self, workspace_id: str, filter_: EntityFilter, *, first: int = 50, after: str | None = None
    ) -> Page[Entity]:
        """Return a page of live entities, the newest first."""
        paging = Paging.of(first, after)
        found = await queries.list_entities(
            self._database,
            workspace_id=workspace_id,
            **await self.filter_parameters(workspace_id, filter_),
            **paging.by_creation,
        )
        return paging.page(found, lambda entity: Cursor(date=entity.created_at, id=entity.id))

    async def count(self, workspace_id: str, filter_: EntityFilter) -> int:
        """Return how many live entities a filter admits."""
        return await queries.count_entities(
            self._database,
            workspace_id=workspace_id,
            **await self.filter_parameters(workspace_id, filter_),
        )

    async def delete(self, workspace_id: str, id_: str) -> bool:
        """Delete an entity softly: it is gone from every list, search and traversal; return whether it was there."""
        now = self._clock.now()
        touches(id_)

        async def work(tx: Runner) -> bool:
            if await queries.archive_entity(tx, workspace_id=workspace_id, id=id_, now=now) is None:
                return False
            await note_act(tx, AuditAction.ENTITY_DELETED, workspace_id, subject_id=id_, now=now)
            return True

        return await self._database.transaction(work)

    async def restore(self, workspace_id: str, id_: str) -> Entity:
        """Bring a deleted entity back, with its relations.

        Raises:
            NotFound: There is none of that id in this workspace, or it was merged into another.
        """
        touches(id_)
        entity = await queries.restore_entity(
            self._database, workspace_id=workspace_id, id=id_, now=self._clock.now()
        )
        if entity is None:
            raise _not_found(id_)
        return entity

    async def upsert_relations(
        self, workspace_id: str, drafts: Sequence[RelationDraft], *, restores_deleted: bool = True
    ) -> list[Relation]:
        """Draw relations in one transaction, or change those there are; return them in order.

        A relation is identified by its ends and its type. Properties are merged and their nulls removed.

        Args:
            workspace_id: Where.
            drafts: At most 1000.
            restores_deleted: Whether one that somebody deleted, or whose connection, is drawn again.

        Raises:
            InvalidInput: A draft breaks a rule or its type's schema, its type does not admit the ends, or is unknown
                to a strict registry.
            NotFound: An end does not exist in this workspace, or was deleted.
            Conflict: A relation was deleted and is not to come back.
        """
        for draft in drafts[:MAX_BATCH]:
            touches(draft.from_name, draft.to_name)
        return await self.relations.upsert(workspace_id, drafts, restores_deleted=restores_deleted)

    async def count_by_type(self, workspace_id: str) -> dict[str, int]:
        """Return how many live entities bear each type."""
        rows = await queries.count_entities_by_type(self._database, workspace_id=workspace_id)
        return {row.name: row.entities for row in rows}

    async def count_relations_by_type(self, workspace_id: str) -> dict[str, int]:
        """Return how many relations of each type there are between live entities."""
        rows = await queries.count_relations_by_type(self._database, workspace_id=workspace_id)
        return {row.name: row.relations for row in rows}

    async def filter_parameters(self, workspace_id: str, filter_: EntityFilter) -> dict[str, Any]:
        """Return a filter as queries take it: types with their subtypes, a part of a name normalised."""
        types: list[str] = []
        if filter_.types:
            types = (await self.types.read(workspace_id)).with_subtypes(filter_.types)
        return {
            "types": types,
            "name": names.normalized(filter_.name) if filter_.name else None,
            "connection_id": filter_.connection_id,
        }


def _not_found(id_: str) -> NotFound:
    return NotFound(f"there is no entity {id_!r} in this workspace", field="id")
