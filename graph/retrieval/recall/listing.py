"""Recall without vectors: lists the newest memories, or those with given tags."""

from collections.abc import Callable, Sequence
from typing import Any

from graph.core.database import Database
from graph.core.errors import Unavailable
from graph.core.models import RecallTier
from graph.core.ports import Clock
from graph.core.text.budget import estimate_tokens
from graph.core.text.language import STOP_WORDS, stem
from graph.core.text.lucene import tag_query
from graph.memories.filtering import filter_parameters
from graph.memories.models import Memory
from graph.memories.tags import compute_tag_prefixes
from graph.retrieval import queries
from graph.retrieval.recall.agreement import with_disagreements
from graph.retrieval.recall.models import RecallHit, RecallLeg, RecallQuery, RecallTrace
from graph.retrieval.recall.parsed_query import ParsedQuery
from graph.retrieval.recall.rules import RecallRules
from graph.retrieval.recall.validity import validity_of

MOST_NEWEST = 100


class Lister:
    """Executes the recalls that compare no vectors; lives as long as the process."""

    def __init__(self, database: Database, clock: Clock, rules: RecallRules) -> None:
        self._database = database
        self._clock = clock
        self._rules = rules

    async def newest(self, workspace_id: str, query: RecallQuery, trace: RecallTrace) -> list[RecallHit]:
        """Return a page of the 100 newest memories; the score is 1/rank. The trace notes a page beyond them.

        Raises:
            InvalidInput: A field of the filter breaks a rule.
        """
        rows = await self._newest(workspace_id, query, most=query.offset + query.limit)
        if len(rows) == MOST_NEWEST < query.offset + query.limit:
            trace.degraded.append(f"list: only the newest {MOST_NEWEST} are listed")
        places = {row.id: place for place, row in enumerate(rows, start=1)}
        return await self._hits(
            workspace_id,
            [row.id for row in rows][query.offset :],
            query,
            score=lambda memory: 1.0 / places[memory.id],
            why=lambda memory: [f"newest {places[memory.id]}"],
            leg=RecallLeg.NEWEST,
        )

    async def matching(
        self, workspace_id: str, query: RecallQuery, parsed: ParsedQuery, trace: RecallTrace
    ) -> list[RecallHit]:
        """Return a page of those of the 100 newest memories that match words of a query, best first.

        It searches text, key, tags, keywords and metadata. The score is the matched share of the query's informative
        words, 0..1; equal scores are listed newest first. A query without informative words lists the newest. If there
        may be older memories, it notes that in the trace.

        Raises:
            InvalidInput: A field of the filter breaks a rule.
        """
        weights = {stem(word): weight for word, weight in parsed.weighted_words if word not in STOP_WORDS}
        if not weights:
            return await self.newest(workspace_id, query, trace)
        terms = parsed.terms_of(weights)
        rows = await self._newest(workspace_id, query, terms=list(terms), most=MOST_NEWEST)
        if len(rows) == MOST_NEWEST:
            trace.degraded.append(f"list: only the newest {MOST_NEWEST} are searched")
        matched = {
            row.id: list(dict.fromkeys(stem_ for term in row.matched for stem_ in terms[term.strip()]))
            for row in rows
            if row.matched
        }
        scores = {id_: sum(weights[term] for term in terms) for id_, terms in matched.items()}
        ids = sorted(scores, key=lambda id_: -scores[id_])
        return await self._hits(
            workspace_id,
            ids[query.offset : query.offset + query.limit],
            query,
            score=lambda memory: scores[memory.id] / sum(weights.values()),
            why=lambda memory: ["matches " + ", ".join(parsed.as_written(matched[memory.id]))],
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

    async def tagged(self, workspace_id: str, query: RecallQuery, trace: RecallTrace) -> list[RecallHit]:
        """Return a page of memories with the filter's tags, by importance and event time; the score is the importance.

        Without the index of tags, it reads every memory of the workspace, and notes that in the trace.

        Raises:
            InvalidInput: A field of the filter breaks a rule.
        """
        parameters = filter_parameters(query.filter)
        tags = [*parameters["any_tags"], *parameters["all_tags"]]
        page: dict[str, Any] = {
            "workspace_id": workspace_id,
            "filter": parameters,
            "only_current": query.for_injection,
            "now": self._clock.now(),
            "offset": query.offset,
            "limit": query.limit,
        }
        try:
            ids = await queries.list_tagged(
                self._database,
                tag_query=tag_query(parameters["any_tags"], parameters["all_tags"], workspace_id),
                **page,
            )
        except Unavailable as error:
            if error.index is None:
                raise
            trace.degraded.append(f"tags: {error}; every memory of the workspace was read")
            ids = await queries.list_tagged_without_index(self._database, **page)

        def matched(memory: Memory) -> list[str]:
            prefixes = set(compute_tag_prefixes(memory.tags))
            return [f"tag {tag}" for tag in tags if tag in prefixes]

        return await self._hits(
            workspace_id, ids, query, score=lambda memory: memory.importance, why=matched, leg=RecallLeg.TAGS
        )

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
