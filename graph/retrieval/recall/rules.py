"""What an operator may set of recall, and what a query must keep to."""

from dataclasses import dataclass, field

from graph.core.errors import InvalidInput
from graph.core.fusion import DEFAULT_K
from graph.core.pages import page_size
from graph.core.text.checks import storable
from graph.memories.filtering import validated_filter_tags
from graph.retrieval.recall.candidate_retriever import RecallLimits
from graph.retrieval.recall.models import RecallQuery, RecallStrategy

MAX_LIMIT = 100
MAX_QUERY_CHARS = 8000


@dataclass(frozen=True)
class RecallRules:
    """What an operator may set.

    Attributes:
        limits: How many candidates are gathered.
        strategy: What serves a query that names none, in a workspace that has none set.
        rrf_k: The k of reciprocal rank fusion, where that is asked for.
        vector_top_k: How many of the list of meaning reciprocal rank fusion fuses.
        merge_above: Cosine above which one of two statements is left out.
        rerank_depth: How many of the best a reranker reads.
        relation_limit: How many connected memories a hit shows, the strongest first.
        injection_max_memories: How many memories a turn is given, in a workspace that sets no number.
    """

    limits: RecallLimits = field(default_factory=RecallLimits)
    strategy: RecallStrategy = RecallStrategy.HYBRID
    rrf_k: float = DEFAULT_K
    vector_top_k: int = 20
    merge_above: float = 0.92
    rerank_depth: int = 30
    relation_limit: int = 5
    injection_max_memories: int = 5


def validated(query: RecallQuery) -> RecallQuery:
    """Return the query with its text trimmed, if it keeps every rule; what the filter must keep to is checked later.

    Raises:
        InvalidInput: The first field that breaks a rule, with the expected form.
    """
    page_size(query.limit, field="limit", most=MAX_LIMIT)
    if query.offset < 0:
        raise InvalidInput("offset", f"offset must be 0 or more, got {query.offset}")
    if query.min_score is not None and not -1.0 <= query.min_score <= 1.0:
        raise InvalidInput("minScore", "minScore must be a cosine between -1.0 and 1.0")
    if query.min_relevance is not None and not 0.0 <= query.min_relevance <= 1.0:
        raise InvalidInput("minRelevance", "minRelevance must be between 0.0 and 1.0")
    if not 0.0 <= query.diversity <= 1.0:
        raise InvalidInput("diversity", "diversity must be between 0.0 and 1.0")
    for tags in (query.filter.any_tags, query.filter.all_tags):
        validated_filter_tags("tags", tags)
    if query.query is None:
        return query
    return query.model_copy(update={"query": validated_text(query.query) or None})


def validated_text(text: str) -> str:
    """Return the trimmed text of a query, empty for one that is blank.

    Raises:
        InvalidInput: It is too long or not storable.
    """
    trimmed = storable("query", text).strip()
    if len(trimmed) > MAX_QUERY_CHARS:
        raise InvalidInput(
            "query", f"query must have at most {MAX_QUERY_CHARS} characters, got {len(trimmed)}"
        )
    return trimmed
