"""Finds facts that may answer a question: passages of search hits, entities and their relations."""

import asyncio
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from graph.conversations.capture.models import MessageRole
from graph.core.text.language import sentences
from graph.knowledge.ontology import names, rules
from graph.knowledge.ontology.models import Entity, Relation
from graph.knowledge.ontology.service import Ontology
from graph.memories.changes.relative_times import text_time
from graph.memories.models import Memory, MemoryFilter
from graph.retrieval.answering.models import CitationKind, SupportingFact
from graph.retrieval.entities import EntitySearch, EntitySearchResult
from graph.retrieval.recall.agreement import effective_at
from graph.retrieval.recall.models import RecallHit, RecallQuery
from graph.retrieval.recall.overview_requests import excluding_assistant
from graph.retrieval.recall.service import Recall
from graph.retrieval.recall.validity import validity_in_words
from graph.retrieval.search.models import SearchHit, SearchKind, SearchResult
from graph.retrieval.search.service import Search

_TEXTS = 20
_ENTITIES = 5
_RELATIONS = 25  # strongest relations per entity
_PASSAGE_CHARS = 300  # recommended length of a memory
_MOST_QUOTED_CHARS = 1000  # a longer sentence is quoted in parts
_MOST_HEADING_CHARS = 150
_PATH_SEPARATOR = " \u203a "  # as graph.knowledge.documents.chunking joins headings
_ELLIPSIS = "\u2026"  # as graph.knowledge.documents.chunking ends an excerpt
_SENTENCE_ENDS = (".", "!", "?", "\u3002", "\uff01", "\uff1f")
_TEXT_KINDS = tuple(kind for kind in SearchKind if kind is not SearchKind.ENTITY)


@dataclass(frozen=True)
class FoundSources:
    """The found facts, and notes on fallbacks and skipped parts of the search."""

    facts: Sequence[SupportingFact]
    fallback: str | None
    degraded: Sequence[str]


class FactFinder:
    """Finds facts in a workspace; lives as long as the process."""

    def __init__(
        self, recall: Recall, search: Search, entity_search: EntitySearch, ontology: Ontology
    ) -> None:
        self._recall = recall
        self._search = search
        self._entity_search = entity_search
        self._ontology = ontology

    async def find(self, workspace_id: str, question: str) -> FoundSources:
        """Return facts that may answer a question; memories that are not valid now have their validity.

        Raises:
            InvalidInput: The question breaks a rule of queries.
        """
        texts, known = await asyncio.gather(
            self._search.search(workspace_id, question, kinds=_TEXT_KINDS, first=_TEXTS),
            self._entity_search.search_entities(workspace_id, question, first=_ENTITIES),
        )
        relations = await self._relations(workspace_id, [hit.entity for hit in known.hits])
        facts = await asyncio.to_thread(_of_all, known, relations, texts)
        return FoundSources(facts, texts.resolution.fallback, _degraded(texts, known))

    async def newest(self, workspace_id: str, at: datetime) -> FoundSources:
        """Return the first passages of the newest memories valid at a time, without an assistant's statements."""
        filter_ = excluding_assistant(MemoryFilter(valid_at=at))
        query = RecallQuery(limit=_TEXTS, for_injection=True, dry_run=True, filter=filter_)
        found = await self._recall.recall(workspace_id, query)
        facts = await asyncio.to_thread(_beginnings, found.hits, at)
        return FoundSources(facts, None, found.resolution.degraded)

    async def _relations(self, workspace_id: str, entities: Sequence[Entity]) -> list[SupportingFact]:
        if not entities:
            return []
        known = {entity.id: entity for entity in entities}
        listed = await self._ontology.relations.of_entities(workspace_id, list(known), first=_RELATIONS)
        relations = {relation.id: relation for rows in listed.values() for relation in rows}
        ends = {id_ for relation in relations.values() for id_ in (relation.from_id, relation.to_id)}
        others = await self._ontology.find_all(workspace_id, sorted(ends - known.keys()))
        return list(_of_relations(relations.values(), {**known, **others}))


def _of_all(
    known: EntitySearchResult, relations: Iterable[SupportingFact], texts: SearchResult
) -> list[SupportingFact]:
    return [
        *(fact for hit in known.hits for fact in _of_entity(hit.entity)),
        *relations,
        *(fact for place, hit in enumerate(texts.hits) for fact in _of_hit(hit, place, texts.resolution.at)),
    ]


def _beginnings(hits: Iterable[RecallHit], at: datetime) -> list[SupportingFact]:
    return [fact for place, hit in enumerate(hits) for fact in islice(_of_memory(hit.memory, place, at), 1)]


def _of_relations(relations: Iterable[Relation], ends: Mapping[str, Entity]) -> Iterator[SupportingFact]:
    for relation in relations:
        source, target = ends.get(relation.from_id), ends.get(relation.to_id)
        if source is None or target is None:
            continue  # an end was deleted after the search
        yield SupportingFact(
            kind=CitationKind.RELATION,
            id=relation.id,
            node_ids=(source.id, target.id),
            text=f"{source.name} {names.spoken(relation.type)} {target.name}.",
            context=" ".join([*source.aliases, *target.aliases]),
        )


def _of_entity(entity: Entity) -> Iterator[SupportingFact]:
    says_more = entity.aliases or entity.description or entity.summary or entity.properties
    if not entity.by_hand and not says_more:
        return  # linking created the entity from a name, so it states nothing
    for passage in passages(rules.searched_text(entity.model_dump())):
        yield SupportingFact(
            kind=CitationKind.ENTITY,
            id=entity.id,
            node_ids=(entity.id,),
            text=passage,
            context=f"{entity.name} {names.spoken(entity.type)}",
        )


def _of_hit(hit: SearchHit, place: int, at: datetime) -> Iterator[SupportingFact]:
    if hit.memory is not None:
        yield from _of_memory(hit.memory, place, at, hit.superseded_by)
        return
    text = whole_sentences(hit.text) if hit.kind is SearchKind.CHUNK else hit.text
    title = "\n".join(dict.fromkeys(each for each in (hit.title, heading_of(text)) if each))
    for passage in passages(text):
        yield SupportingFact(
            kind=CitationKind(hit.kind.value),
            id=hit.id,
            node_ids=(hit.id,),
            text=passage,
            title=title,
            place=place,
        )


def _of_memory(
    memory: Memory, place: int, at: datetime, superseded_by: Sequence[str] = ()
) -> Iterator[SupportingFact]:
    speaker = memory.speaker
    is_person = speaker is not None and speaker.lower() not in set(MessageRole)
    title = heading_of(memory.content)
    for passage in passages(memory.content):
        yield SupportingFact(
            kind=CitationKind.MEMORY,
            id=memory.id,
            node_ids=(memory.id,),
            text=passage,
            context=speaker or "",
            title=title,
            speaker=speaker if is_person else None,
            effective_at=effective_at(memory),
            text_time=text_time(memory),
            t_valid=memory.t_valid,
            t_invalid=memory.t_invalid,
            validity=validity_in_words(memory, at, superseded_by),
            replaced_by=tuple(superseded_by),
            place=place,
        )


def passages(text: str) -> list[str]:
    """Split a text into passages of whole sentences of at most 300 characters, or single longer sentences."""
    found: list[str] = []
    for part in sentences(text):
        if found and len(found[-1]) + 1 + len(part) <= _PASSAGE_CHARS:
            found[-1] = f"{found[-1]} {part}"
        elif len(part) <= _MOST_QUOTED_CHARS:
            found.append(part)
        else:  # not a sentence, but a table, a log, or text without punctuation
            found += textwrap.wrap(part, _PASSAGE_CHARS)
    return found


def heading_of(text: str) -> str:
    r"""Return the first line of a text if it is a heading: short, not a sentence, and set apart from the rest.

    >>> heading_of("Rolling back checkout\n\n1. Run `ship back`."), heading_of("tea\ncoffee")
    ('Rolling back checkout', '')
    """
    first, _, rest = text.strip().partition("\n")
    if len(first) > _MOST_HEADING_CHARS or first.rstrip().endswith((*_SENTENCE_ENDS, ",", ";")):
        return ""
    is_apart = first.startswith("#") or _PATH_SEPARATOR in first or rest.startswith(("\n", "#", "\r\n"))
    return first.lstrip("#").strip() if is_apart and rest.strip() else ""


def whole_sentences(excerpt: str) -> str:
    """Remove the incomplete last sentence of an excerpt."""
    if not excerpt.rstrip().endswith(_ELLIPSIS):
        return excerpt
    left = excerpt.rstrip().removesuffix(_ELLIPSIS).rstrip()
    if left.endswith(_SENTENCE_ENDS):
        return left
    lines = left.split("\n")
    lines[-1] = " ".join(sentences(lines[-1])[:-1])
    return "\n".join(lines).rstrip()


def _degraded(texts: SearchResult, known: EntitySearchResult) -> list[str]:
    return list(dict.fromkeys([*texts.resolution.degraded, *known.resolution.degraded]))
