"""Preparation of texts before the model and of vectors after it, for every embedder."""

import numpy as np
from numpy.typing import ArrayLike

from graph.core.ports import Embedder, EmbedderUnavailable, EmbeddingFailed, Vectors

MAX_CHARS = 32_768
"""Maximum length of a text before tokenising, whose cost grows with the length; models read far less."""


class EmbedderChanged(EmbedderUnavailable):
    """Raised by an embedder whose server now returns vectors of another dimension; it must be loaded again."""


class EmbedderAround:
    """Base class of embedders that wrap another one and have its signature and dimension."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner

    @property
    def signature(self) -> str:
        """Signature of the inner embedder."""
        return self._inner.signature

    @property
    def dimension(self) -> int:
        """Dimension of the inner embedder."""
        return self._inner.dimension


def encodable(text: str) -> str:
    """Return ``text`` in a form for tokenizers: cut to ``MAX_CHARS``, with lone surrogates replaced by U+FFFD."""
    text = text[:MAX_CHARS]
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def unit_vectors(values: ArrayLike, *, count: int, dimension: int) -> Vectors:
    """Return a model's output as ``count`` L2-normalised float32 rows of length ``dimension``.

    Raises:
        EmbeddingFailed: The output has another shape, is not finite, or has a row of zeros.
    """
    try:
        rows = np.asarray(values, dtype=np.float32)
    except (TypeError, ValueError, OverflowError) as error:
        raise EmbeddingFailed("The model did not return rows of numbers.") from error
    if rows.shape != (count, dimension):
        raise EmbeddingFailed(f"The model returned shape {rows.shape} instead of {(count, dimension)}.")
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    if not np.isfinite(lengths).all() or not lengths.all():
        raise EmbeddingFailed("The model returned a vector that is not finite or is all zeros.")
    return np.asarray(rows / lengths, dtype=np.float32)
