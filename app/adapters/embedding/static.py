"""Static models in the model2vec format, which average token vectors from a table (the extra ``static``, no torch).

The library is imported when a model is loaded, so that the service starts without the extra.
"""

import asyncio
import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from app.adapters.digests import sha256_of
from app.adapters.embedding.values import encodable, unit_vectors
from graph.core.ports import EmbeddingFailed, Vectors

SOURCE: Final = "static"
_WEIGHTS: Final = "model.safetensors"
_WANTED: Final = ("*.json", "*.safetensors", "*.txt")


class StaticEmbedder:
    """Implements ``graph.core.ports.Embedder``; one per process, used from any number of tasks.

    ``signature`` has the model's hub name, or a folder's name and the hash of its weights.
    """

    def __init__(self, model: str | Path, *, cache_dir: Path | None = None) -> None:
        """Load a model; blocks for a fraction of a second, or during the download.

        Args:
            model: Folder, or hub name, which is looked up in the cache folder first.
            cache_dir: Folder of downloaded models; default: the hub's own.

        Raises:
            EmbeddingFailed: The extra is not installed, or the model exists neither here nor on the hub.
        """
        library = _import("model2vec")
        folder = Path(model).expanduser()
        if folder.is_dir():
            name = f"{folder.resolve().name}@{_digest(folder)}"
        else:
            name, folder = str(model), _downloaded(str(model), cache_dir)
        try:
            self._model = library.StaticModel.from_pretrained(str(folder), force_download=False)
        except Exception as error:  # the parsers of its three files raise different types
            raise EmbeddingFailed(f"{folder} holds no model2vec model: {type(error).__name__}") from error
        self.dimension: Final = int(self._model.dim)
        self.signature: Final = f"{SOURCE}:{name}:{self.dimension}"

    async def embed(self, texts: Sequence[str], *, as_query: bool = False) -> Vectors:  # noqa: ARG002 - every text is read alike
        """Return one unit vector per text, in order."""
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        return await asyncio.to_thread(self._encode, [encodable(text) for text in texts])

    def _encode(self, texts: list[str]) -> Vectors:
        rows = np.array(self._model.encode(texts, use_multiprocessing=False), dtype=np.float32)
        # A text without known tokens has a zero vector, so it gets a fixed direction that is far from other texts.
        rows[~rows.any(axis=1)] = np.resize([1.0, -1.0], self.dimension)
        return unit_vectors(rows, count=len(texts), dimension=self.dimension)


def _import(module: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise EmbeddingFailed(
            "The embedding source `static` needs the extra `static`: `make extra NAME=static` installs it."
        ) from error


def _downloaded(name: str, cache_dir: Path | None) -> Path:
    hub = _import("huggingface_hub")
    try:
        return Path(hub.snapshot_download(name, cache_dir=cache_dir, allow_patterns=list(_WANTED)))
    except (OSError, ValueError) as error:  # the types of the hub's errors
        raise EmbeddingFailed(
            f"{name} is neither a folder nor in the cache, and could not be downloaded: {type(error).__name__}"
        ) from error


def _digest(folder: Path) -> str:
    try:
        return sha256_of(folder / _WEIGHTS)[:12]
    except OSError as error:
        raise EmbeddingFailed(f"{folder} holds no model2vec model: it lacks {_WEIGHTS}") from error
