"""Settings of memories: limits, retention, deduplication, ids and deletes."""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, Self

from graph.core.ids import new_memory_id, new_uuid


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
"""Sources of background saves; retention may exclude their memories by age alone."""

CONCLUDING_SOURCES = frozenset({SourceType.USER, SourceType.MODEL, *AUTOMATIC_SOURCES})
"""Sources of conclusions from a conversation; memories of other sources are its turns."""


class RetentionSurface(StrEnum):
    """Surface that reads memories; a setting lists the surfaces that retention applies to."""

    API_MEMORY = "api_memory"
    INJECTION_AUTO = "injection_auto"
    RECALL = "recall"


# Injection excludes only memories of these sources by age; other surfaces exclude all.
_ROWS: dict[RetentionSurface, tuple[str, ...]] = {RetentionSurface.INJECTION_AUTO: AUTOMATIC_SOURCES}


@dataclass(frozen=True)
class RetentionWindow:
    """Excludes memories created before ``cutoff``.

    Attributes:
        cutoff: Oldest creation time that is included.
        source_types: Sources that the window applies to; their memories stay if they were changed since the cutoff.
            Empty: all sources, and changes do not count.
    """

    cutoff: datetime
    source_types: tuple[str, ...] = ()

    def admits(self, *, created_at: datetime, updated_at: datetime, source_type: str) -> bool:
        """Tell whether the window includes a memory."""
        if not self.source_types:
            return created_at >= self.cutoff
        return source_type not in self.source_types or max(created_at, updated_at) >= self.cutoff


@dataclass(frozen=True)
class Retention:
    """Settings of retention.

    Attributes:
        days: Age from which memories are excluded; None: no limit.
        applies_to: Surfaces that exclude old memories.
    """

    days: int | None = 30
    applies_to: Collection[RetentionSurface] = (RetentionSurface.API_MEMORY, RetentionSurface.INJECTION_AUTO)

    def lasting(self, days: int | None) -> Self:
        """Return the settings with a workspace's own number of days, if it has one."""
        return self if days is None else replace(self, days=days)

    def cuts(self, surface: RetentionSurface) -> bool:
        """Tell whether a surface excludes old memories; ``recall`` means every surface."""
        return RetentionSurface.RECALL in self.applies_to or surface in self.applies_to

    def window(self, surface: RetentionSurface, now: datetime) -> RetentionWindow | None:
        """Return the window of a surface, or None if it excludes nothing."""
        if self.days is None or not self.cuts(surface):
            return None
        rows = () if RetentionSurface.RECALL in self.applies_to else _ROWS.get(surface, ())
        return RetentionWindow(now - timedelta(days=self.days), rows)


MOST_CHARS: Final = 2000
"""Maximum length of a statement: one vector cannot represent several topics."""
MOST_TURN_CHARS: Final = 32_000
"""Maximum length of a conversation turn; the middle of a longer turn is cut out."""
SOFT_CHARS: Final = 500
"""Length from which a statement gets a warning, or a language model shortens it; turns are exempt."""

_CHARS_AT_EACH_END: Final = MOST_TURN_CHARS // 2
_GAP: Final = re.compile(r"\n\n\[… ([1-9][0-9]{0,9}) characters …\]\n\n")


def cut_turn(text: str) -> str:
    r"""Replace the middle of a turn that is too long by a note of its length; keep a turn already cut.

    >>> cut_turn("a" * 16_000 + "b" * 70 + "c" * 16_000)[15_998:-15_998]
    'aa\n\n[… 70 characters …]\n\ncc'
    """
    gap = whole_length(text) - MOST_TURN_CHARS
    if gap <= 0 or is_cut(text):
        return text
    return f"{text[:_CHARS_AT_EACH_END]}\n\n[… {gap} characters …]\n\n{text[-_CHARS_AT_EACH_END:]}"


def is_cut(text: str) -> bool:
    """Tell whether the middle of a turn was cut out."""
    return _gap_of(text) is not None


def whole_length(text: str) -> int:
    """Return the length of a turn before it was cut."""
    gap = _gap_of(text)
    return MOST_TURN_CHARS + int(gap[1]) if gap else len(text)


def is_begun_by(whole: str, beginning: str) -> bool:
    """Tell whether a turn begins with another; either may be cut, and a gap matches any text."""
    if not is_cut(whole):
        return whole.startswith(beginning)
    is_shorter = whole_length(beginning) < whole_length(whole)
    return beginning == whole or (is_shorter and whole.startswith(beginning[:_CHARS_AT_EACH_END]))


def _gap_of(text: str) -> re.Match[str] | None:
    gap = _GAP.match(text, _CHARS_AT_EACH_END) if len(text) > MOST_TURN_CHARS else None
    return gap if gap and len(text) == MOST_TURN_CHARS + len(gap[0]) else None


class SecretPolicy(StrEnum):
    """Treatment of a memory that contains a credential."""

    REJECT = "reject"
    WARN = "warn"
    OFF = "off"


class IdFormat(StrEnum):
    """Form of new memories' ids; every lookup accepts both forms."""

    AUTO = "auto"
    MEM = "mem"
    UUID = "uuid"


class DeleteMode(StrEnum):
    """Kind of deletes: soft or hard for the whole deployment, or as each surface does it."""

    PER_SURFACE = "per_surface"
    SOFT = "soft"
    HARD = "hard"


@dataclass(frozen=True)
class MemoryPolicy:
    """Settings of saves and deletes.

    Attributes:
        dedup_threshold: Cosine from which a stored memory may be a duplicate of a new one.
        dedup_deadline_seconds: Timeout of a save for the vector that deduplication compares.
        dedup_on_post: Also deduplicate memories saved by AutoMem's ``POST /memory``.
        auto_summarize: Let a language model shorten statements over the soft limit.
        classify_with_model: Let a language model classify a statement that no rule recognises.
        model_deadline_seconds: Timeout of a save for each of these calls.
        placeholder_vectors: Give a memory a placeholder vector until its own is computed.
        id_format: Form of new ids; AUTO uses the surface's form.
        compacts_for_good: Delete memories permanently after a summary has replaced them.
    """

    dedup_threshold: float = 0.6
    dedup_deadline_seconds: float = 1.5
    dedup_on_post: bool = False
    secret_policy: SecretPolicy = SecretPolicy.REJECT
    auto_summarize: bool = True
    classify_with_model: bool = False
    model_deadline_seconds: float = 10.0
    placeholder_vectors: bool = False
    id_format: IdFormat = IdFormat.AUTO
    delete_mode: DeleteMode = DeleteMode.PER_SURFACE
    compacts_for_good: bool = False
    retention: Retention = field(default_factory=Retention)

    def id_maker(self, surface: IdFormat) -> Callable[[], str]:
        """Return the generator of new ids; the deployment's form overrides the surface's."""
        id_format = surface if self.id_format is IdFormat.AUTO else self.id_format
        return new_uuid if id_format is IdFormat.UUID else new_memory_id

    def is_hard(self, *, requests_hard: bool) -> bool:
        """Tell whether a delete is permanent; without a deployment-wide mode the surface decides."""
        if self.delete_mode is DeleteMode.PER_SURFACE:
            return requests_hard
        return self.delete_mode is DeleteMode.HARD
