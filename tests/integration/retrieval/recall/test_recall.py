"""Recall over real indexes, with an embedder whose cosines grow with the number of common words."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from graph.core.errors import InvalidInput
from graph.core.models import RecallTier
from graph.core.ports import EmbeddingFailed, RerankFailed
from graph.memories.models import MemoryDraft, MemoryFilter, MemoryState
from graph.retrieval.recall import candidate_retriever
from graph.retrieval.recall.candidate_retriever import RecallLimits
from graph.retrieval.recall.markdown import render
from graph.retrieval.recall.models import RecallQuery, RecallStrategy
from tests.fixtures.recall import recall_under
from tests.fixtures.states import reached


async def embedded(services, workspace_id: str, drafts: list[MemoryDraft]) -> list[str]:
    """Save drafts, wait until each is embedded, and return the ids."""
    saved = await services.memories.store.save_all(workspace_id, drafts)
    ids = [receipt.memory.id for receipt in saved]
    await reached(services, workspace_id, ids, MemoryState.EMBEDDED)
    return ids


def notes(*contents: str, **fields) -> list[MemoryDraft]:
    return [MemoryDraft(content=content, dedup=False, **fields) for content in contents]


async def recalled(services, workspace_id: str, text: str | None, **fields):
    return await services.retrieval.recall.recall(workspace_id, RecallQuery(query=text, **fields))


def contents(result) -> list[str]:
    return [hit.memory.content for hit in result.hits]


async def test_both_legs_find_and_explain_their_hits(services, workspace_id):
    """C1, C25: a hit has its lists, scores and tier."""
    await embedded(services, workspace_id, notes("tabs over spaces", "green tea in the morning"))

    result = await recalled(services, workspace_id, "tabs and spaces", limit=1)

    (hit,) = result.hits
    assert hit.memory.content == "tabs over spaces"
    assert hit.why[:2] == ["closest in meaning", "best match in words"]
    assert hit.tier is RecallTier.VECTOR
    assert 0.5 < hit.vector_score <= 1.0
    assert hit.text_score > 0
    assert hit.tokens == 4
    assert result.resolution.tier is RecallTier.VECTOR
    assert result.resolution.fallback is None
    assert set(result.resolution.stages_ms) == {"embed", "graph", "rank", "read"}


async def test_a_memory_found_only_by_words_is_a_hit(services, workspace_id):
    """C1: each search finds its own candidates; words find a memory without a vector."""
    services_embedder_off = MemoryDraft(content="the passphrase was Xylophone", dedup=False)
    await services.memories.store.save(workspace_id, services_embedder_off)

    result = await recalled(services, workspace_id, "xylophone")

    assert contents(result) == ["the passphrase was Xylophone"]
    assert "best match in words" in result.hits[0].why


async def test_a_memory_found_only_by_meaning_is_a_hit(services, workspace_id):
    """C10: they share no stem, only similar vectors."""
    (stored,) = await services.memories.store.save_all(
        workspace_id,
        [MemoryDraft(content="clean aesthetics", embedding=await vector(services, "minimalist design"))],
    )

    result = await recalled(services, workspace_id, "minimalist design")

    assert [hit.memory.id for hit in result.hits] == [stored.memory.id]
    assert result.hits[0].why == ["closest in meaning"]
    assert result.hits[0].text_score is None


async def test_a_superseded_memory_follows_its_successor_and_says_so(services, workspace_id):
    """C30: for both types of superseding associations."""
    old, new, gone, valid = await embedded(
        services,
        workspace_id,
        notes("lives in Oslo by the sea", "lives in Rome", "works at Acme as a cook", "works at Initech"),
    )
    for before, after, type_ in ((old, new, "EVOLVED_INTO"), (gone, valid, "INVALIDATED_BY")):
        await services.memories.associations.associate(workspace_id, from_id=before, to_id=after, type_=type_)

    for query, before, after in (
        ("lives in Oslo by the sea", old, new),
        ("works at Acme as a cook", gone, valid),
    ):
        result = await recalled(services, workspace_id, query, limit=10)
        ids = [hit.memory.id for hit in result.hits]
        assert ids.index(after) < ids.index(before)
        superseded = result.hits[ids.index(before)]
        said = f"superseded by “{result.hits[ids.index(after)].memory.content}”"
        assert (said in superseded.why, superseded.superseded_by) == (True, [after])
        assert f", superseded by {after})\n   {superseded.memory.content}" in render(result)
        found = {hit.id: hit for hit in (await services.retrieval.search.search(workspace_id, query)).hits}
        assert found[before].superseded_by == [after]


async def vector(services, text: str) -> tuple[float, ...]:
    return tuple((await services.vectors.embeddings.embed([text]))[0].tolist())


async def test_the_turns_beside_a_match_are_found_through_it(services, workspace_id):
    """The answer follows a question that contains the words."""
    turns = [
        MemoryDraft(content="What did you eat in Rome?", speaker="Bob", source_conversation_id="c"),
        MemoryDraft(content="Pizza, of course", speaker="Ann", source_conversation_id="c"),
        MemoryDraft(content="Nice weather today", speaker="Bob", source_conversation_id="other"),
    ]
    await embedded(services, workspace_id, turns)

    result = await recalled(services, workspace_id, "food eaten in Rome", limit=2)

    assert set(contents(result)) == {"What did you eat in Rome?", "Pizza, of course"}


async def test_only_turns_beside_the_nearest_memories_become_candidates(services, workspace_id, monkeypatch):
    """Issue 38: not those beside a memory found by words; without vectors, those beside every candidate."""
    monkeypatch.setattr(candidate_retriever, "window_queries", lambda *_: ())
    near, far = await vector(services, "xylophone"), await vector(services, "something else")
    turns = {"by meaning": near, "beside it": far, "by its word: xylophone": far, "beside that": far}
    await services.memories.store.save_all(
        workspace_id,
        [
            MemoryDraft(
                content=text,
                embedding=numbers,
                speaker="Ann",
                source_conversation_id=str(place // 2),
                dedup=False,
            )
            for place, (text, numbers) in enumerate(turns.items())
        ],
    )
    recall = recall_under(services, limits=RecallLimits(pool=1))

    result = await recall.recall(workspace_id, RecallQuery(query="xylophone"))
    monkeypatch.setattr(services.vectors.embeddings, "embed_query", failing_to_embed)
    by_words = await recall.recall(workspace_id, RecallQuery(query="xylophone"))

    assert set(contents(result)) == {"by meaning", "beside it", "by its word: xylophone"}
    assert set(contents(by_words)) == {"by its word: xylophone", "beside that"}


async def failing_to_embed(*_: str) -> None:
    raise EmbeddingFailed("away")


@pytest.mark.parametrize(
    ("filter_", "found"),
    [
        (MemoryFilter(any_tags=("slack",)), {"alpha one", "alpha two"}),
        (MemoryFilter(all_tags=("slack", "work")), {"alpha two"}),
        (MemoryFilter(any_tags=("SLACK:Channel",)), {"alpha one"}),
        (MemoryFilter(min_importance=0.8), {"alpha three"}),
        (MemoryFilter(categories=("fact",)), {"alpha four"}),
        (MemoryFilter(session_id="s1"), {"alpha one"}),
        (MemoryFilter(types=("Decision",)), {"alpha three"}),
        (MemoryFilter(since=datetime(2030, 1, 1, tzinfo=UTC)), {"alpha four"}),
        (MemoryFilter(until=datetime(2001, 1, 1, tzinfo=UTC)), {"alpha two"}),
    ],
)
async def test_filters_are_exact_and_lose_no_match(services, workspace_id, filter_, found):
    """C17, C18: prefixes match, and all filtered memories are compared exactly."""
    await services.memories.store.save_all(
        workspace_id,
        [
            MemoryDraft(content="alpha one", tags=("slack:channel:general",), session_id="s1", dedup=False),
            MemoryDraft(
                content="alpha two",
                tags=("slack", "work"),
                timestamp=datetime(2000, 1, 1, tzinfo=UTC),
                dedup=False,
            ),
            MemoryDraft(content="alpha three", importance=0.9, type="Decision", dedup=False),
            MemoryDraft(
                content="alpha four", category="fact", timestamp=datetime(2030, 1, 1, tzinfo=UTC), dedup=False
            ),
        ],
    )

    result = await recalled(services, workspace_id, "alpha", filter=filter_)

    assert set(contents(result)) == found
    assert result.resolution.exact


async def test_a_selective_filter_finds_the_one_memory_it_admits_among_thousands(services, workspace_id):
    """C27: candidates are chosen within the filter, not from a global top list."""
    near = await vector(services, "quarterly report")
    crowd = [
        MemoryDraft(content=f"quarterly report {n}", embedding=near, dedup=False, tags=("crowd",))
        for n in range(900)
    ]
    await services.memories.store.save_all(workspace_id, crowd)
    await services.memories.store.save(
        workspace_id, MemoryDraft(content="lunch", tags=("rare",), embedding=await vector(services, "lunch"))
    )

    result = await recalled(
        services, workspace_id, "quarterly report", filter=MemoryFilter(any_tags=("rare",))
    )

    assert contents(result) == ["lunch"]


async def test_recall_ignores_expired_and_deleted_memories(services, workspace_id):
    """C11, A35: in every kind of search."""
    past = datetime.now(UTC) - timedelta(seconds=1)
    saved = await services.memories.store.save_all(
        workspace_id,
        [
            MemoryDraft(content="beta expired", expires_at=past, dedup=False),
            MemoryDraft(content="beta deleted", dedup=False),
            MemoryDraft(content="beta alive", expires_at=past + timedelta(days=1), dedup=False),
        ],
    )
    await services.memories.deletion.delete(workspace_id, saved[1].memory.id)

    assert contents(await recalled(services, workspace_id, "beta")) == ["beta alive"]
    assert contents(await recalled(services, workspace_id, None)) == ["beta alive"]


async def test_recall_as_of_a_moment_returns_memories_valid_then(services, workspace_id):
    """A34: validity includes its start and excludes its end."""
    change = datetime(2024, 6, 1, tzinfo=UTC)
    await services.memories.store.save_all(
        workspace_id,
        [
            MemoryDraft(content="Ann lives in Rome", t_invalid=change, dedup=False),
            MemoryDraft(content="Ann lives in Oslo", t_valid=change, dedup=False),
        ],
    )

    async def at(moment: datetime) -> list[str]:
        then = MemoryFilter(valid_at=moment)
        found = contents(await recalled(services, workspace_id, "where Ann lives", filter=then))
        assert contents(await recalled(services, workspace_id, None, filter=then)) == found
        page = await services.memories.store.page(workspace_id, then)
        assert [memory.content for memory in page.items] == found
        assert await services.memories.store.count(workspace_id, then) == len(found)
        return found

    assert await at(change - timedelta(days=1)) == ["Ann lives in Rome"]
    assert await at(change) == ["Ann lives in Oslo"]


async def test_the_exact_strategy_returns_the_newest_first(services, workspace_id):
    """C3, C4."""
    await services.memories.store.save_all(workspace_id, notes("first", "second", "third"))

    result = await recalled(services, workspace_id, None, strategy=RecallStrategy.EXACT, limit=2)

    assert contents(result) == ["third", "second"]


async def test_pages_of_a_recall_continue_each_other(services, workspace_id):
    """C22: the offset skips hits of the ranked list."""
    await embedded(
        services, workspace_id, notes(*(f"gamma {word}" for word in "one two three four five".split()))
    )

    whole = contents(await recalled(services, workspace_id, "gamma", limit=5))
    pages = [contents(await recalled(services, workspace_id, "gamma", limit=2, offset=n)) for n in (0, 2, 4)]

    assert sum(pages, []) == whole
    assert len(whole) == 5


async def test_the_budget_truncates_the_list_to_at_least_one_hit(services, workspace_id):
    """C8, C9."""
    await embedded(services, workspace_id, notes("delta " + "x" * 96, "delta " + "y" * 96))

    assert len((await recalled(services, workspace_id, "delta", max_tokens=1)).hits) == 1
    assert len((await recalled(services, workspace_id, "delta", max_tokens=60)).hits) == 2
    assert (await recalled(services, workspace_id, "delta", max_tokens=0)).hits == ()


async def test_near_duplicates_of_a_better_hit_are_omitted(services, workspace_id):
    """C14: hits with a cosine above .92 are merged, but never turns of a conversation."""
    near = await vector(services, "epsilon repeated statement")
    said = ("an epsilon statement", "the epsilon statement", "Epsilon statements!")
    drafts = [MemoryDraft(content=text, embedding=near, dedup=False) for text in said]
    turns = [
        MemoryDraft(content=f"epsilon turn {n}", embedding=near, source_conversation_id=f"c{n}")
        for n in range(2)
    ]
    await services.memories.store.save_all(workspace_id, drafts + turns)

    found = contents(await recalled(services, workspace_id, "epsilon", limit=10))

    assert sum("statement" in text for text in found) == 1
    assert sum("turn" in text for text in found) == 2


async def test_a_dry_run_is_the_same_answer_and_counts_no_use(services, workspace_id):
    """C25, A37: only a real recall counts as a use."""
    await embedded(services, workspace_id, notes("zeta one", "zeta two"))

    dry = await recalled(services, workspace_id, "zeta", dry_run=True)
    await services.telemetry.usage.flush()
    unused = await services.memories.store.find_all(workspace_id, [hit.memory.id for hit in dry.hits])
    wet = await recalled(services, workspace_id, "zeta")
    await services.telemetry.usage.flush()
    used = await services.memories.store.find_all(workspace_id, [hit.memory.id for hit in wet.hits])

    assert [(h.memory.id, h.score, h.why) for h in dry.hits] == [
        (h.memory.id, h.score, h.why) for h in wet.hits
    ]
    assert [memory.usage_count for memory in unused.values()] == [0, 0]
    assert [memory.usage_count for memory in used.values()] == [1, 1]


async def test_diversity_ranks_new_content_before_repetitions(services, workspace_id):
    near = await vector(services, "iota kappa")
    turns = [
        MemoryDraft(content=f"iota kappa {n}", embedding=near, source_conversation_id=f"c{n}")
        for n in range(2)
    ]
    other = MemoryDraft(content="iota lambda", embedding=await vector(services, "iota lambda"), dedup=False)
    await services.memories.store.save_all(workspace_id, [*turns, other])

    plain = contents(await recalled(services, workspace_id, "iota kappa", limit=2))
    diverse = contents(await recalled(services, workspace_id, "iota kappa", limit=2, diversity=0.7))

    assert set(plain) == {"iota kappa 0", "iota kappa 1"}
    assert "iota lambda" in diverse


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"limit": 0}, "limit"),
        ({"limit": 101}, "limit"),
        ({"offset": -1}, "offset"),
        ({"min_score": 1.5}, "minScore"),
        ({"query": "nul \x00"}, "query"),
        ({"diversity": -0.1}, "diversity"),
        ({"filter": MemoryFilter(any_tags=(" ",))}, "tags"),
        ({"filter": MemoryFilter(all_tags=("x" * 201,))}, "tags"),
        ({"filter": MemoryFilter(any_tags=("x",) * 101)}, "tags"),
        ({"filter": MemoryFilter(categories=("",))}, "categories"),
        ({"filter": MemoryFilter(source_types=("x" * 513,))}, "sourceTypes"),
        ({"filter": MemoryFilter(conversation_id=" ")}, "conversationId"),
        ({"filter": MemoryFilter(session_id="")}, "sessionId"),
        ({"filter": MemoryFilter(api_key_id="x" * 513)}, "apiKeyId"),
        ({"filter": MemoryFilter(min_importance=1.1)}, "minImportance"),
        ({"filter": MemoryFilter(min_confidence=-0.1)}, "minConfidence"),
        (
            {
                "filter": MemoryFilter(
                    since=datetime(2024, 1, 2, tzinfo=UTC), until=datetime(2024, 1, 1, tzinfo=UTC)
                )
            },
            "until",
        ),
    ],
)
async def test_invalid_input_is_refused_with_its_field(services, workspace_id, fields, field):
    for query in ("x", None):
        with pytest.raises(InvalidInput) as refusal:
            await services.retrieval.recall.recall(workspace_id, RecallQuery(**{"query": query, **fields}))

        assert refusal.value.field == field
        assert refusal.value.message.startswith(field)


class _Shortest:
    """A reranker that prefers short texts, or fails."""

    name = "test/shortest"

    def __init__(self, *, fails: bool = False) -> None:
        self.fails = fails

    async def score(self, query, texts):
        if self.fails:
            raise RerankFailed("out of order")
        return [-len(text) for text in texts]


async def reranked(services, workspace_id, reranker):
    service = recall_under(services, reranker=reranker)
    return await service.recall(workspace_id, RecallQuery(query="theta", limit=2))


async def test_a_reranker_reorders_the_best_hits_and_is_reported(services, workspace_id):
    """C16."""
    await embedded(services, workspace_id, notes("theta theta theta theta", "theta once"))

    result = await reranked(services, workspace_id, _Shortest())

    assert contents(result) == ["theta once", "theta theta theta theta"]
    assert result.hits[0].why[-1] == "test/shortest -10.000"
    assert [hit.score for hit in result.hits] == sorted((hit.score for hit in result.hits), reverse=True)
    assert "rerank" in result.resolution.stages_ms


async def test_a_late_reranker_keeps_the_order_and_is_reported(services, workspace_id):
    """C16: recall waits for it only as long as the setting says."""

    class _Late(_Shortest):
        async def score(self, query, texts):
            await asyncio.Event().wait()

    await embedded(services, workspace_id, notes("theta one", "theta two"))
    before = contents(await recalled(services, workspace_id, "theta", limit=2))
    service = recall_under(services, reranker=_Late(), rerank_seconds=0.05)

    result = await service.recall(workspace_id, RecallQuery(query="theta", limit=2))

    assert contents(result) == before
    assert result.resolution.degraded == ("rerank: test/shortest did not answer within 0.05 seconds",)


async def test_a_failing_reranker_keeps_the_order_and_is_reported(services, workspace_id):
    """C16."""
    await embedded(services, workspace_id, notes("theta one", "theta two"))
    before = contents(await recalled(services, workspace_id, "theta", limit=2))

    result = await reranked(services, workspace_id, _Shortest(fails=True))

    assert contents(result) == before
    assert result.resolution.degraded == ("rerank: out of order",)
