"""Writes entities: each batch is one transaction that locks the entities it changes, and may be retried."""

from collections.abc import Iterable, Sequence

from graph.core.background import in_turns
from graph.core.database import Database
from graph.core.errors import Conflict, InvalidInput
from graph.core.jobs import queries as jobs
from graph.core.jobs.models import JobKind
from graph.core.ports import Clock, SecretDetector
from graph.core.rows import Runner
from graph.knowledge.connections.queries import find_connection
from graph.knowledge.ontology import queries, rules
from graph.knowledge.ontology.changes import EntityBatch, locked_keys_of
from graph.knowledge.ontology.locking import ATTEMPTS, locked_entities
from graph.knowledge.ontology.models import Entity, EntityDraft
from graph.knowledge.ontology.registry import Registering, Registry
from graph.memories.deletion.withholding import deleted_conflict, noted_deleted

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
        """Write entities in one transaction, new ones and changed ones; return them in order."""
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
        asked = sorted({name for draft in drafts for name in (draft.id, *locked_keys_of(draft)) if name})
        found = await locked_entities(tx, workspace_id, asked)
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
    """Return unless one of the connections was deleted and is not there again.

    Raises:
        Conflict: One was.
    """
    for id_ in await noted_deleted(tx, workspace_id, "connection", connection_ids):
        if await find_connection(tx, workspace_id=workspace_id, id=id_) is None:
            raise deleted_conflict(f"connection {id_[:80]!r}")


async def _check_relations(tx: Runner, workspace_id: str, ids: Sequence[str], registry: Registry) -> None:
    """Return if entities may have their relations with the types that were just written.

    Raises:
        InvalidInput: A type of relation does not admit the new type of an entity.
    """
    for ends in await queries.list_relation_ends(tx, workspace_id=workspace_id, entity_ids=ids):
        try:
            registry.check_ends(ends.type, from_type=ends.from_type, to_type=ends.to_type)
        except InvalidInput as error:
            raise InvalidInput(
                "type",
                f"with its new type, {error.message}; remove these relations of {ends.entity_id} first",
            ) from None
