"""Models of sentence-transformers (the extra ``transformers``).

The library and torch are imported when a model is loaded, so that the service starts without the extra.
"""

import asyncio
import hashlib
import importlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from app.adapters.digests import sha256_of
from app.adapters.embedding.local_models import MINILM
from app.adapters.embedding.values import encodable, unit_vectors
from graph.core.ports import EmbeddingFailed, Vectors

SOURCE: Final = "transformers"
BATCH_TEXTS: Final = 16
"""Number of texts in one run of the model, after which another caller has its turn."""
_ORGANISATION: Final = "sentence-transformers/"
_BROWSER_ORGANISATION: Final = "Xenova/"
_WEIGHT_FILES: Final = ("*.safetensors", "*.bin")


def hub_name(name: str) -> str:
    """Return the name under which sentence-transformers finds a model.

    ``Xenova/…`` models are ONNX copies of ``sentence-transformers/…`` for browsers.
    """
    if name.startswith(_BROWSER_ORGANISATION):
        return _ORGANISATION + name.removeprefix(_BROWSER_ORGANISATION)
    return name if "/" in name else _ORGANISATION + name


_MINILM_WEIGHTS: Final = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""``model.safetensors`` of sentence-transformers/all-MiniLM-L6-v2, revision 1110a243."""


class TransformersEmbedder:
    """Implements ``graph.core.ports.Embedder``; one per process, used from any number of tasks.

    The model runs in its own thread. ``signature`` has the model's hub name without the default organisation, or a
    folder's name with the hash of its weights, so that further training in the same folder changes it.
    """

    def __init__(self, model: str | Path, *, device: str | None = None, offline: bool = False) -> None:
        """Load a model; blocks for seconds, or for as long as the download takes.

        Args:
            model: Folder, or hub name, which is looked up in the local hub cache first.
            device: ``cpu``, ``cuda``, ``mps`` …; default: chosen by torch.
            offline: Never download. ``HF_HUB_OFFLINE=1`` in the environment has the same effect.

        Raises:
            EmbeddingFailed: The extra is not installed, or the model exists neither here nor on the hub.
        """
        library = _import_library()
        folder = Path(model).expanduser()
        if folder.is_dir():
            self._model = _load(library, str(folder), device=device, local_files_only=True)
            name = _folder_name(folder)
        else:
            name = hub_name(str(model))
            self._model = _load_from_hub(library, name, device=device, offline=offline)
            name = name.removeprefix(_ORGANISATION)
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="transformers")
        self.dimension: Final = int(np.asarray(self._encode([""], as_query=False)).shape[-1])
        self.signature: Final = f"{SOURCE}:{name}:{self.dimension}"

    async def embed(self, texts: Sequence[str], *, as_query: bool = False) -> Vectors:
        """Return one unit vector per text, in order; the model truncates long texts."""
        loop = asyncio.get_running_loop()
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        # Longest first, so that texts of one batch need little padding.
        order = sorted(range(len(texts)), key=lambda index: -len(texts[index]))
        for start in range(0, len(order), BATCH_TEXTS):
            batch = order[start : start + BATCH_TEXTS]
            encode = partial(self._encode, [texts[index] for index in batch], as_query=as_query)
            values = await loop.run_in_executor(self._thread, encode)
            vectors[batch] = unit_vectors(values, count=len(batch), dimension=self.dimension)
        return vectors

    def _encode(self, texts: list[str], *, as_query: bool) -> Any:
        try:
            return self._model.encode(
                [encodable(text) for text in texts],
                prompt_name="query" if as_query and "query" in self._model.prompts else None,
                batch_size=BATCH_TEXTS,
                show_progress_bar=False,
                normalize_embeddings=True,
            )
        except (RuntimeError, ValueError, IndexError) as error:  # torch's own errors are RuntimeErrors
            raise EmbeddingFailed(f"The model could not embed: {error}") from error


def _import_library() -> Any:
    try:
        return importlib.import_module("sentence_transformers")
    except ImportError as error:
        raise EmbeddingFailed(
            "The embedding source `transformers` needs the extra `transformers`: `make extra NAME=transformers` "
            "installs it (on Linux without a GPU, install torch's CPU build first)."
        ) from error


def _load(library: Any, name: str, *, device: str | None, local_files_only: bool) -> Any:
    try:
        return library.SentenceTransformer(name, device=device, local_files_only=local_files_only)
    except (OSError, ValueError, KeyError, ImportError, RuntimeError) as error:
        raise EmbeddingFailed(f"sentence-transformers cannot load {name}: {_first_line(error)}") from error


def _load_from_hub(library: Any, name: str, *, device: str | None, offline: bool) -> Any:
    try:
        return _load(library, name, device=device, local_files_only=True)
    except EmbeddingFailed as error:
        if offline or importlib.import_module("huggingface_hub.constants").HF_HUB_OFFLINE:
            raise EmbeddingFailed(
                f"{name} is neither a folder nor in the local hub cache, and downloading is switched off "
                "(HF_HUB_OFFLINE): name a folder that holds the model, or allow the download once."
            ) from error
    return _load(library, name, device=device, local_files_only=False)


def _folder_name(folder: Path) -> str:
    weights = sorted(path for pattern in _WEIGHT_FILES for path in folder.rglob(pattern))
    digests = [sha256_of(path) for path in weights]
    if digests == [_MINILM_WEIGHTS]:
        return MINILM.name
    together = hashlib.sha256("".join(digests).encode()).hexdigest()
    return f"{folder.resolve().name}@{together[:12]}"


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]
