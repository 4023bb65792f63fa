"""How far a fact answers a question, by its meaning and by the question's words that it holds.

::

    meaning  = (cosine - floor) / (1 - floor), at least 0
    coverage = rarity of the question's words the fact holds / rarity of all its words
    score    = (meaning + coverage) / 2, or the coverage where there are no vectors

The floor is what few unrelated texts reach with the embedder in use (``graph.recall.calibration``), so that the
thresholds hold for any of them. A word's rarity is its specificity squared, as in recall's full-text search.

Measured with MiniLM on 200 questions of LoCoMo, asked of their own conversation and of another one, and on ten that
have nothing to do with any of them: some turn supports an answer (0.35) for 97.5 % / 2.5 % / 0 % of them, and one is
related (0.25) for 100 % / 13.5 % / 0 %; by words alone (0.5) 87 % / 2.5 % / 0 %.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graph.asking.models import Evidence, Fact
from graph.recall.language import stem, stems, words
from graph.recall.question import Question

_RELATED_SHARE = 5 / 7  # of what supports; see above for both


@dataclass(frozen=True)
class Similarity:
    """The cosines of facts and question, in the order of the facts, and what few unrelated texts reach."""

    cosines: Sequence[float]
    floor: float


@dataclass(frozen=True)
class Support:
    """Facts by how far they answer a question.

    Attributes:
        ranked: The best first.
        threshold: The score from which a fact supports an answer by itself.
    """

    ranked: Sequence[Evidence]
    threshold: float

    @property
    def supporting(self) -> list[Evidence]:
        """What supports an answer, the best first."""
        return [evidence for evidence in self.ranked if evidence.score >= self.threshold]

    @property
    def related(self) -> list[Evidence]:
        """What may support an answer if it is read with understanding, the best first."""
        return [evidence for evidence in self.ranked if evidence.score >= self.threshold * _RELATED_SHARE]


def coverages(question: Question, facts: Sequence[Fact]) -> list[float]:
    """Return the share of the question's words that each fact holds, weighted by how rare they are, 0..1."""
    rarities = _rarities(question)
    whole = sum(rarities.values())
    held = (set(stems(words(f"{fact.context} {fact.text}"))) for fact in facts)
    return [sum(rarity for word, rarity in rarities.items() if word in each) / whole for each in held]


def support_of(question: Question, facts: Sequence[Fact], similarity: Similarity | None) -> Support:
    """Return the facts by how far they answer; without a similarity the words alone decide."""
    covered = coverages(question, facts)
    if similarity is None:
        scores, threshold = covered, 0.5
    else:
        scores = [
            (max(0.0, (cosine - similarity.floor) / (1 - similarity.floor)) + coverage) / 2
            for cosine, coverage in zip(similarity.cosines, covered, strict=True)
        ]
        threshold = 0.35
    evidence = [Evidence(fact=fact, score=min(score, 1.0)) for fact, score in zip(facts, scores, strict=True)]
    return Support(sorted(evidence, key=lambda each: -each.score), threshold)


def _rarities(question: Question) -> Mapping[str, float]:
    rarities: dict[str, float] = {}
    for word in question.words:
        rarities[stem(word)] = max(rarities.get(stem(word), 0.0), question.specificity(word) ** 2)
    return rarities or {"": 1.0}
