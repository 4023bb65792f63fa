"""The promises of every port, tested on the real adapters and the tests' fakes alike."""

import asyncio
import importlib
import inspect
import pkgutil
import re
import tempfile
from pathlib import Path

import numpy as np
import pytest

import app.adapters
from app.adapters.embedding.cache import CachedEmbedder, EmbeddingCache
from app.adapters.embedding.lazy import LazyEmbedder, MeasuredEmbedder
from app.adapters.embedding.onnx_model import OnnxEmbedder
from app.adapters.embedding.remote import CUSTOM, RemoteEmbedder, RemoteEndpoint
from app.adapters.embedding.static import StaticEmbedder
from app.adapters.embedding.transformers import TransformersEmbedder
from app.bootstrap.runtime import SystemClock
from graph.core.measuring import UNMEASURED
from graph.vectors.index.models import EmbedderOutcomes
from tests.fixtures.embedders import HashingEmbedder
from tests.fixtures.embedding_server import EmbeddingServer
from tests.fixtures.listeners import listening
from tests.fixtures.local_models import load
from tests.fixtures.sentence_model import write_sentence_model
from tests.fixtures.static_model import write_static_model
from tests.fixtures.waiting import until

TEXTS = [
    "Ada prefers tabs",
    "weather in Paris",
    "我喜欢喝茶。",
    "",
    "tea \ud83d time",
    "a\x00b",
    "the " * 600,
    "🙂",
]


async def _onnx():
    return load()


async def _transformers():
    with tempfile.TemporaryDirectory() as folder:
        return TransformersEmbedder(write_sentence_model(Path(folder)), device="cpu")


async def _cached():
    return CachedEmbedder(HashingEmbedder(), EmbeddingCache())


async def _lazy():
    embedder = LazyEmbedder(HashingEmbedder, name="hashing")
    embedder.start()

    async def is_ready() -> bool:
        return embedder.ready

    await until(is_ready)
    return embedder


async def _remote():
    endpoint = RemoteEndpoint(CUSTOM, "hashing", base_url=_SERVERS[0].url)
    return await asyncio.to_thread(RemoteEmbedder, endpoint)


async def _static():
    with tempfile.TemporaryDirectory() as folder:
        return StaticEmbedder(write_static_model(Path(folder)))


async def _measured():
    return MeasuredEmbedder(HashingEmbedder(), UNMEASURED, EmbedderOutcomes(SystemClock()))


async def _fake():
    return HashingEmbedder()


EMBEDDERS = {
    OnnxEmbedder: _onnx,
    TransformersEmbedder: _transformers,
    CachedEmbedder: _cached,
    LazyEmbedder: _lazy,
    MeasuredEmbedder: _measured,
    RemoteEmbedder: _remote,
    StaticEmbedder: _static,
    HashingEmbedder: _fake,
}


_SERVERS: list[EmbeddingServer] = []


@pytest.fixture(scope="module", autouse=True)
def server():
    with listening(EmbeddingServer()) as running:
        _SERVERS.append(running)
        yield


_IMPORTS_PYTORCH = {TransformersEmbedder: [pytest.mark.proof("imports PyTorch")]}


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(make, id=kind.__name__, marks=_IMPORTS_PYTORCH.get(kind, []))
        for kind, make in EMBEDDERS.items()
    ],
)
async def embedder(request):
    return await request.param()


def test_every_embedder_among_the_adapters_is_tested():
    modules = [
        importlib.import_module(found.name)
        for found in pkgutil.walk_packages(app.adapters.__path__, "app.adapters.")
    ]
    adapters = {
        kind
        for module in modules
        for _, kind in inspect.getmembers(module, inspect.isclass)
        if kind.__module__ == module.__name__ and kind.__name__.endswith("Embedder")
    }

    assert adapters == EMBEDDERS.keys() - {HashingEmbedder}


def test_a_signature_is_source_model_and_dimension(embedder):
    source, model, dimension = embedder.signature.split(":")

    assert re.fullmatch(r"[a-z]+", source)
    assert model
    assert int(dimension) == embedder.dimension > 0


async def test_one_float32_unit_row_per_text_in_order(embedder):
    rows = await embedder.embed(TEXTS)
    reversed_rows = await embedder.embed(TEXTS[::-1])

    assert (rows.shape, rows.dtype) == ((len(TEXTS), embedder.dimension), np.float32)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), np.ones(len(TEXTS)), atol=1e-5)
    np.testing.assert_allclose(reversed_rows[::-1], rows, atol=1e-5)


async def test_no_texts_give_no_rows(embedder):
    assert (await embedder.embed([])).shape == (0, embedder.dimension)


async def test_a_text_has_the_same_vector_in_every_batch(embedder):
    alone = [(await embedder.embed([text]))[0] for text in TEXTS]

    np.testing.assert_allclose(await embedder.embed(TEXTS + TEXTS), alone + alone, atol=1e-5)


async def test_the_order_of_texts_does_not_change_their_vectors(embedder):
    np.testing.assert_allclose(
        await embedder.embed(("tabs", "spaces")), await embedder.embed(["tabs", "spaces"]), atol=1e-5
    )


async def test_texts_that_share_words_are_nearer_than_texts_that_do_not(embedder):
    tabs, alike, other = await embedder.embed(
        ["Ada prefers tabs", "Ada prefers spaces", "rain over Paris at noon"]
    )

    assert tabs @ alike > tabs @ other


async def test_concurrent_tasks_can_embed(embedder):
    expected = await embedder.embed(TEXTS)

    answers = await asyncio.gather(*(embedder.embed([text]) for text in TEXTS))

    np.testing.assert_allclose(np.concatenate(answers), expected, atol=1e-5)
