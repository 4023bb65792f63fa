"""Computes the changes of stored entities by a batch of drafts, without a database."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from graph.core.errors import Conflict, NotFound
from graph.core.ids import new_id
from graph.core.rows import Runner
from graph.knowledge.ontology import names, queries, rules
from graph.knowledge.ontology.models import Entity, EntityDraft
from graph.knowledge.ontology.queries import LockEntitiesRow
from graph.knowledge.ontology.registry import Registry
from graph.memories.deletion_marks import deleted_conflict
from graph.memories.models import MemoryState

_TICK = timedelta(microseconds=1)  # keeps the order of a batch in lists by age
_PLAIN_FIELDS = ("description", "summary", "uri")


def key_of(draft: EntityDraft) -> str | None:
    """Return the key by which a draft identifies its entity, or None if it has an id."""
    if draft.key is not None or draft.id is not None:
        return draft.key
    return names.entity_key(draft.type, draft.name)


def locked_keys_of(draft: EntityDraft) -> list[str]:
    """Return the keys to lock for a draft: its own or default key, and those that linking may have used."""
    key = names.entity_key(draft.type, draft.name) if draft.key is None else draft.key
    return [key, *(names.recognised_keys(draft.name) if draft.id is None else ())]


def is_of_linking(entity: Entity) -> bool:
    """Tell whether only linking wrote a live entity, and no person or connection."""
    return not entity.by_hand and not entity.connection_ids and entity.deleted_at is None


class EntityBatch:
    """One batch in one workspace; a later draft sees the changes of earlier ones."""

    def __init__(
        self,
        workspace_id: str,
        registry: Registry,
        found: Sequence[LockEntitiesRow],
        now: datetime,
        *,
        restores_deleted: bool = True,
    ) -> None:
        self._workspace_id = workspace_id
        self._registry = registry
        self._now = now
        self._restores_deleted = restores_deleted
        self._by_id = {row.asked: row for row in found if not row.by_key}
        self._ids_of_keys = {row.asked: row.entity.id for row in found if row.by_key}
        self._duplicates = {row.asked for row in found if row.is_duplicate}
        self._entities = {row.entity.id: row.entity for row in found}
        self._rows: dict[str, dict[str, Any]] = {}
        self._to_embed: dict[str, None] = {}
        self._retyped: dict[str, None] = {}

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Rows to write; see ``write_entities``."""
        return list(self._rows.values())

    @property
    def to_embed(self) -> list[str]:
        """Entities whose text changed."""
        return list(self._to_embed)

    @property
    def retyped(self) -> list[str]:
        """Entities whose type changed."""
        return list(self._retyped)

    def entity(self, id_: str) -> Entity:
        """Return an entity with the changes of the batch."""
        return self._entities[id_]

    def add(self, draft: EntityDraft) -> str:
        """Add the changes of one draft and return the id of its entity.

        Raises:
            NotFound: The workspace has no entity with the id.
            Conflict: Id and key belong to two entities, another entity has the new name, or the entity was deleted and
                deleted entities are not restored.
            InvalidInput: The properties do not satisfy the schema of the type.
        """
        key, id_ = self._find(draft)
        before = self._entities[id_] if id_ is not None else None
        if before is not None and before.deleted_at is not None and not self._restores_deleted:
            raise deleted_conflict(f"{before.type} {before.name[:80]!r}")
        after = self._new(draft) if before is None else self._changed(before, draft, key)
        if self._ids_of_keys.get(after.key, after.id) != after.id:
            raise Conflict(f"{after.type} {after.name[:80]!r} belongs to another entity", field="name")
        self._registry.entity_rules(after.type).check(
            after.properties, owner=f"{after.type} {after.name[:80]!r}"
        )
        if before is not None:
            self._ids_of_keys.pop(before.key, None)
        self._ids_of_keys[after.key] = after.id
        self._plan(before, after, draft)
        return after.id

    def _find(self, draft: EntityDraft) -> tuple[str, str | None]:
        """Return the id or key by which a draft's entity was found, and its id, None for a new entity."""
        if draft.id is None:
            key = key_of(draft) or ""
            if key not in self._ids_of_keys:
                key = next(
                    (each for each in names.recognised_keys(draft.name) if self._is_twin(each, draft)), key
                )
            return key, self._ids_of_keys.get(key)
        if draft.id not in self._by_id and draft.id not in self._entities:
            raise NotFound(f"there is no entity {draft.id!r} in this workspace", field="id")
        id_ = self._by_id[draft.id].entity.id if draft.id in self._by_id else draft.id
        if draft.key is not None and self._ids_of_keys.get(draft.key, id_) != id_:
            raise Conflict(f"key {draft.key!r} belongs to another entity", field="key")
        return draft.id, id_

    def _is_twin(self, key: str, draft: EntityDraft) -> bool:
        """Tell whether a key leads to an entity that linking created, or to one of the draft's type by a merge."""
        entity = self._entities.get(self._ids_of_keys.get(key, ""))
        if entity is None or entity.deleted_at is not None:
            return False
        return entity.type == draft.type if key in self._duplicates else is_of_linking(entity)

    def _new(self, draft: EntityDraft) -> Entity:
        at = self._now + len(self._rows) * _TICK
        return Entity(
            id=new_id("ent"),
            workspace_id=self._workspace_id,
            key=key_of(draft) or "",
            type=draft.type,
            name=draft.name,
            aliases=draft.aliases or (),
            description=draft.description,
            summary=draft.summary,
            properties=rules.merged_properties({}, draft.properties or {}),
            uri=draft.uri,
            connection_ids=(draft.connection_id,) if draft.connection_id else (),
            by_hand=draft.connection_id is None,
            state=MemoryState.STORED,
            created_at=at,
            updated_at=at,
        )

    def _changed(self, before: Entity, draft: EntityDraft, found_by: str) -> Entity:
        """Return the entity with the draft's fields; a merged duplicate's name becomes an alias."""
        is_duplicate = not {draft.id, key_of(draft), found_by}.isdisjoint(self._duplicates)
        update: dict[str, Any] = {
            field: getattr(draft, field) for field in _PLAIN_FIELDS if field in draft.model_fields_set
        }
        aliases = (draft.aliases or ()) if "aliases" in draft.model_fields_set else before.aliases
        if is_duplicate:
            aliases = rules.distinct_names(before.name, (*before.aliases, draft.name, *(draft.aliases or ())))
        else:
            update |= {"type": draft.type, "name": draft.name, "key": self._key_after(before, draft)}
            learnt = before.aliases if is_of_linking(before) else ()
            aliases = rules.distinct_names(draft.name, (*aliases, *learnt))
        update["aliases"] = aliases
        if "properties" in draft.model_fields_set:
            stored = {} if draft.properties is None else before.properties
            update["properties"] = rules.merged_properties(stored, draft.properties or {})
        if draft.connection_id is not None and draft.connection_id not in before.connection_ids:
            update["connection_ids"] = (*before.connection_ids, draft.connection_id)
        update |= {"deleted_at": None, "by_hand": before.by_hand or draft.connection_id is None}
        after = before.model_copy(update=update)
        return after if after == before else after.model_copy(update={"updated_at": self._now})

    def _key_after(self, before: Entity, draft: EntityDraft) -> str:
        """Return the given key, or one from the new name if the key came from the old one.

        A key of a merged duplicate already leads to the entity.
        """
        if draft.key is not None:
            return draft.key
        if before.key != names.entity_key(before.type, before.name):
            return before.key
        key = names.entity_key(draft.type, draft.name)
        is_of_duplicate = key in self._duplicates and self._ids_of_keys.get(key) == before.id
        return before.key if is_of_duplicate else key

    def _plan(self, before: Entity | None, after: Entity, draft: EntityDraft) -> None:
        text = searched_text(after)
        is_new_text = before is None or before.deleted_at is not None or searched_text(before) != text
        if before is not None and is_new_text:
            after = after.model_copy(update={"revision": before.revision + 1, "state": MemoryState.STORED})
        self._entities[after.id] = after
        if before is not None and before.type != after.type:
            self._retyped[after.id] = None
        if is_new_text:
            self._to_embed[after.id] = None
        row = self._rows.setdefault(after.id, {"id": after.id, "connection_ids": [], "by_hand": False})
        if draft.connection_id is None:
            row["by_hand"] = True
        else:
            row["connection_ids"].append(draft.connection_id)
        row["type"] = after.type
        row["properties"] = stored_properties(after, text)


def searched_text(entity: Entity) -> str:
    """Return the text of an entity for embedding and search."""
    return rules.searched_text(entity.model_dump())


def stored_properties(entity: Entity, text: str) -> Mapping[str, Any]:
    """Return the properties of an entity's node, without its type, connections and index labels."""
    return {
        **entity.model_dump(
            include={
                "key", "name", "description", "summary", "uri", "state", "revision", "created_at", "updated_at",
                "deleted_at",
            }
        ),
        "aliases": list(entity.aliases),
        "properties": rules.as_json(entity.properties),
        "active": True,
        "search_kind": "entity",
        "search_text": text,
        "search_keys": rules.searched_keys(entity.name, entity.aliases, text),
        "name_keys": rules.name_keys(entity.name, entity.aliases),
    }  # fmt: skip


ATTEMPTS = 5
"""Number of attempts of a transaction that locks entities; a retry resolves a newly merged entity to its target."""


async def locked_entities(tx: Runner, workspace_id: str, names: Sequence[str]) -> list[LockEntitiesRow]:
    """Lock the entities with some ids and keys; merged ones resolve to their target.

    Raises:
        Conflict: An entity was merged during the wait for its lock; retry the transaction.
    """
    rows = await queries.lock_entities(tx, workspace_id=workspace_id, names=names)
    for row in rows:
        if row.has_left:
            raise Conflict(f"entity {row.entity.id} is being merged into another; try again")
    return rows
