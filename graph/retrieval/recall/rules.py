"""Settings of recall, and validation of its queries."""

from dataclasses import dataclass, field

from graph.core.errors import InvalidInput
from graph.core.fusion import DEFAULT_K
from graph.core.pages import check_offset, page_size
from graph.core.text.checks import filled, query_text
from graph.memories.filtering import validated_filter_tags
from graph.retrieval.recall.candidate_retriever import RecallLimits
from graph.retrieval.recall.models import RecallQuery, RecallStrategy

MAX_LIMIT = 100


@dataclass(frozen=True)
class RecallRules:
    """Settings of recall.

    Attributes:
        limits: Maximum numbers of candidates.
        strategy: Default strategy, if neither the query nor the workspace sets one.
        rrf_k: The k of reciprocal rank fusion, if requested.
        vector_top_k: Length of the vector list in reciprocal rank fusion.
        merge_above: Cosine above which two hits may be duplicates; the worse one is omitted if their words agree.
        rerank_depth: Number of top hits that the reranker reads; its time grows with it.
        rerank_seconds: Timeout of the reranker; after it, the order stays.
        relation_limit: Maximum number of related memories of a hit, strongest first.
        injection_max_memories: Default number of memories injected into a turn.
    """

    limits: RecallLimits = field(default_factory=RecallLimits)
    strategy: RecallStrategy = RecallStrategy.HYBRID
    rrf_k: float = DEFAULT_K
    vector_top_k: int = 20
    merge_above: float = 0.92
    rerank_depth: int = 30
    rerank_seconds: float = 5.0
    relation_limit: int = 5
    injection_max_memories: int = 5


def validated(query: RecallQuery, *, max_limit: int = MAX_LIMIT) -> RecallQuery:
    """Validate a query, apart from most of its filter; return it with its text cut to the end that is searched.

    Raises:
        InvalidInput: A field breaks a rule; the error names the first one and the expected form.
    """
    page_size(query.limit, field="limit", most=max_limit)
    check_offset(query.offset)
    check_min_score(query.min_score)
    if query.min_relevance is not None and not 0.0 <= query.min_relevance <= 1.0:
        raise InvalidInput("minRelevance", "minRelevance must be between 0.0 and 1.0")
    if not 0.0 <= query.diversity <= 1.0:
        raise InvalidInput("diversity", "diversity must be between 0.0 and 1.0")
    if query.strategy is RecallStrategy.FAST and (query.asks_for_relevance or query.for_injection):
        raise InvalidInput(
            "strategy", "the strategy FAST computes no relevance; use HYBRID, or omit the minimum relevance"
        )
    for tags in (query.filter.any_tags, query.filter.all_tags):
        validated_filter_tags("tags", tags)
    if query.query is None:
        return query
    return query.model_copy(update={"query": query_text("query", query.query) or None})


def check_min_score(min_score: float | None) -> None:
    """Check the minimum cosine; None means no minimum.

    Raises:
        InvalidInput: ``min_score`` is not between -1 and 1.
    """
    if min_score is not None and not -1.0 <= min_score <= 1.0:
        raise InvalidInput("minScore", "minScore must be a cosine between -1.0 and 1.0")


def required_query(text: str) -> str:
    """Return the searched end of a query that must not be blank.

    Raises:
        InvalidInput: The query is blank or not storable.
    """
    return filled("query", query_text("query", text))
