"""Token budget of a recall."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")

MOST_TOKENS = 8000
_CHARS_PER_TOKEN = 4


def estimate_tokens(text: str) -> int:
    """Return about how many tokens a text has: a quarter of its length, rounded up."""
    return -(-len(text) // _CHARS_PER_TOKEN)


def effective_budget(max_tokens: int) -> int:
    """Return the budget a caller's wish amounts to: 0 for nothing, else 1 to 8000."""
    return 0 if max_tokens <= 0 else min(max_tokens, MOST_TOKENS)


def token_walk(ranked: Iterable[tuple[T, int]], budget: int) -> Sequence[T]:
    """Accept ranked rows of known tokens while they fit; the first is accepted in any case."""
    accepted: list[T] = []
    spent = 0
    for row, tokens in ranked:
        if accepted and spent + tokens > budget:
            break
        accepted.append(row)
        spent += tokens
    return accepted
