"""Searches entities by name, words and meaning, and fuses the three ranked lists.

Reciprocal rank fusion with k = 60 fuses the lists, so that a high rank in one list is enough. The score is the share of
the maximum sum, which an entity at the top of all three lists would have.
"""

import asyncio
import re
from collections.abc import Sequence
from itertools import product

from graph.core.database import Database
from graph.core.fusion import DEFAULT_K, reciprocal_rank_fusion
from graph.core.pages import Cursor, Page, check_offset, page_of, page_size
from graph.core.text.checks import note_of_cut
from graph.knowledge.linking.kinds import ORGANISATION_ENDINGS
from graph.knowledge.merging import Merging
from graph.knowledge.models import AlikeEntities
from graph.knowledge.ontology.models import Entity, EntityFilter
from graph.knowledge.ontology.names import normalized
from graph.knowledge.ontology.service import Ontology
from graph.retrieval.entities.legs import Legs
from graph.retrieval.entities.models import EntityHit, EntitySearchResult, NamedEntities
from graph.retrieval.recall.explanation import place_in_words
from graph.retrieval.recall.models import RecallLeg, RecallResolution, RecallStrategy
from graph.retrieval.recall.rules import check_min_score, required_query
from graph.retrieval.recall.service import Recall

MOST_FOUND = 200
_LEGS = 3
# The length of each list is the same for all pages, because longer lists would fuse to another order.
_POOL = MOST_FOUND
_MOST_NAMED = 40
_MOST_COMPARED = 100  # hits of a search for an entity's names that are compared with it
_MOST_ASKED_CHARS = 1000
_SEPARATORS = re.compile(
    r"(?<![\d\-_. ])[-_. ]+|[-_. ]++(?!\d)"
)  # separators between digits stay: 3.1 is not 31
_PERSON = "Person"
_UNCLASSIFIED = "Thing"


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
        question = self._recall.question(required_query(query))
        trace = self._recall.trace(RecallStrategy.HYBRID, "entities")
        trace.degraded += note_of_cut("query", query)
        embedded = await self._recall.embed(question, trace)
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
                legs.by_name(question), legs.by_words(question), legs.by_meaning(embedded, admitted)
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
        asked = "; ".join([*names, *filter(None, map(_acronym, names))])[:_MOST_ASKED_CHARS]
        found = await self.search_entities(workspace_id, asked, first=_MOST_COMPARED)
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
        named = await legs.by_name(self._recall.question(required_query(text)))
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
