"""Says why a memory was found, from the lists it stood on."""

from graph.core.tiers import RecallTier
from graph.retrieval.recall.candidates import Pool
from graph.retrieval.recall.models import RecallLeg
from graph.retrieval.recall.parsed_query import ParsedQuery
from graph.retrieval.recall.scoring import people_of

_IN_WORDS = {RecallLeg.VECTOR: "vector", RecallLeg.WORDS: "text"}


class Explainer:
    """Explains the hits of one recall."""

    def __init__(self, pool: Pool, question: ParsedQuery, tier: RecallTier) -> None:
        self._pool = pool
        self._question = question
        self._tier = tier
        self._by_id = {candidate.id: candidate for candidate in pool.candidates}
        self._ranks = {
            RecallLeg.VECTOR: {id_: rank for rank, id_ in enumerate(pool.vector_ids, start=1)},
            RecallLeg.WORDS: {id_: rank for rank, id_ in enumerate(pool.text_scores, start=1)},
        }
        self._meant = question.speaker_meant(people_of(pool))

    def cosine(self, id_: str) -> float | None:
        """Return the cosine of memory and query, -1..1, or None without a vector."""
        return self._by_id[id_].cosine

    def text_score(self, id_: str) -> float | None:
        """Return Lucene's score, or None where the words did not find it."""
        return self._pool.text_scores.get(id_)

    def places(self, id_: str) -> dict[RecallLeg, int]:
        """Return where it stands on the lists that have it, 1 for the first."""
        return {leg: ranks[id_] for leg, ranks in self._ranks.items() if id_ in ranks}

    def why(self, id_: str) -> list[str]:
        """Return the reasons, the lists first."""
        candidate = self._by_id[id_]
        reasons = [f"{_IN_WORDS[leg]} rank {place}" for leg, place in self.places(id_).items()]
        mentioned = sorted({entity.name for entity in self._pool.mentioned(candidate)})
        reasons += [f"mentions {name}" for name in mentioned]
        if not reasons:
            reasons += self._neighbours(id_)
        if self._meant is not None and candidate.speaker == self._meant:
            reasons.append(f"said by {self._meant}")
        if candidate.matched:
            reasons.append("matches " + ", ".join(sorted(term.strip() for term in candidate.matched)))
        reasons += [f"superseded by {successor}" for successor in candidate.superseded_by]
        return reasons

    def _neighbours(self, id_: str) -> list[str]:
        candidate = self._by_id[id_]
        on_a_list = {*self._pool.mention_ids}.union(*self._ranks.values())
        found = []
        if candidate.previous_id in on_a_list:
            found.append(f"next turn of {candidate.previous_id}")
        if candidate.next_id in on_a_list:
            found.append(f"turn before {candidate.next_id}")
        return found
