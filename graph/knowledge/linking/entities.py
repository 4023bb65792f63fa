"""Makes the entities that rules recognised, where there are none of that name yet."""

from collections.abc import Sequence
from contextlib import suppress

from graph.core import queries as jobs
from graph.core.errors import Conflict, InvalidInput
from graph.core.models import JobKind
from graph.core.ports import Clock, SecretDetector
from graph.core.rows import Runner
from graph.knowledge.linking.kinds import THING
from graph.knowledge.linking.models import Recognised, Told
from graph.knowledge.ontology import queries as ontology
from graph.knowledge.ontology import rules
from graph.knowledge.ontology.changes import EntityBatch, is_of_linking, locked_entities
from graph.knowledge.ontology.models import EntityDraft
from graph.knowledge.ontology.names import normalized, recognised_keys
from graph.knowledge.ontology.registry import Registering, Registry


class EntityMaker:
    """Finds entities by type and name, or makes them; lives as long as the process.

    It respects people's decisions: deleted entities stay deleted, and merged ones resolve to their target. It omits
    entities without a type in a strict registry, and those that break the schema of their type.
    """

    def __init__(
        self, registering: Registering, clock: Clock, *, secrets: SecretDetector | None = None
    ) -> None:
        self._registering = registering
        self._clock = clock
        self._secrets = secrets

    async def ids_of(
        self, tx: Runner, workspace_id: str, recognised: Sequence[Recognised], told: Sequence[Told] = ()
    ) -> dict[str, str]:
        """Return the ids of recognised entities by normalised name, in the transaction that links them.

        Args:
            tx: The transaction.
            workspace_id: Workspace of the entities.
            recognised: Names that deserve a node; reuses nodes that linking created from them earlier, of any type.
            told: Facts in texts about existing entities, which are added to them.

        Raises:
            Conflict: Another writer created the same entity or type concurrently, or merged an entity.
        """
        drafts = {normalized(draft.name): draft for draft in self._drafts(recognised)}
        types = {draft.type for draft in drafts.values()} | {each.type for each in told if each.type}
        registry = await self._registry(tx, workspace_id, types)
        drafts = {name: draft for name, draft in drafts.items() if draft.type in registry.entity_types}
        keys = {name: recognised_keys(draft.name) for name, draft in drafts.items()}
        asked = {*(key for each in keys.values() for key in each), *(each.entity_id for each in told)}
        found = await locked_entities(tx, workspace_id, sorted(asked))
        there = {row.asked: row.entity for row in found}
        batch = EntityBatch(workspace_id, registry, found, self._clock.now())
        ids: dict[str, str] = {}
        all_told = [
            each._replace(entity_id=there[each.entity_id].id) for each in told if each.entity_id in there
        ]
        for name, draft in sorted(drafts.items()):
            bearers = [there[key] for key in keys[name] if key in there]
            live = [each for each in bearers if each.deleted_at is None]
            if live:
                entity = next((each for each in live if each.type == draft.type), live[0])
                ids[name] = entity.id
                all_told.append(Told(entity.id, draft.type, draft.aliases or ()))
            elif not bearers:
                ids |= _added(batch, name, draft)
        await self._add_told(tx, workspace_id, batch, registry, all_told)
        await self._write(tx, workspace_id, batch)
        return ids

    async def _add_told(
        self, tx: Runner, workspace_id: str, batch: EntityBatch, registry: Registry, told: Sequence[Told]
    ) -> None:
        """Give live entities the type that linking did not know, and the names they lack.

        An entity with relations keeps its type: another type might not allow them.
        """
        typed = {each.entity_id for each in told if each.type in registry.entity_types and each.type != THING}
        ends = (
            await ontology.list_relation_ends(tx, workspace_id=workspace_id, entity_ids=sorted(typed))
            if typed
            else []
        )
        typed -= {each.entity_id for each in ends}
        for each in told:
            entity = batch.entity(each.entity_id)
            if entity.deleted_at is not None:
                continue
            is_typed = entity.type != THING or not is_of_linking(entity) or entity.id not in typed
            draft = EntityDraft(
                id=entity.id,
                type=entity.type if is_typed else each.type or THING,
                name=entity.name,
                aliases=rules.distinct_names(entity.name, (*entity.aliases, *each.aliases)),
            )
            if (draft.type, draft.aliases) != (entity.type, entity.aliases):
                # No name that an entity may have, one too many, or another entity of that type and name.
                with suppress(InvalidInput, Conflict):
                    batch.add(self._checked(draft))

    async def _write(self, tx: Runner, workspace_id: str, batch: EntityBatch) -> None:
        if not batch.rows:
            return
        now = self._clock.now()
        rows = [{**row, "by_hand": False} for row in batch.rows]
        await ontology.write_entities(tx, workspace_id=workspace_id, entities=rows, now=now)
        await jobs.enqueue_jobs(
            tx,
            workspace_id=workspace_id,
            kind=JobKind.EMBED,
            subject_ids=batch.to_embed,
            now=now,
            due_at=now,
        )

    async def _registry(self, tx: Runner, workspace_id: str, types: set[str]) -> Registry:
        """Return the registry with the types in it that may be made; in a strict or full one they are missing."""
        is_strict = await self._registering.is_strict(workspace_id)
        try:
            return await self._registering.with_types(
                workspace_id, tx, is_strict=is_strict, entity_types=types
            )
        except InvalidInput:
            return await self._registering.read(workspace_id, tx)

    def _drafts(self, recognised: Sequence[Recognised]) -> list[EntityDraft]:
        """Return one draft for each name, of the most telling type it was recognised as."""
        ranked = sorted(recognised, key=lambda each: each.type != THING)
        drafts: dict[str, EntityDraft] = {}
        for each in ranked:
            assert each.type is not None  # noqa: S101 - what is worth no node is not asked for
            known = {"uri": each.uri, "aliases": each.aliases}
            draft = EntityDraft(
                type=each.type, name=each.name, **{name: value for name, value in known.items() if value}
            )
            with suppress(InvalidInput):
                drafts[normalized(each.name)] = self._checked(draft)
        return list(drafts.values())

    def _checked(self, draft: EntityDraft) -> EntityDraft:
        checked = rules.validated_entity(draft)
        rules.refuse_secrets(self._secrets, checked)
        return checked


def _added(batch: EntityBatch, name: str, draft: EntityDraft) -> dict[str, str]:
    try:
        return {name: batch.add(draft)}
    except InvalidInput:
        return {}  # the type asks for properties that a name alone cannot have
