"""Use cases of the ontology: its types, entities, relations and connections."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pydantic_core import from_json

from graph.core import queries as jobs
from graph.core.audit import note_act
from graph.core.background import in_turns
from graph.core.current_call import touches
from graph.core.database import Database
from graph.core.errors import Conflict, InvalidInput, NotFound
from graph.core.models import AuditAction, JobKind
from graph.core.pages import Cursor, Page, Paging, page_size
from graph.core.ports import Clock, SecretDetector, WakeUp
from graph.core.rows import Runner
from graph.core.text.normal_forms import composed
from graph.knowledge.ontology import names, queries, rules
from graph.knowledge.ontology.changes import ATTEMPTS, EntityBatch, locked_entities, locked_keys_of
from graph.knowledge.ontology.models import (
    Entity,
    EntityDraft,
    EntityFilter,
    Relation,
    RelationDraft,
)
from graph.knowledge.ontology.registry import Registering, Registry
from graph.knowledge.queries import find_connection
from graph.memories.deletion_marks import deleted_conflict, note_deleted, noted_deleted
from graph.tenancy.workspaces import Workspaces

MOST_LISTED = 100


class Relations:
    """The use cases of relations; lives as long as the process."""

    def __init__(
        self,
        database: Database,
        registering: Registering,
        clock: Clock,
        *,
        secrets: SecretDetector | None,
    ) -> None:
        self._database = database
        self._registering = registering
        self._clock = clock
        self._secrets = secrets

    async def upsert(
        self, workspace_id: str, drafts: Sequence[RelationDraft], *, restores_deleted: bool
    ) -> list[Relation]:
        """Create or change relations in one transaction; return them in order."""
        if not 1 <= len(drafts) <= MAX_BATCH:
            raise InvalidInput("inputs", f"inputs must hold 1 to {MAX_BATCH} relations, got {len(drafts)}")
        checked = [self._checked(draft) async for draft in in_turns(drafts)]
        is_strict = await self._registering.is_strict(workspace_id)

        async def work(tx: Runner) -> list[Relation]:
            registry = await self._registering.with_types(
                workspace_id, tx, is_strict=is_strict, relation_types=[draft.type for draft in checked]
            )
            if not restores_deleted:
                await refuse_deleted_connections(tx, workspace_id, [draft.connection_id for draft in checked])
            return await self._write(tx, workspace_id, checked, registry, restores_deleted=restores_deleted)

        return await self._database.transaction(work, attempts=ATTEMPTS)

    async def find(self, workspace_id: str, id_: str) -> Relation | None:
        """Return a relation, or None if it does not exist between live entities."""
        triple = names.triple_of(id_)
        if triple is None:
            return None
        return await queries.find_relation(self._database, workspace_id=workspace_id, **triple._asdict())

    async def delete(self, workspace_id: str, id_: str) -> bool:
        """Delete a relation; return whether it existed."""
        triple = names.triple_of(id_)
        if triple is None:
            return False
        touches(triple.from_id, triple.to_id)
        relation_id = names.relation_id(triple.from_id, triple.type, triple.to_id)

        async def work(tx: Runner) -> bool:
            if await queries.delete_relation(tx, workspace_id=workspace_id, **triple._asdict()) is None:
                return False
            await note_deleted(tx, workspace_id, "relation", relation_id, now=self._clock.now())
            return True

        return await self._database.transaction(work)

    async def of_entities(
        self, workspace_id: str, ids: Sequence[str], *, first: int
    ) -> dict[str, list[Relation]]:
        """Return the relations between entities and other live entities, the strongest first.

        Raises:
            InvalidInput: ``first`` is not between 1 and 100.
        """
        limit = page_size(first, most=MOST_LISTED)
        rows = await queries.list_relations(
            self._database, workspace_id=workspace_id, entity_ids=ids, limit=limit
        )
        found: dict[str, list[Relation]] = {id_: [] for id_ in ids}
        for row in rows:
            found[row.entity_id].append(row.relation)
        return found

    def _checked(self, draft: RelationDraft) -> RelationDraft:
        checked = rules.validated_relation(draft)
        rules.refuse_secrets(self._secrets, checked)
        return checked

    async def _write(
        self,
        tx: Runner,
        workspace_id: str,
        drafts: Sequence[RelationDraft],
        registry: Registry,
        *,
        restores_deleted: bool,
    ) -> list[Relation]:
        ends = await self._ends(tx, workspace_id, drafts)
        rows = [_row(draft, ends[draft.from_name], ends[draft.to_name]) for draft in drafts]
        known = await self._known_properties(tx, workspace_id, rows)
        if not restores_deleted:
            await _refuse_deleted(
                tx, workspace_id, {row["id"]: row for row in rows if row["id"] not in known}
            )
        async for draft, row in in_turns([*zip(drafts, rows, strict=True)]):
            source, target = ends[draft.from_name], ends[draft.to_name]
            registry.check_ends(draft.type, from_type=source.type, to_type=target.type)
            properties = rules.merged_properties(known.get(row["id"], {}), draft.properties or {})
            owner = f"{draft.type} from {source.name[:40]!r} to {target.name[:40]!r}"
            registry.relation_rules(draft.type).check(properties, owner=owner)
            known[row["id"]] = properties
            row["properties"] = rules.as_json(properties)
        written = await queries.upsert_relations(
            tx, workspace_id=workspace_id, relations=rows, now=self._clock.now()
        )
        if len(written) != len(rows):
            raise Conflict("a type was deleted meanwhile; try again")
        by_id = {row.id: row for row in written}
        return [by_id[row["id"]] for row in rows]

    async def _ends(
        self, tx: Runner, workspace_id: str, drafts: Sequence[RelationDraft]
    ) -> Mapping[str, Entity]:
        """Lock and return the live entities of the drafts' ends, by the submitted id or key.

        Raises:
            NotFound: An entity does not exist in this workspace, or was deleted.
        """
        requested = sorted({name for draft in drafts for name in (draft.from_name, draft.to_name)})
        found = await locked_entities(tx, workspace_id, requested)
        ends = {row.asked: row.entity for row in found if row.entity.deleted_at is None}
        for draft in drafts:
            for field, name in (("from", draft.from_name), ("to", draft.to_name)):
                if name not in ends:
                    raise NotFound(f"there is no entity {name[:80]!r} in this workspace", field=field)
        return ends

    async def _known_properties(
        self, tx: Runner, workspace_id: str, rows: Sequence[Mapping[str, Any]]
    ) -> dict[str, Mapping[str, Any]]:
        found = await queries.list_relation_properties(tx, workspace_id=workspace_id, relations=rows)
        return {row.id: from_json(row.properties) async for row in in_turns(found)}


async def _refuse_deleted(tx: Runner, workspace_id: str, new: Mapping[str, Mapping[str, Any]]) -> None:
    for id_ in await noted_deleted(tx, workspace_id, "relation", new):
        raise deleted_conflict(f"a relation {new[id_]['type']}")


def _row(draft: RelationDraft, source: Entity, target: Entity) -> dict[str, Any]:
    if source.id == target.id:
        raise InvalidInput("to", "to and from must name different entities")
    return {
        "id": names.relation_id(source.id, draft.type, target.id),
        "from_id": source.id,
        "to_id": target.id,
        "type": draft.type,
        "strength": draft.strength,
        "connection_id": draft.connection_id,
    }


MAX_BATCH = 1000


class EntityWriter:
    """The use case of upserting entities; lives as long as the process."""

    def __init__(
        self,
        database: Database,
        registering: Registering,
        clock: Clock,
        *,
        secrets: SecretDetector | None,
    ) -> None:
        self._database = database
        self._registering = registering
        self._clock = clock
        self._secrets = secrets

    async def upsert(
        self, workspace_id: str, drafts: Sequence[EntityDraft], *, restores_deleted: bool
    ) -> list[Entity]:
        """Create or change entities in one transaction; return them in order."""
        if not 1 <= len(drafts) <= MAX_BATCH:
            raise InvalidInput("inputs", f"inputs must hold 1 to {MAX_BATCH} entities, got {len(drafts)}")
        checked = [self._checked(draft) async for draft in in_turns(drafts)]
        is_strict = await self._registering.is_strict(workspace_id)

        async def work(tx: Runner) -> list[Entity]:
            registry = await self._registering.with_types(
                workspace_id, tx, is_strict=is_strict, entity_types=[draft.type for draft in checked]
            )
            if not restores_deleted:
                await refuse_deleted_connections(tx, workspace_id, [draft.connection_id for draft in checked])
            return await self._write(tx, workspace_id, checked, registry, restores_deleted=restores_deleted)

        try:
            return await self._database.transaction(work, attempts=ATTEMPTS)
        except Conflict as error:
            if error.field is not None:
                raise
            raise Conflict("other writers keep writing the same keys; try again", field="key") from error

    def _checked(self, draft: EntityDraft) -> EntityDraft:
        checked = rules.validated_entity(draft)
        rules.refuse_secrets(self._secrets, checked)
        return checked

    async def _write(
        self,
        tx: Runner,
        workspace_id: str,
        drafts: Sequence[EntityDraft],
        registry: Registry,
        *,
        restores_deleted: bool,
    ) -> list[Entity]:
        now = self._clock.now()
        requested = sorted({name for draft in drafts for name in (draft.id, *locked_keys_of(draft)) if name})
        found = await locked_entities(tx, workspace_id, requested)
        batch = EntityBatch(workspace_id, registry, found, now, restores_deleted=restores_deleted)
        ids = [batch.add(draft) async for draft in in_turns(drafts)]
        written = await queries.write_entities(tx, workspace_id=workspace_id, entities=batch.rows, now=now)
        if written != len(batch.rows):
            raise Conflict("a type was deleted meanwhile; try again")
        if batch.retyped:
            await _check_relations(tx, workspace_id, batch.retyped, registry)
        if batch.to_embed:
            await jobs.enqueue_jobs(
                tx,
                workspace_id=workspace_id,
                kind=JobKind.EMBED,
                subject_ids=batch.to_embed,
                now=now,
                due_at=now,
            )
        return [batch.entity(id_) for id_ in ids]


async def refuse_deleted_connections(
    tx: Runner, workspace_id: str, connection_ids: Iterable[str | None]
) -> None:
    """Check that no connection was deleted, unless it was created again.

    Raises:
        Conflict: A connection was deleted.
    """
    for id_ in await noted_deleted(tx, workspace_id, "connection", connection_ids):
        if await find_connection(tx, workspace_id=workspace_id, id=id_) is None:
            raise deleted_conflict(f"connection {id_[:80]!r}")


async def _check_relations(tx: Runner, workspace_id: str, ids: Sequence[str], registry: Registry) -> None:
    """Check that entities may keep their relations after a change of their types.

    Raises:
        InvalidInput: A relation type does not allow the new type of an entity.
    """
    for ends in await queries.list_relation_ends(tx, workspace_id=workspace_id, entity_ids=ids):
        try:
            registry.check_ends(ends.type, from_type=ends.from_type, to_type=ends.to_type)
        except InvalidInput as error:
            raise InvalidInput(
                "type",
                f"with its new type, {error.message}; remove these relations of {ends.entity_id} first",
            ) from None


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
        """Create or change entities in one transaction; return them in order.

        The key identifies an entity; the default key has its type and name. An upsert changes the set fields of a
        stored entity, merges properties and removes null ones. It restores a deleted entity. For a merged one it
        changes the target, which keeps its name. If the text changes, a job computes the new vector.

        Args:
            workspace_id: Workspace of the entities.
            drafts: At most 1000 drafts.
            restores_deleted: Whether to restore an entity if somebody deleted it or its connection.

        Raises:
            InvalidInput: A draft breaks a rule or its type's schema, or has a type that a strict registry lacks.
            NotFound: The workspace has no entity with an id.
            Conflict: An id and a key belong to two entities, or an entity was deleted and ``restores_deleted`` is off.
        """
        for draft in drafts[:MAX_BATCH]:
            touches(draft.id or locked_keys_of(draft)[0], type_=draft.type)
        written = await self._writer.upsert(workspace_id, drafts, restores_deleted=restores_deleted)
        await self._wake_up.signal()
        return written

    async def get(self, workspace_id: str, id_: str) -> Entity:
        """Return one entity.

        Raises:
            NotFound: The entity does not exist in this workspace, or was deleted.
        """
        found = await self.find_all(workspace_id, [id_])
        if id_ not in found:
            raise _not_found(id_)
        return found[id_]

    async def find_all(self, workspace_id: str, ids: Sequence[str]) -> dict[str, Entity]:
        """Return the live entities by their ids."""
        entities = await queries.get_entities(self._database, workspace_id=workspace_id, ids=ids, keys=[])
        return {entity.id: entity for entity in entities}

    async def find_named(self, workspace_id: str, names_: Sequence[str]) -> dict[str, Entity]:
        """Return the live entities with these ids or keys, by the requested id or key; omit unknown ones."""
        entities = await queries.get_entities(
            self._database, workspace_id=workspace_id, ids=names_, keys=names_
        )
        known = {entity.key: entity for entity in entities} | {entity.id: entity for entity in entities}
        return {name: known[name] for name in names_ if name in known}

    async def find(
        self, workspace_id: str, *, id_: str | None = None, key: str | None = None
    ) -> Entity | None:
        """Return the live entity with an id or a key, or None.

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
        """Return the number of live entities that match a filter."""
        return await queries.count_entities(
            self._database,
            workspace_id=workspace_id,
            **await self.filter_parameters(workspace_id, filter_),
        )

    async def delete(self, workspace_id: str, id_: str) -> bool:
        """Soft-delete an entity, which hides it from every list, search and traversal; return whether it existed."""
        now = self._clock.now()
        touches(id_)

        async def work(tx: Runner) -> bool:
            if await queries.archive_entity(tx, workspace_id=workspace_id, id=id_, now=now) is None:
                return False
            await note_act(tx, AuditAction.ENTITY_DELETED, workspace_id, subject_id=id_, now=now)
            return True

        return await self._database.transaction(work)

    async def restore(self, workspace_id: str, id_: str) -> Entity:
        """Restore a deleted entity with its relations.

        Raises:
            NotFound: The entity does not exist in this workspace, or was merged into another.
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
        """Create or change relations in one transaction; return them in order.

        Ends and type identify a relation. Properties are merged, and null removes a property.

        Args:
            workspace_id: Workspace of the relations.
            drafts: At most 1000 drafts.
            restores_deleted: Whether to create a relation again if somebody deleted it or its connection.

        Raises:
            InvalidInput: A draft breaks a rule or its type's schema, its type does not allow the ends, or a strict
                registry lacks the type.
            NotFound: An end does not exist in this workspace, or was deleted.
            Conflict: A relation was deleted and ``restores_deleted`` is false.
        """
        for draft in drafts[:MAX_BATCH]:
            touches(draft.from_name, draft.to_name)
        return await self.relations.upsert(workspace_id, drafts, restores_deleted=restores_deleted)

    async def count_by_type(self, workspace_id: str) -> dict[str, int]:
        """Return the number of live entities of each type."""
        rows = await queries.count_entities_by_type(self._database, workspace_id=workspace_id)
        return {row.name: row.entities for row in rows}

    async def count_relations_by_type(self, workspace_id: str) -> dict[str, int]:
        """Return the number of relations of each type between live entities."""
        rows = await queries.count_relations_by_type(self._database, workspace_id=workspace_id)
        return {row.name: row.relations for row in rows}

    async def filter_parameters(self, workspace_id: str, filter_: EntityFilter) -> dict[str, Any]:
        """Return the query parameters of a filter: types with their subtypes, and the normalised name."""
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
