"""Rules of recall and of its queries."""

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
    """Rules of recall.

    Attributes:
        limits: Maximum number of candidates.
        strategy: Default strategy, if neither the query nor the workspace sets one.
        rrf_k: The k of reciprocal rank fusion, if requested.
        vector_top_k: Length of the vector list in reciprocal rank fusion.
        merge_above: Cosine above which two statements count as the same, and one is dropped.
        rerank_depth: Number of top hits that the reranker reads; its time grows with it.
        rerank_seconds: Time limit of the reranker, after which the order stays.
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


def validated(query: RecallQuery) -> RecallQuery:
    """Return the query with the end of its text, if it keeps every rule; what the filter must keep to is checked later.

    Raises:
        InvalidInput: The first field that breaks a rule, with the expected form.
    """
    page_size(query.limit, field="limit", most=MAX_LIMIT)
    check_offset(query.offset)
    check_min_score(query.min_score)
    if query.min_relevance is not None and not 0.0 <= query.min_relevance <= 1.0:
        raise InvalidInput("minRelevance", "minRelevance must be between 0.0 and 1.0")
    if not 0.0 <= query.diversity <= 1.0:
        raise InvalidInput("diversity", "diversity must be between 0.0 and 1.0")
    for tags in (query.filter.any_tags, query.filter.all_tags):
        validated_filter_tags("tags", tags)
    if query.query is None:
        return query
    return query.model_copy(update={"query": query_text("query", query.query) or None})


def check_min_score(min_score: float | None) -> None:
    """Check the minimum cosine; None means no minimum.

    Raises:
        InvalidInput: It is not between -1 and 1.
    """
    if min_score is not None and not -1.0 <= min_score <= 1.0:
        raise InvalidInput("minScore", "minScore must be a cosine between -1.0 and 1.0")


def required_query(text: str) -> str:
    """Return the end of a trimmed query that must have words.

    Raises:
        InvalidInput: It is blank or not storable.
    """
    return filled("query", query_text("query", text))
