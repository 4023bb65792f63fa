"""Shapes of numbered pages."""

from collections.abc import Sequence
from dataclasses import dataclass

from graph.core.models import Frozen
from graph.memories.models import Memory, MemoryKind

MOST_LISTED = 200


class Listed(Frozen):
    """Filter of a memory list; empty fields match everything.

    Attributes:
        text: What the content or the key contains, whatever its case.
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
        offset: How many come before it.
        limit: How many it has at most.
        recalls: How often the workspace was asked for memories since it was made, dry runs left out.
        answered_recalls: How often something was found.
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
