"""Maximal marginal relevance: an order in which each memory adds something to those before it."""

from collections.abc import Mapping, Sequence

from graph.retrieval.recall.ranking import Ranked

Pair = frozenset[str]


def diversified(
    ranked: Sequence[Ranked], similarities: Mapping[Pair, float], diversity: float
) -> list[Ranked]:
    """Reorder memories by relevance minus redundancy (Carbonell and Goldstein, SIGIR 1998).

    Args:
        ranked: Best first; scores in 0..1.
        similarities: Cosine of pairs of ids; a pair that is missing counts as unlike.
        diversity: 0 keeps the order, 1 asks for nothing but novelty after the first.
    """
    left = list(ranked)
    chosen: list[Ranked] = []
    nearest = dict.fromkeys((candidate.id for candidate in left), 0.0)
    while left:
        best = max(left, key=lambda c: (1 - diversity) * c.score - diversity * nearest[c.id])
        left.remove(best)
        chosen.append(best)
        for candidate in left:
            alike = similarities.get(frozenset((best.id, candidate.id)), 0.0)
            nearest[candidate.id] = max(nearest[candidate.id], alike)
    return chosen
