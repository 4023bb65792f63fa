"""B4: static models in the model2vec format, from a folder or by name from the cache folder."""

import sys

import numpy as np
import pytest

from app.adapters.embedding.static import StaticEmbedder
from graph.core.ports import EmbeddingFailed
from tests.fixtures.static_model import DIMENSION, write_static_model


async def test_a_folder_is_named_by_its_weights(tmp_path):
    """A model that was trained further under the same path is another model (B10)."""
    first = StaticEmbedder(write_static_model(tmp_path / "model"))
    again = StaticEmbedder(tmp_path / "model")
    other = StaticEmbedder(write_static_model(tmp_path / "model", seed=8))

    assert first.signature == again.signature != other.signature
    assert first.signature.startswith("static:model@")
    assert first.signature.endswith(f":{DIMENSION}")


async def test_a_text_is_the_mean_of_its_tokens(tmp_path):
    embedder = StaticEmbedder(write_static_model(tmp_path / "model"))

    tabs, spaces, both = await embedder.embed(["tabs", "spaces", "tabs spaces"])

    assert tabs @ both > 0.5 < spaces @ both
    np.testing.assert_allclose(await embedder.embed(["TABS"]), [tabs], atol=1e-6)


async def test_a_text_without_a_known_token_still_has_a_direction(tmp_path):
    """Such a text must not make the whole batch fail."""
    embedder = StaticEmbedder(write_static_model(tmp_path / "model"))

    rows = await embedder.embed(["", "tabs"])

    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), [1, 1], atol=1e-6)


@pytest.mark.parametrize(
    "files", [{}, {"model.safetensors": b"nonsense", "config.json": b"{}"}], ids=["empty", "broken"]
)
async def test_a_folder_without_a_model_is_refused(tmp_path, files):
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)

    with pytest.raises(EmbeddingFailed, match="holds no model2vec model"):
        StaticEmbedder(tmp_path)


async def test_an_unknown_name_is_refused_without_a_network(tmp_path, monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)

    with pytest.raises(EmbeddingFailed, match="nobody/nothing is neither a folder nor in the cache"):
        StaticEmbedder("nobody/nothing", cache_dir=tmp_path)


async def test_a_missing_extra_is_reported(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "model2vec", None)

    with pytest.raises(EmbeddingFailed, match="make extra NAME=static"):
        StaticEmbedder(tmp_path)
