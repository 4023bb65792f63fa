"""A model that loads in the background, and its behaviour until it has loaded."""

import asyncio
import threading

import numpy as np
import pytest

from app.adapters.embedding.lazy import LazyEmbedder, LoadState
from graph.core.ports import EmbeddingFailed
from tests.fixtures.embedders import HashingEmbedder
from tests.fixtures.timeouts import scaled_timeout
from tests.fixtures.waiting import until


class Loader:
    """A loader that fails a number of times and then loads; ``naps`` are the waits between."""

    def __init__(self, failures=0):
        self.failures = failures
        self.attempts = 0
        self.naps = []

    def __call__(self):
        self.attempts += 1
        if self.attempts <= self.failures:
            raise EmbeddingFailed(f"attempt {self.attempts}")
        return HashingEmbedder()

    async def sleep(self, seconds):
        self.naps.append(seconds)


class Held(Loader):
    """A loader that waits until it is ``released``."""

    def __init__(self):
        super().__init__()
        self.released = threading.Event()

    def __call__(self):
        self.released.wait()
        return super().__call__()


async def ready(embedder):
    async def is_ready() -> bool:
        return embedder.ready

    await until(is_ready)


async def test_calls_fail_until_the_model_is_loaded():
    loader = Held()
    embedder = LazyEmbedder(loader, name="MiniLM")
    embedder.start()
    try:
        assert (embedder.state, embedder.ready, embedder.reason) == (LoadState.LOADING, False, None)
        with pytest.raises(EmbeddingFailed, match=r"^MiniLM is loading\.$"):
            await embedder.embed(["a"])
        with pytest.raises(EmbeddingFailed, match=r"^MiniLM is loading\.$"):
            _ = embedder.signature
    finally:
        loader.released.set()

    await ready(embedder)

    assert (embedder.state, embedder.ready) == (LoadState.READY, True)
    assert (embedder.signature, embedder.dimension) == ("fake:hashing:384", 384)
    np.testing.assert_array_equal(await embedder.embed(["a"]), await HashingEmbedder().embed(["a"]))


async def test_the_event_loop_runs_while_the_model_loads():
    loader = Held()
    embedder = LazyEmbedder(loader, name="MiniLM")
    embedder.start()

    # The loader blocks its thread until this line runs.
    loader.released.set()

    await ready(embedder)


async def test_a_known_signature_is_available_before_the_model():
    embedder = LazyEmbedder(Loader(), name="MiniLM", signature="fake:hashing:384")

    assert (embedder.signature, embedder.dimension, embedder.ready) == ("fake:hashing:384", 384, False)


async def test_a_failed_load_is_tried_again_after_growing_waits():
    loader = Loader(failures=9)
    embedder = LazyEmbedder(loader, name="MiniLM", sleep=loader.sleep)
    embedder.start()

    await ready(embedder)

    assert loader.naps == [1, 2, 4, 8, 16, 32, 60, 60, 60]
    assert (embedder.state, embedder.reason) == (LoadState.READY, None)


async def test_between_two_attempts_the_last_error_is_reported():
    napping = asyncio.Event()

    async def sleep(_seconds):
        napping.set()
        await asyncio.Event().wait()

    embedder = LazyEmbedder(Loader(failures=1), name="MiniLM", sleep=sleep)
    embedder.start()
    async with asyncio.timeout(scaled_timeout(90)):
        await napping.wait()

    assert (embedder.state, embedder.ready, embedder.reason) == (LoadState.FAILED, False, "attempt 1")
    with pytest.raises(EmbeddingFailed, match=r"^MiniLM could not be loaded and is tried again: attempt 1$"):
        await embedder.embed(["a"])
    await embedder.close()


async def test_a_model_of_another_signature_is_not_used():
    """Vectors of two models must never meet in one index."""
    napping = asyncio.Event()

    async def sleep(_seconds):
        napping.set()
        await asyncio.Event().wait()

    embedder = LazyEmbedder(Loader(), name="MiniLM", signature="fake:other:384", sleep=sleep)
    embedder.start()
    async with asyncio.timeout(scaled_timeout(90)):
        await napping.wait()

    assert embedder.state == LoadState.FAILED
    assert embedder.reason == "expected fake:other:384, found fake:hashing:384"
    await embedder.close()


async def test_starting_twice_loads_once():
    loader = Loader()
    embedder = LazyEmbedder(loader, name="MiniLM")

    embedder.start()
    embedder.start()
    await ready(embedder)

    assert loader.attempts == 1


async def test_closing_ends_the_attempts():
    loader = Loader(failures=1_000_000)
    embedder = LazyEmbedder(loader, name="MiniLM", sleep=loader.sleep)
    embedder.start()

    await embedder.close()
    attempts = loader.attempts
    await embedder.close()

    assert loader.attempts == attempts
    assert not embedder.ready


async def test_closing_what_never_started_is_allowed():
    await LazyEmbedder(Loader(), name="MiniLM").close()
