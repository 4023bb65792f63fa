"""The three legs of the entity search, by name, words and meaning; the search skips a leg whose index is missing."""

from collections.abc import Sequence
from typing import Any

from graph.core.database import Database
from graph.core.errors import Unavailable
from graph.core.text.lucene import MOST_NAMES, knowledge_queries, name_query
from graph.knowledge.linking.occurrences import names_asked
from graph.knowledge.ontology.names import normalized
from graph.knowledge.ontology.service import Ontology
from graph.retrieval.entities import queries
from graph.retrieval.recall.models import RecallTrace
from graph.retrieval.recall.parsed_query import ParsedQuery
from graph.vectors.index.models import EmbeddedQuery

_OVER_FETCH = 4  # as in recall: int8 vectors miss up to 1.5 % of the true best
_MOST_COMPARED = 5000  # beyond this number, the vector index is faster than comparing all
_WIDEST_NET = 2000
_LONGEST_NAME = 200  # characters of a query that may be a single name
# The end of a long query states its main point, so at least half of the searched names come from it.
_END_CHARS = 600


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

    async def by_name(self, question: ParsedQuery) -> dict[str, str]:
        """Return each entity's longest name in the query, by id, the longest first."""
        names = _names(question)
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

    async def by_words(self, question: ParsedQuery) -> dict[str, float]:
        """Return Lucene's scores by id, best first."""
        legs = knowledge_queries(question.weighted_words, self._common["workspace_id"], "entity")
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
        if admitted is not None and admitted <= _MOST_COMPARED:
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


def _names(question: ParsedQuery) -> list[str]:
    """Return possible names in a query: the whole text, and for a long one its end and its beginning."""
    text = question.text
    whole = [normalized(text)] if len(text) <= _LONGEST_NAME else []
    names = names_asked(text, most=MOST_NAMES)
    if len(names) == MOST_NAMES:
        cut, _, rest = text[-_END_CHARS:].partition(" ")
        at_its_end = names_asked(rest or cut)[-MOST_NAMES // 2 :]
        names = [*at_its_end, *names]
    return list(dict.fromkeys([*whole, *names]))[:MOST_NAMES]


def _cosines(
    rows: Sequence[queries.EntityCosineRow],
) -> dict[str, float]:
    return {row.id: row.cosine for row in rows}
