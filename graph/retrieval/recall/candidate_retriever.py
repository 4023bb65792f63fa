"""Gathers candidates from the indexes, or from all memories that match the filter if these are few."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from cypher import VECTOR_INDEXES
from graph.core.database import Database
from graph.core.errors import Unavailable
from graph.core.ports import Clock, TierScope
from graph.core.scope import EVERYTHING, ReadScope, current_scope, seeing
from graph.core.text.lucene import MOST_NAMES, TextQuery, name_query, text_queries, window_queries
from graph.knowledge.linking.occurrences import possible_names
from graph.memories.filtering import filter_parameters
from graph.memories.models import Memory, MemoryFilter
from graph.memories.service import Memories
from graph.retrieval import queries
from graph.retrieval.recall.candidates import MOST_WORDS_OF_A_STATEMENT, Pool
from graph.retrieval.recall.parsed_query import ParsedQuery
from graph.vectors.external.models import Nearest
from graph.vectors.external.service import ExternalTier
from graph.vectors.index.models import EmbeddedQuery
from graph.vectors.index.vectors import LONGEST_WINDOWED_WORDS

OVER_FETCH = 4  # int8 vectors miss up to 1.5 % of the true top 10; fetching four times as many missed none
# Exact cosines cost about 1 ms for 150 rows; beyond this number, fetching more rows from the index is faster.
_MOST_COMPARED = 5000
WIDEST_NET = 2000
_MOST_NAMED = 50  # entities that a query may name
_MOST_MENTIONS = 200  # candidates from each of these entities
_MOST_EXAMINED = 5000  # memories examined per entity: bounds the cost of hubs with many invisible memories
_NAMES_INDEX = "entity_names"
_FILTER_NOTE = "filter: {admitted} memories match, too many to compare all; the indexes were searched"


POOL: Final = 40
"""Number of candidates from each list (measured: more cost time and find nothing more)."""


@dataclass(frozen=True)
class RecallLimits:
    """Sizes of the candidate lists.

    Attributes:
        text_list: Number of scores from each full-text list (measured like ``POOL``).
    """

    pool: int = POOL
    text_list: int = 200


@dataclass(frozen=True)
class RetrievedCandidates:
    """The candidates, and how they were gathered.

    Attributes:
        exact: True if every matching memory was compared with the query's vector.
        degraded: Approximations, with reasons.
        lost: Reasons for skipped legs (``words``, ``names`` or ``vector``), whose index could not be searched.
        external: Response of the external tier, if it was called.
    """

    pool: Pool
    exact: bool = False
    degraded: Sequence[str] = ()
    lost: Mapping[str, str] = field(default_factory=dict)
    external: Nearest = field(default_factory=Nearest)


@dataclass(frozen=True)
class _CandidateRequest:
    """Parameters of a gathering query, and its skipped legs."""

    common: dict[str, Any]
    embedded: EmbeddedQuery | None
    lost: Mapping[str, str] = field(default_factory=dict)

    def of_meaning(self, external: Nearest) -> dict[str, Any]:
        """Return the parameters of a statement that compares vectors.

        Args:
            external: Results of the external tier; if they are missing or incomplete, the statement also searches the
                vector index.
        """
        assert self.embedded is not None  # noqa: S101 - callers check it
        vectors = self.embedded.vectors
        return {
            **self.common,
            "query": {
                **self.common["query"],
                "index_vector": vectors[0] if external.found is None or external.lacks else None,
                "focus_vector": self.embedded.focus,
                "part_vectors": self.embedded.of_parts,
                "external": external.found or (),
            },
            "vector": vectors[0],
            "vector_property": self.embedded.index.vector_property,
            "long_words": LONGEST_WINDOWED_WORDS,
        }

    def without(self, error: Unavailable) -> "_CandidateRequest":
        """Skip the leg whose index cannot be searched.

        Raises:
            Unavailable: The error is not a missing index, or its leg has been skipped already.
        """
        if error.index in VECTOR_INDEXES and self.embedded is not None:
            return replace(self, embedded=None, lost={**self.lost, "vector": str(error)})
        if error.index == _NAMES_INDEX and "names" not in self.lost:
            return replace(
                self,
                common=self._query_without("name_queries", "names"),
                lost={**self.lost, "names": str(error)},
            )
        if error.index is not None and "words" not in self.lost:
            common = self._query_without("text_queries", "window_queries")
            return replace(self, common=common, lost={**self.lost, "words": str(error)})
        raise error

    def _query_without(self, *legs: str) -> dict[str, Any]:
        return {**self.common, "query": {**self.common["query"], **dict.fromkeys(legs, ())}}


class CandidateRetriever:
    """Gathers the candidates of queries; lives as long as the process."""

    def __init__(
        self,
        database: Database,
        memories: Memories,
        clock: Clock,
        limits: RecallLimits,
        tier: ExternalTier[Memory] | None = None,
    ) -> None:
        self._tier = tier
        self._database = database
        self._memories = memories
        self._clock = clock
        self._limits = limits

    async def gather(
        self,
        workspace_id: str,
        parsed: ParsedQuery,
        embedded: EmbeddedQuery | None,
        *,
        filter_: MemoryFilter,
        pool: int | None = None,
        only_current: bool = False,
    ) -> RetrievedCandidates:
        """Return the candidates of one workspace that match the filter.

        Skips an index that is missing or not ready, and names its leg in ``lost``.

        Args:
            workspace_id: Workspace to search.
            parsed: The parsed query.
            embedded: The query's vectors; None: words only.
            filter_: Filter of the candidates.
            pool: Number of candidates from each list; None: as the limits say.
            only_current: Also exclude superseded memories.
        """
        terms = parsed.terms_of(parsed.stems)
        request = _CandidateRequest(
            self._common(
                workspace_id,
                parsed,
                filter_,
                pool or self._limits.pool,
                terms=terms,
                only_current=only_current,
            ),
            embedded,
        )
        while True:
            try:
                found = await self._gather(workspace_id, request, filter_)
                return replace(found, pool=found.pool.reading(terms), lost=request.lost)
            except Unavailable as error:
                request = request.without(error)

    def _common(
        self,
        workspace_id: str,
        parsed: ParsedQuery,
        filter_: MemoryFilter,
        pool: int,
        *,
        terms: Iterable[str],
        only_current: bool,
    ) -> dict[str, Any]:
        names = possible_names(parsed.focus or "", parsed.text)[:MOST_NAMES]
        request = name_query(names, workspace_id)
        searched = (parsed.weighted_words, workspace_id, parsed.languages)
        return {
            "filter": filter_parameters(filter_),
            "only_current": only_current,
            "query": {
                "name_queries": [] if request is None else [request],
                "names": names,
                "text_queries": _legs(text_queries(*searched)),
                "window_queries": _legs(window_queries(*searched)),
                "terms": [f" {term} " for term in terms],
                "statement_words": MOST_WORDS_OF_A_STATEMENT if parsed.request else 0,
                "asks_for_slot": parsed.asked_slot is not None,
            },
            "named_limit": _MOST_NAMED,
            "workspace_id": workspace_id,
            "pool_limit": pool,
            "now": self._clock.now(),
        }

    async def _gather(
        self, workspace_id: str, request: _CandidateRequest, filter_: MemoryFilter
    ) -> RetrievedCandidates:
        sees_all = filter_ == MemoryFilter() and current_scope() == _cut_within_indexes()
        external = await self._from_tier(workspace_id, request, filter_)
        if sees_all:
            return await self._from_indexes(request, external, with_neighbours=True)
        admitted = await self._memories.count(workspace_id, filter_)
        if admitted <= _MOST_COMPARED and external.found is None:
            pool = await self._from_all_admitted(request)
            return RetrievedCandidates(pool, exact=request.embedded is not None, external=external)
        if admitted <= _MOST_COMPARED:
            return await self._from_indexes(request, external, most=_MOST_COMPARED)
        with seeing(_cut_within_indexes()):
            total = await self._memories.count(workspace_id)
        gathered = await self._from_indexes(request, external, widening=total / admitted)
        return replace(gathered, degraded=(_FILTER_NOTE.format(admitted=admitted),))

    async def _from_tier(
        self, workspace_id: str, request: _CandidateRequest, filter_: MemoryFilter
    ) -> Nearest:
        """Query the external tier if it can apply the filter: it stores keys, sessions, users and ages only."""
        known_to_tier = MemoryFilter(
            api_key_id=filter_.api_key_id, session_id=filter_.session_id, retention=filter_.retention
        )
        scope = current_scope()
        can_filter = filter_ == known_to_tier and scope.agents is None
        if self._tier is None or request.embedded is None or not can_filter:
            return Nearest()
        within = TierScope(
            workspace_id, api_key_id=filter_.api_key_id, session_id=filter_.session_id, users=scope.users
        )
        window = filter_.retention
        oldest = window.cutoff if window is not None and not window.source_types else None
        limit = request.common["pool_limit"] * OVER_FETCH
        return await self._tier.nearest(within, request.embedded, limit, oldest=oldest)

    async def _from_indexes(
        self,
        request: _CandidateRequest,
        external: Nearest,
        *,
        widening: float = 1.0,
        most: int | None = None,
        with_neighbours: bool = False,
    ) -> RetrievedCandidates:
        """Query the text indexes and, unless the external tier answered, the vector index.

        Args:
            request: Query parameters.
            external: Results of the external tier, which are filtered already; results of the indexes are filtered
                after the search.
            widening: Ratio of all memories to those that match the filter.
            most: Length of the lists by words; None: determined by ``widening``.
            with_neighbours: Also gather the turns beside the nearest memories; without vectors, beside all candidates.
        """
        text_limit = most or _net(self._limits.text_list, widening)
        vector_limit = WIDEST_NET if most else _net(request.common["pool_limit"] * OVER_FETCH, widening)
        if request.embedded is None:
            pool = await self._by_words(request, text_limit=text_limit, with_neighbours=with_neighbours)
            return RetrievedCandidates(pool)
        row = await queries.gather_candidates(
            self._database,
            **request.of_meaning(external),
            vector_index=request.embedded.index.name,
            examined=_MOST_EXAMINED,
            mention_limit=_MOST_MENTIONS,
            text_limit=text_limit,
            vector_limit=vector_limit,
            with_neighbours=with_neighbours,
        )
        return RetrievedCandidates(Pool.of(**dict(row)), external=external)

    async def _from_all_admitted(self, request: _CandidateRequest) -> Pool:
        if request.embedded is None:
            return await self._by_words(request, text_limit=_MOST_COMPARED, with_neighbours=False)
        row = await queries.gather_candidates_exactly(
            self._database, **request.of_meaning(Nearest()), text_limit=_MOST_COMPARED
        )
        return Pool.of(**dict(row))

    async def _by_words(self, request: _CandidateRequest, *, text_limit: int, with_neighbours: bool) -> Pool:
        row = await queries.gather_candidates_by_words(
            self._database,
            **request.common,
            examined=_MOST_EXAMINED,
            mention_limit=_MOST_MENTIONS,
            text_limit=text_limit,
            with_neighbours=with_neighbours,
        )
        return Pool.of(**dict(row), similarities=())


def _cut_within_indexes() -> ReadScope:
    """Return the part of the current scope that the indexes themselves apply: its user."""
    scope = current_scope()
    if scope.user_id is None:
        return EVERYTHING
    return ReadScope(user_id=scope.user_id, include_shared=scope.include_shared)


def _legs(found: Sequence[TextQuery]) -> list[dict[str, str]]:
    return [{"index": leg.index, "query": leg.query} for leg in found]


def _net(limit: int, widening: float) -> int:
    """Return the number of rows to fetch so that about twice ``limit`` of them pass the filter."""
    return limit if widening <= 1 else min(WIDEST_NET, int(2 * limit * widening))
