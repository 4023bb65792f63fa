"""Finds facts that may answer a question: passages of search hits, entities and their relations."""

import asyncio
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice

from graph.conversations.capture.models import MessageRole
from graph.core.database import Database
from graph.core.text.language import sentences
from graph.knowledge.ontology import names, rules
from graph.knowledge.ontology.models import Entity, Relation
from graph.knowledge.ontology.service import Ontology
from graph.memories.changes.relative_times import text_time
from graph.memories.models import Memory, MemoryFilter
from graph.retrieval import queries
from graph.retrieval.answering.coverage import Required, required
from graph.retrieval.answering.expecting import asks_for_procedure
from graph.retrieval.answering.models import CitationKind, SupportingFact
from graph.retrieval.answering.procedures import (
    TextSection,
    heading_fit,
    heading_of,
    sections_of,
    without_own_headings,
)
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
_SECTION_REACH = 4  # chunks before and after a hit that may belong to the same procedure
_NO_STEPS = "documents: excerpts may lack steps; store_document_text keeps whole texts"
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
        self,
        database: Database,
        recall: Recall,
        search: Search,
        entity_search: EntitySearch,
        ontology: Ontology,
    ) -> None:
        self._database = database
        self._recall = recall
        self._search = search
        self._entity_search = entity_search
        self._ontology = ontology

    async def find(self, workspace_id: str, question: str) -> FoundSources:
        """Return facts that may answer a question; memories that are not valid now have their validity.

        For a question for a procedure, the facts of documents and memories are whole sections with their steps.

        Raises:
            InvalidInput: The question breaks a rule of queries.
        """
        texts, known = await asyncio.gather(
            self._search.search(workspace_id, question, kinds=_TEXT_KINDS, first=_TEXTS),
            self._entity_search.search_entities(workspace_id, question, first=_ENTITIES),
        )
        relations = await self._relations(workspace_id, [hit.entity for hit in known.hits])
        asked = required(self._recall.parse(question)) if asks_for_procedure(question) else None
        around = await self._around(workspace_id, texts.hits) if asked else {}
        facts = await asyncio.to_thread(_of_all, known, relations, texts, _Reader(asked, around))
        without_steps = [_NO_STEPS] if asked and any(hit.is_excerpt for hit in texts.hits) else []
        return FoundSources(facts, texts.resolution.fallback, [*_degraded(texts, known), *without_steps])

    async def newest(self, workspace_id: str, at: datetime) -> FoundSources:
        """Return the first passages of the newest memories valid at a time, without an assistant's statements."""
        filter_ = excluding_assistant(MemoryFilter(valid_at=at))
        query = RecallQuery(limit=_TEXTS, for_injection=True, dry_run=True, filter=filter_)
        found = await self._recall.recall(workspace_id, query)
        facts = await asyncio.to_thread(_beginnings, found.hits, at)
        return FoundSources(facts, None, found.resolution.degraded)

    async def _around(
        self, workspace_id: str, hits: Iterable[SearchHit]
    ) -> Mapping[str, queries.ListTextsAroundChunksRow]:
        """Return the stored texts around the found chunks, by id of the chunk."""
        ids = [hit.id for hit in hits if hit.kind is SearchKind.CHUNK and not hit.is_excerpt]
        if not ids:
            return {}
        rows = await queries.list_texts_around_chunks(
            self._database, workspace_id=workspace_id, ids=ids, reach=_SECTION_REACH
        )
        return {row.id: row for row in rows}

    async def _relations(self, workspace_id: str, entities: Sequence[Entity]) -> list[SupportingFact]:
        if not entities:
            return []
        known = {entity.id: entity for entity in entities}
        listed = await self._ontology.relations.of_entities(workspace_id, list(known), first=_RELATIONS)
        relations = {relation.id: relation for rows in listed.values() for relation in rows}
        ends = {id_ for relation in relations.values() for id_ in (relation.from_id, relation.to_id)}
        others = await self._ontology.find_all(workspace_id, sorted(ends - known.keys()))
        return list(_of_relations(relations.values(), {**known, **others}))


@dataclass(frozen=True)
class _Quote:
    """The fields of a fact that quote a text."""

    text: str
    title: str
    steps: tuple[str, ...] = ()
    heading_fit: float = 0.0


@dataclass(frozen=True)
class _Reader:
    """Splits texts into quotes: passages, or whole sections for a question for a procedure.

    Attributes:
        asked: Required words of a question for a procedure; None for another question.
        around: Stored texts around the found chunks, by id of the chunk.
    """

    asked: Required | None = None
    around: Mapping[str, queries.ListTextsAroundChunksRow] = field(default_factory=dict)

    def of_hit(self, hit: SearchHit) -> Iterator[_Quote]:
        """Yield the quotes of a hit that is no memory."""
        is_chunk = hit.kind is SearchKind.CHUNK
        text = whole_sentences(hit.text) if is_chunk else hit.text
        if (row := self.around.get(hit.id)) is not None:
            own = " ".join(hit.text.split())
            joined = without_own_headings("\n".join(row.texts), row.headings)
            sections = sections_of(joined, row.headings)
            near = [each for each in sections if any(unit in own for unit in each.units)]
            yield from self._of_sections(near, hit.title or "")
        else:
            yield from self.of_text(text, hit.title or "", is_whole=not is_chunk)

    def of_text(self, text: str, title: str = "", *, is_whole: bool = True) -> Iterator[_Quote]:
        """Yield the quotes of a text; if it is not whole, without steps."""
        if self.asked is not None:
            # Of an excerpt that was cut in its first sentence, only the heading is left.
            is_heading = "\n" not in text.strip() and not text.rstrip().endswith(_SENTENCE_ENDS)
            if is_whole or not is_heading:
                yield from self._of_sections(sections_of(text), title, is_whole=is_whole)
            return
        titles = "\n".join(dict.fromkeys(each for each in (title, heading_of(text)) if each))
        yield from (_Quote(passage, titles) for passage in passages(text))

    def _of_sections(
        self, sections: Iterable[TextSection], title: str, *, is_whole: bool = True
    ) -> Iterator[_Quote]:
        for section in sections:
            titles = "\n".join(dict.fromkeys(each for each in (title, *section.headings) if each))
            for item in section.items if is_whole else ():
                if fit := self._fit(item, title):
                    yield _Quote(item.text, titles, item.units, fit)
            fit = self._fit(section, title)
            is_quotable = is_whole and section.is_whole
            if is_quotable and (fit or section.is_list):
                yield _Quote(section.text, titles, section.units, fit)
            elif not fit and (left := section.unnumbered.units):  # an excerpt of the procedure lacks steps
                text = TextSection(section.headings[-1:], left).whole_text
                yield from (_Quote(passage, titles) for passage in passages(text))

    def _fit(self, section: TextSection, title: str) -> float:
        return heading_fit(self.asked, section, title) if self.asked else 0.0


def _of_all(
    known: EntitySearchResult, relations: Iterable[SupportingFact], texts: SearchResult, reader: _Reader
) -> list[SupportingFact]:
    at = texts.resolution.at
    return [
        *(fact for hit in known.hits for fact in _of_entity(hit.entity)),
        *relations,
        *(fact for place, hit in enumerate(texts.hits) for fact in _of_hit(hit, place, at, reader)),
    ]


def _beginnings(hits: Iterable[RecallHit], at: datetime) -> list[SupportingFact]:
    return [
        fact
        for place, hit in enumerate(hits)
        for fact in islice(_of_memory(hit.memory, place, at, _Reader()), 1)
    ]


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


def _of_hit(hit: SearchHit, place: int, at: datetime, reader: _Reader) -> Iterator[SupportingFact]:
    if hit.memory is not None:
        yield from _of_memory(hit.memory, place, at, reader, hit.superseded_by)
        return
    for quote in reader.of_hit(hit):
        yield SupportingFact(
            kind=CitationKind(hit.kind.value),
            id=hit.id,
            node_ids=(hit.id,),
            text=quote.text,
            title=quote.title,
            place=place,
            steps=quote.steps,
            heading_fit=quote.heading_fit,
        )


def _of_memory(
    memory: Memory, place: int, at: datetime, reader: _Reader, superseded_by: Sequence[str] = ()
) -> Iterator[SupportingFact]:
    speaker = memory.speaker
    is_person = speaker is not None and speaker.lower() not in set(MessageRole)
    for quote in (_Reader() if is_person else reader).of_text(memory.content):
        yield SupportingFact(
            kind=CitationKind.MEMORY,
            id=memory.id,
            node_ids=(memory.id,),
            text=quote.text,
            context=speaker or "",
            title=quote.title,
            speaker=speaker if is_person else None,
            effective_at=effective_at(memory),
            text_time=text_time(memory),
            t_valid=memory.t_valid,
            t_invalid=memory.t_invalid,
            validity=validity_in_words(memory, at, superseded_by),
            replaced_by=tuple(superseded_by),
            place=place,
            steps=quote.steps,
            heading_fit=quote.heading_fit,
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
