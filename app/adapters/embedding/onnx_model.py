"""Local models on onnxruntime, without torch."""

import asyncio
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from app.adapters.embedding.local_models import ModelFiles, Pooling
from app.adapters.embedding.packed_model import Network
from app.adapters.embedding.values import unit_vectors
from app.adapters.embedding.word_pieces import SentencePieces, WordPieces
from graph.core.ports import Vectors

BATCH_TOKENS: Final = 512
"""Maximum number of tokens, including padding, in one run of the model. With 2,048 tokens it computes no more texts per
second (measured), needs more memory, and makes a query in between wait four times as long."""
TOKENISED_TOGETHER: Final = 128
"""Number of texts to tokenise and sort by length together."""
MOST_THREADS: Final = 4


def token_batches(lengths: Sequence[int], *, budget: int = BATCH_TOKENS) -> list[list[int]]:
    """Return the indexes of ``lengths``, shortest first, in batches of at most ``budget`` padded tokens."""
    batches: list[list[int]] = []
    for index in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batches and (len(batches[-1]) + 1) * lengths[index] <= budget:
            batches[-1].append(index)
        else:
            batches.append([index])
    return batches


class OnnxEmbedder:
    """Implements ``graph.core.ports.Embedder``; one per process, used from any number of tasks.

    The model runs one batch at a time in its own threads, so that a short query waits for one batch of a bulk job, not
    for the whole job. All threads compute one batch together; if texts must be embedded one by one, each thread
    computes its own batch.
    """

    def __init__(self, files: ModelFiles, *, threads: int | None = None) -> None:
        """Load the model; blocks for up to 1 s, and must follow any fork of the process.

        Args:
            files: Files of the model.
            threads: Number of computing threads; default: the cores that the process may use, up to 4.
        """
        model, threads = files.model, threads or min(_usable_cores(), MOST_THREADS)
        self._model = model
        self._workers = threads if model.is_quantized else 1
        network, pieces = _unpacked(files) if model.is_packed else (files.network(), None)
        self._session = _open_session(network, threads // self._workers)
        del network  # the tokenizer of a jar is loaded without it
        self._threads = ThreadPoolExecutor(self._workers, thread_name_prefix=model.name)
        self.word_pieces = pieces or WordPieces(files)
        self.signature: Final = model.signature
        self.dimension: Final = model.dimension

    async def embed(self, texts: Sequence[str], *, as_query: bool = False) -> Vectors:
        """Return one unit vector per text, in order; only the first ``max_tokens`` of a text count.

        Raises:
            EmbeddingFailed: The model returned something else than vectors.
        """
        beginning = self._model.query if as_query else self._model.passage
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        for start in range(0, len(texts), TOKENISED_TOGETHER):
            together = [f"{beginning}{text}" for text in texts[start : start + TOKENISED_TOGETHER]]
            rows = await asyncio.to_thread(self.word_pieces.token_ids, together)
            batches = token_batches([len(row) for row in rows])
            for first in range(0, len(batches), self._workers):
                beside = batches[first : first + self._workers]
                runs = [self._embedded([rows[index] for index in batch]) for batch in beside]
                for batch, made in zip(beside, await asyncio.gather(*runs), strict=True):
                    vectors[[start + index for index in batch]] = made
        return vectors

    async def _embedded(self, rows: Sequence[Sequence[int]]) -> Vectors:
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._run, rows)

    def _run(self, rows: Sequence[Sequence[int]]) -> Vectors:
        if not self._model.is_quantized:
            return self._run_together(rows)
        return np.concatenate([self._run_together([row]) for row in rows])

    def _run_together(self, rows: Sequence[Sequence[int]]) -> Vectors:
        input_ids = np.zeros((len(rows), max(map(len, rows))), dtype=np.int64)
        attention_mask = np.zeros_like(input_ids)
        for index, row in enumerate(rows):
            input_ids[index, : len(row)] = row
            attention_mask[index, : len(row)] = 1
        inputs = {
            "input_ids": input_ids,
            "attention_mask": attention_mask,
            "token_type_ids": np.zeros_like(input_ids),
        }
        (hidden,) = self._session.run(["last_hidden_state"], inputs)
        return unit_vectors(self._pooled(hidden, attention_mask), count=len(rows), dimension=self.dimension)

    def _pooled(self, hidden: Vectors, attention_mask: NDArray[np.int64]) -> Any:
        if self._model.pooling is Pooling.FIRST:
            return hidden[:, 0]
        mask = attention_mask[:, :, np.newaxis].astype(np.float32)
        return (hidden * mask).sum(axis=1) / mask.sum(axis=1)


def _unpacked(files: ModelFiles) -> tuple[Network, SentencePieces]:
    """Return both parts of a packed model; its file is read once, and dropped before the session opens."""
    packed = files.packed()
    return packed.network(), SentencePieces(packed.tokenizer(), files.model.max_tokens)


def _open_session(network: Network, threads: int) -> Any:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Threads that spin between batches would keep the cores busy.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    # The session shares these arrays with this process; it would copy weights inside the graph.
    weights = {
        name: onnxruntime.OrtValue.ortvalue_from_numpy(array) for name, array in network.weights.items()
    }
    options.add_external_initializers(list(weights), list(weights.values()))
    return onnxruntime.InferenceSession(network.graph, options, providers=["CPUExecutionProvider"])


def _usable_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
