"""The least cosine of what is injected unasked: cosines of one embedder mean nothing for another (design §4)."""

import numpy as np

from graph.embeddings.service import Embeddings

# Sentences that have nothing to do with each other; how near an embedder puts them is how near chance comes.
_UNRELATED = (
    "The train to Lisbon leaves at seven in the morning.",
    "She prefers tabs over spaces in Python.",
    "Our cat is afraid of thunderstorms.",
    "The quarterly revenue grew by four percent.",
    "He is allergic to peanuts.",
    "Water boils at a lower temperature in the mountains.",
    "The meeting was moved to Thursday.",
    "They repainted the kitchen in pale green.",
    "My grandfather repaired clocks for a living.",
    "The database is backed up every night.",
    "Olive oil should be kept away from light.",
    "The orchestra rehearses in an old warehouse.",
    "I want to learn to swim this summer.",
    "The bridge was closed because of strong winds.",
    "Penguins huddle together to keep warm.",
    "The login page loads slowly on mobile phones.",
    "We agreed to ship the release on Friday.",
    "A good night's sleep improves memory.",
    "The museum has a collection of medieval maps.",
    "Her bicycle was stolen outside the library.",
)
# With MiniLM 0.21: "indentation style" and "Ada prefers tabs over spaces in Python" have 0.24.
_DEVIATIONS = 2.0


class Calibration:
    """Knows the threshold of each embedder it was asked for; lives as long as the process."""

    def __init__(self, embeddings: Embeddings) -> None:
        self._embeddings = embeddings
        self._known: dict[str, float] = {}

    async def threshold(self) -> float:
        """Return the cosine, -1..1, that few unrelated texts reach with the embedder in use.

        Raises:
            EmbeddingFailed: There is none that answers.
        """
        active = self._embeddings.active
        known = self._known.get(active.signature) if active else None
        if known is not None:
            return known
        embedded = await self._embeddings.embed_query(*_UNRELATED)
        vectors = np.asarray(embedded.vectors)
        cosines = (vectors @ vectors.T)[np.triu_indices(len(vectors), k=1)]
        threshold = min(float(cosines.mean() + _DEVIATIONS * cosines.std()), 1.0)
        self._known[embedded.index.signature] = threshold
        return threshold
