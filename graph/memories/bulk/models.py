"""Models of bulk changes and deletions."""

from collections.abc import Mapping
from datetime import datetime

from graph.core.models import Frozen
from graph.memories.models import MemoryFilter


class Selection(Frozen):
    """Selection of memories that match every given condition.

    Attributes:
        ids: 0 to 1000; empty: any.
        filter: As of lists.
        metadata: Values that the metadata has under these names at its top; empty: any.
    """

    ids: tuple[str, ...] = ()
    filter: MemoryFilter = MemoryFilter()
    metadata: Mapping[str, str | int | float | bool | None] = {}


class Owner(Frozen):
    """New owner of the memories; None: everybody."""

    user_id: str | None = None
    agent_id: str | None = None


class BulkChange(Frozen):
    """Changes to the selected memories; unset fields stay unchanged.

    Attributes:
        expires_at: None, where it is set: they never end.
    """

    add_tags: tuple[str, ...] = ()
    remove_tags: tuple[str, ...] = ()
    expires_at: datetime | None = None
    move_to: Owner | None = None

    @property
    def sets_expiry(self) -> bool:
        """True if the change sets or clears the expiry."""
        return "expires_at" in self.model_fields_set


class SkippedMemory(Frozen):
    """A selected memory that stays unchanged."""

    id: str
    reason: str


class BulkReport(Frozen):
    """Effect of the operation, or in a dry run its expected effect.

    Attributes:
        matched: Number of selected memories.
        changed: Number of changed or deleted memories; in a dry run, the number that would be.
        skipped: At most 100 of the skipped ones; excludes memories that already have the new state.
    """

    matched: int
    changed: int
    skipped: tuple[SkippedMemory, ...]
    dry_run: bool
