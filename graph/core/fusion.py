"""Reciprocal rank fusion, which the OmniRoute dialect promises; other surfaces rank with ``scoring``."""

from collections.abc import Sequence

DEFAULT_K = 60  # Cormack, Clarke and Büttcher, SIGIR 2009


def reciprocal_rank_fusion(lists: Sequence[Sequence[str]], k: float = DEFAULT_K) -> dict[str, float]:
    """Return Σ 1/(k + rank) of each id, ranks from 1; an id absent from a list gets nothing from it.

    Args:
        lists: Ids, best first.
        k: At least 0; the larger, the less a first rank is worth.
    """
    fused: dict[str, float] = {}
    for ranked in lists:
        for rank, id_ in enumerate(ranked, start=1):
            fused[id_] = fused.get(id_, 0.0) + 1.0 / (k + rank)
    return fused
