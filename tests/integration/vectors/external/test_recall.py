"""Recall with the external tier: the same results, no foreign memories, and the next tier if it fails."""

from datetime import UTC, datetime

import pytest

from app.bootstrap.runtime import SystemClock
from graph.core.models import RecallTier
from graph.core.ports import TierPoint, TierScope
from graph.core.scope import ReadScope, seeing
from graph.memories.models import MemoryChange, MemoryDraft, MemoryFilter
from graph.memories.policy import RetentionWindow
from graph.retrieval.recall import candidate_retriever
from graph.retrieval.recall.models import Fusion, RecallQuery, RecallStrategy
from graph.retrieval.recall.rules import RecallRules
from graph.retrieval.recall.service import Recall
from graph.vectors.external.models import TierChange, VectorStore
from tests.fixtures.graphs import run
from tests.fixtures.local_models import word_specificity
from tests.fixtures.waiting import until
from tests.integration.vectors.external.conftest import serves, settled

TOPICS = ("tabs over spaces", "tea at noon", "a red bicycle", "rain over Paris", "jazz on Fridays")
SAID = ("I moved to Lisbon.", "When was that?", "In May. The flat has a red door.", "Nice! And the job?")
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)


async def saved(services, workspace_id: str, *drafts: MemoryDraft) -> list[str]:
    receipts = await services.memories.store.save_all(workspace_id, list(drafts))
    await settled(services, workspace_id)
    return [receipt.memory.id for receipt in receipts]


def note(number: int) -> MemoryDraft:
    return MemoryDraft(content=f"note {number}: {TOPICS[number % 5]}. It was item{number}.", dedup=False)


def turn(place: int) -> MemoryDraft:
    return MemoryDraft(
        content=SAID[place], speaker=("Ada", "Ben")[place % 2], source_conversation_id="conv_1"
    )


async def asked(services, workspace_id: str, query: str = "red bicycle", **fields):
    return await services.retrieval.recall.recall(workspace_id, RecallQuery(query=query, **fields))


def ids(result) -> list[str]:
    return [hit.memory.id for hit in result.hits]


@pytest.fixture(scope="module")
async def library(own_services) -> str:
    """Return a workspace with notes, some with separate vectors of their sentences, and a conversation."""
    workspace_id = (await own_services.tenancy.workspaces.create("the library")).id
    await saved(own_services, workspace_id, *map(note, range(40)), *map(turn, range(4)))
    return workspace_id


@pytest.fixture
def by_own_index(own_services) -> Recall:
    """Return a recall over the same store that uses the graph's own index."""
    return Recall(
        own_services.core.database,
        own_services.vectors.embeddings,
        own_services.memories.store,
        own_services.telemetry.usage,
        own_services.tenancy.workspaces,
        SystemClock(),
        RecallRules(),
        specificity=word_specificity,
    )


@pytest.mark.parametrize(
    "how",
    [
        {"limit": 10},
        {"limit": 10, "strategy": RecallStrategy.SEMANTIC},
        {"limit": 10, "fusion": Fusion.RRF},
        {"limit": 40},
        {"limit": 10, "min_score": 0.2},
        {"limit": 10, "diversity": 0.5},
    ],
    ids=str,
)
async def test_the_answers_are_those_of_the_graphs_own_index(tier, own_services, library, by_own_index, how):
    """C1, B20: the tier provides all candidates; scores, order and neighbours are the same."""
    query = RecallQuery(query="red bicycle and rain over Lisbon", dry_run=True, **how)

    external = await own_services.retrieval.recall.recall(library, query)
    internal = await by_own_index.recall(library, query)

    assert (external.resolution.tier, internal.resolution.tier) == (RecallTier.EXTERNAL, RecallTier.VECTOR)
    assert (external.resolution.fallback, external.resolution.degraded) == (None, ())
    assert external.resolution.stages_ms["external"] > 0
    assert {hit.tier for hit in external.hits} == {RecallTier.EXTERNAL}
    assert tier.searches == [160]
    assert ids(external) == ids(internal)
    assert [hit.score for hit in external.hits] == pytest.approx([hit.score for hit in internal.hits])
    assert len(external.hits) > 1


async def test_a_memory_found_only_by_the_tier_is_a_hit(tier, own_services, own_workspace_id):
    """C1: it replaces the vector index, so it finds a memory by meaning without a common word."""
    (id_,) = await saved(own_services, own_workspace_id, MemoryDraft(content="clean aesthetics"))
    tier.lies = [(id_, 0.9)]

    found = await asked(own_services, own_workspace_id, "minimalist design", strategy=RecallStrategy.SEMANTIC)

    assert ids(found) == [id_]
    assert found.hits[0].why == ["closest in meaning"]


async def test_the_tier_never_returns_another_workspaces_memories(tier, own_services, own_workspace_id):
    """C27, B19: each search is limited to one workspace, so a large one displaces nothing."""
    (own,) = await saved(own_services, own_workspace_id, MemoryDraft(content="a bicycle, painted red by Ada"))
    active = own_services.vectors.embeddings.active
    (nearest,) = (await own_services.vectors.embeddings.embed(["a red bicycle"])).tolist()
    crowd = [
        TierPoint("ws_crowd", f"mem_{number}", None, None, None, "", {}, LONG_AGO, None, nearest)
        for number in range(300)
    ]
    await tier.upsert(active.signature, crowd)

    found = await asked(own_services, own_workspace_id, "a red bicycle", limit=50)

    assert (found.resolution.tier, ids(found)) == (RecallTier.EXTERNAL, [own])


async def test_the_tier_finds_a_user_beside_a_large_one(tier, own_services, own_workspace_id):
    """Issue 15: the search covers the user's and shared memories only, so others displace nothing."""
    crowd = [
        MemoryDraft(content="a red bicycle", user_id="bob", id=f"bobs-{number}", dedup=False)
        for number in range(200)
    ]
    own = MemoryDraft(content="a bicycle, painted red by Ada", user_id="alice")
    (*_, id_) = await saved(own_services, own_workspace_id, *crowd, own)

    with seeing(ReadScope(user_id="alice")):
        found = await asked(own_services, own_workspace_id, "a red bicycle", limit=50)
        shown = await own_services.vectors.external.search(own_workspace_id, "a red bicycle", top_k=5)

    assert (found.resolution.tier, ids(found)) == (RecallTier.EXTERNAL, [id_])
    assert [hit.memory.id for hit in shown] == [id_]


async def test_only_an_erased_users_points_are_removed(tier, own_services, own_workspace_id):
    """Issue 15 point 7."""
    drafts = [MemoryDraft(content=f"{user}'s red bicycle", user_id=user) for user in ("alice", "bob")]
    _, bobs = await saved(own_services, own_workspace_id, *drafts)
    active = own_services.vectors.embeddings.active
    (vector,) = (await own_services.vectors.embeddings.embed(["red bicycle"])).tolist()

    async def points() -> list[str]:
        scope = TierScope(own_workspace_id)
        return [id_ for id_, _ in await tier.search(active.signature, scope, vector, 50)]

    before = await points()
    await own_services.operations.erasure.begin(own_workspace_id, "alice")
    await settled(own_services, own_workspace_id)

    assert len(before) == 2
    assert await points() == [bobs]


async def test_a_misbehaving_tier_cannot_expose_another_workspace(tier, own_services, own_workspace_id):
    """C27: all ids are checked against the workspace of the recall; invalid scores do no harm."""
    other = (await own_services.tenancy.workspaces.create("another tenant")).id
    (own,) = await saved(own_services, own_workspace_id, MemoryDraft(content="a bicycle"))
    theirs = await saved(own_services, other, MemoryDraft(content="a red bicycle"))
    lies = [(theirs[0], 1.0), ("mem_unknown", 1.0), ("", 0.9), (own, float("nan")), (own, 5e9), ("*", -7.0)]
    tier.lies = lies

    found = await asked(own_services, own_workspace_id, "a red bicycle", limit=50)
    shown = await own_services.vectors.external.search(own_workspace_id, "a red bicycle", top_k=20)

    assert (found.resolution.tier, ids(found)) == (RecallTier.EXTERNAL, [own])
    assert found.hits[0].vector_score <= 1
    assert {hit.memory.id for hit in shown} == {own}


async def test_a_deleted_memory_is_no_hit_even_if_the_tier_has_it(
    tier, own_services, own_workspace_id, own_driver
):
    """C11, A30: soft-deleted and expired memories."""
    deleted, expired, live = await saved(
        own_services,
        own_workspace_id,
        *(MemoryDraft(content=f"a red bicycle of {name}") for name in ("Ada", "Ben", "Cy")),
    )
    tier.failure = "away"  # so that it misses the deletion
    await own_services.memories.deletion.delete(own_workspace_id, deleted)
    await run(own_driver, "MATCH (m:Memory {id: $id}) SET m.expires_at = $at", id=expired, at=LONG_AGO)
    await until(lambda: _is_shut(own_services))
    tier.failure = None
    await serves(own_services)
    tier.lies = [(id_, 1.0) for id_ in (deleted, expired)]

    found = await asked(own_services, own_workspace_id)

    assert (found.resolution.tier, ids(found)) == (RecallTier.EXTERNAL, [live])


async def _is_shut(services) -> bool:
    return not (await services.vectors.external.status([])).serves


async def test_with_few_matches_all_of_them_are_compared(tier, own_services, library):
    """C27: an exact result needs no index, not even the tier's, and reports no fallback."""
    found = await asked(own_services, library, filter=MemoryFilter(since=LONG_AGO))

    assert (found.resolution.tier, found.resolution.exact) == (RecallTier.VECTOR, True)
    assert (found.resolution.fallback, tier.searches) == (None, [])


@pytest.mark.parametrize("most_compared", [0, 5000], ids=["many are left", "few are left"])
async def test_a_filter_does_not_shorten_the_lists_by_words(
    tier, own_services, own_workspace_id, monkeypatch, most_compared
):
    """C1, C27: a filter applies to word hits after their index, with any vector index."""
    monkeypatch.setattr(candidate_retriever, "_MOST_COMPARED", most_compared)
    crowd = [
        MemoryDraft(content="a red bicycle, red", session_id="theirs", id=f"theirs-{number}", dedup=False)
        for number in range(300)
    ]
    own = MemoryDraft(content="A long story about somebody who saw a bicycle that was red", session_id="own")
    (*_, id_) = await saved(own_services, own_workspace_id, *crowd, own)

    found = await asked(own_services, own_workspace_id, filter=MemoryFilter(session_id="own"))

    assert (found.resolution.tier, ids(found)) == (RecallTier.EXTERNAL, [id_])
    assert found.hits[0].text_score is not None


async def test_nearer_old_memories_do_not_displace_hits(tier, own_services, own_workspace_id, own_driver):
    """A36, C1: if retention excludes old memories, so does the search in the tier."""
    old, young = await saved(
        own_services,
        own_workspace_id,
        *(MemoryDraft(content=text, dedup=False) for text in ("a red bicycle", "a bicycle, red by now")),
    )
    await run(own_driver, "MATCH (m:Memory {id: $id}) SET m.created_at = $at", id=old, at=LONG_AGO)
    await own_services.memories.store.update(own_workspace_id, old, MemoryChange(importance=0.1))
    await settled(own_services, own_workspace_id)
    window = RetentionWindow(datetime(2025, 1, 1, tzinfo=UTC))

    found = await asked(own_services, own_workspace_id, filter=MemoryFilter(retention=window))
    embedded = await own_services.vectors.embeddings.embed_query("a red bicycle")
    (nearest,) = await tier.search(
        embedded.index.signature,
        TierScope(own_workspace_id, created_since=window.cutoff),
        embedded.vectors[0],
        1,
    )

    assert (found.resolution.tier, ids(found)) == (RecallTier.EXTERNAL, [young])
    assert nearest[0] == young


async def test_a_tier_that_fails_is_replaced_by_the_graphs_own_index_until_it_is_back(
    tier, own_services, library
):
    """C2: the response names the tier and the reason; after a failure the tier rests for a while."""
    before = await asked(own_services, library)
    tier.searches.clear()
    tier.failure = "qdrant does not serve: status 500"

    during = [await asked(own_services, library) for _ in range(3)]

    assert {result.resolution.tier for result in during} == {RecallTier.VECTOR}
    assert {result.resolution.fallback for result in during} == {
        "the graph's own vectors: qdrant does not serve: status 500"
    }
    assert during[0].resolution.degraded == ("external: qdrant does not serve: status 500",)
    assert [ids(result) for result in during] == [ids(before)] * 3
    assert len(tier.searches) == 1

    tier.failure = None
    await serves(own_services)
    after = await asked(own_services, library)
    assert (after.resolution.tier, after.resolution.degraded) == (RecallTier.EXTERNAL, ())
    assert ids(after) == ids(before)


async def test_a_tier_that_hangs_delays_a_recall_by_its_timeout_at_most(tier, own_services, library):
    """C2."""
    tier.hangs = True

    found = await asked(own_services, library)

    assert (found.resolution.tier, bool(found.hits)) == (RecallTier.VECTOR, True)
    assert found.resolution.fallback == (
        "the graph's own vectors: the external tier did not answer within 1 seconds"
    )
    assert 900 < found.resolution.stages_ms["external"] < 3000


@pytest.mark.parametrize("name", [VectorStore.NEO4J, VectorStore.SQLITE_VEC])
async def test_the_graphs_own_index_may_be_chosen_under_two_names(tier, own_services, library, name):
    """B24: sqlite-vec means the tier that is Neo4j here; a chosen tier is no fallback."""
    await own_services.vectors.external.change_settings(TierChange(vector_store=name))
    try:
        found = await asked(own_services, library)
    finally:
        await own_services.vectors.external.change_settings(TierChange(vector_store=None))

    assert (found.resolution.tier, found.resolution.fallback) == (RecallTier.VECTOR, None)
    assert (found.resolution.degraded, tier.searches) == ((), [])
    assert (await asked(own_services, library)).resolution.tier is RecallTier.EXTERNAL


@pytest.mark.parametrize("strategy", [RecallStrategy.EXACT, RecallStrategy.HYBRID])
async def test_recalls_without_vectors_do_not_query_the_tier(tier, own_services, library, strategy):
    """C1: tier 2 replaces tier 1, not tier 0."""
    query = "red bicycle" if strategy is RecallStrategy.EXACT else None

    found = await own_services.retrieval.recall.recall(library, RecallQuery(query=query, strategy=strategy))

    assert (found.resolution.tier, tier.searches) == (RecallTier.KEYWORD, [])


async def test_the_search_of_the_tier_alone_is_clamped_to_twenty(tier, own_services, library):
    """B20: this is the dialect's limit; each memory appears once, with the tier's cosine."""
    found = [
        await own_services.vectors.external.search(library, "red bicycle", top_k=asked)
        for asked in (-1, 7, 500)
    ]

    assert [len(hits) for hits in found] == [1, 7, 20]
    assert len({hit.memory.id for hit in found[2]}) == 20
    assert found[2][0].score == max(hit.score for hit in found[2])
