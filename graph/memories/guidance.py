"""Guidance on facts to store and never to store; published to agents and people, not enforced."""

from collections.abc import Mapping

WORTH_STORING: Mapping[str, tuple[float, float]] = {
    "correction": (0.9, 0.9),
    "decision with its rationale": (0.9, 0.9),
    "bug fix": (0.7, 0.8),
    "pattern": (0.7, 0.9),
}
"""Facts to store, each with its lowest and highest importance."""

NEVER_STORED = ("trivial", "already documented", "temporary", "secret")
"""Facts not to store."""


def importance_range(low: float, high: float) -> str:
    """Return a range as people write it.

    >>> importance_range(0.7, 0.8), importance_range(0.9, 0.9)
    ('0.7 to 0.8', '0.9')
    """
    return f"{low}" if low == high else f"{low} to {high}"
