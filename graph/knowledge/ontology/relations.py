"""Relations between entities: drawn once for two ends and a type, found by an id that says all three."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic_core import from_json

from graph.core.acting import touches
from graph.core.background import in_turns
from graph.core.database import Database
from graph.core.errors import Conflict, InvalidInput, NotFound
from graph.core.pages import page_size
from graph.core.ports import Clock, SecretDetector
from graph.core.rows import Runner
from graph.knowledge.ontology import names, queries, rules
from graph.knowledge.ontology.entities import refuse_deleted_connections
from graph.knowledge.ontology.locking import ATTEMPTS, locked_entities
from graph.knowledge.ontology.models import Entity, Relation, RelationDraft
from graph.knowledge.ontology.registry import Registering, Registry
from graph.memories.deletion.withholding import deleted_conflict, note_deleted, noted_deleted

MAX_BATCH = 1000
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
        """Write relations in one transaction, new ones and changed ones; return them in order."""
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
        """Return the relation of an id, or None where there is none between live entities."""
        triple = names.triple_of(id_)
        if triple is None:
            return None
        return await queries.find_relation(self._database, workspace_id=workspace_id, **triple._asdict())

    async def delete(self, workspace_id: str, id_: str) -> bool:
        """Remove a relation; return whether there was one."""
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
        """Return the relations of entities to and from live ones, the strongest first.

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
            whose = f"{draft.type} from {source.name[:40]!r} to {target.name[:40]!r}"
            registry.relation_rules(draft.type).check(properties, whose=whose)
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
        """Return the live entities that the drafts name, by those names, under a lock.

        Raises:
            NotFound: One does not exist in this workspace, or was deleted.
        """
        asked = sorted({name for draft in drafts for name in (draft.from_name, draft.to_name)})
        found = await locked_entities(tx, workspace_id, asked)
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
        raise InvalidInput("to", "to must name another entity than from")
    return {
        "id": names.relation_id(source.id, draft.type, target.id),
        "from_id": source.id,
        "to_id": target.id,
        "type": draft.type,
        "strength": draft.strength,
        "connection_id": draft.connection_id,
    }
