"""B5: other models through sentence-transformers, by folder or by hub name."""

import shutil
import sys

import numpy as np
import pytest
from huggingface_hub import constants

from app.adapters.embedding.transformers import TransformersEmbedder, hub_name
from graph.core.ports import EmbeddingFailed
from tests.fixtures.sentence_model import WIDTH, write_sentence_model

REVISION = "1110a243fdf4706b3f48f1d95db1a4f5529b4d41"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_sentence_model(tmp_path_factory.mktemp("sentences"))


@pytest.fixture
def hub_cache(tmp_path, monkeypatch, folder):
    """Return a local hub cache that contains only sentence-transformers/small."""
    model = tmp_path / "models--sentence-transformers--small"
    (model / "refs").mkdir(parents=True)
    (model / "refs" / "main").write_text(REVISION)
    shutil.copytree(folder, model / "snapshots" / REVISION, symlinks=False)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    return tmp_path


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ("Xenova/all-MiniLM-L6-v2", "sentence-transformers/all-MiniLM-L6-v2"),
        ("all-MiniLM-L6-v2", "sentence-transformers/all-MiniLM-L6-v2"),
        ("sentence-transformers/all-mpnet-base-v2", "sentence-transformers/all-mpnet-base-v2"),
        ("BAAI/bge-small-en-v1.5", "BAAI/bge-small-en-v1.5"),
    ],
)
def test_names_are_mapped_to_the_hub(given, found):
    assert hub_name(given) == found


async def test_a_folder_is_a_model_by_its_name_and_weights(folder):
    """B5."""
    embedder = TransformersEmbedder(folder, device="cpu")
    texts = ["Ada prefers tabs", "我喜欢喝茶。", "tea \ud83d time", "the " * 300]

    rows = await embedder.embed(texts)

    assert embedder.signature.startswith("transformers:model@")
    assert rows.shape == (4, WIDTH)
    alone = [(await embedder.embed([text]))[0] for text in texts]
    np.testing.assert_allclose(rows, alone, atol=1e-5, rtol=0)


async def test_queries_get_the_models_prefix(folder):
    """B5: models with prompts read queries differently."""
    embedder = TransformersEmbedder(folder, device="cpu")

    (query,) = await embedder.embed(["tabs"], as_query=True)
    (spelt_out,) = await embedder.embed(["query: tabs"])

    np.testing.assert_allclose(query, spelt_out, atol=1e-6)


async def test_a_hub_name_is_found_in_the_local_cache_without_a_network(hub_cache, folder):
    embedder = TransformersEmbedder("sentence-transformers/small", device="cpu", offline=True)
    by_folder = TransformersEmbedder(folder, device="cpu")

    assert embedder.signature == f"transformers:small:{WIDTH}"
    np.testing.assert_allclose(
        await embedder.embed(["tabs"]), await by_folder.embed(["tabs"]), atol=1e-5, rtol=0
    )


@pytest.mark.parametrize("offline", [True, False])
def test_a_missing_model_is_reported_with_its_remedy(hub_cache, offline):
    """Offline by argument or by HF_HUB_OFFLINE."""
    with pytest.raises(
        EmbeddingFailed, match=r"^someone/unknown is neither a folder nor in the local hub cache"
    ):
        TransformersEmbedder("someone/unknown", offline=offline)


def test_a_folder_without_a_model_is_refused(tmp_path):
    with pytest.raises(EmbeddingFailed, match="cannot load"):
        TransformersEmbedder(tmp_path)


def test_further_training_in_a_folder_gives_another_model(folder, tmp_path):
    """Its vectors must not be compared with those of the earlier model."""
    other = write_sentence_model(tmp_path, seed=2)

    signature = TransformersEmbedder(other, device="cpu").signature

    assert signature.startswith("transformers:model@")
    assert signature.endswith(f":{WIDTH}")
    assert signature != TransformersEmbedder(folder, device="cpu").signature
    assert signature == TransformersEmbedder(other, device="cpu").signature


def test_a_missing_extra_is_reported_with_its_remedy(monkeypatch):
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)

    with pytest.raises(EmbeddingFailed, match="make extra NAME=transformers"):
        TransformersEmbedder("all-MiniLM-L6-v2")
