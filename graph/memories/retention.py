"""Age limit of recalled memories, for the surfaces and rows that it applies to; it deletes nothing."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Self


class SourceType(StrEnum):
    """Creator of a memory."""

    API = "api"
    IMPORTED = "imported"
    USER = "user"
    MODEL = "model"
    EXTRACTED = "extracted"
    AUTO_DEEP_THINK = "auto_deep_think"
    AUTO_RESEARCH = "auto_research"
    AUTO_COMPACTION = "auto_compaction"


AUTOMATIC_SOURCES = (
    SourceType.EXTRACTED,
    SourceType.AUTO_DEEP_THINK,
    SourceType.AUTO_RESEARCH,
    SourceType.AUTO_COMPACTION,
)
"""Sources of background saves: no caller waits for them, and age alone may end them."""

CONCLUDING_SOURCES = frozenset({SourceType.USER, SourceType.MODEL, *AUTOMATIC_SOURCES})
"""Sources of conclusions from a conversation; others are its turns."""


class RetentionSurface(StrEnum):
    """Surface that reads memories; a setting lists the surfaces with the window."""

    API_MEMORY = "api_memory"
    INJECTION_AUTO = "injection_auto"
    RECALL = "recall"


# Injection drops only these by age.
_ROWS: dict[RetentionSurface, tuple[str, ...]] = {RetentionSurface.INJECTION_AUTO: AUTOMATIC_SOURCES}


@dataclass(frozen=True)
class RetentionWindow:
    """Excludes memories created before ``cutoff``.

    Attributes:
        cutoff: The oldest creation time that is still read.
        source_types: Rows in the window, which stay if somebody repeated or changed them since; empty: all rows,
            regardless of changes.
    """

    cutoff: datetime
    source_types: tuple[str, ...] = ()

    def admits(self, *, created_at: datetime, updated_at: datetime, source_type: str) -> bool:
        """Tell whether a memory is still read."""
        if not self.source_types:
            return created_at >= self.cutoff
        return source_type not in self.source_types or max(created_at, updated_at) >= self.cutoff


@dataclass(frozen=True)
class Retention:
    """The rule as settings give it.

    Attributes:
        days: Age from which memories are excluded; None: no limit.
        applies_to: The surfaces that the rule cuts.
    """

    days: int | None = 30
    applies_to: Collection[RetentionSurface] = (RetentionSurface.API_MEMORY, RetentionSurface.INJECTION_AUTO)

    def lasting(self, days: int | None) -> Self:
        """Return the rule with a workspace's own number of days, where it has set one."""
        return self if days is None else replace(self, days=days)

    def cuts(self, surface: RetentionSurface) -> bool:
        """Tell whether the rule applies to a surface; ``recall`` means every one."""
        return RetentionSurface.RECALL in self.applies_to or surface in self.applies_to

    def window(self, surface: RetentionSurface, now: datetime) -> RetentionWindow | None:
        """Return the window of a surface, or None where nothing is cut."""
        if self.days is None or not self.cuts(surface):
            return None
        rows = () if RetentionSurface.RECALL in self.applies_to else _ROWS.get(surface, ())
        return RetentionWindow(now - timedelta(days=self.days), rows)
