"""Registry of types: the known types, their rules for entities and relations, and their creation."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from graph.core.database import Database
from graph.core.errors import Conflict, InvalidInput, NotFound
from graph.core.ids import new_id
from graph.core.ports import Clock
from graph.core.rows import Runner
from graph.core.text.checks import short_name
from graph.knowledge.ontology import names, queries
from graph.knowledge.ontology.models import EntityType, EntityTypeDraft, RelationType, RelationTypeDraft
from graph.knowledge.ontology.rules import MOST_TEXT_CHARS, as_json
from graph.knowledge.ontology.schemas import PropertyRules, validated_schema
from graph.tenancy.settings import WorkspaceSettings
from graph.tenancy.workspaces import Workspaces

MOST_TYPES = 2000
"""Maximum number of types of each kind in one workspace: schema.org with its 900 classes and 1,500 properties fits.
A Neo4j store can have 65,535 edge types in total; a relation type uses one of them from its first edge on."""
_MOST_NAMED_TYPES = 100
_CAMEL = {"from_types": "fromTypes", "to_types": "toTypes"}

TypeT = TypeVar("TypeT", EntityType, RelationType)


class CheckedType(NamedTuple):
    """A draft that satisfies the rules that need no registry, with its set properties in their stored form."""

    name: str
    properties: Mapping[str, Any]


class Registry:
    """The current types of one workspace; lives as long as the write or read that needs them."""

    def __init__(self, entity_types: Iterable[EntityType], relation_types: Iterable[RelationType]) -> None:
        self.entity_types = {type_.name: type_ for type_ in entity_types}
        self.relation_types = {type_.name: type_ for type_ in relation_types}
        self._property_rules: dict[str, PropertyRules] = {}

    @cached_property
    def _children(self) -> Mapping[str, Sequence[str]]:
        children: dict[str, list[str]] = {}
        for type_ in self.entity_types.values():
            if type_.parent is not None:
                children.setdefault(type_.parent, []).append(type_.name)
        return children

    def lineage(self, name: str) -> list[str]:
        """Return a type and its supertypes, the nearest first."""
        found = [name]
        while (type_ := self.entity_types.get(found[-1])) and type_.parent and type_.parent not in found:
            found.append(type_.parent)
        return found

    def with_subtypes(self, type_names: Iterable[str]) -> list[str]:
        """Return types with all their subtypes; an unregistered name stays in the result."""
        found = dict.fromkeys(type_names)
        waiting = list(found)
        while waiting:
            below = [name for name in self._children.get(waiting.pop(), ()) if name not in found]
            found |= dict.fromkeys(below)
            waiting += below
        return list(found)

    def entity_rules(self, name: str) -> PropertyRules:
        """Return the rules for the properties of an entity type, including those of its supertypes."""
        if name not in self._property_rules:
            lineage = [self.entity_types[each] for each in self.lineage(name) if each in self.entity_types]
            self._property_rules[name] = PropertyRules([type_.properties for type_ in lineage])
        return self._property_rules[name]

    def relation_rules(self, name: str) -> PropertyRules:
        """Return the rules for the properties of a relation type."""
        if name not in self._property_rules:
            known = self.relation_types.get(name)
            self._property_rules[name] = PropertyRules([known.properties] if known else [])
        return self._property_rules[name]

    def check_ends(self, relation_type: str, *, from_type: str, to_type: str) -> None:
        """Check that a relation type allows the entity types of its ends.

        Raises:
            InvalidInput: It does not; the message names the allowed types.
        """
        known = self.relation_types.get(relation_type)
        if known is None:
            return
        for field, allowed, actual in (
            ("from", known.from_types, from_type),
            ("to", known.to_types, to_type),
        ):
            if allowed and not set(allowed) & set(self.lineage(actual)):
                raise InvalidInput(
                    field, f"{field} of {relation_type} must be of type {' or '.join(allowed)}, got {actual}"
                )


class Registering:
    """The use cases of the registry; lives as long as the process."""

    def __init__(self, database: Database, workspaces: Workspaces, clock: Clock) -> None:
        self._database = database
        self._workspaces = workspaces
        self._clock = clock

    async def is_strict(self, workspace_id: str) -> bool:
        """Tell whether the workspace's registry allows only explicitly created types."""
        settings = (await self._workspaces.get(workspace_id)).settings
        return WorkspaceSettings.of(settings).ontology_strict is True

    async def read(self, workspace_id: str, runner: Runner | None = None) -> Registry:
        """Return the types of a workspace."""
        runner = runner or self._database
        entity_rows = await queries.list_entity_types(runner, workspace_id=workspace_id)
        relation_rows = await queries.list_relation_types(runner, workspace_id=workspace_id)
        return Registry(entity_rows, relation_rows)

    async def with_types(
        self,
        workspace_id: str,
        tx: Runner,
        *,
        is_strict: bool,
        entity_types: Iterable[str] = (),
        relation_types: Iterable[str] = (),
    ) -> Registry:
        """Return the registry after creating missing types with an open schema.

        Raises:
            InvalidInput: A type is missing and the registry is strict, or there are too many types.
        """
        registry = await self.read(workspace_id, tx)
        new_entity_types = sorted(set(entity_types) - registry.entity_types.keys())
        new_relation_types = sorted(set(relation_types) - registry.relation_types.keys())
        if not new_entity_types and not new_relation_types:
            return registry
        if is_strict:
            kind = "entities" if new_entity_types else "relations"
            missing = (new_entity_types or new_relation_types)[0]
            raise InvalidInput(
                "type",
                f"type {missing!r} of {kind} is not in the registry, and the registry is strict; create it first",
            )
        _check_number(len(registry.entity_types) + len(new_entity_types))
        _check_number(len(registry.relation_types) + len(new_relation_types))
        await queries.create_missing_types(
            tx,
            workspace_id=workspace_id,
            entity_types=[{"id": new_id("ety"), "name": name} for name in new_entity_types],
            relation_types=[{"id": new_id("rty"), "name": name} for name in new_relation_types],
            now=self._clock.now(),
        )
        return await self.read(workspace_id, tx)

    async def upsert_entity_types(
        self, workspace_id: str, drafts: Sequence[EntityTypeDraft]
    ) -> list[EntityType]:
        """Create or change entity types in one transaction.

        Stored entities must match a changed schema at their next write.

        Raises:
            InvalidInput: A name, schema or parent breaks a rule; nothing was changed.
            NotFound: The workspace does not exist.
        """
        rows = _rows_of(await _all_checked(drafts), "ety")

        async def work(tx: Runner) -> list[EntityType]:
            registry = await self.read(workspace_id, tx)
            _check_number(len(registry.entity_types.keys() | {row["name"] for row in rows}))
            _check_parents(registry, rows)
            now = self._clock.now()
            written = await queries.upsert_entity_types(tx, workspace_id=workspace_id, types=rows, now=now)
            return _written(written)

        return _in_order(rows, await self._database.transaction(work))

    async def upsert_relation_types(
        self, workspace_id: str, drafts: Sequence[RelationTypeDraft]
    ) -> list[RelationType]:
        """Create or change relation types in one transaction.

        Raises:
            InvalidInput: A name, a schema or an allowed end breaks a rule; nothing was changed.
            NotFound: The workspace does not exist.
        """
        rows = _rows_of(await _all_checked(drafts), "rty")

        async def work(tx: Runner) -> list[RelationType]:
            registry = await self.read(workspace_id, tx)
            _check_number(len(registry.relation_types.keys() | {row["name"] for row in rows}))
            for row in rows:
                for field in ("from_types", "to_types"):
                    _check_known(registry, field, row["properties"].get(field) or ())
            now = self._clock.now()
            written = await queries.upsert_relation_types(tx, workspace_id=workspace_id, types=rows, now=now)
            return _written(written)

        return _in_order(rows, await self._database.transaction(work))

    async def upsert_all(
        self,
        tx: Runner,
        workspace_id: str,
        entity_types: Sequence[CheckedType],
        relation_types: Sequence[CheckedType],
    ) -> tuple[Registry, Registry]:
        """Create or change types of both kinds, and return the registry before and after; skip unchanged types.

        Raises:
            InvalidInput: A parent or an allowed end breaks a rule, or there are too many types.
            NotFound: The workspace does not exist.
        """
        before = await self.read(workspace_id, tx)
        entity_rows = _rows_of(entity_types, "ety")
        relation_rows = _rows_of(relation_types, "rty")
        _check_number(len(before.entity_types.keys() | {row["name"] for row in entity_rows}))
        _check_number(len(before.relation_types.keys() | {row["name"] for row in relation_rows}))
        _check_parents(before, entity_rows)
        now = self._clock.now()
        if new := await asyncio.to_thread(_changing, entity_rows, before.entity_types):
            _written(await queries.upsert_entity_types(tx, workspace_id=workspace_id, types=new, now=now))
        known = await self.read(workspace_id, tx)
        for row in relation_rows:
            for field in ("from_types", "to_types"):
                _check_known(known, field, row["properties"].get(field) or ())
        if new := await asyncio.to_thread(_changing, relation_rows, before.relation_types):
            _written(await queries.upsert_relation_types(tx, workspace_id=workspace_id, types=new, now=now))
        return before, await self.read(workspace_id, tx)

    async def delete_entity_type(self, workspace_id: str, name: str) -> bool:
        """Delete an unused entity type; return whether it existed.

        Raises:
            Conflict: Entities, including restorable ones, subtypes or relation types still need it.
        """
        row = await queries.delete_entity_type(self._database, workspace_id=workspace_id, name=name)
        if row is not None and row.used_by is not None:
            counts = (
                f": {row.live} live, {row.inactive - row.merged} deleted but restorable, "
                f"{row.merged} merged into others"
            )
            raise _needed(name, f"{row.used_by} of it{counts if row.used_by == 'entities' else ''}")
        return row is not None

    async def delete_relation_type(self, workspace_id: str, name: str) -> bool:
        """Delete an unused relation type; return whether it existed.

        Raises:
            Conflict: Relations have this type, including relations of restorable entities.
        """
        row = await queries.delete_relation_type(self._database, workspace_id=workspace_id, name=name)
        if row is not None and row.relations:
            raise _needed(
                name,
                f"relations of it: {row.live} between live entities, {row.relations - row.live} of deleted or merged "
                "entities, which restoring an entity brings back",
            )
        return row is not None


def checked_type(draft: EntityTypeDraft | RelationTypeDraft) -> CheckedType:
    """Return a draft in its stored form after the checks that need no registry; a schema of 15 properties takes 5 ms.

    Raises:
        InvalidInput: Its name, a text, a schema or the number of its ends breaks a rule.
    """
    if isinstance(draft, EntityTypeDraft):
        return CheckedType(draft.name, _entity_type_properties(draft))
    return CheckedType(draft.name, _relation_type_properties(draft))


def check_batch(drafts: Sequence[EntityTypeDraft | RelationTypeDraft]) -> None:
    """Check the number of drafts in one call.

    Raises:
        InvalidInput: There are none, or more than 2000.
    """
    if not 1 <= len(drafts) <= MOST_TYPES:
        raise InvalidInput("inputs", f"inputs must hold 1 to {MOST_TYPES} types, got {len(drafts)}")


async def _all_checked(
    drafts: Sequence[EntityTypeDraft] | Sequence[RelationTypeDraft],
) -> list[CheckedType]:
    """Check drafts in a thread: one schema of the maximum size would block the event loop for too long."""
    check_batch(drafts)
    return await asyncio.to_thread(lambda: [checked_type(draft) for draft in drafts])


def _entity_type_properties(draft: EntityTypeDraft) -> dict[str, Any]:
    """Return the checked properties that a draft sets."""
    names.entity_type_name("name", draft.name)
    properties = _described(draft.model_dump(include=draft.model_fields_set))
    if properties.get("parent") is not None:
        names.entity_type_name("parent", properties["parent"])
    return properties


def _relation_type_properties(draft: RelationTypeDraft) -> dict[str, Any]:
    """Return the checked properties that a draft sets."""
    names.relation_type_name("name", draft.name)
    properties = _described(draft.model_dump(include=draft.model_fields_set))
    for field in ("from_types", "to_types"):
        if field in properties:
            properties[field] = list(dict.fromkeys(properties[field] or ()))
            if len(properties[field]) > _MOST_NAMED_TYPES:
                raise InvalidInput(
                    _CAMEL[field], f"{_CAMEL[field]} must name at most {_MOST_NAMED_TYPES} types"
                )
    return properties


def _described(properties: dict[str, Any]) -> dict[str, Any]:
    properties.pop("name")
    if "description" in properties:
        properties["description"] = short_name(
            "description", properties["description"], limit=MOST_TEXT_CHARS
        )
    if "properties" in properties:
        properties["properties"] = as_json(validated_schema(properties["properties"] or {}))
    return properties


def _rows_of(types: Iterable[CheckedType], prefix: str) -> list[dict[str, Any]]:
    """Return one row for each name with the properties of its drafts; a later draft overrides earlier ones."""
    rows: dict[str, dict[str, Any]] = {}
    for name, properties in types:
        row = rows.setdefault(name, {"id": new_id(prefix), "name": name, "properties": {}})
        row["properties"] |= properties
    return list(rows.values())


def _changing(
    rows: Sequence[dict[str, Any]], stored: Mapping[str, EntityType] | Mapping[str, RelationType]
) -> list[dict[str, Any]]:
    """Return the rows that differ from the stored ones."""
    return [row for row in rows if _differs(stored.get(row["name"]), row)]


def _differs(stored: EntityType | RelationType | None, row: Mapping[str, Any]) -> bool:
    """Tell whether a row differs from the stored one."""
    if stored is None:
        return True
    known = stored.model_dump()
    known["properties"] = as_json(known["properties"])
    return any(
        value != (list(known[field]) if isinstance(known[field], tuple) else known[field])
        for field, value in row["properties"].items()
    )


def _in_order(rows: Sequence[Mapping[str, Any]], written: Sequence[TypeT]) -> list[TypeT]:
    by_name = {type_.name: type_ for type_ in written}
    return [by_name[row["name"]] for row in rows]


def _check_number(number: int) -> None:
    if number > MOST_TYPES:
        raise InvalidInput("inputs", f"a workspace may have at most {MOST_TYPES} types of each kind")


def _check_known(registry: Registry, field: str, type_names: Iterable[str]) -> None:
    for name in type_names:
        if name not in registry.entity_types:
            raise InvalidInput(
                _CAMEL[field], f"{_CAMEL[field]} must name types of entities; create {name[:80]!r} first"
            )


def _check_parents(registry: Registry, rows: Sequence[Mapping[str, Any]]) -> None:
    """Check that every parent is known and that no type is its own ancestor."""
    parents = {type_.name: type_.parent for type_ in registry.entity_types.values()}
    parents |= {row["name"]: row["properties"].get("parent", parents.get(row["name"])) for row in rows}
    for row in rows:
        seen = {row["name"]}
        above = parents[row["name"]]
        while above is not None:
            if above not in parents:
                raise InvalidInput("parent", f"parent must name a type of entities; create {above!r} first")
            if above in seen:
                raise InvalidInput("parent", f"parent of {row['name']} must not lead back to it")
            seen.add(above)
            above = parents[above]


def _written(types: list[TypeT]) -> list[TypeT]:
    if not types:
        raise NotFound("there is no such workspace", field="workspaceId")
    return types


def _needed(name: str, by: str) -> Conflict:
    return Conflict(f"type {name} cannot be deleted: there are {by}", field="name")
