"""Recall without vectors: lists the newest memories, or those with given tags."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from graph.core.database import Database
from graph.core.errors import Unavailable
from graph.core.models import RecallTier
from graph.core.pages import MAX_PAGE
from graph.core.ports import Clock
from graph.core.text.budget import estimate_tokens
from graph.core.text.language import STOP_WORDS, stem
from graph.core.text.lucene import tag_query
from graph.memories.filtering import filter_parameters
from graph.memories.models import Memory, MemoryOrder
from graph.memories.service import Memories
from graph.memories.tags import compute_tag_prefixes
from graph.retrieval.recall import queries
from graph.retrieval.recall.agreement import with_disagreements
from graph.retrieval.recall.models import RecallHit, RecallLeg, RecallQuery
from graph.retrieval.recall.parsed_query import ParsedQuery
from graph.retrieval.recall.rules import RecallRules
from graph.retrieval.recall.validity import validity_of

MOST_NEWEST = 100


class Lister:
    """Executes the recalls that compare no vectors; lives as long as the process."""

    def __init__(self, database: Database, memories: Memories, clock: Clock, rules: RecallRules) -> None:
        self._database = database
        self._memories = memories
        self._clock = clock
        self._rules = rules

    async def newest(self, workspace_id: str, query: RecallQuery) -> list[RecallHit]:
        """Return a page of the 100 newest memories; the score is 1/rank.

        Raises:
            InvalidInput: A field of the filter breaks a rule.
        """
        rows = await self._newest(workspace_id, query, most=query.offset + query.limit)
        places = {row.id: place for place, row in enumerate(rows, start=1)}
        return await self._hits(
            workspace_id,
            [row.id for row in rows][query.offset :],
            query,
            score=lambda memory: 1.0 / places[memory.id],
            why=lambda memory: [f"newest {places[memory.id]}"],
            leg=RecallLeg.NEWEST,
        )

    async def matching(self, workspace_id: str, query: RecallQuery, question: ParsedQuery) -> list[RecallHit]:
        """Return a page of those of the 100 newest memories that match words of a query, best first.

        It searches text, key, tags, keywords and metadata. The score is the matched share of the query's informative
        words, 0..1; equal scores are listed newest first. A query without informative words lists the newest.

        Raises:
            InvalidInput: A field of the filter breaks a rule.
        """
        weights = {stem(word): weight for word, weight in question.weighted_words if word not in STOP_WORDS}
        if not weights:
            return await self.newest(workspace_id, query)
        terms = question.terms_of(weights)
        rows = await self._newest(workspace_id, query, terms=list(terms), most=MOST_NEWEST)
        matched = {
            row.id: list(dict.fromkeys(stem_ for term in row.matched for stem_ in terms[term.strip()]))
            for row in rows
        }
        scores = {id_: sum(weights[term] for term in terms) for id_, terms in matched.items()}
        ids = sorted(scores, key=lambda id_: -scores[id_])
        return await self._hits(
            workspace_id,
            ids[query.offset : query.offset + query.limit],
            query,
            score=lambda memory: scores[memory.id] / sum(weights.values()),
            why=lambda memory: ["matches " + ", ".join(question.as_written(matched[memory.id]))],
            leg=RecallLeg.NEWEST,
        )

    async def _newest(
        self, workspace_id: str, query: RecallQuery, *, terms: Sequence[str] = (), most: int
    ) -> Sequence[queries.ListNewestRow]:
        return await queries.list_newest(
            self._database,
            workspace_id=workspace_id,
            filter=filter_parameters(query.filter),
            terms=[f" {term} " for term in terms],
            only_current=query.for_injection,
            now=self._clock.now(),
            limit=min(most, MOST_NEWEST),
        )

    async def tagged(self, workspace_id: str, query: RecallQuery) -> list[RecallHit]:
        """Return a page of memories with the filter's tags, by importance and event time; the score is the importance.

        Raises:
            InvalidInput: A field of the filter breaks a rule.
        """
        parameters = filter_parameters(query.filter)
        asked = [*parameters["any_tags"], *parameters["all_tags"]]
        try:
            ids = await self._ids_tagged(workspace_id, query, parameters)
        except Unavailable as error:
            if error.index is None:
                raise
            ids = await self._ids_by_importance(workspace_id, query)

        def matched(memory: Memory) -> list[str]:
            prefixes = set(compute_tag_prefixes(memory.tags))
            return [f"tag {tag}" for tag in asked if tag in prefixes]

        return await self._hits(
            workspace_id, ids, query, score=lambda memory: memory.importance, why=matched, leg=RecallLeg.TAGS
        )

    async def _ids_tagged(
        self, workspace_id: str, query: RecallQuery, parameters: Mapping[str, Any]
    ) -> list[str]:
        tags = tag_query(parameters["any_tags"], parameters["all_tags"], workspace_id)
        return await queries.list_tagged(
            self._database,
            filter=parameters,
            workspace_id=workspace_id,
            tag_query=tags,
            only_current=query.for_injection,
            now=self._clock.now(),
            offset=query.offset,
            limit=query.limit,
        )

    async def _ids_by_importance(self, workspace_id: str, query: RecallQuery) -> list[str]:
        """Return the page without the index of tags, by reading every memory of the workspace."""
        most = min(query.offset + query.limit, MAX_PAGE)
        page = await self._memories.page(workspace_id, query.filter, order=MemoryOrder.IMPORTANCE, first=most)
        return [memory.id for memory in page.items[query.offset :]]

    async def _hits(
        self,
        workspace_id: str,
        ids: Sequence[str],
        query: RecallQuery,
        *,
        score: Callable[[Memory], float],
        why: Callable[[Memory], list[str]],
        leg: RecallLeg,
    ) -> list[RecallHit]:
        now = self._clock.now()
        rows = await queries.get_hits(
            self._database,
            workspace_id=workspace_id,
            ids=ids,
            relation_limit=self._rules.relation_limit if query.expand_relations else 0,
            vector_property="",
            now=now,
            merge_above=None,
        )
        found = {row.memory.id: row for row in rows}
        places = {id_: place for place, id_ in enumerate(ids, start=query.offset + 1)}
        hits = [
            RecallHit(
                memory=row.memory,
                score=score(row.memory),
                vector_score=None,
                text_score=None,
                tier=RecallTier.KEYWORD,
                tokens=estimate_tokens(row.memory.content),
                why=why(row.memory),
                places={leg: places[row.memory.id]},
                relations=row.relations,
                superseded_by=row.superseded_by,
                validity=validity_of(row.memory, now, row.superseded_by),
            )
            for row in (found[id_] for id_ in ids if id_ in found)
            if not (query.for_injection and row.superseded_by)
        ]
        return await with_disagreements(hits)
