"""Searches entities by name, words and meaning, and fuses the three ranked lists.

Reciprocal rank fusion with k = 60 fuses the lists, so that a high rank in one list is enough. The score is the share of
the maximum sum, which an entity at the top of all three lists would have.
"""

import asyncio
import re
from collections.abc import Sequence
from itertools import product
from typing import Any

from graph.core.database import Database
from graph.core.errors import Unavailable
from graph.core.fusion import DEFAULT_K, reciprocal_rank_fusion
from graph.core.models import Frozen
from graph.core.pages import Cursor, Page, check_offset, page_of, page_size
from graph.core.text.checks import note_of_cut
from graph.core.text.lucene import MOST_NAMES, knowledge_queries, name_query
from graph.knowledge.linking.kinds import ORGANISATION_ENDINGS
from graph.knowledge.linking.occurrences import possible_names
from graph.knowledge.merging import Merging
from graph.knowledge.models import AlikeEntities
from graph.knowledge.ontology.models import Entity, EntityFilter
from graph.knowledge.ontology.names import normalized
from graph.knowledge.ontology.service import Ontology
from graph.retrieval import queries
from graph.retrieval.recall.explanation import place_in_words
from graph.retrieval.recall.models import RecallLeg, RecallResolution, RecallStrategy, RecallTrace
from graph.retrieval.recall.parsed_query import ParsedQuery
from graph.retrieval.recall.rules import check_min_score, required_query
from graph.retrieval.recall.service import Recall
from graph.vectors.index.models import EmbeddedQuery

MOST_FOUND = 200
_LEGS = 3
# The length of each list is the same for all pages, because longer lists would fuse to another order.
_POOL = MOST_FOUND
_MOST_NAMED = 40
_MOST_COMPARED = 100  # hits of a search for an entity's names that are compared with it
_MOST_QUERY_CHARS = 1000
_SEPARATORS = re.compile(
    r"(?<![\d\-_. ])[-_. ]+|[-_. ]++(?!\d)"
)  # separators between digits stay: 3.1 is not 31
_PERSON = "Person"
_UNCLASSIFIED = "Thing"
_OVER_FETCH = 4  # as in recall: int8 vectors miss up to 1.5 % of the true best
_MOST_COMPARED_VECTORS = 5000  # beyond this number, the vector index is faster than comparing all
_WIDEST_NET = 2000
_LONGEST_NAME = 200  # characters of a query that may be a single name
# The end of a long query states its main point, so at least half of the searched names come from it.
_END_CHARS = 600


class EntityHit(Frozen):
    """A found entity.

    Attributes:
        score: Order within one search, 0..1, higher is better; see the head of this module.
        vector_score: Cosine of the query and the entity's text; None if its vector was not among the nearest.
        text_score: Lucene's score; None if the words did not find it.
        why: Reasons, such as ``named "payments"`` and ``2nd closest in meaning``.
    """

    entity: Entity
    score: float
    vector_score: float | None
    text_score: float | None
    why: Sequence[str]


class NamedEntities(Frozen):
    """The entities that a text names.

    Attributes:
        ids: Ids of the entities, the longest name first.
        degraded: Skipped searches, with reasons.
    """

    ids: Sequence[str]
    degraded: Sequence[str] = ()


class EntitySearchResult(Frozen):
    """The hits, best first; ``resolution.fallback`` tells if only words were searched."""

    hits: Sequence[EntityHit]
    resolution: RecallResolution


class Legs:
    """Searches the entities of one workspace that match one filter; lives as long as a search."""

    def __init__(
        self,
        database: Database,
        ontology: Ontology,
        workspace_id: str,
        *,
        filter_: dict[str, Any],
        trace: RecallTrace,
        pool: int,
    ) -> None:
        self._database = database
        self._ontology = ontology
        self._common: dict[str, Any] = {"workspace_id": workspace_id, **filter_, "limit": pool}
        self._is_filtered = any(filter_.values())
        self._trace = trace
        self._pool = pool

    async def by_name(self, parsed: ParsedQuery) -> dict[str, str]:
        """Return each entity's longest name in the query, by id, the longest first."""
        names = _names(parsed)
        query = name_query(names, self._common["workspace_id"])
        if query is None:
            return {}
        try:
            rows = await queries.find_entities_by_name(
                self._database, **{**self._common, "limit": _WIDEST_NET}, query=query, names=names
            )
        except Unavailable as error:
            self._note_lost("names", error)
            return {}
        longest = {row.id: max(row.matched, key=len) for row in rows}
        ordered = sorted(longest, key=lambda id_: (-len(longest[id_]), id_))
        return {id_: longest[id_] for id_ in ordered[: self._pool]}

    async def by_words(self, parsed: ParsedQuery) -> dict[str, float]:
        """Return Lucene's scores by id, best first."""
        legs = knowledge_queries(parsed.weighted_words, self._common["workspace_id"], "entity")
        if not legs:
            return {}
        try:
            rows = await queries.search_entities_by_words(
                self._database,
                **self._common,
                text_queries=[{"index": leg.index, "query": leg.query} for leg in legs],
                text_limit=_WIDEST_NET if self._is_filtered else self._pool * _OVER_FETCH,
            )
        except Unavailable as error:
            self._note_lost("words", error)
            return {}
        return {row.id: row.score for row in rows}

    async def by_meaning(self, embedded: EmbeddedQuery | None, admitted: int | None) -> dict[str, float]:
        """Return cosines by id, best first; compare all matching entities if they are few.

        Args:
            embedded: The query's vector; None: no embedder answered.
            admitted: Number of entities that match the filter; None: no filter.
        """
        if embedded is None:
            return {}
        compared = {
            **self._common,
            "vector": embedded.vectors[0],
            "vector_property": embedded.index.vector_property,
        }
        if admitted is not None and admitted <= _MOST_COMPARED_VECTORS:
            self._trace.exact = True
            return _cosines(await queries.compare_entities(self._database, **compared))
        if admitted is not None:
            self._trace.degraded.append(
                f"filter: {admitted} entities match, too many to compare all; the index was searched"
            )
        net = self._pool * _OVER_FETCH if admitted is None else _WIDEST_NET
        try:
            rows = await queries.search_entities_by_meaning(
                self._database, **compared, vector_index=embedded.index.name, vector_limit=net
            )
        except Unavailable as error:
            self._note_lost("vector", error)
            self._trace.note_without_vectors(str(error))
            return {}
        return _cosines(rows)

    def _note_lost(self, leg: str, error: Unavailable) -> None:
        """Note a leg whose index cannot be searched.

        Raises:
            Unavailable: The error is not a missing index.
        """
        if error.index is None:
            raise error
        self._trace.degraded.append(f"{leg}: {error}")


def _names(parsed: ParsedQuery) -> list[str]:
    """Return possible names in a query: the whole text, and for a long one its end and its beginning."""
    text = parsed.text
    whole = [normalized(text)] if len(text) <= _LONGEST_NAME else []
    names = possible_names(text, most=MOST_NAMES)
    if len(names) == MOST_NAMES:
        cut, _, rest = text[-_END_CHARS:].partition(" ")
        at_its_end = possible_names(rest or cut)[-MOST_NAMES // 2 :]
        names = [*at_its_end, *names]
    return list(dict.fromkeys([*whole, *names]))[:MOST_NAMES]


def _cosines(
    rows: Sequence[queries.EntityCosineRow],
) -> dict[str, float]:
    return {row.id: row.cosine for row in rows}


class EntitySearch:
    """Searches entities, and finds possible duplicates; lives as long as the process."""

    def __init__(self, database: Database, ontology: Ontology, merging: Merging, recall: Recall) -> None:
        self._database = database
        self._ontology = ontology
        self._merging = merging
        self._recall = recall

    async def search_entities(
        self,
        workspace_id: str,
        query: str,
        *,
        filter_: EntityFilter | None = None,
        first: int = 10,
        offset: int = 0,
        min_score: float | None = None,
    ) -> EntitySearchResult:
        """Return the live entities that match a query, best first.

        If the query cannot be embedded, the search uses names and words only, and the resolution states it.

        Args:
            workspace_id: Workspace of the entities.
            query: Search text.
            filter_: Filter of the entities.
            first: Maximum number, 1 to 200.
            offset: Number of skipped best entities.
            min_score: Minimum cosine of entities found by meaning only; matches of names or words always count.

        Raises:
            InvalidInput: The query is blank, or a number is out of range.
        """
        page_size(first, most=MOST_FOUND)
        check_offset(offset)
        check_min_score(min_score)
        parsed = self._recall.parse(required_query(query))
        trace = self._recall.trace(RecallStrategy.HYBRID, "entities")
        trace.degraded += note_of_cut("query", query)
        embedded = await self._recall.embed(parsed, trace)
        filter_ = filter_ or EntityFilter()
        legs = Legs(
            self._database,
            self._ontology,
            workspace_id,
            filter_=await self._ontology.filter_parameters(workspace_id, filter_),
            trace=trace,
            pool=_POOL,
        )
        is_filtered = filter_ != EntityFilter()
        admitted = await self._ontology.count(workspace_id, filter_) if is_filtered else None
        with trace.stage("graph"):
            named, words, meaning = await asyncio.gather(
                legs.by_name(parsed), legs.by_words(parsed), legs.by_meaning(embedded, admitted)
            )
        if min_score is not None:
            meaning = {
                id_: cosine
                for id_, cosine in meaning.items()
                if cosine >= min_score or id_ in named or id_ in words
            }
        fused = reciprocal_rank_fusion([list(named), list(words), list(meaning)])
        if offset + first > len(fused) >= _POOL:
            trace.degraded.append(f"list: only the best {len(fused)} candidates are ranked")
        page = sorted(fused, key=lambda id_: (-fused[id_], id_))[offset : offset + first]
        hits = await self._read(workspace_id, {id_: fused[id_] for id_ in page}, named, words, meaning)
        return EntitySearchResult(hits=hits, resolution=trace.resolution())

    async def alike_pairs(
        self, workspace_id: str, *, of: str | None = None, first: int = 20
    ) -> list[AlikeEntities]:
        """Return pairs of possible duplicates: of one entity, or of the whole workspace.

        Raises:
            InvalidInput: ``first`` is not a page size.
            NotFound: There is no such entity in this workspace.
        """
        if of is None:
            return await self._merging.alike(workspace_id, first=first)
        entity = await self._ontology.get(workspace_id, of)
        others = await self.alike(workspace_id, of, first=first)
        return [AlikeEntities(entity=entity, duplicate=other) for other in others]

    async def alike(self, workspace_id: str, id_: str, *, first: int = 20) -> list[Entity]:
        """Return possible duplicates of an entity, the most similar name first.

        Raises:
            InvalidInput: ``first`` is not a page size.
            NotFound: There is no such entity in this workspace.
        """
        size = page_size(first)
        entity = await self._ontology.get(workspace_id, id_)
        names = [entity.name, *entity.aliases]
        text = "; ".join([*names, *filter(None, map(_acronym, names))])[:_MOST_QUERY_CHARS]
        found = await self.search_entities(workspace_id, text, first=_MOST_COMPARED)
        others = [hit.entity for hit in found.hits if hit.entity.id != entity.id]
        ranked = [(rank, other) for other in others if (rank := likeness(entity, other)) is not None]
        return [other for _, other in sorted(ranked, key=lambda each: each[0])][:size]

    async def named_in(self, workspace_id: str, text: str) -> NamedEntities:
        """Return at most 40 live entities that a text names, and reasons why some may be missing.

        Raises:
            InvalidInput: The text is blank.
        """
        trace = self._recall.trace(RecallStrategy.HYBRID, "entities")
        trace.degraded += note_of_cut("query", text)
        legs = Legs(
            self._database,
            self._ontology,
            workspace_id,
            filter_=await self._ontology.filter_parameters(workspace_id, EntityFilter()),
            trace=trace,
            pool=_MOST_NAMED,
        )
        named = await legs.by_name(self._recall.parse(required_query(text)))
        return NamedEntities(ids=list(named), degraded=trace.resolution().degraded)

    async def page(
        self,
        workspace_id: str,
        query: str,
        filter_: EntityFilter,
        *,
        first: int = 50,
        after: str | None = None,
    ) -> tuple[Page[Entity], RecallResolution]:
        """Return a page of the best 200 entities that match a query, best first, with the resolution.

        Raises:
            InvalidInput: As for ``search_entities``, or ``after`` is malformed.
        """
        size = page_size(first)
        offset = max(0, int(Cursor.decode(after).rank or 0)) if after else 0
        left = MOST_FOUND - offset
        found = await self.search_entities(
            workspace_id, query, filter_=filter_, first=max(1, min(size + 1, left)), offset=offset
        )
        resolution = found.resolution
        if left <= size and len(found.hits) >= max(left, 1):
            lacks = (*resolution.degraded, f"list: only the best {MOST_FOUND} are listed")
            resolution = resolution.model_copy(update={"degraded": tuple(dict.fromkeys(lacks))})
        entities = [hit.entity for hit in found.hits] if left > 0 else []
        cursors = [
            Cursor(rank=offset + place, id=entity.id) for place, entity in enumerate(entities, start=1)
        ]
        return page_of(entities, cursors, size), resolution

    async def _read(
        self,
        workspace_id: str,
        ranked: dict[str, float],
        named: dict[str, str],
        words: dict[str, float],
        meaning: dict[str, float],
    ) -> Sequence[EntityHit]:
        """Return the hits of ranked ids with their fused scores; omit entities deleted since the search."""
        entities = await self._ontology.find_all(workspace_id, list(ranked)) if ranked else {}
        places = {
            leg: {id_: place for place, id_ in enumerate(found, start=1)}
            for leg, found in ((RecallLeg.WORDS, words), (RecallLeg.VECTOR, meaning))
        }
        return [
            EntityHit(
                entity=entities[id_],
                score=score * (DEFAULT_K + 1) / _LEGS,
                vector_score=meaning.get(id_),
                text_score=words.get(id_),
                why=[
                    *([f'named "{named[id_]}"'] if id_ in named else []),
                    *(place_in_words(leg, found[id_]) for leg, found in places.items() if id_ in found),
                ],
            )
            for id_, score in ranked.items()
            if id_ in entities
        ]


def likeness(entity: Entity, other: Entity) -> int | None:
    """Rank the similarity of two entities' names from 0, equal, to 3; return None for different names.

    0 means equal names, 1 other separators, 2 an acronym, and 3 a part: the first or last name of a person, or the name
    of an organisation without its ending. The types must be equal, unless one of them is ``Thing``, or the rank is at
    most 1 and linking created one of the entities.
    """
    is_of_type = entity.type == other.type or _UNCLASSIFIED in {entity.type, other.type}
    pairs = product((entity.name, *entity.aliases), (other.name, *other.aliases))
    rank = min(
        (rank for pair in pairs if (rank := _name_likeness(*pair, type_=entity.type)) is not None),
        default=None,
    )
    if rank is None or is_of_type:
        return rank
    is_guess = any(not each.by_hand and not each.connection_ids for each in (entity, other))
    return rank if rank <= 1 and is_guess else None


def _name_likeness(one: str, other: str, *, type_: str) -> int | None:
    names = normalized(one), normalized(other)
    if names[0] == names[1]:
        return 0
    bare = [_SEPARATORS.sub("", name) for name in names]
    if bare[0] == bare[1] != "":
        return 1
    if bare[1] == _acronym(one) or bare[0] == _acronym(other):
        return 2
    shorter, longer = sorted((name.split() for name in names), key=len)
    if len(shorter) == len(longer):
        return None
    if type_ == _PERSON and len(shorter) == 1 and shorter[0] in {longer[0], longer[-1]}:
        return 3
    is_ending = all(word.rstrip(".") in ORGANISATION_ENDINGS for word in longer[len(shorter) :])
    return 3 if is_ending and longer[: len(shorter)] == shorter else None


def _acronym(name: str) -> str:
    """Return the initials of a name's capitalised words, in lower case; empty for fewer than two."""
    initials = [word[0] for word in name.split() if word[0].isupper()]
    return normalized("".join(initials)) if len(initials) > 1 else ""
