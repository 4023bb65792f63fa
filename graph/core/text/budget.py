"""Token budget of a recall."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")

MOST_TOKENS = 8000
_CHARS_PER_TOKEN = 4


def estimate_tokens(text: str) -> int:
    """Return the approximate number of tokens of a text: a quarter of its length, rounded up."""
    return -(-len(text) // _CHARS_PER_TOKEN)


def effective_budget(max_tokens: int) -> int:
    """Return the effective budget for a requested one: 0 means none, others are limited to 1 to 8000."""
    return 0 if max_tokens <= 0 else min(max_tokens, MOST_TOKENS)


def token_walk(ranked: Iterable[tuple[T, int]], budget: int) -> Sequence[T]:
    """Return the first ranked rows whose tokens fit into the budget; always includes the first row."""
    accepted: list[T] = []
    spent = 0
    for row, tokens in ranked:
        if accepted and spent + tokens > budget:
            break
        accepted.append(row)
        spent += tokens
    return accepted
