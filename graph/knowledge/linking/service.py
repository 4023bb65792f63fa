"""Links memories to the entities that they mention, in the background: the jobs of kind ``LINK``."""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress

from graph.core import queries as jobs
from graph.core.database import Database
from graph.core.errors import Conflict, InvalidInput
from graph.core.ids import new_id
from graph.core.models import JobKind
from graph.core.pages import page_size
from graph.core.ports import Clock, SecretDetector
from graph.core.queries import ClaimJobsRow
from graph.core.rows import Runner
from graph.core.text.lucene import MOST_NAMES, first_name_query, name_query
from graph.core.text.work import TextWork
from graph.knowledge import queries
from graph.knowledge.linking.kinds import THING
from graph.knowledge.linking.models import (
    AUTOMATIC,
    BY_ENTITIES,
    EntityNews,
    How,
    LinkingSource,
    Mention,
    MentionEdge,
    NamedEntity,
    Recognised,
)
from graph.knowledge.linking.naming import (
    MOST_MENTIONING,
    Links,
    chars_of,
    first_names_of,
    links_of,
    named_in,
    relations_of,
    with_whole_names,
)
from graph.knowledge.linking.occurrences import by_name
from graph.knowledge.ontology import queries as ontology
from graph.knowledge.ontology import rules
from graph.knowledge.ontology.changes import EntityBatch, is_of_linking, locked_entities
from graph.knowledge.ontology.models import EntityDraft
from graph.knowledge.ontology.names import normalized, recognised_keys
from graph.knowledge.ontology.registry import Registering, Registry
from graph.memories.associations import removed_pairs
from graph.memories.models import AssociationType


class EntityMaker:
    """Finds or creates the entities of recognised names; lives as long as the process.

    It respects people's decisions: deleted entities stay deleted, and merged ones resolve to their target. It skips
    names whose type a strict registry lacks, and names that do not satisfy the schema of their type.
    """

    def __init__(
        self, registering: Registering, clock: Clock, *, secrets: SecretDetector | None = None
    ) -> None:
        self._registering = registering
        self._clock = clock
        self._secrets = secrets

    async def ids_of(
        self, tx: Runner, workspace_id: str, recognised: Sequence[Recognised], news: Sequence[EntityNews] = ()
    ) -> dict[str, str]:
        """Return the ids of recognised entities by normalised name, in the transaction that links them.

        Args:
            tx: The transaction.
            workspace_id: Workspace of the entities.
            recognised: Names that get an entity. An existing entity with the name is reused, whatever its type.
            news: Types and additional names of stored entities to write to them.

        Raises:
            Conflict: Another writer created the same entity or type concurrently, or merged an entity.
        """
        drafts = {normalized(draft.name): draft for draft in self._drafts(recognised)}
        types = {draft.type for draft in drafts.values()} | {each.type for each in news if each.type}
        registry = await self._registry(tx, workspace_id, types)
        drafts = {name: draft for name, draft in drafts.items() if draft.type in registry.entity_types}
        keys = {name: recognised_keys(draft.name) for name, draft in drafts.items()}
        requested = {*(key for each in keys.values() for key in each), *(each.entity_id for each in news)}
        found = await locked_entities(tx, workspace_id, sorted(requested))
        there = {row.asked: row.entity for row in found}
        batch = EntityBatch(workspace_id, registry, found, self._clock.now())
        ids: dict[str, str] = {}
        all_news = [
            each._replace(entity_id=there[each.entity_id].id) for each in news if each.entity_id in there
        ]
        for name, draft in sorted(drafts.items()):
            bearers = [there[key] for key in keys[name] if key in there]
            live = [each for each in bearers if each.deleted_at is None]
            if live:
                entity = next((each for each in live if each.type == draft.type), live[0])
                ids[name] = entity.id
                all_news.append(EntityNews(entity.id, draft.type, draft.aliases or ()))
            elif not bearers:
                ids |= _added(batch, name, draft)
        await self._add_news(tx, workspace_id, batch, registry, all_news)
        await self._write(tx, workspace_id, batch)
        return ids

    async def _add_news(
        self,
        tx: Runner,
        workspace_id: str,
        batch: EntityBatch,
        registry: Registry,
        news: Sequence[EntityNews],
    ) -> None:
        """Replace the type ``Thing`` of live entities that linking created, and add missing names.

        An entity with relations keeps its type: another type might not allow them.
        """
        typed = {each.entity_id for each in news if each.type in registry.entity_types and each.type != THING}
        ends = (
            await ontology.list_relation_ends(tx, workspace_id=workspace_id, entity_ids=sorted(typed))
            if typed
            else []
        )
        typed -= {each.entity_id for each in ends}
        for each in news:
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
                # The name is invalid, there are too many names, or another entity has this type and name.
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
        """Return the registry, with missing types added unless it is strict or full."""
        is_strict = await self._registering.is_strict(workspace_id)
        try:
            return await self._registering.with_types(
                workspace_id, tx, is_strict=is_strict, entity_types=types
            )
        except InvalidInput:
            return await self._registering.read(workspace_id, tx)

    def _drafts(self, recognised: Sequence[Recognised]) -> list[EntityDraft]:
        """Return one draft for each name, of its most specific recognised type."""
        ranked = sorted(recognised, key=lambda each: each.type != THING)
        drafts: dict[str, EntityDraft] = {}
        for each in ranked:
            assert each.type is not None  # noqa: S101 - callers pass only names that get an entity
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
        return {}  # the type requires properties, and the entity has only a name


_QUERIES_TOGETHER = 20
_MOST_FOUND = 2000  # entities of one query, which has up to 600 names
_ATTEMPTS = 5
_MOST_LISTED = 100
_EXAMINED_TOGETHER = 50_000  # edges of all requested entities together
_MOST_EXAMINED = 5000
_MOST_SHARED = 30  # entities of one memory whose other mentions are read


class Linking:
    """Links memories to entities, and related memories to each other; lives as long as the process.

    It first matches names and aliases of the workspace's entities, and then names that rules recognise; it creates an
    entity only for an unknown name. Then it relates memories with common entities (``RELATES_TO``). A repetition
    changes nothing.
    """

    def __init__(
        self,
        database: Database,
        registering: Registering,
        clock: Clock,
        text_work: TextWork,
        *,
        secrets: SecretDetector | None = None,
    ) -> None:
        self._database = database
        self._clock = clock
        self._text_work = text_work
        self._maker = EntityMaker(registering, clock, secrets=secrets)

    async def run_jobs(self, jobs: Sequence[ClaimJobsRow]) -> None:
        """Link and relate the memories of claimed jobs; skip deleted ones."""
        rows = await queries.list_linking_sources(
            self._database,
            subjects=[{"workspace_id": job.workspace_id, "id": job.subject_id} for job in jobs],
        )
        by_workspace: dict[str, list[LinkingSource]] = defaultdict(list)
        for source in rows:
            by_workspace[source.workspace_id].append(source)
        for workspace_id, sources in by_workspace.items():
            await self._link(workspace_id, sources)
            statements = [source.id for source in sources if not source.is_turn]
            await self._relate(workspace_id, sorted(statements))

    async def mentions_of_memories(
        self, workspace_id: str, ids: Sequence[str], *, first: int
    ) -> dict[str, list[MentionEdge]]:
        """Return the live entities that memories mention, in order of their names.

        Raises:
            InvalidInput: ``first`` is not between 1 and 100.
        """
        mentions = await queries.list_mentioned(
            self._database,
            workspace_id=workspace_id,
            memory_ids=ids,
            limit=page_size(first, most=_MOST_LISTED),
        )
        found: dict[str, list[MentionEdge]] = defaultdict(list)
        for mention in mentions:
            found[mention.memory_id].append(mention)
        return found

    async def mentions_of_entities(
        self, workspace_id: str, ids: Sequence[str], *, first: int
    ) -> dict[str, list[MentionEdge]]:
        """Return the live memories that mention entities, the latest first.

        For a single hub it reads 5,000 mentions, including those of deleted or expired memories; for 100 at once, 500
        each.

        Raises:
            InvalidInput: ``first`` is not between 1 and 100.
        """
        mentions = await queries.list_mentioning(
            self._database,
            workspace_id=workspace_id,
            entity_ids=ids,
            examined=min(_MOST_EXAMINED, _EXAMINED_TOGETHER // max(1, len(ids))),
            limit=page_size(first, most=_MOST_LISTED),
            now=self._clock.now(),
        )
        found: dict[str, list[MentionEdge]] = defaultdict(list)
        for mention in mentions:
            found[mention.entity_id].append(mention)
        return found

    async def mark_failed(self, jobs: Sequence[ClaimJobsRow], reason: str) -> None:
        """Record the reason for missing links on the memories of parked jobs."""
        await queries.mark_linking_failed(
            self._database,
            rows=[{"workspace_id": job.workspace_id, "id": job.subject_id, "reason": reason} for job in jobs],
        )

    async def _link(self, workspace_id: str, sources: Sequence[LinkingSource]) -> None:
        chars = chars_of(sources)
        named = await self._text_work.run(named_in, sources, chars=chars)
        keys = [key for each in named for key in each.keys]
        known = await self._known(self._database, workspace_id, keys)
        links = await self._text_work.run(links_of, named, known, chars=chars)
        first_names = first_names_of(links)
        people = await self._found(self._database, workspace_id, first_names, first_name_query)
        await self._write(workspace_id, with_whole_names(links, people))

    async def _known(self, runner: Runner, workspace_id: str, names: Sequence[str]) -> list[NamedEntity]:
        """Return the entities with one of the names."""
        return await self._found(runner, workspace_id, list(dict.fromkeys(names)), name_query)

    async def _found(
        self,
        runner: Runner,
        workspace_id: str,
        keys: Sequence[str],
        query_of: Callable[[Sequence[str], str], str | None],
    ) -> list[NamedEntity]:
        """Return the entities that queries for normalised names find."""
        requested = [
            query
            for first in range(0, len(keys), MOST_NAMES)
            if (query := query_of(keys[first : first + MOST_NAMES], workspace_id)) is not None
        ]
        found: dict[str, NamedEntity] = {}
        for first in range(0, len(requested), _QUERIES_TOGETHER):
            entities = await queries.find_named_entities(
                runner,
                workspace_id=workspace_id,
                queries=requested[first : first + _QUERIES_TOGETHER],
                limit=_MOST_FOUND,
            )
            found |= {entity.id: entity for entity in entities}
        return list(found.values())

    async def _write(self, workspace_id: str, links: Sequence[Links]) -> None:
        recognised = [each for link in links for each in link.new]
        news = [each for link in links for each in link.news]

        async def work(tx: Runner) -> None:
            written = await self._written(tx, workspace_id, recognised)
            new = [each for each in recognised if normalized(each.name) not in written]
            ids = await self._maker.ids_of(tx, workspace_id, new, news) if new or news else {}
            ids |= written
            linked = await queries.link_memories(
                tx,
                workspace_id=workspace_id,
                memories=[_row(link, ids) for link in sorted(links, key=lambda link: link.source.id)],
                automatic=AUTOMATIC,
                now=self._clock.now(),
            )
            if len(linked) < len(links):  # a text was deleted since: its new entities may have no mention
                await delete_orphans(tx, workspace_id, set(ids.values()))

        await self._database.transaction(work, attempts=_ATTEMPTS)

    async def _written(
        self, tx: Runner, workspace_id: str, recognised: Sequence[Recognised]
    ) -> dict[str, str]:
        """Return the entities of recognised names that somebody has written since the text was read, by name."""
        names = {normalized(each.name) for each in recognised}
        known = [each for each in await self._known(tx, workspace_id, sorted(names)) if each.by_hand]
        return {name: bearers[0].id for name, bearers in by_name(known).items() if name in names}

    async def _relate(self, workspace_id: str, ids: Sequence[str]) -> None:
        """Relate memories with common mentions; needs all mentions written, else two memories could miss each other."""
        if not ids:
            return
        shared = await queries.list_shared_entities(
            self._database,
            workspace_id=workspace_id,
            memory_ids=ids,
            entity_limit=_MOST_SHARED,
            mention_limit=MOST_MENTIONING + 1,
            now=self._clock.now(),
        )
        found = {(each.memory_id, each.other_id): each for each in relations_of(shared)}

        async def work(tx: Runner) -> None:
            removed = await removed_pairs(tx, workspace_id, AssociationType.RELATES_TO, found)
            relations: dict[str, list[Mapping[str, object]]] = {id_: [] for id_ in ids}
            for pair, each in found.items():
                if pair not in removed:
                    edge = {"id": new_id("rel"), "other_id": each.other_id, "strength": each.strength}
                    relations[each.memory_id].append(edge)
            await queries.relate_memories(
                tx,
                workspace_id=workspace_id,
                memories=[{"id": id_, "relations": edges} for id_, edges in relations.items()],
                how=BY_ENTITIES,
                now=self._clock.now(),
            )
            if removed != await removed_pairs(tx, workspace_id, AssociationType.RELATES_TO, found):
                raise Conflict("somebody just removed an association of these memories; try again")

        await self._database.transaction(work, attempts=_ATTEMPTS)


def _row(links: Links, ids: Mapping[str, str]) -> Mapping[str, object]:
    mentions = {mention.entity_id: mention for mention in links.mentions}
    for each in links.new:
        id_ = ids.get(normalized(each.name))
        if id_ is not None:
            surface = links.source.content[each.start : each.end]
            mentions.setdefault(id_, Mention(id_, How.RULE, surface))
    return {
        "id": links.source.id,
        "version": links.source.version,
        "entity_ids": sorted(mentions),
        "mentions": [mentions[id_]._asdict() for id_ in sorted(mentions)],
    }


async def delete_orphans(tx: Runner, workspace_id: str, ids: Collection[str]) -> None:
    """Delete entities that linking created from texts and that no node is connected to any more."""
    await queries.delete_orphaned_entities(tx, workspace_id=workspace_id, ids=sorted(ids))
