"""Import and export of the registry of types; an import is one transaction and has a dry run."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence

from graph.core.database import Database
from graph.core.deadlines import takes_long
from graph.core.errors import InvalidInput
from graph.core.rows import Runner
from graph.core.text.checks import storable
from graph.core.text.work import TextWork
from graph.knowledge.models import ImportReport, TypeChanges, Vocabulary
from graph.knowledge.ontology.json_format import read_json, selected, write_json
from graph.knowledge.ontology.models import (
    EntityType,
    EntityTypeDraft,
    RelationType,
    RelationTypeDraft,
)
from graph.knowledge.ontology.registry import CheckedType, Registering, Registry, check_batch, checked_type

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
        """Create or change the types that a text describes, all or none of them.

        A repetition changes nothing. Types that the text does not describe stay.

        Args:
            workspace_id: Workspace of the registry.
            content: The JSON text, at most 4,000,000 characters.
            only: Entity types to import, with their supertypes and the relation types between them; empty: all.
            dry_run: Only report the changes.

        Raises:
            InvalidInput: The text cannot be read or a type breaks a rule; the message names the place.
            NotFound: The workspace does not exist.
            Unavailable: The graph does not answer.
        """
        if len(storable("content", content)) > MOST_CHARS:
            raise InvalidInput(
                "content", f"content must have at most {MOST_CHARS} characters, got {len(content)}"
            )
        vocabulary = selected(await self._text_work.run(read_json, content, chars=len(content)), only)
        # Before the transaction, which holds locks and may be retried.
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
    """Raised to roll back a dry run after its changes are known."""

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
    """Return every draft in its stored form.

    Raises:
        InvalidInput: A draft breaks a rule that needs no registry; the message names the draft and the rule.
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
