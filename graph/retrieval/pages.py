"""Lists memories in numbered pages."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from graph.core.database import Database
from graph.core.errors import InvalidInput
from graph.core.models import Frozen
from graph.core.pages import page_size
from graph.core.ports import Clock
from graph.core.text.checks import short_text, storable
from graph.core.text.normal_forms import comparable
from graph.memories.models import Memory, MemoryKind
from graph.retrieval import queries

MOST_LISTED = 200


class Listed(Frozen):
    """Filter of a memory list; empty fields match everything.

    Attributes:
        text: Substring of the content or the key; case does not matter.
    """

    kinds: tuple[MemoryKind, ...] = ()
    api_key_id: str | None = None
    session_id: str | None = None
    text: str | None = None


@dataclass(frozen=True)
class NumberedPage:
    """A page of a list, with totals of the whole list.

    Attributes:
        total: Number of memories in the whole list.
        tokens: Estimated tokens of the whole list.
        offset: Number of memories before the page.
        limit: Maximum size of the page.
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
        """Share of recalls with a hit, 0..1; 0 before the first recall."""
        return self.answered_recalls / self.recalls if self.recalls else 0.0

    @property
    def page(self) -> int:
        """Number of the page that contains the first row, from 1."""
        return self.offset // self.limit + 1

    @property
    def total_pages(self) -> int:
        """Number of pages; 0 for an empty list."""
        return -(-self.total // self.limit)


_FURTHEST = 10_000_000  # rows; more than any workspace has, and within Neo4j's integers


class MemoryPages:
    """Lists memories by offset or page; lives as long as the process."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def page(
        self,
        workspace_id: str,
        listed: Listed,
        *,
        limit: int,
        page: int = 1,
        offset: int | None = None,
    ) -> NumberedPage:
        """Return a page of live memories of any age, newest first; ``offset`` overrides ``page``.

        Raises:
            InvalidInput: A number or a name breaks a rule.
        """
        page_size(limit, field="limit", most=MOST_LISTED)
        if page < 1:
            raise InvalidInput("page", f"page must be 1 or more, got {page}")
        first = (page - 1) * limit if offset is None else offset
        if not 0 <= first <= _FURTHEST:
            field = "page" if offset is None else "offset"
            raise InvalidInput(field, f"{field} must name a row between 0 and {_FURTHEST}, got row {first}")
        common: dict[str, Any] = {
            "workspace_id": workspace_id,
            "kinds": list(listed.kinds),
            "session_id": short_text("sessionId", listed.session_id),
            "api_key_id": short_text("apiKeyId", listed.api_key_id),
            "text": comparable(storable("q", listed.text)) if listed.text else None,
            "now": self._clock.now(),
        }
        rows, measured = await asyncio.gather(
            queries.list_memories_at(self._database, **common, offset=first, limit=limit),
            queries.measure_memories(self._database, **common),
        )
        return NumberedPage(
            memories=rows,
            total=measured.count,
            tokens=measured.tokens,
            offset=first,
            limit=limit,
            recalls=measured.recalls,
            answered_recalls=measured.answered_recalls,
        )

    async def tokens(self, workspace_id: str) -> int:
        """Estimate the total tokens of all live memories."""
        measured = await queries.measure_memories(
            self._database,
            workspace_id=workspace_id,
            kinds=[],
            session_id=None,
            api_key_id=None,
            text=None,
            now=self._clock.now(),
        )
        return measured.tokens
