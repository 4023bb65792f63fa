"""Meaning of one embedder's cosines: the level of chance, and the relevance. Other embedders differ."""

import numpy as np
from numpy.typing import NDArray

from graph.core.ports import EmbeddingFailed
from graph.core.tables import read_table
from graph.core.text.language import contains_cjk
from graph.retrieval.recall.relevance import WORDS, Cosines, Scale, Unrelated, models
from graph.vectors.index.models import EmbeddedQuery
from graph.vectors.index.service import Embeddings

_SENTENCES = read_table("graph.retrieval.recall", "unrelated.toml")
UNRELATED: tuple[str, ...] = tuple(_SENTENCES["english"])
UNRELATED_CJK: tuple[str, ...] = tuple(_SENTENCES["chinese"])
# With MiniLM 0.21: "indentation style" and "Ada prefers tabs over spaces in Python" have 0.24.
_DEVIATIONS = 2.0
_LEAST_DEVIATION = 0.01
_KNOWS = 0.5  # the share of sentences that lie nearest to their own translation; with MiniLM 0.15


class Calibration:
    """Calibrations of all embedders used so far; lives as long as the process."""

    def __init__(self, embeddings: Embeddings) -> None:
        self._embeddings = embeddings
        self._known: dict[tuple[str, bool], Cosines] = {}
        self._measured: dict[str, Unrelated] = {}

    async def threshold(self, text: str = "") -> float:
        """Return the cosine, -1..1, that few unrelated texts reach with the embedder in use.

        Args:
            text: Compared text; Chinese, Japanese and Korean have their own threshold.

        Raises:
            EmbeddingFailed: There is none that answers.
        """
        unrelated = await self.unrelated(in_cjk=contains_cjk(text))
        return min(unrelated.mean + _DEVIATIONS * unrelated.deviation, 1.0)

    async def relevance(self, embedded: EmbeddedQuery | None) -> Scale:
        """Return what the relevance of memories that were compared with a query is measured with.

        An uncalibrated embedder uses the default one's calibration, scaled by the cosines of unrelated sentences.

        Args:
            embedded: The query's vectors; None: only words served.
        """
        known = models()
        by_words = known[WORDS]
        if embedded is None:
            return Scale(by_words, "words: there are no vectors to compare")
        signature = embedded.index.signature
        if signature in known:
            return Scale(known[signature], signature)
        default = next(model for model in known.values() if model.unrelated is not None)
        try:
            unrelated = await self.measured()
        except EmbeddingFailed as error:
            return Scale(by_words, f"words: {signature} is not calibrated, and fails now: {error}")
        description = (
            f"{default.name}: {signature} is not calibrated, its cosines are rescaled by unrelated sentences"
        )
        return Scale(default, description, unrelated)

    async def measured(self) -> Unrelated:
        """Return how near the embedder in use puts unrelated texts within and across scripts, as far as it knows them.

        Raises:
            EmbeddingFailed: There is none that answers.
        """
        active = self._embeddings.active
        known = self._measured.get(active.signature) if active else None
        if known is not None:
            return known
        embedded = await self._embeddings.embed_query(*UNRELATED, *UNRELATED_CJK)
        found = unrelated_among(embedded.vectors)
        self._measured[embedded.index.signature] = found
        return found

    async def unrelated(self, *, in_cjk: bool) -> Cosines:
        """Return how near the embedder in use puts unrelated texts.

        Raises:
            EmbeddingFailed: There is none that answers.
        """
        active = self._embeddings.active
        known = self._known.get((active.signature, in_cjk)) if active else None
        if known is not None:
            return known
        embedded = await self._embeddings.embed_query(*(UNRELATED_CJK if in_cjk else UNRELATED))
        found = cosines_among(embedded.vectors)
        self._known[embedded.index.signature, in_cjk] = found
        return found


def unrelated_among(vectors: object) -> Unrelated:
    """Return how near an embedder puts unrelated texts, of the vectors of the sentences and then of the Chinese."""
    rows = np.asarray(vectors)
    latin, chinese = rows[: len(UNRELATED)], rows[len(UNRELATED) :]
    across = latin @ chinese.T
    is_own = np.eye(len(UNRELATED), dtype=bool)
    knows = float((across.argmax(axis=1) == np.arange(len(UNRELATED))).mean()) >= _KNOWS
    return Unrelated(
        latin=cosines_among(latin),
        cjk=cosines_among(chinese) if knows else None,
        across=_spread(across[~is_own]) if knows else None,
    )


def cosines_among(vectors: object) -> Cosines:
    """Return mean and deviation of the cosines between unit vectors, one a row."""
    rows = np.asarray(vectors)
    return _spread((rows @ rows.T)[np.triu_indices(len(rows), k=1)])


def _spread(cosines: NDArray[np.float64]) -> Cosines:
    return Cosines(float(cosines.mean()), max(float(cosines.std()), _LEAST_DEVIATION))
