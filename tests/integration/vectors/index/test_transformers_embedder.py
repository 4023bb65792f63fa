"""B5: any other model through sentence-transformers, by folder or by hub name."""

import shutil
import sys

import numpy as np
import pytest
from huggingface_hub import constants

from app.adapters.embedding.minilm_files import packaged_folder
from app.adapters.embedding.transformers import TransformersEmbedder, hub_name
from graph.core.ports import EmbeddingFailed

REVISION = "1110a243fdf4706b3f48f1d95db1a4f5529b4d41"


@pytest.fixture(scope="module")
def from_folder():
    return TransformersEmbedder(packaged_folder(), device="cpu")


@pytest.fixture
def hub_cache(tmp_path, monkeypatch):
    """A local hub cache that holds sentence-transformers/all-MiniLM-L6-v2 and nothing else."""
    model = tmp_path / "models--sentence-transformers--all-MiniLM-L6-v2"
    (model / "refs").mkdir(parents=True)
    (model / "refs" / "main").write_text(REVISION)
    shutil.copytree(packaged_folder(), model / "snapshots" / REVISION, symlinks=False)
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


async def test_a_folder_with_the_default_model_has_its_signature_and_vectors(from_folder, minilm):
    """B5: the same identity whichever way the model is run, so stored vectors stay valid."""
    texts = ["Ada prefers tabs", "我喜欢喝茶。", "tea \ud83d time", "the " * 300]

    assert from_folder.signature == minilm.signature == "transformers:all-MiniLM-L6-v2:384"
    np.testing.assert_allclose(await from_folder.embed(texts), await minilm.embed(texts), atol=1e-5, rtol=0)


@pytest.mark.parametrize("name", ["Xenova/all-MiniLM-L6-v2", "sentence-transformers/all-MiniLM-L6-v2"])
async def test_a_hub_name_is_found_in_the_local_cache_without_a_network(hub_cache, name, minilm):
    embedder = TransformersEmbedder(name, device="cpu", offline=True)

    assert embedder.signature == minilm.signature
    np.testing.assert_allclose(
        await embedder.embed(["tabs"]), await minilm.embed(["tabs"]), atol=1e-5, rtol=0
    )


@pytest.mark.parametrize("offline", [True, False])
def test_a_model_that_is_not_here_is_told_with_its_remedy(hub_cache, offline):
    """Offline by argument or by HF_HUB_OFFLINE."""
    with pytest.raises(
        EmbeddingFailed, match=r"^someone/unknown is neither a folder nor in the local hub cache"
    ):
        TransformersEmbedder("someone/unknown", offline=offline)


def test_a_folder_without_a_model_is_refused(tmp_path):
    with pytest.raises(EmbeddingFailed, match="cannot load"):
        TransformersEmbedder(tmp_path)


def test_a_model_trained_further_in_the_same_place_is_another_one(tmp_path):
    """Its vectors must not meet those of the one before."""
    from safetensors.numpy import load_file, save_file  # noqa: PLC0415 (part of the extra)

    folder = tmp_path / "mine"
    shutil.copytree(packaged_folder(), folder)
    tensors = load_file(folder / "model.safetensors")
    tensors["embeddings.LayerNorm.bias"] = tensors["embeddings.LayerNorm.bias"] + np.float32(0.01)
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})

    signature = TransformersEmbedder(folder, device="cpu").signature

    assert signature.startswith("transformers:mine@")
    assert signature.endswith(":384")
    assert signature == TransformersEmbedder(folder, device="cpu").signature


def test_a_missing_extra_is_told_with_its_remedy(monkeypatch):
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)

    with pytest.raises(EmbeddingFailed, match=r"pip install 'recollect\[transformers\]'"):
        TransformersEmbedder("all-MiniLM-L6-v2")
