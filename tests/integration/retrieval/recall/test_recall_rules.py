"""Settings of a recall: strategy, fusion, injection, retention and counters."""

from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from graph.core.errors import InvalidInput
from graph.core.models import RecallTier
from graph.core.ports import Embedder
from graph.memories.models import MemoryDraft, MemoryFilter
from graph.memories.policy import Retention, RetentionSurface
from graph.retrieval.recall.candidate_retriever import RecallLimits
from graph.retrieval.recall.models import Fusion, RecallQuery, RecallStrategy
from graph.retrieval.recall.relevance import Calibration
from graph.vectors.index.models import EmbeddedQuery, VectorIndex
from tests.fixtures.memories import MovingClock
from tests.fixtures.prompts import NOTE
from tests.fixtures.recall import injection_under, recall_under
from tests.fixtures.waiting import until

EVERYWHERE = Retention(days=30, applies_to=tuple(RetentionSurface))


async def saved(services, workspace_id: str, *contents: str, **fields) -> list[str]:
    """Save texts with their vectors, the newest last."""
    vectors = (await services.vectors.embeddings.embed(contents)).tolist()
    drafts = [
        MemoryDraft(content=content, embedding=tuple(vector), dedup=False, **fields)
        for content, vector in zip(contents, vectors, strict=True)
    ]
    return [receipt.memory.id for receipt in await services.memories.store.save_all(workspace_id, drafts)]


def contents(result) -> list[str]:
    return [hit.memory.content for hit in result.hits]


async def test_the_strategy_is_the_workspaces_unless_a_query_names_one(services, workspace_id):
    """C3, C24: no strategy is hard-coded; ``recent`` means exact."""
    await saved(services, workspace_id, "tabs over spaces", "green tea")

    async def used(strategy: RecallStrategy | None = None) -> RecallStrategy:
        query = RecallQuery(query="tabs", strategy=strategy)
        return (await services.retrieval.recall.recall(workspace_id, query)).resolution.strategy

    assert await used() is RecallStrategy.HYBRID
    for setting, strategy in (
        ("semantic", RecallStrategy.SEMANTIC),
        ("recent", RecallStrategy.EXACT),
        ("exact", RecallStrategy.EXACT),
        ("hybrid", RecallStrategy.HYBRID),
    ):
        await services.tenancy.workspaces.update(workspace_id, settings={"strategy": setting})
        assert await used() is strategy
    await services.tenancy.workspaces.update(workspace_id, settings={"strategy": "recent"})
    newest = await services.retrieval.recall.recall(workspace_id, RecallQuery(query="tabs"))
    assert contents(newest) == ["tabs over spaces"]
    assert await used(RecallStrategy.SEMANTIC) is RecallStrategy.SEMANTIC
    await services.tenancy.workspaces.update(workspace_id, settings={"strategy": None})
    assert await used() is RecallStrategy.HYBRID


async def test_the_deployment_has_a_strategy_for_workspaces_without_one(services, workspace_id):
    """C24."""
    await saved(services, workspace_id, "tabs over spaces", "green tea")
    recall = recall_under(services, strategy=RecallStrategy.EXACT)

    assert contents(await recall.recall(workspace_id, RecallQuery(query="tabs"))) == ["tabs over spaces"]


@pytest.mark.parametrize(
    ("chosen", "field"),
    [
        ({"strategy": "psychic"}, "settings.strategy"),
        ({"strategy": 5}, "settings.strategy"),
        ({"similarityThreshold": 1.5}, "settings.similarityThreshold"),
        ({"similarityThreshold": "0.5"}, "settings.similarityThreshold"),
        ({"injectionMaxMemories": -1}, "settings.injectionMaxMemories"),
        ({"injectionMaxMemories": 21}, "settings.injectionMaxMemories"),
        ({"injectionMaxMemories": 1.5}, "settings.injectionMaxMemories"),
        ({"injectionMaxMemories": True}, "settings.injectionMaxMemories"),
    ],
)
async def test_a_setting_outside_its_clamp_is_refused_and_changes_nothing(
    services, workspace_id, chosen, field
):
    """C12, C15, C24."""
    with pytest.raises(InvalidInput) as refusal:
        await services.tenancy.workspaces.update(workspace_id, settings=chosen)

    assert refusal.value.field == field
    assert refusal.value.message.startswith(f"{field}: Input should be")
    assert (await services.tenancy.workspaces.get(workspace_id)).settings == {}


async def test_a_semantic_recall_that_finds_nothing_shows_the_newest(
    services, workspace_id, embedder, monkeypatch
):
    """C4: and says so; but not if a threshold or an offset removed all hits."""
    for text in ("one", "two"):
        await services.memories.store.save(workspace_id, MemoryDraft(content=text, dedup=False))
    semantic = RecallQuery(query="unheard", strategy=RecallStrategy.SEMANTIC)
    with monkeypatch.context() as patch:
        patch.setitem(embedder.refused, semantic.query, "away")
        found = await services.retrieval.recall.recall(workspace_id, semantic)
        hybrid = await services.retrieval.recall.recall(workspace_id, RecallQuery(query=semantic.query))
    await saved(services, workspace_id, "three")
    far = semantic.model_copy(update={"min_score": 0.99})
    beyond = semantic.model_copy(update={"offset": 50})

    assert contents(found) == ["two", "one"]
    assert found.resolution.fallback == "newest first: nothing was found"
    assert hybrid.hits == ()
    assert (await services.retrieval.recall.recall(workspace_id, far)).hits == ()
    assert (await services.retrieval.recall.recall(workspace_id, beyond)).hits == ()


async def test_rank_fusion_scores_are_the_plain_sums(services, workspace_id):
    """C5, C6, F§15: importance, age and uses do not count."""
    await saved(services, workspace_id, "alpha beta", importance=1.0)
    await saved(services, workspace_id, "alpha gamma delta epsilon", importance=0.0)

    async def scores(k: float) -> list[float]:
        query = RecallQuery(query="alpha beta", fusion=Fusion.RRF)
        return [hit.score for hit in (await recall_under(services, rrf_k=k).recall(workspace_id, query)).hits]

    assert await scores(60) == pytest.approx([2 / 61, 2 / 62])
    assert await scores(20) == pytest.approx([2 / 21, 2 / 22])
    assert await scores(0) == pytest.approx([2.0, 1.0])


async def test_rank_fusion_fuses_the_nearest_up_to_its_number(services, workspace_id):
    """C7: farther memories get no score for meaning, and are hits only if words find them."""
    await saved(services, workspace_id, *(f"note {'x' * number}" for number in range(1, 9)))

    async def found(top_k: int, **fields) -> int:
        recall = recall_under(services, vector_top_k=top_k, merge_above=2.0)
        query = RecallQuery(query="unheard", limit=20, **fields)
        return len((await recall.recall(workspace_id, query)).hits)

    assert [await found(top_k, fusion=Fusion.RRF) for top_k in (1, 3, 20)] == [1, 3, 8]
    assert await found(1) == 8


async def test_a_turn_receives_a_few_memories_above_the_threshold(services, workspace_id):
    """C12, C15, J6: by default at most five; a merely nearest memory is not injected."""
    await saved(services, workspace_id, *(f"tabs and spaces {number}" for number in range(8)), "green tea")

    async def given(text: str) -> list[str]:
        result = await injection_under(services, merge_above=2.0).for_turn(workspace_id, text)
        return contents(result)

    assert len(await given("tabs and spaces")) == 5
    assert await given("something entirely unrelated") == []
    await services.tenancy.workspaces.update(workspace_id, settings={"injectionMaxMemories": 2})
    assert len(await given("tabs and spaces")) == 2
    await services.tenancy.workspaces.update(workspace_id, settings={"injectionMaxMemories": 0})
    assert await given("tabs and spaces") == []
    await services.tenancy.workspaces.update(
        workspace_id, settings={"injectionMaxMemories": 20, "similarityThreshold": -1}
    )
    assert len(await given("tabs and spaces")) == 9
    await services.tenancy.workspaces.update(workspace_id, settings={"similarityThreshold": 0.99})
    assert await given("tabs") == []


async def test_a_turn_receives_hits_by_words_while_there_are_no_vectors(
    services, workspace_id, embedder, monkeypatch
):
    """C2, C12, C13: a threshold that cannot be applied does not empty the result."""
    await saved(services, workspace_id, "tabs over spaces", "green tea")
    monkeypatch.setattr(embedder, "refused", {"tabs over spaces": "away", "tabs": "away"})
    result = await injection_under(services).for_turn(workspace_id, "tabs over spaces")
    asked = await services.retrieval.recall.recall(workspace_id, RecallQuery(query="tabs", min_score=0.5))

    assert contents(result) == ["tabs over spaces"]
    assert result.resolution.tier is RecallTier.KEYWORD
    assert contents(asked) == ["tabs over spaces"]
    assert asked.resolution.degraded == (
        "vector: away",
        "minScore: ignored, because without vectors there are no cosines",
    )


async def test_a_workspace_threshold_without_vectors_injects_nothing_irrelevant(
    services, workspace_id, embedder, monkeypatch
):
    """C2, C12: words have their own threshold; an explicit recall returns its hits and says so."""
    await saved(services, workspace_id, "The user likes to read about gardens today", "tabs over spaces")
    await services.tenancy.workspaces.update(workspace_id, settings={"similarityThreshold": 0.5})
    recall, injection = services.retrieval.recall, services.retrieval.injection
    irrelevant = "What is the weather like today?"
    monkeypatch.setattr(embedder, "refused", {irrelevant: "away", "tabs over spaces": "away"})
    given = await injection.for_turn(workspace_id, irrelevant)
    relevant = await injection.for_turn(workspace_id, "tabs over spaces")
    explicit = await recall.recall(workspace_id, RecallQuery(query=irrelevant, min_score=0.5))

    assert contents(given) == []
    assert contents(relevant) == ["tabs over spaces"]
    assert contents(explicit) == ["The user likes to read about gardens today"]
    assert "minScore: ignored, because without vectors there are no cosines" in given.resolution.degraded


@dataclass(frozen=True)
class Alone:
    """The embedding functions that the calibration uses, with an embedder that no store uses."""

    embedder: Embedder
    active: None = None

    async def embed_query(self, *texts: str) -> EmbeddedQuery:
        index = VectorIndex(
            slot="a",
            signature=self.embedder.signature,
            dimension=384,
            quantization="NONE",
            since=datetime.now(UTC),
        )
        return EmbeddedQuery((await self.embedder.embed(texts)).tolist(), index)


async def test_the_threshold_of_the_default_embedder_separates_meaning_from_chance(minilm):
    """C12: it is calibrated per embedder; 0.35 would lose true pairs of the default one."""
    meant = [
        ("indentation style", "Ada prefers tabs over spaces in Python"),
        ("minimalist design", "clean aesthetics"),
        ("What does Ann eat for breakfast?", "I always have porridge in the morning"),
    ]
    chance = [
        ("weather in Paris", "Ada prefers tabs over spaces in Python"),
        ("How do I deploy the service?", "clean aesthetics"),
    ]

    async def cosines(pairs: list[tuple[str, str]]) -> list[float]:
        return [float(one @ other) for one, other in [await minilm.embed(pair) for pair in pairs]]

    threshold = await Calibration(Alone(minilm)).threshold()

    assert max(await cosines(chance)) < threshold < min(await cosines(meant))


@pytest.mark.parametrize("query", ["omega note", None])
async def test_memories_older_than_the_setting_are_not_recalled(
    services, workspace_id, memories_under, query
):
    """A36, C11: on every surface, ranked or not; injection counts from the last correction."""
    clock = MovingClock()
    past = memories_under(clock=clock, retention=EVERYWHERE)
    clock.move(days=-31)
    for content, source in (("omega note old", "user"), ("omega note extracted", "extracted")):
        await past.save(workspace_id, MemoryDraft(content=content, source_type=source, dedup=False))
    said = MemoryDraft(content="omega note right", key="note", source_type="extracted", dedup=False)
    await past.save(workspace_id, said.model_copy(update={"content": "omega note wrong"}))
    clock.move(days=31)
    await past.save(workspace_id, MemoryDraft(content="omega note young", dedup=False))
    await past.save(workspace_id, said)

    async def found(surface: RetentionSurface, *applies_to: RetentionSurface) -> set[str]:
        memories = memories_under(clock=clock, retention=Retention(days=30, applies_to=applies_to))
        recall = recall_under(services, memories=memories, clock=clock)
        result = await recall.recall(workspace_id, RecallQuery(query=query), surface=surface)
        return {content.removeprefix("omega note ") for content in contents(result)}

    everything = {"young", "old", "extracted", "right"}
    for surface in RetentionSurface:
        assert await found(surface) == everything
    assert await found(RetentionSurface.RECALL, RetentionSurface.API_MEMORY) == everything
    assert await found(RetentionSurface.API_MEMORY, RetentionSurface.API_MEMORY) == {"young"}
    assert await found(RetentionSurface.INJECTION_AUTO, RetentionSurface.INJECTION_AUTO) == {
        "young", "old", "right",
    }  # fmt: skip
    for surface in RetentionSurface:
        assert await found(surface, RetentionSurface.RECALL) == {"young"}


async def test_retention_also_applies_to_tags_and_injection(services, workspace_id, memories_under):
    """A36: on surfaces other than a plain recall."""
    clock = MovingClock()
    memories = memories_under(clock=clock, retention=EVERYWHERE)
    recall = recall_under(services, memories=memories, clock=clock)
    clock.move(days=-31)
    await memories.save(workspace_id, MemoryDraft(content="sigma", tags=("t",), source_type="extracted"))
    clock.move(days=31)

    tagged = RecallQuery(filter=MemoryFilter(any_tags=("t",)))
    assert (await recall.recall(workspace_id, tagged, surface=RetentionSurface.API_MEMORY)).hits == ()
    injection = injection_under(services, memories=memories, clock=clock)
    assert (await injection.for_turn(workspace_id, "sigma")).hits == ()
    assert "sigma" not in await recall.as_text(workspace_id, "sigma")


@pytest.mark.parametrize("query", ["tau note", None])
async def test_recall_keeps_to_the_owner_the_session_and_the_conversation_named(
    services, workspace_id, other_workspace_id, query
):
    """C11, I2."""
    await saved(services, workspace_id, "tau note of a key", api_key_id="key_a")
    await saved(services, workspace_id, "tau note of a session", session_id="s")
    await saved(services, workspace_id, "tau note of a talk", source_conversation_id="c", session_id="t")
    await saved(services, other_workspace_id, "tau note of others", api_key_id="key_a", session_id="s")

    async def found(**filter_) -> list[str]:
        wanted = RecallQuery(query=query, filter=MemoryFilter(**filter_))
        return contents(await services.retrieval.recall.recall(workspace_id, wanted))

    assert await found(api_key_id="key_a") == ["tau note of a key"]
    assert await found(session_id="s") == ["tau note of a session"]
    assert await found(conversation_id="c") == ["tau note of a talk"]
    assert await found(conversation_id="c", session_id="s") == []
    assert len(await found()) == 3


async def test_a_recall_returns_the_effective_budget(services, workspace_id):
    """C9: at most 8000; 0 and less give no hits."""
    await saved(services, workspace_id, "upsilon")

    async def budget(max_tokens: int | None) -> tuple[int | None, int]:
        query = RecallQuery(query="upsilon", max_tokens=max_tokens)
        result = await services.retrieval.recall.recall(workspace_id, query)
        return result.resolution.max_tokens, len(result.hits)

    assert [await budget(n) for n in (None, 16_000, 1, 0, -1)] == [
        (None, 1), (8000, 1), (1, 1), (0, 0), (0, 0),
    ]  # fmt: skip


async def test_recalls_and_recalls_with_hits_are_counted(services, workspace_id, other_workspace_id):
    """C29: once each, per workspace, without dry runs."""
    await saved(services, workspace_id, "phi")
    for query in (RecallQuery(query="phi"), RecallQuery(), RecallQuery(filter=MemoryFilter(any_tags=("x",)))):
        await services.retrieval.recall.recall(workspace_id, query)
    await services.retrieval.recall.recall(workspace_id, RecallQuery(query="phi", dry_run=True))
    await services.retrieval.recall.recall(other_workspace_id, RecallQuery(query="phi"))

    async def counted() -> list[tuple[int, int]]:
        status = await services.operations.status.engine([workspace_id, other_workspace_id])
        return [(row.recalls, row.answered_recalls) for row in status.workspaces]

    async def all_counted() -> bool:
        return await counted() == [(3, 2), (1, 0)]

    await until(all_counted)


async def test_a_page_behind_the_ranked_candidates_says_so(services, workspace_id):
    """C22: only some candidates are ranked; an empty page after them must not look like the end."""
    await saved(services, workspace_id, *(f"chi {number}" for number in range(4)))

    async def degraded(**fields) -> tuple[str, ...]:
        query = RecallQuery(query="chi", **fields)
        return tuple((await small.recall(workspace_id, query)).resolution.degraded)

    small = recall_under(services, limits=RecallLimits(pool=3))
    assert await degraded(limit=2) == ()
    (note,) = await degraded(limit=5, offset=3)
    assert note.startswith("list: only the best ")


async def test_recalled_memories_are_text_for_a_model(services, workspace_id):
    """C22, F§3: by default five, at most twenty, numbered across pages, without conversation ids."""
    await saved(services, workspace_id, *(f"psi note {number}" for number in range(24)), category="fact")
    await saved(services, workspace_id, "psi turn", source_conversation_id="chat_secret")
    recall = recall_under(services, merge_above=2.0)

    text = await recall.as_text(workspace_id, "psi note")
    many = await recall.as_text(workspace_id, "psi note", limit=100)
    next_page = await recall.as_text(workspace_id, "psi note", limit=20, offset=20)

    assert text.startswith(f"# Recalled memories\n\n{NOTE}\n\n1. **mem_")
    assert text.count("**mem_") == 5
    assert many.count("**mem_") == 20
    assert next_page.startswith(f"# Recalled memories\n\n{NOTE}\n\n21. **mem_")
    assert "chat_secret" not in many + next_page
    with pytest.raises(InvalidInput) as refusal:
        await recall.as_text(workspace_id, "psi", limit=0)
    assert refusal.value.field == "limit"


async def test_the_text_for_a_model_has_a_budget(services, workspace_id):
    """C9, C22: twenty long turns would be too much for any model; the rest is on the next page."""
    turns = [f"omicron turn {number}. " + f"word{number} " * 1000 for number in range(6)]
    await saved(services, workspace_id, *turns, source_conversation_id="c", speaker="Ada")
    tokens = 4 * len(turns[0]) // 16
    recall = recall_under(services, merge_above=2.0)

    text = await recall.as_text(workspace_id, "omicron turn", limit=20)
    short = await recall.as_text(workspace_id, "omicron turn", limit=20, max_tokens=2 * tokens + 100)
    least = await recall.as_text(workspace_id, "omicron turn", limit=20, max_tokens=1)

    assert text.count("**mem_") == 8000 // tokens < 6
    assert len(text) < 4 * 8000 + 1000
    assert (short.count("**mem_"), least.count("**mem_")) == (2, 1)
    assert [each.rpartition("\n\n")[2] for each in (short, least)] == [
        "4 more did not fit.",
        "5 more did not fit.",
    ]
