"""The registry of types in and out: an import is one transaction, which can be tried out first."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TypeVar

from graph.core.database import Database
from graph.core.errors import InvalidInput, Unavailable
from graph.core.rows import Runner
from graph.core.silence import takes_long
from graph.core.text.checks import storable
from graph.core.text.work import TextWork
from graph.knowledge.exchange.json_format import read_json, write_json
from graph.knowledge.exchange.models import ImportReport, OntologyFormat, TypeChanges, Vocabulary
from graph.knowledge.exchange.ports import RdfVocabularies, VocabularyUnreadable
from graph.knowledge.exchange.selection import selected
from graph.knowledge.ontology.models import (
    EntityType,
    EntityTypeDraft,
    RelationType,
    RelationTypeDraft,
)
from graph.knowledge.ontology.registry import Registering, Registry, check_draft

MOST_CHARS = 4_000_000
"""Of a file: schema.org as JSON-LD has 1.6 million. Reading takes seconds per million, in a thread."""
_ATTEMPTS = 5

DraftT = TypeVar("DraftT", EntityTypeDraft, RelationTypeDraft)


class OntologyExchange:
    """The use cases of import and export; lives as long as the process."""

    def __init__(
        self,
        database: Database,
        registering: Registering,
        vocabularies: RdfVocabularies | None,
        text_work: TextWork,
    ) -> None:
        self._database = database
        self._registering = registering
        self._vocabularies = vocabularies
        self._text_work = text_work

    async def import_types(
        self,
        workspace_id: str,
        content: str,
        format_: OntologyFormat,
        *,
        only: Sequence[str] = (),
        dry_run: bool = False,
    ) -> ImportReport:
        """Create the types that a text describes or change those there are, all or none of them.

        The same text again changes nothing. Types that it does not describe stay.

        Args:
            workspace_id: Whose registry.
            content: The text, at most 4,000,000 characters.
            format_: What it is written in.
            only: Names of types of entities to take, with those above them and the relations between; empty: all.
            dry_run: Whether only to tell what would change.

        Raises:
            InvalidInput: The text cannot be read or a type breaks a rule; the message names the place.
            Unavailable: RDF is not installed, or the graph does not answer.
        """
        if len(storable("content", content)) > MOST_CHARS:
            raise InvalidInput(
                "content", f"content must have at most {MOST_CHARS} characters, got {len(content)}"
            )
        vocabulary = selected(await self._read(content, format_), only)
        _check("entityTypes", vocabulary.entity_types)
        _check("relationTypes", vocabulary.relation_types)

        async def work(tx: Runner) -> tuple[Registry, Registry]:
            before, after = await self._registering.upsert_all(
                tx, workspace_id, vocabulary.entity_types, vocabulary.relation_types
            )
            if dry_run:
                raise _TriedOut(before, after)
            return before, after

        before, after = await self._transacted(work)
        return ImportReport(
            dry_run=dry_run,
            entity_types=_changes(vocabulary.entity_types, before.entity_types, after.entity_types),
            relation_types=_changes(vocabulary.relation_types, before.relation_types, after.relation_types),
            notes=vocabulary.notes,
        )

    async def export(self, workspace_id: str, format_: OntologyFormat) -> str:
        """Return the types of a workspace, by name; imported again they are the same.

        Raises:
            Unavailable: RDF is not installed, or the graph does not answer.
        """
        vocabulary = vocabulary_of(await self._registering.read(workspace_id))
        if format_ is OntologyFormat.JSON:
            return write_json(vocabulary)
        return await self._rdf().write(vocabulary, format_)

    async def _read(self, content: str, format_: OntologyFormat) -> Vocabulary:
        if format_ is OntologyFormat.JSON:
            return await self._text_work.run(read_json, content, chars=len(content))
        try:
            return await self._rdf().read(content, format_)
        except VocabularyUnreadable as error:
            raise InvalidInput("content", f"content: {error}") from None

    def _rdf(self) -> RdfVocabularies:
        if self._vocabularies is None:
            raise Unavailable(
                "rdf", "Turtle and JSON-LD need the extra rdf: `make extra NAME=rdf` installs it"
            )
        return self._vocabularies

    @takes_long
    async def _transacted(
        self, work: Callable[[Runner], Awaitable[tuple[Registry, Registry]]]
    ) -> tuple[Registry, Registry]:
        """Return the registry before and after; another writer who made the same type meanwhile is no obstacle."""
        try:
            return await self._database.transaction(work, attempts=_ATTEMPTS)
        except _TriedOut as tried:
            return tried.before, tried.after


class _TriedOut(Exception):
    """Raised to have a transaction taken back once it has shown what it does."""

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


def _check(where: str, drafts: Sequence[DraftT]) -> None:
    """Return if every draft keeps the rules that need no registry.

    Raises:
        InvalidInput: One does not; the message says which.
    """
    for place, draft in enumerate(drafts):
        try:
            check_draft(draft)
        except InvalidInput as error:
            raise InvalidInput(
                "content", f"content, {where}.{place} ({draft.name[:80]!r}): {error.message}"
            ) from None


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
