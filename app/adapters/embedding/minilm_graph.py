"""The ONNX graph of all-MiniLM-L6-v2, written in memory over the weights where they lie.

Nothing is converted or stored: the graph's initializers point at byte ranges inside ``model.safetensors``.
The operations are those of BERT (https://arxiv.org/abs/1810.04805) followed by sentence-transformers'
mean pooling and normalisation; ``tests/unit/vectors/index`` holds them to a numpy encoder.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from pydantic import BaseModel, ConfigDict

OPSET = 18
IR_VERSION = 8
MASKED = -10_000.0
"""What is added to the attention score of a padded position, as the reference does."""
_LENGTH_BYTES = 8
"""A safetensors file begins with the length of its JSON header, a little-endian 64-bit number."""


class BertConfig(BaseModel):
    """The part of ``config.json`` the graph follows; any other kind of model is refused."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    model_type: Literal["bert"]
    hidden_act: Literal["gelu"]
    position_embedding_type: Literal["absolute"]
    hidden_size: int
    layer_norm_eps: float
    num_attention_heads: int
    num_hidden_layers: int


class StoredTensor(BaseModel):
    """One entry of a safetensors header; ``data_offsets`` are counted from the end of the header."""

    model_config = ConfigDict(frozen=True)

    dtype: Literal["F32"]
    shape: tuple[int, ...]
    data_offsets: tuple[int, int]


class WeightsFile:
    """Where each tensor lies in a safetensors file; the tensors themselves are not read."""

    def __init__(self, path: Path) -> None:
        self.name = path.name
        with path.open("rb") as file:
            header_length = int.from_bytes(file.read(_LENGTH_BYTES), "little")
            self._header: dict[str, Any] = json.loads(file.read(header_length))
        self._data_start = _LENGTH_BYTES + header_length

    def external(self, name: str) -> TensorProto:
        """Return an ONNX tensor whose values are the bytes of tensor ``name`` in this file."""
        stored = StoredTensor.model_validate(self._header[name])
        begin, end = stored.data_offsets
        tensor = TensorProto(
            name=name,
            data_type=TensorProto.FLOAT,
            dims=stored.shape,
            data_location=TensorProto.EXTERNAL,
        )
        place = {"location": self.name, "offset": self._data_start + begin, "length": end - begin}
        for key, value in place.items():
            tensor.external_data.add(key=key, value=str(value))
        return tensor


def build_minilm(config: BertConfig, weights: WeightsFile) -> bytes:
    """Return the serialised model: int64 ``input_ids``, ``attention_mask`` [b, s] to ``embedding`` [b, d]."""
    graph = _Graph(config, weights)
    keep = graph.op("Cast", "attention_mask", to=TensorProto.FLOAT)
    hidden = graph.embed_tokens()
    bias = graph.attention_bias(keep)
    for layer in range(config.num_hidden_layers):
        hidden = graph.encoder_layer(f"encoder.layer.{layer}.", hidden, bias)
    graph.pool(hidden, keep)
    return graph.serialise()


class _Graph:
    """Grows node by node; every method takes and returns names of values."""

    def __init__(self, config: BertConfig, weights: WeightsFile) -> None:
        self._config = config
        self._weights = weights
        self._nodes: list[Any] = []
        self._tensors: dict[str, TensorProto] = {}

    def op(self, kind: str, *inputs: str, output: str | None = None, **attributes: Any) -> str:
        name = output or f"{kind}_{len(self._nodes)}"
        self._nodes.append(helper.make_node(kind, inputs, [name], name=name, **attributes))
        return name

    def weight(self, name: str) -> str:
        self._tensors[name] = self._weights.external(name)
        return name

    def numbers(self, *values: int) -> str:
        return self._constant(np.array(values, dtype=np.int64))

    def number(self, value: float) -> str:
        return self._constant(np.array(value, dtype=np.float32))

    def _constant(self, value: NDArray[Any]) -> str:
        name = f"constant_{value.dtype}_{value.tolist()}"
        self._tensors[name] = numpy_helper.from_array(value, name)
        return name

    def linear(self, prefix: str, hidden: str) -> str:
        # Weights are stored [out, in]; the runtime folds this transposition while it loads.
        weight = self.op("Transpose", self.weight(f"{prefix}.weight"), perm=[1, 0])
        return self.op("Add", self.op("MatMul", hidden, weight), self.weight(f"{prefix}.bias"))

    def layer_norm(self, prefix: str, hidden: str) -> str:
        scale, bias = self.weight(f"{prefix}.weight"), self.weight(f"{prefix}.bias")
        epsilon = self._config.layer_norm_eps
        return self.op("LayerNormalization", hidden, scale, bias, axis=-1, epsilon=epsilon)

    def embed_tokens(self) -> str:
        prefix = "embeddings."
        words = self.op("Gather", self.weight(f"{prefix}word_embeddings.weight"), "input_ids")
        zero, one = self.numbers(0), self.numbers(1)
        # One text per row, so the token type is always the first.
        kind = self.op("Slice", self.weight(f"{prefix}token_type_embeddings.weight"), zero, one, zero)
        length = self.op("Shape", "input_ids", start=1, end=2)
        places = self.op("Slice", self.weight(f"{prefix}position_embeddings.weight"), zero, length, zero)
        total = self.op("Add", self.op("Add", words, kind), places)
        return self.layer_norm(f"{prefix}LayerNorm", total)

    def attention_bias(self, keep: str) -> str:
        per_head_and_query = self.op("Unsqueeze", keep, self.numbers(1, 2))
        return self.op("Mul", self.op("Sub", self.number(1.0), per_head_and_query), self.number(MASKED))

    def encoder_layer(self, prefix: str, hidden: str, bias: str) -> str:
        seen = self._attend(f"{prefix}attention.self.", hidden, bias)
        seen = self.op("Add", self.linear(f"{prefix}attention.output.dense", seen), hidden)
        seen = self.layer_norm(f"{prefix}attention.output.LayerNorm", seen)
        inner = self._gelu(self.linear(f"{prefix}intermediate.dense", seen))
        outer = self.op("Add", self.linear(f"{prefix}output.dense", inner), seen)
        return self.layer_norm(f"{prefix}output.LayerNorm", outer)

    def _attend(self, prefix: str, hidden: str, bias: str) -> str:
        query = self._heads(self.linear(f"{prefix}query", hidden), (0, 2, 1, 3))
        key = self._heads(self.linear(f"{prefix}key", hidden), (0, 2, 3, 1))
        value = self._heads(self.linear(f"{prefix}value", hidden), (0, 2, 1, 3))
        scale = float(np.sqrt(self._config.hidden_size // self._config.num_attention_heads))
        scores = self.op("Div", self.op("MatMul", query, key), self.number(scale))
        shares = self.op("Softmax", self.op("Add", scores, bias), axis=-1)
        mixed = self.op("Transpose", self.op("MatMul", shares, value), perm=[0, 2, 1, 3])
        return self.op("Reshape", mixed, self.numbers(0, 0, self._config.hidden_size))

    def _heads(self, hidden: str, order: Sequence[int]) -> str:
        heads = self._config.num_attention_heads
        split = self.op("Reshape", hidden, self.numbers(0, 0, heads, self._config.hidden_size // heads))
        return self.op("Transpose", split, perm=list(order))

    def _gelu(self, hidden: str) -> str:
        error = self.op("Erf", self.op("Div", hidden, self.number(float(np.sqrt(2.0)))))
        doubled = self.op("Mul", hidden, self.op("Add", error, self.number(1.0)))
        return self.op("Mul", doubled, self.number(0.5))

    def pool(self, hidden: str, keep: str) -> str:
        per_token = self.op("Unsqueeze", keep, self.numbers(-1))
        axis = self.numbers(1)
        total = self.op("ReduceSum", self.op("Mul", hidden, per_token), axis, keepdims=0)
        count = self.op("Max", self.op("ReduceSum", keep, axis, keepdims=1), self.number(1e-9))
        mean = self.op("Div", total, count)
        length = self.op("Max", self.op("ReduceL2", mean, axis, keepdims=1), self.number(1e-12))
        return self.op("Div", mean, length, output="embedding")

    def serialise(self) -> bytes:
        inputs = [
            helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"])
            for name in ("input_ids", "attention_mask")
        ]
        size = self._config.hidden_size
        output = helper.make_tensor_value_info("embedding", TensorProto.FLOAT, ["batch", size])
        graph = helper.make_graph(self._nodes, "minilm", inputs, [output], list(self._tensors.values()))
        opset = helper.make_opsetid("", OPSET)
        model = helper.make_model(graph, opset_imports=[opset], ir_version=IR_VERSION)
        return bytes(model.SerializeToString())
