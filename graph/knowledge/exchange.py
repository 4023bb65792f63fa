"""The registry of types in and out: an import is one transaction, which can be tried out first."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel

from graph.core.database import Database
from graph.core.deadlines import takes_long
from graph.core.errors import InvalidInput
from graph.core.rows import Runner
from graph.core.text.checks import storable
from graph.core.text.work import TextWork
from graph.knowledge.models import ImportReport, TypeChanges, Vocabulary
from graph.knowledge.ontology.models import (
    EntityType,
    EntityTypeDraft,
    RelationType,
    RelationTypeDraft,
)
from graph.knowledge.ontology.registry import CheckedType, Registering, Registry, check_batch, checked_type


class _Written(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, extra="forbid", frozen=True)


class _WrittenEntityType(_Written, EntityTypeDraft):
    pass


class _WrittenRelationType(_Written, RelationTypeDraft):
    pass


class _WrittenOntology(_Written):
    entity_types: tuple[_WrittenEntityType, ...] = ()
    relation_types: tuple[_WrittenRelationType, ...] = ()


def read_json(content: str) -> Vocabulary:
    """Return the types in a JSON text; an omitted field keeps its stored value.

    Raises:
        InvalidInput: The text is not valid; the message names the place.
    """
    try:
        written = _WrittenOntology.model_validate(json.loads(content))
    except json.JSONDecodeError as error:
        raise InvalidInput(
            "content", f"content is not JSON: {error.msg} in line {error.lineno}, column {error.colno}"
        ) from None
    except RecursionError:
        raise InvalidInput("content", "content is nested too deeply") from None
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the whole"
        raise InvalidInput("content", f"content, {place[:200]}: {first['msg'][:200]}") from None
    except ValueError:
        raise InvalidInput("content", "content holds a number of too many digits to be read") from None
    return Vocabulary(
        entity_types=tuple(EntityTypeDraft(**_given(type_)) for type_ in written.entity_types),
        relation_types=tuple(RelationTypeDraft(**_given(type_)) for type_ in written.relation_types),
    )


def write_json(vocabulary: Vocabulary) -> str:
    """Return types as JSON, including empty fields, so that an import clears them."""
    ontology = {
        "entityTypes": [_written(type_) for type_ in vocabulary.entity_types],
        "relationTypes": [_written(type_) for type_ in vocabulary.relation_types],
    }
    return json.dumps(ontology, ensure_ascii=False, indent=2) + "\n"


def _given(type_: _Written) -> dict[str, Any]:
    return type_.model_dump(include=type_.model_fields_set)


def _written(type_: EntityTypeDraft | RelationTypeDraft) -> dict[str, Any]:
    return {to_camel(field): value for field, value in type_.model_dump().items()}


def selected(vocabulary: Vocabulary, only: Sequence[str]) -> Vocabulary:
    """Return the types of entities named with those above them, and the relations that may join them.

    Raises:
        InvalidInput: A name is no type of the vocabulary.
    """
    if not only:
        return vocabulary
    by_name = {type_.name: type_ for type_ in vocabulary.entity_types}
    for name in only:
        if name not in by_name:
            raise InvalidInput("only", f"only must name types of the content, which has no {name[:80]!r}")
    kept = _with_ancestors(only, by_name)
    relations = (_between(type_, kept) for type_ in vocabulary.relation_types)
    return vocabulary.model_copy(
        update={
            "entity_types": tuple(type_ for type_ in vocabulary.entity_types if type_.name in kept),
            "relation_types": tuple(type_ for type_ in relations if type_ is not None),
        }
    )


def _with_ancestors(names: Iterable[str], by_name: dict[str, EntityTypeDraft]) -> set[str]:
    kept: set[str] = set()
    for name in names:
        above: str | None = name
        while above in by_name and above not in kept:
            kept.add(above)
            above = by_name[above].parent
    return kept


def _between(type_: RelationTypeDraft, kept: set[str]) -> RelationTypeDraft | None:
    """Return a type of relations with the ends that are kept, or None where that leaves one end without a type."""
    ends = {}
    for field, names in (("from_types", type_.from_types), ("to_types", type_.to_types)):
        remaining = tuple(name for name in names or () if name in kept)
        if names and not remaining:
            return None
        if names:
            ends[field] = remaining
    return type_.model_copy(update=ends)


MOST_CHARS = 4_000_000
"""Largest import in characters; a published vocabulary such as schema.org has 1.6 million."""
_ATTEMPTS = 5


class OntologyExchange:
    """The use cases of import and export; lives as long as the process."""

    def __init__(self, database: Database, registering: Registering, text_work: TextWork) -> None:
        self._database = database
        self._registering = registering
        self._text_work = text_work

    async def import_types(
        self,
        workspace_id: str,
        content: str,
        *,
        only: Sequence[str] = (),
        dry_run: bool = False,
    ) -> ImportReport:
        """Create the types that a text describes or change those there are, all or none of them.

        The same text again changes nothing. Types that it does not describe stay.

        Args:
            workspace_id: Workspace of the registry.
            content: The JSON text, at most 4,000,000 characters.
            only: Names of types of entities to take, with those above them and the relations between; empty: all.
            dry_run: Only report the changes.

        Raises:
            InvalidInput: The text cannot be read or a type breaks a rule; the message names the place.
            NotFound: There is no such workspace.
            Unavailable: The graph does not answer.
        """
        if len(storable("content", content)) > MOST_CHARS:
            raise InvalidInput(
                "content", f"content must have at most {MOST_CHARS} characters, got {len(content)}"
            )
        vocabulary = selected(await self._text_work.run(read_json, content, chars=len(content)), only)
        # Once, and before the transaction, which may be tried again and holds locks.
        entity_types = await asyncio.to_thread(_checked, "entityTypes", vocabulary.entity_types)
        relation_types = await asyncio.to_thread(_checked, "relationTypes", vocabulary.relation_types)

        async def work(tx: Runner) -> tuple[Registry, Registry]:
            before, after = await self._registering.upsert_all(tx, workspace_id, entity_types, relation_types)
            if dry_run:
                raise _TriedOut(before, after)
            return before, after

        before, after = await self._transacted(work)
        return await asyncio.to_thread(_report, vocabulary, before, after, dry_run=dry_run)

    async def export(self, workspace_id: str) -> str:
        """Return the types of a workspace as JSON, sorted by name; importing it again changes nothing."""
        registry = await self._registering.read(workspace_id)
        vocabulary = await asyncio.to_thread(vocabulary_of, registry)
        return await asyncio.to_thread(write_json, vocabulary)

    @takes_long
    async def _transacted(
        self, work: Callable[[Runner], Awaitable[tuple[Registry, Registry]]]
    ) -> tuple[Registry, Registry]:
        """Return the registry before and after; retries if another writer created the same type."""
        try:
            return await self._database.transaction(work, attempts=_ATTEMPTS)
        except _TriedOut as tried:
            return tried.before, tried.after


class _TriedOut(Exception):
    """Raised to roll back a dry run once its changes are known."""

    def __init__(self, before: Registry, after: Registry) -> None:
        super().__init__("tried out")
        self.before = before
        self.after = after


def vocabulary_of(registry: Registry) -> Vocabulary:
    """Return the types of a registry as drafts, by name."""
    entity_types = sorted(registry.entity_types.values(), key=lambda type_: type_.name)
    relation_types = sorted(registry.relation_types.values(), key=lambda type_: type_.name)
    return Vocabulary(
        entity_types=tuple(EntityTypeDraft.model_validate(type_.model_dump()) for type_ in entity_types),
        relation_types=tuple(
            RelationTypeDraft.model_validate(type_.model_dump()) for type_ in relation_types
        ),
    )


def _checked(where: str, drafts: Sequence[EntityTypeDraft | RelationTypeDraft]) -> list[CheckedType]:
    """Return every draft as it is stored.

    Raises:
        InvalidInput: One breaks a rule that needs no registry; the message says which.
    """
    if drafts:
        check_batch(drafts)
    checked: list[CheckedType] = []
    for place, draft in enumerate(drafts):
        try:
            checked.append(checked_type(draft))
        except InvalidInput as error:
            raise InvalidInput(
                "content", f"content, {where}.{place} ({draft.name[:80]!r}): {error.message}"
            ) from None
    return checked


def _report(vocabulary: Vocabulary, before: Registry, after: Registry, *, dry_run: bool) -> ImportReport:
    return ImportReport(
        dry_run=dry_run,
        entity_types=_changes(vocabulary.entity_types, before.entity_types, after.entity_types),
        relation_types=_changes(vocabulary.relation_types, before.relation_types, after.relation_types),
    )


def _changes(
    drafts: Sequence[EntityTypeDraft] | Sequence[RelationTypeDraft],
    before: Mapping[str, EntityType] | Mapping[str, RelationType],
    after: Mapping[str, EntityType] | Mapping[str, RelationType],
) -> TypeChanges:
    names = sorted({draft.name for draft in drafts})
    return TypeChanges(
        created=[name for name in names if name not in before],
        updated=[name for name in names if name in before and before[name] != after[name]],
        unchanged=[name for name in names if name in before and before[name] == after[name]],
    )
