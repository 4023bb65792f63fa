"""Cache of text vectors between runs, which saves the model's time."""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import numpy as np

from app.adapters.embedding.onnx_model import OnnxEmbedder
from graph.core.ports import Vectors


@contextmanager
def remembered_vectors(file: Path | None) -> Iterator[None]:
    """Cache the vectors of local models in a file during the block; None disables the cache."""
    if file is None:
        yield
        return
    known = _read(file)
    computed = OnnxEmbedder.embed

    async def embed(self: OnnxEmbedder, texts: Sequence[str], *, as_query: bool = False) -> Vectors:
        prefix = f"{self.signature}/{as_query}/"
        keys = [hashlib.sha256(f"{prefix}{text}".encode()).hexdigest() for text in texts]
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if missing:
            known.update(
                zip(missing, await computed(self, list(missing.values()), as_query=as_query), strict=True)
            )
        return np.stack([known[key] for key in keys]) if keys else await computed(self, texts)

    try:
        with patch.object(OnnxEmbedder, "embed", embed):
            yield
    finally:
        _write(file, known)


def _read(file: Path) -> dict[str, np.ndarray]:
    if not file.exists():
        return {}
    with np.load(file) as stored:
        return dict(zip(stored["keys"].tolist(), stored["vectors"], strict=True))


def _write(file: Path, known: dict[str, np.ndarray]) -> None:
    if known:
        with file.open("wb") as opened:
            np.savez(opened, keys=np.array(list(known)), vectors=np.stack(list(known.values())))
