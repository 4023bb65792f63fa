"""The strategy FAST: two lists fused by rank."""

from datetime import UTC, datetime

import pytest

from graph.core.errors import InvalidInput
from graph.core.models import RecallTier
from graph.core.scope import ReadScope, seeing
from graph.memories.models import MemoryDraft, MemoryFilter
from graph.retrieval.recall.candidate_retriever import RecallLimits
from graph.retrieval.recall.models import RecallLeg, RecallQuery, RecallStrategy, Validity
from tests.fixtures.embedders import HashingEmbedder
from tests.fixtures.graphs import run
from tests.fixtures.own_store import engine
from tests.fixtures.recall import recall_under

TEXTS = ("tabs over spaces", "spaces", "green tea in the morning")
QUERY = RecallQuery(query="tabs and spaces", strategy=RecallStrategy.FAST, limit=10)


async def saved(services, workspace_id: str, *texts: str, **fields) -> list[str]:
    """Save texts with their vectors and return the ids."""
    vectors = (await services.vectors.embeddings.embed(texts)).tolist()
    drafts = [
        MemoryDraft(content=text, embedding=tuple(vector), dedup=False, **fields)
        for text, vector in zip(texts, vectors, strict=True)
    ]
    return [receipt.memory.id for receipt in await services.memories.store.save_all(workspace_id, drafts)]


async def recalled(services, workspace_id: str, **fields):
    return await services.retrieval.recall.recall(workspace_id, QUERY.model_copy(update=fields))


def contents(result) -> list[str]:
    return [hit.memory.content for hit in result.hits]


async def test_the_score_sums_the_reciprocal_ranks_of_both_lists(services, workspace_id):
    """C9, issue 38: k is 60."""
    await saved(services, workspace_id, *TEXTS)

    result = await recalled(services, workspace_id)

    best, second, last = result.hits
    assert contents(result) == list(TEXTS)
    assert best.score == pytest.approx(2 / 61)
    assert second.score == pytest.approx(2 / 62)
    assert last.score == pytest.approx(1 / 63)
    assert best.places == {RecallLeg.VECTOR: 1, RecallLeg.WORDS: 1}
    assert last.places == {RecallLeg.VECTOR: 3}
    assert best.why == ["closest in meaning", "best match in words"]
    assert last.text_score is None
    assert last.vector_score is not None
    assert {hit.relevance for hit in result.hits} == {None}
    assert result.resolution.strategy is RecallStrategy.FAST
    assert result.resolution.tier is RecallTier.VECTOR
    assert result.resolution.threshold is None
    assert result.resolution.degraded == ()


@pytest.mark.parametrize(
    "fields", [{"min_relevance": 0.1}, {"only_relevant": True}, {"for_injection": True}], ids=str
)
async def test_a_minimum_relevance_is_refused(services, workspace_id, fields):
    """Issue 38: without a relevance, nothing can be kept back."""
    with pytest.raises(InvalidInput, match="FAST computes no relevance") as refused:
        await recalled(services, workspace_id, **fields)
    assert refused.value.field == "strategy"


async def test_a_minimum_cosine_applies(services, workspace_id):
    """C7."""
    await saved(services, workspace_id, *TEXTS)
    cosine = (await recalled(services, workspace_id)).hits[1].vector_score

    result = await recalled(services, workspace_id, min_score=cosine)

    assert contents(result) == ["tabs over spaces", "spaces"]


async def test_filters_and_scopes_apply(services, workspace_id):
    """C4, C5: type, tags, expiry, user, agent."""
    await saved(services, workspace_id, "tabs and spaces of Ada", user_id="ada", agent_id="coder")
    await saved(services, workspace_id, "tabs and spaces of Bob", user_id="bob", tags=("style",))
    await saved(services, workspace_id, "tabs and spaces, gone", expires_at=datetime(2020, 1, 1, tzinfo=UTC))

    everything = await recalled(services, workspace_id)
    tagged = await recalled(services, workspace_id, filter=MemoryFilter(any_tags=("style",)))
    with seeing(ReadScope(user_id="ada", include_shared=False)):
        of_user = await recalled(services, workspace_id)
    with seeing(ReadScope(agent_id="coder", include_shared=False)):
        of_agent = await recalled(services, workspace_id)

    assert sorted(contents(everything)) == ["tabs and spaces of Ada", "tabs and spaces of Bob"]
    assert contents(tagged) == ["tabs and spaces of Bob"]
    assert contents(of_user) == ["tabs and spaces of Ada"]
    assert contents(of_agent) == ["tabs and spaces of Ada"]


async def test_history_is_marked(services, workspace_id):
    """D12, issue 36: also without ranking it behind."""
    await saved(services, workspace_id, "tabs and spaces", t_invalid=datetime(2020, 1, 1, tzinfo=UTC))

    result = await recalled(services, workspace_id)

    assert [hit.validity for hit in result.hits] == [Validity.HISTORY]


async def test_what_fast_leaves_out_is_noted(services, workspace_id):
    """C14, C28: diversity, and candidates beyond the lists."""
    await saved(services, workspace_id, *(f"tabs and spaces {number}" for number in range(6)))
    recall = recall_under(services, limits=RecallLimits(pool=4))

    result = await recall.recall(workspace_id, QUERY.model_copy(update={"diversity": 0.5, "offset": 3}))

    ranked = 3 + len(result.hits)
    assert 4 <= ranked < 6 + 1
    assert result.resolution.degraded == (
        "diversity: not applied, because the strategy FAST compares no hits",
        f"list: only the best {ranked} candidates are ranked",
    )


async def test_a_filter_that_the_lists_may_not_fill_is_noted(services, workspace_id, monkeypatch):
    """C4, C28: no note if each index had fewer memories than it may return."""
    await saved(services, workspace_id, *(f"tabs and spaces {number}" for number in range(3)))
    await saved(services, workspace_id, "tabs", tags=("style",))
    of_style = MemoryFilter(any_tags=("style",))

    monkeypatch.setattr("graph.retrieval.recall.fast.WIDEST_NET", 4)
    by_all = await recalled(services, workspace_id, filter=of_style)
    monkeypatch.setattr("graph.retrieval.recall.fast.WIDEST_NET", 5)
    by_enough = await recalled(services, workspace_id, filter=of_style)

    assert contents(by_all) == contents(by_enough) == ["tabs"]
    assert by_all.resolution.degraded == ("filter: applied to the best 4 of each index only",)
    assert by_enough.resolution.degraded == ()


async def test_a_missing_index_disables_only_its_list(own_settings, empty_store):
    """C2, C28, M14: words without vectors, vectors without words, else the newest."""
    embedder = HashingEmbedder()
    async with engine(own_settings, embedder) as runtime:
        services = runtime.services
        workspace = (await services.tenancy.workspaces.create("without indexes")).id
        await saved(services, workspace, *TEXTS)

        embedder.failure = "away"
        without_embedder = await recalled(services, workspace, min_score=0.9)
        embedder.failure = None
        await run(empty_store, "DROP INDEX memory_text")
        by_meaning = await recalled(services, workspace)
        await run(empty_store, "DROP INDEX vectors_a")
        newest = await recalled(services, workspace, min_score=0.9)

    assert contents(without_embedder) == ["tabs over spaces", "spaces"]
    assert without_embedder.resolution.tier is RecallTier.KEYWORD
    assert without_embedder.resolution.degraded == (
        "vector: away",
        "minScore: ignored, because without vectors there are no cosines",
    )
    assert contents(by_meaning) == list(TEXTS)
    assert by_meaning.resolution.degraded == ("words: the index memory_text cannot be searched",)
    assert contents(newest) == list(reversed(TEXTS))
    assert newest.resolution.is_of_newest
    assert [note for note in newest.resolution.degraded if note.startswith("minScore")] == [
        "minScore: ignored, because listed memories have no cosine"
    ]
