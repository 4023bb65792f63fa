"""Makes the entities that rules recognised, where there are none of that name yet."""

from collections.abc import Sequence

from graph.core.errors import InvalidInput
from graph.core.jobs import queries as jobs
from graph.core.jobs.models import JobKind
from graph.core.ports import Clock, SecretDetector
from graph.core.rows import Runner
from graph.knowledge.linking.models import Recognised
from graph.knowledge.linking.recognition import THING
from graph.knowledge.ontology import queries as ontology
from graph.knowledge.ontology import rules
from graph.knowledge.ontology.changes import EntityBatch
from graph.knowledge.ontology.locking import locked_entities
from graph.knowledge.ontology.models import EntityDraft
from graph.knowledge.ontology.names import entity_key, normalized
from graph.knowledge.ontology.registry import Registering, Registry


class EntityMaker:
    """Finds entities by type and name, or makes them; lives as long as the process.

    Nobody's decision is undone: what was deleted stays deleted, what was merged leads to the other one, what has no
    type in a strict registry or breaks the schema of its type is left out.
    """

    def __init__(
        self, registering: Registering, clock: Clock, *, secrets: SecretDetector | None = None
    ) -> None:
        self._registering = registering
        self._clock = clock
        self._secrets = secrets

    async def ids_of(self, tx: Runner, workspace_id: str, recognised: Sequence[Recognised]) -> dict[str, str]:
        """Return the ids of what is worth a node, by normalised name; called in the transaction that links them.

        Raises:
            Conflict: Another writer made the same entity or type meanwhile, or merged an entity.
        """
        drafts = {normalized(draft.name): draft for draft in self._drafts(recognised)}
        registry = await self._registry(tx, workspace_id, {draft.type for draft in drafts.values()})
        drafts = {name: draft for name, draft in drafts.items() if draft.type in registry.entity_types}
        keys = {name: entity_key(draft.type, draft.name) for name, draft in drafts.items()}
        now = self._clock.now()
        found = await locked_entities(tx, workspace_id, sorted(keys.values()))
        there = {row.asked: row.entity for row in found}
        batch = EntityBatch(workspace_id, registry, [], now)
        ids: dict[str, str] = {}
        for name in sorted(drafts):
            entity = there.get(keys[name])
            if entity is None:
                ids |= _added(batch, name, drafts[name])
            elif entity.deleted_at is None:
                ids[name] = entity.id
        await self._write(tx, workspace_id, batch)
        return ids

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
            draft = EntityDraft(type=each.type, name=each.name)
            if each.uri is not None:
                draft = EntityDraft(type=each.type, name=each.name, uri=each.uri)
            try:
                checked = rules.validated_entity(draft)
                rules.refuse_secrets(self._secrets, checked)
            except InvalidInput:
                continue
            drafts[normalized(each.name)] = checked
        return list(drafts.values())


def _added(batch: EntityBatch, name: str, draft: EntityDraft) -> dict[str, str]:
    try:
        return {name: batch.add(draft)}
    except InvalidInput:
        return {}  # the type asks for properties that a name alone cannot have
