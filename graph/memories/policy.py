"""The rules of memories that settings decide."""

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


MOST_CHARS: Final = 2000
"""Maximum length of a statement: one vector cannot represent several topics."""
MOST_TURN_CHARS: Final = 32_000
"""Maximum length of a turn of a conversation; of a longer one the beginning and the end are kept verbatim."""
SOFT_CHARS: Final = 500
"""Longer statements get a warning, or a language model shortens them; turns do not."""

_KEPT_AT_EACH_END: Final = MOST_TURN_CHARS // 2
_GAP: Final = re.compile(r"\n\n\[… ([1-9][0-9]{0,9}) characters …\]\n\n")


def cut_turn(text: str) -> str:
    r"""Return a turn of which a long middle is replaced by its length; a cut turn is returned as it is.

    >>> cut_turn("a" * 16_000 + "b" * 70 + "c" * 16_000)[15_998:-15_998]
    'aa\n\n[… 70 characters …]\n\ncc'
    """
    gap = whole_length(text) - MOST_TURN_CHARS
    if gap <= 0 or is_cut(text):
        return text
    return f"{text[:_KEPT_AT_EACH_END]}\n\n[… {gap} characters …]\n\n{text[-_KEPT_AT_EACH_END:]}"


def is_cut(text: str) -> bool:
    """Tell whether the middle of a turn was cut out."""
    return _gap_of(text) is not None


def whole_length(text: str) -> int:
    """Return the length of a turn before it was cut."""
    gap = _gap_of(text)
    return MOST_TURN_CHARS + int(gap[1]) if gap else len(text)


def is_begun_by(whole: str, beginning: str) -> bool:
    """Tell whether a turn begins with another, either of which may be cut; a gap matches anything."""
    if not is_cut(whole):
        return whole.startswith(beginning)
    is_shorter = whole_length(beginning) < whole_length(whole)
    return beginning == whole or (is_shorter and whole.startswith(beginning[:_KEPT_AT_EACH_END]))


def _gap_of(text: str) -> re.Match[str] | None:
    gap = _GAP.match(text, _KEPT_AT_EACH_END) if len(text) > MOST_TURN_CHARS else None
    return gap if gap and len(text) == MOST_TURN_CHARS + len(gap[0]) else None


class SecretPolicy(StrEnum):
    """Treatment of a memory with a credential."""

    REJECT = "reject"
    WARN = "warn"
    OFF = "off"


class IdFormat(StrEnum):
    """Form of new memories' ids; every lookup accepts both forms."""

    AUTO = "auto"
    MEM = "mem"
    UUID = "uuid"


class DeleteMode(StrEnum):
    """Choice between soft and hard deletes: by the surface, or by the deployment."""

    PER_SURFACE = "per_surface"
    SOFT = "soft"
    HARD = "hard"


@dataclass(frozen=True)
class MemoryPolicy:
    """All of them.

    Attributes:
        dedup_threshold: Cosine from which a stored memory may be the same as a new one.
        dedup_deadline_seconds: Time that a save waits for the vector of its comparison.
        dedup_on_post: Also compare AutoMem's ``POST /memory`` with stored memories.
        auto_summarize: Let a language model shorten statements over the soft limit.
        classify_with_model: Let a language model classify a statement that no rule recognises.
        model_deadline_seconds: Time that a save waits for either.
        placeholder_vectors: Give a memory a placeholder vector until it has its own.
        id_format: The form of new ids; AUTO leaves it to the surface.
        compacts_for_good: Delete memories permanently after a summary has replaced them.
    """

    dedup_threshold: float = 0.95
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
        """Return what makes ids: of the form the deployment names, else of that of the surface."""
        wanted = surface if self.id_format is IdFormat.AUTO else self.id_format
        return new_uuid if wanted is IdFormat.UUID else new_memory_id

    def is_hard(self, *, asked_hard: bool) -> bool:
        """Tell whether a delete removes permanently, given what the surface asked for."""
        if self.delete_mode is DeleteMode.PER_SURFACE:
            return asked_hard
        return self.delete_mode is DeleteMode.HARD
