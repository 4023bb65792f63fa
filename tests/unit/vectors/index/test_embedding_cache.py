"""B6: a process-wide cache of vectors with an exact key, a size, an age, and one computation per text."""

import asyncio
import hashlib
from collections import OrderedDict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.adapters.embedding import cache as embedding_cache
from app.adapters.embedding.cache import CachedEmbedder, CacheStats, EmbeddingCache, cache_key
from graph.core.ports import EmbeddingFailed
from graph.core.text.owners import note_owner, owners_of, texts_owned_by
from tests.fixtures.embedders import HashingEmbedder


class Gated(HashingEmbedder):
    """An embedder that answers once ``gate`` is set."""

    def __init__(self):
        super().__init__()
        self.gate = asyncio.Event()

    async def embed(self, texts, *, as_query=False):
        await self.gate.wait()
        return await super().embed(texts)


async def turns_of_the_loop(count=5):
    for _ in range(count):
        await asyncio.sleep(0)


@pytest.mark.parametrize(("as_query", "role"), [(True, "query"), (False, "passage")])
def test_the_key_is_source_model_dimension_and_hash(as_query, role):
    """B6: after the workspace and the role, since some models embed queries differently."""
    expected = hashlib.sha256(b"tabs").hexdigest()

    assert (
        cache_key("transformers:all-MiniLM-L6-v2:384", "tabs", "ws_a", as_query=as_query)
        == f"ws_a/{role}/transformers:all-MiniLM-L6-v2:384:{expected}"
    )


@pytest.fixture(autouse=True)
def one_workspace(monkeypatch) -> None:
    """Assign every text to one workspace, unless a test assigns it otherwise."""
    monkeypatch.setattr(embedding_cache, "owners_of", lambda count: owners_of(count) or ("ws_a",) * count)


async def test_cached_vectors_are_not_shared_between_workspaces():
    """C20: otherwise a fast response would reveal another workspace's texts."""
    inner, cache = Gated(), EmbeddingCache()
    embedder = CachedEmbedder(inner, cache)

    async def asks(workspace_id: str) -> None:
        note_owner(workspace_id)
        await embedder.embed(["my secret"])

    callers = [asyncio.create_task(asks(workspace)) for workspace in ("ws_a", "ws_b", "ws_a")]
    await turns_of_the_loop()
    inner.gate.set()
    await asyncio.gather(*callers)
    await asyncio.create_task(asks("ws_c"))

    assert inner.calls == [["my secret"]] * 3
    assert cache.stats == CacheStats(hits=0, joined=1, misses=3, entries=3)


async def test_workers_use_the_embedding_cache_of_each_texts_workspace():
    inner = HashingEmbedder()
    embedder = CachedEmbedder(inner, EmbeddingCache())

    with texts_owned_by(["ws_a", "ws_b"]):
        await embedder.embed(["tabs", "tabs"])
    with texts_owned_by(["ws_b", "ws_c"]):
        await embedder.embed(["tabs", "tabs"])

    assert [len(call) for call in inner.calls] == [2, 1]


async def test_texts_without_an_owner_bypass_the_cache(monkeypatch):
    monkeypatch.setattr(embedding_cache, "owners_of", owners_of)
    inner, cache = HashingEmbedder(), EmbeddingCache()
    embedder = CachedEmbedder(inner, cache)

    await embedder.embed(["a"])
    await embedder.embed(["a"])

    assert inner.calls == [["a"], ["a"]]
    assert cache.stats == CacheStats(hits=0, joined=0, misses=0, entries=0)


async def test_a_text_is_embedded_once():
    inner, cache = HashingEmbedder(), EmbeddingCache()
    embedder = CachedEmbedder(inner, cache)

    first = await embedder.embed(["a", "b"])
    again = await embedder.embed(["b", "c", "a"])

    assert inner.calls == [["a", "b"], ["c"]]
    np.testing.assert_array_equal(again[[2, 0]], first)
    assert cache.stats == CacheStats(hits=2, joined=0, misses=3, entries=3)


async def test_a_text_repeated_in_one_call_is_embedded_once():
    inner = HashingEmbedder()

    rows = await CachedEmbedder(inner, EmbeddingCache()).embed(["a", "b", "a"])

    assert inner.calls == [["a", "b"]]
    np.testing.assert_array_equal(rows[0], rows[2])


async def test_texts_that_differ_by_a_blank_are_two_texts():
    inner = HashingEmbedder()

    await CachedEmbedder(inner, EmbeddingCache()).embed(["a", "a ", "A"])

    assert inner.calls == [["a", "a ", "A"]]


async def test_no_texts_need_no_model():
    inner = HashingEmbedder()

    assert (await CachedEmbedder(inner, EmbeddingCache()).embed([])).shape == (0, 384)
    assert inner.calls == []


async def test_embedders_share_a_cache_and_never_each_others_vectors():
    """B6: process-wide; the signature in the key keeps the models apart."""
    cache, one, other = EmbeddingCache(), HashingEmbedder(model="one"), HashingEmbedder(model="other")

    first = await CachedEmbedder(one, cache).embed(["a"])
    second = await CachedEmbedder(other, cache).embed(["a"])
    third = await CachedEmbedder(HashingEmbedder(model="one"), cache).embed(["a"])

    assert not np.allclose(first, second)
    np.testing.assert_array_equal(first, third)
    assert cache.stats.hits == 1


async def test_callers_cannot_change_cached_vectors():
    embedder = CachedEmbedder(HashingEmbedder(), EmbeddingCache())

    rows = await embedder.embed(["a"])
    kept = rows.copy()
    rows[:] = 0

    np.testing.assert_array_equal(await embedder.embed(["a"]), kept)


async def test_a_vector_is_forgotten_at_its_age():
    now = 0.0
    inner = HashingEmbedder()
    embedder = CachedEmbedder(inner, EmbeddingCache(ttl_seconds=300, timer=lambda: now))

    await embedder.embed(["a"])
    now = 299.9
    await embedder.embed(["a"])
    now = 300.0
    await embedder.embed(["a"])

    assert inner.calls == [["a"], ["a"]]


async def test_the_least_recently_used_vector_is_evicted():
    inner = HashingEmbedder()
    cache = EmbeddingCache(max_entries=2)
    embedder = CachedEmbedder(inner, cache)

    for text in ["a", "b", "a", "c", "a", "b"]:
        await embedder.embed([text])

    assert inner.calls == [["a"], ["b"], ["c"], ["b"]]
    assert cache.stats.entries == 2


async def test_a_call_larger_than_the_cache_is_answered_whole():
    embedder = CachedEmbedder(HashingEmbedder(), EmbeddingCache(max_entries=2))
    texts = [f"text {number}" for number in range(5)]

    np.testing.assert_array_equal(await embedder.embed(texts), await HashingEmbedder().embed(texts))


async def test_a_cache_of_size_zero_keeps_nothing():
    inner = HashingEmbedder()
    embedder = CachedEmbedder(inner, EmbeddingCache(max_entries=0))

    await embedder.embed(["a"])
    await embedder.embed(["a"])

    assert inner.calls == [["a"], ["a"]]


async def test_a_failure_is_not_cached():
    inner, cache = HashingEmbedder(), EmbeddingCache()
    embedder = CachedEmbedder(inner, cache)
    inner.failure = "no answer"
    with pytest.raises(EmbeddingFailed, match="no answer"):
        await embedder.embed(["a"])
    inner.failure = None

    await embedder.embed(["a"])

    assert inner.calls == [["a"], ["a"]]
    assert cache.stats == CacheStats(hits=0, joined=0, misses=2, entries=1)


async def test_equal_texts_at_the_same_time_are_embedded_once():
    inner, cache = Gated(), EmbeddingCache()
    embedder = CachedEmbedder(inner, cache)

    callers = [asyncio.create_task(embedder.embed(texts)) for texts in (["a"], ["a", "b"], ["b", "a"])]
    await turns_of_the_loop()
    inner.gate.set()
    first, second, third = await asyncio.gather(*callers)

    assert inner.calls == [["a"], ["b"]]
    np.testing.assert_array_equal(second, third[::-1])
    np.testing.assert_array_equal(first[0], second[0])
    assert cache.stats == CacheStats(hits=0, joined=3, misses=2, entries=2)


async def test_a_cancelled_caller_does_not_cancel_others():
    inner = Gated()
    embedder = CachedEmbedder(inner, EmbeddingCache())
    first, second = (asyncio.create_task(embedder.embed(["a"])) for _ in range(2))
    await turns_of_the_loop()

    first.cancel()
    await turns_of_the_loop()
    inner.gate.set()

    assert (await second).shape == (1, 384)
    assert first.cancelled()
    assert inner.calls == [["a"]]


async def test_a_failure_reaches_all_waiting_callers():
    inner = Gated()
    inner.failure = "no answer"
    embedder = CachedEmbedder(inner, EmbeddingCache())
    callers = [asyncio.create_task(embedder.embed(["a"])) for _ in range(3)]
    await turns_of_the_loop()
    inner.gate.set()

    outcomes = await asyncio.gather(*callers, return_exceptions=True)
    inner.failure = None

    assert [type(outcome) for outcome in outcomes] == [EmbeddingFailed] * 3
    assert (await embedder.embed(["a"])).shape == (1, 384)


steps = st.lists(
    st.tuples(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=1), st.integers(0, 40)), max_size=40
)


@given(steps, st.integers(1, 4))
async def test_size_and_age_follow_a_plain_model(steps, size):
    """Compared with an ordered dictionary: last use moves to the end, 100 s expire, the front is evicted."""
    now, ttl = 0.0, 100.0
    inner = HashingEmbedder(dimension=4)
    cache = EmbeddingCache(max_entries=size, ttl_seconds=ttl, timer=lambda: now)
    embedder = CachedEmbedder(inner, cache)
    held: OrderedDict[str, float] = OrderedDict()
    expected_calls = []

    for texts, seconds in steps:
        now += seconds
        held = OrderedDict((text, until) for text, until in held.items() if now < until)
        for text in texts:
            if text in held:
                held.move_to_end(text)
                continue
            expected_calls.append([text])
            if len(held) == size:
                held.popitem(last=False)
            held[text] = now + ttl
        rows = await embedder.embed(texts)
        np.testing.assert_array_equal(rows, await HashingEmbedder(dimension=4).embed(texts))

    assert inner.calls == expected_calls
    assert cache.stats.entries == len(held)
    assert cache.stats.hits + cache.stats.misses == len(steps)


async def test_bulk_work_does_not_evict_queries():
    """B6: an import of a thousand texts does not evict repeated queries."""
    inner, cache = HashingEmbedder(), EmbeddingCache(max_entries=10)
    embedder = CachedEmbedder(inner, cache)
    await embedder.embed(["a query"])

    await embedder.embed(["a query", *(f"imported {number}" for number in range(50))])
    await embedder.embed(["a query"])

    assert inner.calls == [["a query"], [f"imported {number}" for number in range(50)]]
    assert cache.stats == CacheStats(hits=2, joined=0, misses=51, entries=1)
