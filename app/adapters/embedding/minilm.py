"""all-MiniLM-L6-v2 on onnxruntime: the default embedder, without torch and without a network.

The vectors equal sentence-transformers' (cosine 1.000000), hence the signature is the one of
``transformers_embedder.py`` for the same model and vectors stored by either stay valid for the other.
"""

import asyncio
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnxruntime
from pydantic import ValidationError

from app.adapters.embedding.minilm_files import (
    DIMENSION,
    MODEL,
    SIGNATURE,
    WEIGHTS,
    check_files,
    packaged_folder,
)
from app.adapters.embedding.minilm_graph import BertConfig, WeightsFile, build_minilm
from app.adapters.embedding.minilm_tokenizer import MiniLmTokenizer
from graph.core.ports import EmbeddingFailed, Vectors

BATCH_TOKENS: Final = 512
"""Most tokens, padding included, of one run of the model: 2,048 compute no more texts per second (measured),
need more memory, and make a query that comes in between wait four times as long."""
TOKENISED_TOGETHER: Final = 128
"""How many texts are tokenised and sorted by length at a time."""
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


class MiniLmEmbedder:
    """Fulfils ``graph.core.ports.Embedder``; one per process, used from any number of tasks.

    The model runs in one thread of its own, a batch at a time, so that a short query waits for one batch
    of a bulk job and not for all of it.
    """

    signature: Final = SIGNATURE
    dimension: Final = DIMENSION

    def __init__(self, folder: Path | None = None, *, threads: int | None = None) -> None:
        """Load the model; blocks for about 0.3 s, and must follow any fork of the process.

        Args:
            folder: Where ``model.safetensors``, ``config.json`` and ``tokenizer.json`` are; by default
                the model package's.
            threads: How many threads compute one batch; by default the cores the process may use, up to 4.

        Raises:
            EmbeddingFailed: The folder lacks a file, or holds something else than all-MiniLM-L6-v2.
        """
        folder = folder or packaged_folder()
        try:
            check_files(folder)
            self.tokenizer = MiniLmTokenizer(folder)
            self._session = _open_session(folder, threads or min(_usable_cores(), MOST_THREADS))
        except (OSError, ValidationError) as error:
            raise EmbeddingFailed(f"{folder} holds no usable {MODEL}: {error}") from error
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="minilm")

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one unit vector per text, in order; only the first 256 tokens of a text count."""
        loop = asyncio.get_running_loop()
        vectors = np.empty((len(texts), DIMENSION), dtype=np.float32)
        for start in range(0, len(texts), TOKENISED_TOGETHER):
            together = texts[start : start + TOKENISED_TOGETHER]
            rows = await asyncio.to_thread(self.tokenizer.token_ids, together)
            for batch in token_batches([len(row) for row in rows]):
                run = loop.run_in_executor(self._thread, self._run, [rows[index] for index in batch])
                vectors[[start + index for index in batch]] = await run
        return vectors

    def count_tokens(self, text: str) -> int:
        """Return how many word pieces a text has (see ``MiniLmTokenizer.count_tokens``)."""
        return self.tokenizer.count_tokens(text)

    def _run(self, rows: list[list[int]]) -> Vectors:
        input_ids = np.zeros((len(rows), max(map(len, rows))), dtype=np.int64)
        attention_mask = np.zeros_like(input_ids)
        for index, row in enumerate(rows):
            input_ids[index, : len(row)] = row
            attention_mask[index, : len(row)] = 1
        inputs = {"input_ids": input_ids, "attention_mask": attention_mask}
        vectors: Vectors = self._session.run(["embedding"], inputs)[0]
        return vectors


def _open_session(folder: Path, threads: int) -> Any:
    config = BertConfig.model_validate_json((folder / "config.json").read_bytes())
    # The runtime refuses weights behind a symbolic link, which is what hub caches and uv may hold.
    path = (folder / WEIGHTS).resolve()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Threads that spin between batches would take the cores from the rest of the service.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.add_session_config_entry("session.model_external_initializers_file_folder_path", str(path.parent))
    model = build_minilm(config, WeightsFile(path))
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def _usable_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
