"""Preparation of texts before the model and of vectors after it, for every embedder."""

import numpy as np
from numpy.typing import ArrayLike

from graph.core.ports import Embedder, EmbedderUnavailable, EmbeddingFailed, Vectors

MAX_CHARS = 32_768
"""Limit of a text before tokenising, which costs by length; models read far less."""


class EmbedderChanged(EmbedderUnavailable):
    """Raised by an embedder that now answers with vectors of another dimension; it has to be loaded again."""


class EmbedderAround:
    """Base class of embedders that ask another one, whose signature and dimension are theirs."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner

    @property
    def signature(self) -> str:
        """The inner embedder's."""
        return self._inner.signature

    @property
    def dimension(self) -> int:
        """The inner embedder's."""
        return self._inner.dimension


def encodable(text: str) -> str:
    """Return ``text`` as tokenizers accept it: cut to ``MAX_CHARS``, lone surrogates replaced by U+FFFD."""
    text = text[:MAX_CHARS]
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def unit_vectors(values: ArrayLike, *, count: int, dimension: int) -> Vectors:
    """Return what a model answered as ``count`` L2-normalised float32 rows of ``dimension``.

    Raises:
        EmbeddingFailed: The answer has another shape, is not finite, or has a row of zeros.
    """
    try:
        rows = np.asarray(values, dtype=np.float32)
    except (TypeError, ValueError, OverflowError) as error:
        raise EmbeddingFailed("The model answered with something else than rows of numbers.") from error
    if rows.shape != (count, dimension):
        raise EmbeddingFailed(f"The model answered with shape {rows.shape} in place of {(count, dimension)}.")
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    if not np.isfinite(lengths).all() or not lengths.all():
        raise EmbeddingFailed("The model answered with a vector that is not finite or has no direction.")
    return np.asarray(rows / lengths, dtype=np.float32)
