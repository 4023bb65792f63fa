"""Shapes of numbered pages."""

from collections.abc import Sequence
from dataclasses import dataclass

from graph.core.models import Frozen
from graph.memories.models import Memory, MemoryKind

MOST_LISTED = 200


class Listed(Frozen):
    """Filter of a memory list; empty fields match everything.

    Attributes:
        text: Text in the content or the key, in any case.
    """

    kinds: tuple[MemoryKind, ...] = ()
    api_key_id: str | None = None
    session_id: str | None = None
    text: str | None = None


@dataclass(frozen=True)
class NumberedPage:
    """Some of a list, and what the whole list has.

    Attributes:
        total: Memories of the whole list.
        tokens: Tokens of the whole list, about.
        offset: Number of memories before it.
        limit: Maximum size.
        recalls: Number of recalls since the workspace was created, without dry runs.
        answered_recalls: Number of recalls with a hit.
    """

    memories: Sequence[Memory]
    total: int
    tokens: int
    offset: int
    limit: int
    recalls: int = 0
    answered_recalls: int = 0

    @property
    def hit_rate(self) -> float:
        """The share of recalls that found something, 0..1; 0 before the first."""
        return self.answered_recalls / self.recalls if self.recalls else 0.0

    @property
    def page(self) -> int:
        """Its number, from 1; where the offset is no multiple of the limit, that of the page it begins in."""
        return self.offset // self.limit + 1

    @property
    def total_pages(self) -> int:
        """Number of pages; 0 for an empty list."""
        return -(-self.total // self.limit)
