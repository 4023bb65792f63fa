"""Pages of a list: opaque cursors with the sort values of the last returned row.

Every function that returns a page raises ``InvalidInput`` if its ``first`` or ``after`` is malformed.
"""

import base64
import binascii
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from graph.core.errors import InvalidInput

T = TypeVar("T")

MAX_PAGE = 200
_MAX_RANK = 2.0**53  # a float represents every whole number up to this one


class Cursor(BaseModel):
    """End of a page: the last row's sort value (a time or a number) and its id as a tie-break."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    date: datetime | None = None
    rank: float | None = Field(None, ge=-_MAX_RANK, le=_MAX_RANK)
    id: str

    def encode(self) -> str:
        """Return the cursor as URL-safe base64 of JSON."""
        return base64.urlsafe_b64encode(self.model_dump_json(exclude_none=True).encode()).decode().rstrip("=")

    @classmethod
    def decode(cls, text: str, *, field: str = "after") -> "Cursor":
        """Parse a cursor from :meth:`encode`.

        Raises:
            InvalidInput: ``text`` is not a cursor of this service.
        """
        try:
            return cls.model_validate_json(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
        except (ValidationError, binascii.Error, ValueError):
            raise InvalidInput(field, f"{field} must be a cursor that an earlier page returned") from None


@dataclass(frozen=True)
class Page(Generic[T]):
    """A part of a list; ``cursors[i]`` belongs to ``items[i]``."""

    items: Sequence[T]
    cursors: Sequence[Cursor]
    has_more: bool


def page_size(first: int, *, field: str = "first", most: int = MAX_PAGE) -> int:
    """Return ``first`` if it is a valid page size.

    Raises:
        InvalidInput: ``first`` is not between 1 and ``most``.
    """
    if not 1 <= first <= most:
        raise InvalidInput(field, f"{field} must be between 1 and {most}, got {first}")
    return first


def check_offset(offset: int) -> None:
    """Check the number of skipped rows.

    Raises:
        InvalidInput: The number is negative.
    """
    if offset < 0:
        raise InvalidInput("offset", f"offset must be 0 or more, got {offset}")


@dataclass(frozen=True)
class Paging:
    """Requested page: its size, and the row that precedes it."""

    size: int
    date: datetime | None = None
    rank: float | None = None
    id: str | None = None

    @classmethod
    def of(cls, first: int, after: str | None) -> "Paging":
        """Parse the page arguments of a caller.

        Raises:
            InvalidInput: ``first`` is not a valid size, or ``after`` is not a cursor.
        """
        size = page_size(first)
        if not after:
            return cls(size)
        cursor = Cursor.decode(after)
        return cls(size, cursor.date, cursor.rank, cursor.id)

    @property
    def limit(self) -> int:
        """Number of rows to fetch: one extra row shows whether others follow."""
        return self.size + 1

    @property
    def by_creation(self) -> dict[str, Any]:
        """Parameters of a query that lists by creation time and then by id."""
        return {"after_created": self.date, "after_id": self.id, "limit": self.limit}

    def page(self, rows: Sequence[T], cursor: Callable[[T], Cursor]) -> Page[T]:
        """Return the page of the fetched rows."""
        return page_of(rows, [cursor(row) for row in rows], self.size)


def page_of(rows: Sequence[T], cursors: Sequence[Cursor], size: int) -> Page[T]:
    """Return a page of at most ``size`` rows out of up to ``size + 1`` fetched ones."""
    return Page(items=rows[:size], cursors=cursors[:size], has_more=len(rows) > size)
