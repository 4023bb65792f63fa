"""Reading a packed model: its numbers, its vocabulary, and the vectors that onnxruntime computes."""

import math
import struct
import zipfile
from unittest.mock import Mock

import numpy as np
import onnxruntime
import pytest
from sentencepiece import SentencePieceProcessor

from app.adapters.embedding import local_models, packed_model
from app.adapters.embedding.local_models import LocalModel, ModelFiles
from app.adapters.embedding.onnx_model import OnnxEmbedder
from app.adapters.embedding.packed_model import Malformed, Network, read_packed
from app.adapters.pinned_packages import Artifact

WIDTH, HEADS, INNER, PLACES = 32, 2, 64, 16
PIECES = [
    ("<s>", 0.0),
    ("<pad>", 0.0),
    ("</s>", 0.0),
    ("<unk>", 0.0),
    ("▁", -3.0),
    ("▁tea", -2.0),
    ("t", -5.0),
    ("ea", -4.0),
    ("é", -4.0),
    ("茶", -3.5),
    ("<mask>", 0.0),
]
ROWS = {"emb.word": len(PIECES), "q": WIDTH, "k": WIDTH, "v": WIDTH, "ao": WIDTH, "fi": INNER, "fo": WIDTH}
FLOATS = {
    "emb.pos": PLACES * WIDTH,
    "emb.type": 2 * WIDTH,
    **{f"emb.ln.{part}": WIDTH for part in "wb"},
    **{f"l0.{name}.b": INNER if name == "fi" else WIDTH for name in ("q", "k", "v", "ao", "fi", "fo")},
    **{f"l0.{name}.{part}": WIDTH for name in ("aln", "oln") for part in "wb"},
}
BLOCKS = {
    "emb.word": len(PIECES),
    **{
        f"l0.{name}.w": rows * (2 if name == "fo" else 1) for name, rows in ROWS.items() if name != "emb.word"
    },
}
"""Number of blocks of 32 weights in each matrix."""


def numbers_of(name: str, count: int) -> np.ndarray:
    return np.random.default_rng(len(name) + count).normal(0, 1, count).astype("<f4")


def blocks_of(name: str, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the scales of a matrix and its weights from -8 to 7."""
    random = np.random.default_rng(sum(name.encode()))
    return (2.0 ** random.integers(-6, -3, count)).astype("<f2"), random.integers(-8, 8, (count, 32))


def stored(name: str, count: int) -> bytes:
    scales, weights = blocks_of(name, count)
    nibbles = (weights + 8).astype(np.uint8)
    quants = nibbles[:, :16] | nibbles[:, 16:] << 4
    return b"".join(scale.tobytes() + quant.tobytes() for scale, quant in zip(scales, quants, strict=True))


def packed(*, block: int = 32, kind: int = 1) -> bytes:
    """Return a file with one layer."""
    texts = [text.encode() for text, _ in PIECES]
    ends = np.cumsum([0, *map(len, texts)]).astype("<u4").tobytes()
    scores = np.array([score for _, score in PIECES], "<f4").tobytes()
    head = struct.pack("<4sI7ifi", b"E5S1", 1, WIDTH, 1, HEADS, INNER, len(PIECES), PLACES, 2, 1e-12, block)
    vocabulary = struct.pack("<5iQ", len(PIECES), 0, 2, 1, 3, sum(map(len, texts)))
    head += vocabulary + ends + scores + b"".join(texts) + struct.pack("<iI", 1, 5) + struct.pack("<IB", 9, 0)
    tensors = [(name, 0, count, numbers_of(name, count).tobytes()) for name, count in FLOATS.items()]
    tensors += [(name, kind, count * 32, stored(name, count)) for name, count in BLOCKS.items()]
    place = len(head) + 4 + sum(2 + len(name) + 21 for name, *_ in tensors)
    directory, content = struct.pack("<i", len(tensors)), b""
    for name, kind_of, count, data in tensors:
        directory += struct.pack("<H", len(name)) + name.encode()
        directory += struct.pack("<BIQQ", kind_of, count, place + len(content), len(data))
        content += data
    return head + directory + content


@pytest.mark.parametrize("together", [1, 7, 100_000])
def test_matrices_have_the_stored_weights(monkeypatch, together) -> None:
    """Issue 39: however many blocks are reordered at once."""
    monkeypatch.setattr(packed_model, "_TURNED_TOGETHER", together)
    matrix = read_packed(packed()).matrix("l0.fo.w", inputs=INNER)
    scales, weights = blocks_of("l0.fo.w", BLOCKS["l0.fo.w"])

    unpacked = np.stack([matrix.values & 15, matrix.values >> 4], axis=-1).astype(int) - 8
    assert (unpacked.reshape(-1, 32) == weights).all()
    assert (matrix.scales.reshape(-1) == scales).all()
    assert matrix.scales.shape == (WIDTH, 2)


def test_numbers_are_read_unchanged() -> None:
    model = read_packed(packed())

    assert {name: values.tolist() for name, values in model.floats.items()} == {
        name: numbers_of(name, count).tolist() for name, count in FLOATS.items()
    }


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("tea", [5]),
        ("  tea\n\ttea  ", [5, 5]),
        ("ＴＥＡ tea", [4, 3, 5]),
        ("茶", [4, 9]),
        ("e\u0301", [4, 8]),
        ("<s> tea", [4, 3, 5]),
        ("", []),
    ],
)
def test_text_becomes_the_pieces_with_the_highest_scores(text: str, ids: list[int]) -> None:
    """Blanks are joined and letters composed; a text never contains control pieces."""
    pieces = SentencePieceProcessor(model_proto=read_packed(packed()).tokenizer())

    assert pieces.encode(text) == ids
    assert (pieces.bos_id(), pieces.eos_id(), pieces.pad_id(), pieces.unk_id()) == (0, 2, 1, 3)


def hidden_states(network: Network, rows: list[list[int]]) -> np.ndarray:
    options = onnxruntime.SessionOptions()
    weights = {
        name: onnxruntime.OrtValue.ortvalue_from_numpy(array) for name, array in network.weights.items()
    }
    options.add_external_initializers(list(weights), list(weights.values()))
    session = onnxruntime.InferenceSession(network.graph, options, providers=["CPUExecutionProvider"])
    longest = max(map(len, rows))
    ids = np.array([row + [1] * (longest - len(row)) for row in rows])
    mask = np.array([[1] * len(row) + [0] * (longest - len(row)) for row in rows])
    inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
    (hidden,) = session.run(["last_hidden_state"], inputs)
    return hidden


def reference(ids: list[int]) -> np.ndarray:
    """Compute the hidden states of a text as the published encoder does: activations in blocks of 8 bits."""

    def floats(name: str) -> np.ndarray:
        return numbers_of(name, FLOATS[name]).astype(float)

    def matrix(name: str, inputs: int) -> np.ndarray:
        scales, weights = blocks_of(name, BLOCKS[name])
        return (weights * scales[:, np.newaxis].astype(float)).reshape(-1, inputs)

    def linear(values: np.ndarray, name: str) -> np.ndarray:
        blocks = values.reshape(len(values), -1, 32)
        steps = np.abs(blocks).max(axis=-1, keepdims=True) / 127
        rounded = (np.round(blocks / steps) * steps).reshape(values.shape)
        return rounded @ matrix(f"l0.{name}.w", values.shape[1]).T + floats(f"l0.{name}.b")

    def normalised(values: np.ndarray, name: str) -> np.ndarray:
        centred = values - values.mean(axis=-1, keepdims=True)
        deviation = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-12)
        return centred / deviation * floats(f"{name}.w") + floats(f"{name}.b")

    def heads(values: np.ndarray) -> np.ndarray:
        return values.reshape(len(ids), HEADS, -1).transpose(1, 0, 2)

    places = floats("emb.pos").reshape(-1, WIDTH)[: len(ids)]
    hidden = normalised(matrix("emb.word", WIDTH)[ids] + places + floats("emb.type")[:WIDTH], "emb.ln")
    query, key, value = (heads(linear(hidden, name)) for name in ("q", "k", "v"))
    scores = np.exp(query @ key.transpose(0, 2, 1) / math.sqrt(WIDTH / HEADS))
    heard = (scores / scores.sum(axis=-1, keepdims=True) @ value).transpose(1, 0, 2).reshape(len(ids), WIDTH)
    hidden = normalised(hidden + linear(heard, "ao"), "l0.aln")
    inner = linear(hidden, "fi")
    erf = np.vectorize(math.erf)(inner / math.sqrt(2))
    return normalised(hidden + linear(inner * (1 + erf) / 2, "fo"), "l0.oln")


def test_the_graph_computes_the_hidden_states_of_the_published_encoder() -> None:
    rows = [[0, 5, 2], [0, 9, 4, 7, 6, 2]]

    hidden = hidden_states(read_packed(packed()).network(), rows)

    for row, states in zip(rows, hidden, strict=True):
        np.testing.assert_allclose(states[: len(row)], reference(row), atol=1e-4, rtol=0)


def test_neighbours_and_padding_do_not_change_hidden_states() -> None:
    network = read_packed(packed()).network()
    short, long = [0, 5, 2], [0, 9, 4, 7, 6, 2]

    together = hidden_states(network, [short, long])

    np.testing.assert_allclose(together[0, :3], hidden_states(network, [short])[0], atol=1e-6, rtol=0)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "does not begin with its signature"),
        (b"GGUF" + packed()[4:], "does not begin with its signature"),
        (packed()[:100], "not a packed model"),
        (packed()[:-100], "not a packed model"),
        (packed(block=64), "unknown block size 64"),
        (packed(kind=2), "unknown kind 2"),
    ],
    ids=[
        "empty",
        "another format",
        "cut in the vocabulary",
        "cut in the weights",
        "other blocks",
        "another kind",
    ],
)
def test_another_file_is_refused(content: bytes, problem: str) -> None:
    with pytest.raises(Malformed, match=problem):
        read_packed(content)


async def test_an_embedder_reads_the_file_once(tmp_path, monkeypatch) -> None:
    """Issue 39: the network and the vocabulary come from a single read of the 90 MB wheel."""
    wheel = tmp_path / "small.whl"
    with zipfile.ZipFile(wheel, "w") as written:
        written.writestr("small.bin", packed())
    model = LocalModel(
        "small", Artifact.of("org.pypi:small:whl:any:1", wheel), "small.bin", WIDTH, is_packed=True
    )
    read = Mock(side_effect=read_packed)
    monkeypatch.setattr(local_models, "read_packed", read)

    (vector,) = await OnnxEmbedder(ModelFiles(model, wheel), threads=1).embed(["tea"])

    states = reference([0, 5, 2]).mean(axis=0)
    np.testing.assert_allclose(vector, states / np.linalg.norm(states), atol=1e-4, rtol=0)
    assert read.call_count == 1
