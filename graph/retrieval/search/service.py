"""Searches all kinds of nodes of a workspace, and merges the hits into one ranked list."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from graph.core.current_call import leads_nowhere, touches
from graph.core.database import Database
from graph.core.pages import check_offset, page_size
from graph.core.text.checks import note_of_cut
from graph.core.text.language import stem
from graph.core.text.summaries import around
from graph.memories.policy import RetentionSurface
from graph.memories.service import Memories
from graph.retrieval import queries
from graph.retrieval.recall.candidate_retriever import POOL
from graph.retrieval.recall.explanation import Explainer
from graph.retrieval.recall.models import RecallStrategy, RecallTrace
from graph.retrieval.recall.parsed_query import ParsedQuery
from graph.retrieval.recall.pipeline import Ranking
from graph.retrieval.recall.rules import MAX_LIMIT, required_query
from graph.retrieval.recall.service import MOST_IN_TEXT, Recall
from graph.retrieval.search.knowledge import Knowledge, Known
from graph.retrieval.search.models import SearchHit, SearchKind, SearchResult
from graph.vectors.index.models import EmbeddedQuery

# Scores of Lucene and of the fitted ranking are comparable within one index or one kind only. The cosine with the query
# and the share of the query's words in the text are comparable between kinds:
#
#   meaning   = max(0, cosine) / best cosine of all candidates
#   coverage  = rarity of the query's words in the text / rarity of all words of the query
#   relevance = (meaning + coverage) / 2, or the only one that is known
#   score     = relevance * (0.8 + 0.2 / rank within its kind)
#
# Rarity is BM25's idf over all candidates. Words are stemmed as in Lucene's English analyser, and CJK text is split
# into bigrams. Equal weights were the best fusion without a fit. Memories keep the order of recall: the first gets the
# largest relevance of all memories, and so on. The last factor keeps a kind with many candidates from filling the page
# before the best of another kind; it is bounded, so that a poor candidate cannot pass a good one.


_PLACE_SHARE = 0.2

Column = NDArray[np.float64]


@dataclass(frozen=True)
class BlendCandidate:
    """Possible hit of a search.

    Attributes:
        cosine: Cosine of the query and the text; None without a vector.
        stems: Stems of the query in the text.
    """

    kind: SearchKind
    id: str
    cosine: float | None
    stems: frozenset[str]


@dataclass(frozen=True)
class Blended:
    """A candidate with its score in the list of all kinds."""

    candidate: BlendCandidate
    score: float
    coverage: float


@dataclass(frozen=True)
class BlendQuery:
    """Query that candidates are scored against.

    Attributes:
        stems: Distinct stems of the query.
        order: Ids of the kinds that keep their own order, best first.
    """

    stems: Sequence[str]
    order: Mapping[SearchKind, Sequence[str]] = field(default_factory=dict)


def blend(candidates: Sequence[BlendCandidate], query: BlendQuery) -> list[Blended]:
    """Return the candidates, best first; kind and id break ties, so that pages continue each other."""
    if not candidates:
        return []
    coverages = _coverages(candidates, query.stems)
    relevances = _relevances(candidates, coverages, has_stems=bool(query.stems))
    coverage_of = {(c.kind, c.id): float(value) for c, value in zip(candidates, coverages, strict=True)}
    relevance_of = {(c.kind, c.id): float(value) for c, value in zip(candidates, relevances, strict=True)}
    blended = []
    for kind in SearchKind:
        ordered = _ordered([c for c in candidates if c.kind is kind], relevance_of, query.order.get(kind))
        scale = sorted((relevance_of[kind, c.id] for c in ordered), reverse=True)
        for place, (candidate, relevance) in enumerate(zip(ordered, scale, strict=True), start=1):
            score = relevance * (1 - _PLACE_SHARE + _PLACE_SHARE / place)
            blended.append(Blended(candidate, score, coverage_of[kind, candidate.id]))
    kinds = list(SearchKind)
    return sorted(blended, key=lambda b: (-b.score, kinds.index(b.candidate.kind), b.candidate.id))


def _ordered(
    candidates: Sequence[BlendCandidate],
    relevance_of: Mapping[tuple[SearchKind, str], float],
    order: Sequence[str] | None,
) -> list[BlendCandidate]:
    if order is None:
        return sorted(candidates, key=lambda c: (-relevance_of[c.kind, c.id], c.id))
    by_id = {candidate.id: candidate for candidate in candidates}
    return [by_id[id_] for id_ in order if id_ in by_id]


def _coverages(candidates: Sequence[BlendCandidate], stems: Sequence[str]) -> Column:
    if not stems:
        return np.zeros(len(candidates))
    holds = np.array([[stem in c.stems for stem in stems] for c in candidates], dtype=np.float64)
    found = holds.sum(axis=0)
    rarity = np.log1p((len(candidates) - found + 0.5) / (found + 0.5))
    return np.asarray(holds @ rarity / rarity.sum())


def _relevances(candidates: Sequence[BlendCandidate], coverages: Column, *, has_stems: bool) -> Column:
    cosines = np.array([max(c.cosine or 0.0, 0.0) for c in candidates])
    best = cosines.max()
    if best <= 0:
        return coverages
    meaning: Column = cosines / best
    return (meaning + coverages) / 2 if has_stems else meaning


_PASSAGE_CHARS = 500


@dataclass(frozen=True)
class _Found:
    """Candidates of all legs."""

    memories: Ranking | None
    others: Mapping[tuple[SearchKind, str], Known]

    def blended(self, parsed: ParsedQuery) -> list[Blended]:
        """Return all candidates, best first; this reads hundreds of texts."""
        return blend(self.candidates(parsed), BlendQuery(parsed.stems, self.order()))

    def candidates(self, parsed: ParsedQuery) -> list[BlendCandidate]:
        """Return all candidates in the form that :func:`blend` compares."""
        stems = set(parsed.stems)
        found = [
            BlendCandidate(kind, id_, known.cosine, known.stems & stems)
            for (kind, id_), known in self.others.items()
        ]
        if self.memories is not None:
            found += [
                BlendCandidate(
                    SearchKind.MEMORY,
                    candidate.id,
                    _nearest(candidate.cosine, candidate.part_cosine),
                    frozenset(term.strip() for term in candidate.matched),
                )
                for candidate in self.memories.pool.candidates
            ]
        return found

    def order(self) -> dict[SearchKind, list[str]]:
        """Return recall's order of the memories."""
        if self.memories is None:
            return {}
        return {SearchKind.MEMORY: [ranked.id for ranked in self.memories.ranked]}


class Search:
    """Searches all kinds of nodes; lives as long as the process. A search counts no use of memories."""

    def __init__(self, database: Database, recall: Recall, memories: Memories) -> None:
        self._database = database
        self._recall = recall
        self._memories = memories
        self._knowledge = Knowledge(database)

    async def search(
        self,
        workspace_id: str,
        text: str,
        *,
        kinds: Sequence[SearchKind] = (),
        first: int = 10,
        offset: int = 0,
        surface: RetentionSurface = RetentionSurface.RECALL,
    ) -> SearchResult:
        """Return a page of the hits of all requested kinds, best first.

        Raises:
            InvalidInput: ``text`` is blank, or ``first`` or ``offset`` is out of range.
        """
        parsed = self._recall.parse(_checked(text, first=first, offset=offset))
        searched = [kind for kind in SearchKind if kind in kinds or not kinds]
        trace = self._recall.trace(RecallStrategy.HYBRID, "search")
        trace.degraded += note_of_cut("query", text)
        embedded = await self._recall.embed(parsed, trace)
        found = await self._find(workspace_id, parsed, embedded, searched, trace, surface)
        with trace.stage("blend"):
            ranked = await asyncio.to_thread(found.blended, parsed)
        if offset + first > len(ranked) >= POOL:
            trace.degraded.append(f"list: only the best {len(ranked)} candidates are ranked")
        with trace.stage("read"):
            hits = await self._read(workspace_id, parsed, ranked[offset : offset + first], found, trace)
        return SearchResult(hits=tuple(hits), resolution=trace.resolution())

    async def for_model(
        self, workspace_id: str, text: str, *, limit: int = 5, offset: int = 0
    ) -> SearchResult:
        """Return hits for a model; ``limit`` is capped at 20.

        Raises:
            InvalidInput: ``text``, ``limit`` or ``offset`` breaks a rule.
        """
        page_size(limit, field="limit", most=max(limit, MOST_IN_TEXT))
        found = await self.search(workspace_id, text, first=min(limit, MOST_IN_TEXT), offset=offset)
        if found.hits:
            touches(found.hits[0].id)
        elif offset == 0:
            leads_nowhere()
        return found

    async def _find(
        self,
        workspace_id: str,
        parsed: ParsedQuery,
        embedded: EmbeddedQuery | None,
        kinds: Sequence[SearchKind],
        trace: RecallTrace,
        surface: RetentionSurface,
    ) -> _Found:
        others = [kind for kind in kinds if kind is not SearchKind.MEMORY]

        async def memories() -> Ranking | None:
            if SearchKind.MEMORY not in kinds:
                return None
            return await self._recall.rank(workspace_id, parsed, embedded, trace, surface=surface)

        ranking, known = await asyncio.gather(
            memories(), self._knowledge.find(workspace_id, parsed, embedded, others, trace)
        )
        trace.exact = trace.exact and not others
        return _Found(ranking, known)

    async def _read(
        self,
        workspace_id: str,
        parsed: ParsedQuery,
        page: Sequence[Blended],
        found: _Found,
        trace: RecallTrace,
    ) -> list[SearchHit]:
        ids = [blended.candidate.id for blended in page if blended.candidate.kind is SearchKind.MEMORY]
        places = await self._places(workspace_id, page)
        weights = {stem(word): weight for word, weight in parsed.weighted_words}
        explainer = Explainer(found.memories.pool, parsed, trace.tier) if found.memories else None
        others = explainer.beside_any(ids) if explainer else ()
        memories = (
            await self._memories.find_all(workspace_id, [*dict.fromkeys([*ids, *others])]) if ids else {}
        )
        texts = {id_: memory.content for id_, memory in memories.items()}
        pool = found.memories.pool.candidates if found.memories else ()
        successors = {each.id: each.superseded_by for each in pool}
        why = {
            id_: [*explainer.why(id_), *explainer.why_beside(id_, texts)] if explainer else [] for id_ in ids
        }
        contents = {id_: known.text for (_, id_), known in found.others.items()} | texts
        passages = await asyncio.to_thread(
            lambda: {
                id_: around(contents[id_], weights, most_chars=_PASSAGE_CHARS)
                for id_ in (blended.candidate.id for blended in page)
                if id_ in contents
            }
        )
        hits = []
        for blended in page:
            candidate = blended.candidate
            known = found.others.get((candidate.kind, candidate.id))
            memory = memories.get(candidate.id) if known is None else None
            if known is None and memory is None:
                continue  # the memory was deleted after the search
            text = known.text if known else memory.content if memory else ""
            place = places.get(candidate.id)
            hits.append(
                SearchHit(
                    kind=candidate.kind,
                    id=candidate.id,
                    text=text,
                    passage=passages.get(candidate.id, ""),
                    location=place.location if place else None,
                    title=place.title if place else None,
                    is_excerpt=place is not None and place.is_excerpt,
                    score=blended.score,
                    vector_score=candidate.cosine,
                    coverage=blended.coverage,
                    why=known.why if known else why[candidate.id],
                    memory=memory,
                    superseded_by=successors.get(candidate.id, ()) if memory else (),
                )
            )
        return hits

    async def _places(
        self, workspace_id: str, page: Sequence[Blended]
    ) -> Mapping[str, queries.ListChunkPlacesRow]:
        """Return the locations of a page's chunks in their documents."""
        ids = [blended.candidate.id for blended in page if blended.candidate.kind is SearchKind.CHUNK]
        if not ids:
            return {}
        rows = await queries.list_chunk_places(self._database, workspace_id=workspace_id, ids=ids)
        return {row.id: row for row in rows}


def _checked(text: str, *, first: int, offset: int) -> str:
    page_size(first, most=MAX_LIMIT)
    check_offset(offset)
    return required_query(text)


def _nearest(*cosines: float | None) -> float | None:
    there = [cosine for cosine in cosines if cosine is not None]
    return max(there) if there else None
