"""Merging of duplicate entities, with undo."""

from collections.abc import Mapping
from typing import Any

from pydantic_core import from_json

from graph.core import queries as jobs
from graph.core.automatic_changes import record_changes, withdraw_changes
from graph.core.current_call import touches
from graph.core.database import Database
from graph.core.deadlines import takes_long
from graph.core.errors import Conflict, InvalidInput, NotFound
from graph.core.ids import new_id
from graph.core.models import ChangeKind, JobKind, NewChange, SubjectKind
from graph.core.pages import Cursor, Page, Paging, page_size
from graph.core.ports import Clock
from graph.core.rows import First, Runner
from graph.knowledge import queries
from graph.knowledge.models import AlikeEntities, EntityMerge
from graph.knowledge.ontology import queries as ontology
from graph.knowledge.ontology import rules
from graph.knowledge.ontology.changes import ATTEMPTS, locked_entities, searched_text, stored_properties
from graph.knowledge.ontology.models import Entity
from graph.knowledge.ontology.registry import Registering
from graph.memories.models import MemoryState

MOST_TAKEN_OVER = 20_000
"""Maximum number of edges that one transaction copies or removes, equal to the maximum number of nodes in a move."""
_FILLED_FIELDS = ("description", "summary", "uri")


class Merging:
    """The use cases of merging; lives as long as the process."""

    def __init__(self, database: Database, registering: Registering, clock: Clock) -> None:
        self._database = database
        self._registering = registering
        self._clock = clock

    @takes_long
    async def merge(self, workspace_id: str, *, from_id: str, into_id: str) -> EntityMerge:
        """Merge an entity into another one, which then represents both.

        The target keeps its own name and fields. It takes over the other's names as aliases, fields that it lacks, and
        edges: relations, mentions and all others. If both have a relation, the target keeps its own, which then comes
        from the connections of both. Parts that no connection wrote stay when a connection is deleted. Later writes to
        the duplicate's key go to the target.

        Raises:
            InvalidInput: Both are the same, the duplicate has more than 20,000 edges or relations that the type of the
                target may not have, or the joined properties are too large or break its schema.
            NotFound: An entity does not exist in this workspace, was deleted, or was merged before.
        """
        if from_id == into_id:
            raise InvalidInput("into", "into and from must name different entities")
        touches(from_id, into_id)

        async def work(tx: Runner) -> EntityMerge:
            source, target = await self._locked(tx, workspace_id, from_id, into_id)
            await self._check_edges(tx, source)
            if source.type != target.type:
                await self._check_relations(tx, source, target)
            one = merged(source, target)
            if one.properties != target.properties:
                await self._check_properties(tx, one)
            before, after = _fields(target), _fields(one)
            changed = {name for name in after if after[name] != before[name]}
            merge = EntityMerge(
                id=new_id("mrg"),
                from_id=from_id,
                into_id=into_id,
                from_name=source.name,
                into_name=target.name,
                copied=0,
                created_at=self._clock.now(),
            )
            copied = await queries.merge_entities(
                tx,
                workspace_id=workspace_id,
                id=merge.id,
                from_id=from_id,
                into_id=into_id,
                before=rules.as_json({name: before[name] for name in changed}),
                after=rules.as_json({name: after[name] for name in changed}),
                now=merge.created_at,
            )
            await self._write(tx, target, after)
            change = NewChange(
                kind=ChangeKind.MERGED,
                subject_kind=SubjectKind.ENTITY,
                subject_id=from_id,
                cause_id=into_id,
                rule="entities",
                count=copied,
            )
            await record_changes(tx, workspace_id, [change], now=merge.created_at)
            return merge.model_copy(update={"copied": copied})

        return await self._database.transaction(work, attempts=ATTEMPTS)

    @takes_long
    async def undo(self, workspace_id: str, id_: str, *, first: First | None = None) -> Entity:
        """Undo a merge, given its id or the duplicate's; return the restored entity.

        The target loses the fields that it took over, except those changed since. ``first`` runs at the beginning of
        the transaction, and its exception rolls it back.

        Raises:
            NotFound: The merge does not exist in this workspace, or was undone.
            Conflict: The target was itself merged since.
        """

        async def work(tx: Runner) -> Entity:
            now = self._clock.now()
            if first is not None:
                await first(tx)
            row = await queries.find_merge(tx, workspace_id=workspace_id, id=id_)
            if row is None:
                raise NotFound(f"there is no merge {id_[:80]!r} to undo in this workspace", field="id")
            touches(row.entity_merge.from_id, row.entity_merge.into_id)
            if row.merged_further:
                raise Conflict(
                    f"{row.entity_merge.into_id} was merged into another entity since; undo that first",
                    field="id",
                )
            await queries.undo_merge(tx, workspace_id=workspace_id, id=row.entity_merge.id, now=now)
            ends = [row.entity_merge.from_id, row.entity_merge.into_id]
            found = await locked_entities(tx, workspace_id, ends)
            entities = {each.entity.id: each.entity for each in found}
            target = entities[row.entity_merge.into_id]
            await self._write(
                tx, target, _taken_back(_fields(target), from_json(row.before), from_json(row.after))
            )
            merged_id = row.entity_merge.from_id
            await withdraw_changes(tx, workspace_id, ChangeKind.MERGED, [merged_id], now=now)
            return entities[merged_id]

        return await self._database.transaction(work, attempts=ATTEMPTS)

    async def alike(self, workspace_id: str, *, first: int = 20) -> list[AlikeEntities]:
        """Return pairs of possible duplicates: equal names first, then the latest duplicates.

        Omits pairs that somebody has merged and separated again.

        Raises:
            InvalidInput: ``first`` is not a page size.
        """
        rows = await queries.list_alike_entities(
            self._database, workspace_id=workspace_id, limit=page_size(first)
        )
        return [AlikeEntities(entity=row.entity, duplicate=row.duplicate) for row in rows]

    async def page(
        self, workspace_id: str, *, first: int = 50, after: str | None = None
    ) -> Page[EntityMerge]:
        """Return a page of merges, newest first, including undone ones."""
        paging = Paging.of(first, after)
        found = await queries.list_merges(self._database, workspace_id=workspace_id, **paging.by_creation)
        return paging.page(found, lambda merge: Cursor(date=merge.created_at, id=merge.id))

    async def _locked(
        self, tx: Runner, workspace_id: str, from_id: str, into_id: str
    ) -> tuple[Entity, Entity]:
        found = await locked_entities(tx, workspace_id, sorted([from_id, into_id]))
        live = {row.asked: row.entity for row in found if not row.is_duplicate and not row.by_key}
        for field, id_ in (("from", from_id), ("into", into_id)):
            if id_ not in live or live[id_].deleted_at is not None:
                raise NotFound(f"there is no entity {id_[:80]!r} in this workspace", field=field)
        return live[from_id], live[into_id]

    async def _check_edges(self, tx: Runner, source: Entity) -> None:
        edges = await queries.count_edges(
            tx, workspace_id=source.workspace_id, id=source.id, limit=MOST_TAKEN_OVER + 1
        )
        if edges > MOST_TAKEN_OVER:
            raise InvalidInput(
                "from",
                f"{source.id} has more than {MOST_TAKEN_OVER} relations, mentions and other edges, which are too many "
                "for one merge; merge the other entity into it instead",
            )

    async def _check_relations(self, tx: Runner, source: Entity, target: Entity) -> None:
        """Check that the target's type allows the relations that it takes over."""
        registry = await self._registering.read(target.workspace_id, tx)
        kinds = await queries.list_relation_kinds(
            tx, workspace_id=source.workspace_id, id=source.id, other_id=target.id
        )
        for kind in kinds:
            ends = (target.type, kind.other_type) if kind.is_outgoing else (kind.other_type, target.type)
            try:
                registry.check_ends(kind.type, from_type=ends[0], to_type=ends[1])
            except InvalidInput as error:
                raise InvalidInput(
                    "from",
                    f"once merged, {error.message}; remove these relations of {source.id} or change its type first",
                ) from None

    async def _check_properties(self, tx: Runner, one: Entity) -> None:
        """Check the properties of a merged entity by the rules of a write."""
        registry = await self._registering.read(one.workspace_id, tx)
        try:
            rules.validated_properties(one.properties)
            registry.entity_rules(one.type).check(one.properties, owner=f"{one.type} {one.name[:80]!r}")
        except InvalidInput as error:
            raise InvalidInput(
                "from",
                f"once merged, {error.message}; change or remove properties of one of them first",
            ) from None

    async def _write(self, tx: Runner, target: Entity, fields: Mapping[str, Any]) -> None:
        """Store changed fields of an entity; enqueue its embedding if its text changed."""
        now = self._clock.now()
        changed = target.model_copy(update={**fields, "aliases": tuple(fields["aliases"])})
        if changed == target:
            return
        text = searched_text(changed)
        is_new_text = text != searched_text(target)
        if is_new_text:
            changed = changed.model_copy(
                update={"revision": target.revision + 1, "state": MemoryState.STORED}
            )
        properties = {
            **stored_properties(changed, text),
            "active": target.deleted_at is None,
            "updated_at": now,
        }
        row = {"id": target.id, "type": target.type, "properties": properties}
        written = await ontology.write_entities(
            tx,
            workspace_id=target.workspace_id,
            entities=[{**row, "connection_ids": [], "by_hand": False}],
            now=now,
        )
        if not written:
            raise Conflict(
                f"the registry has no type {target.type!r} any more; create it first", field="into"
            )
        if is_new_text:
            await jobs.enqueue_jobs(
                tx,
                workspace_id=target.workspace_id,
                kind=JobKind.EMBED,
                subject_ids=[target.id],
                now=now,
                due_at=now,
            )


def merged(source: Entity, target: Entity) -> Entity:
    """Return the target with the fields that it takes over from the source."""
    update: dict[str, Any] = {
        field: getattr(source, field) for field in _FILLED_FIELDS if getattr(target, field) is None
    }
    update["aliases"] = rules.distinct_names(target.name, (*target.aliases, source.name, *source.aliases))
    update["properties"] = {**source.properties, **target.properties}
    return target.model_copy(update=update)


def _fields(entity: Entity) -> dict[str, Any]:
    """Return the fields of an entity that a merge may change, as JSON values."""
    fields = entity.model_dump(include={*_FILLED_FIELDS, "aliases", "properties"})
    return {**fields, "aliases": list(entity.aliases), "properties": dict(entity.properties)}


def _taken_back(now: dict[str, Any], before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields without those from the merge; later changes stay."""
    result = {
        **now,
        **{name: before[name] for name in before if name in _FILLED_FIELDS and now[name] == after[name]},
    }
    if "aliases" in before:
        brought = set(after["aliases"]) - set(before["aliases"])
        result["aliases"] = [alias for alias in now["aliases"] if alias not in brought]
    if "properties" in before:
        result["properties"] = {
            name: value
            for name, value in now["properties"].items()
            if name in before["properties"]
            or name not in after["properties"]
            or value != after["properties"][name]
        }
    return result
