"""Escaping of user text in Lucene queries."""

import asyncio
import re

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from graph.core.text.lucene import knowledge_queries, text_queries
from graph.memories.models import MemoryDraft, MemoryFilter
from graph.retrieval.recall.candidate_retriever import CandidateRetriever, RecallLimits
from graph.retrieval.recall.parsed_query import ParsedQuery
from tests.fixtures.memories import MovingClock
from tests.fixtures.timeouts import scaled_timeout

METACHARACTERS = r'+-&|!(){}[]^"~*?:\/'


def _unescaped(query: str) -> str:
    return re.sub(r"\\.", "", query, flags=re.DOTALL)


SYNTAX = [
    *METACHARACTERS, "AND", "OR", "NOT", "TO", "&&", "||", "^2", "~1", "[a TO b]", "{a TO", "*:*", "_exists_:x",
    "workspace_id:", 'search_text:("', "search_kind:memory", "\u2028", "\ufeff", "word", "\u6771\u4eac", "_", "12",
]  # fmt: skip
TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=60),
    st.lists(st.sampled_from(SYNTAX), max_size=10).map("".join),
    st.lists(st.sampled_from(SYNTAX), max_size=10).map(" ".join),
)


@given(st.text())
def test_user_text_never_becomes_query_syntax(text):
    """C28: Lucene's operators and metacharacters are data."""
    for query in text_queries(ParsedQuery(text).weighted_words, "ws_1"):
        inside = re.sub(r"\^\d+\.\d+", "", _unescaped(query.query.split("(", 2)[2].split(")")[0]))
        assert not set(inside) & set(METACHARACTERS)
        assert not re.search(r"\b(AND|OR|NOT|TO)\b", inside)


@given(TEXTS, st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12))
@example("0", "\n")
def test_no_workspace_and_no_kind_becomes_syntax(text, workspace_id):
    """C28, N12: the scope of a query is one phrase and one word."""
    for query in knowledge_queries(ParsedQuery(text).weighted_words, workspace_id, "entity"):
        scope, _, _ = _unescaped(query.query).partition("+(")
        assert re.fullmatch(r'\+workspace_id:"\w*"\^0 \+search_kind:entity\^0 ', scope)


async def test_the_server_accepts_every_query_and_finds_its_words(services) -> None:
    """C28: without the fallback, which would hide a query that Lucene refuses."""
    workspace = (await services.tenancy.workspaces.create("escaping")).id
    theirs = (await services.tenancy.workspaces.create("theirs")).id
    for place in (workspace, theirs):
        await services.memories.store.save(place, MemoryDraft(content="zqneedle"))
    gatherer = CandidateRetriever(
        services.core.database, services.memories.store, MovingClock(), RecallLimits()
    )
    loop = asyncio.get_running_loop()

    async def check(text: str) -> None:
        question = ParsedQuery(f"{text} zqneedle")
        gathered = await gatherer.gather(workspace, question, None, filter_=MemoryFilter())
        assert gathered.lost == {}
        assert len(gathered.pool.text_scores) == 1

    @settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
    @given(TEXTS)
    @example("\\" * 99)
    @example(" ".join(f"word{number}" for number in range(700)))
    def checked(text: str) -> None:
        asyncio.run_coroutine_threadsafe(check(text), loop).result(scaled_timeout(60))

    await asyncio.to_thread(checked)
