"""Reciprocal rank fusion."""

from collections.abc import Sequence

DEFAULT_K = 60  # Cormack, Clarke and Büttcher, SIGIR 2009


def reciprocal_rank_fusion(lists: Sequence[Sequence[str]], k: float = DEFAULT_K) -> dict[str, float]:
    """Return for each id the sum of 1/(k + rank) over the lists that contain it; ranks begin at 1.

    Args:
        lists: Ids, best first.
        k: Constant of at least 0; a larger one reduces the advantage of the first ranks.
    """
    fused: dict[str, float] = {}
    for ranked in lists:
        for rank, id_ in enumerate(ranked, start=1):
            fused[id_] = fused.get(id_, 0.0) + 1.0 / (k + rank)
    return fused
