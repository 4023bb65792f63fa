"""Shapes of compactions."""

from enum import StrEnum

from graph.core.models import Frozen
from graph.memories.models import Memory

DEFAULT_MAX_TOKENS = 4000


class CompactionMode(StrEnum):
    """Treatment of memories beyond the token budget."""

    TRUNCATE = "truncate"
    CONDENSE = "condense"


class CompactionWish(Frozen):
    """Parameters of a requested compaction.

    Attributes:
        older_than_days: Replace older memories with one summary; None: as in the mode.
        mode: None: TRUNCATE.
        max_tokens: Tokens of the unchanged memories, or of CONDENSE's summary; 1 to 8000.
        api_key_id: Owner of the memories; None: the whole workspace.
        session_id: Of which session; None: all.
        dry_run: Change nothing.
    """

    older_than_days: int | None = None
    mode: CompactionMode | None = None
    max_tokens: int = DEFAULT_MAX_TOKENS
    api_key_id: str | None = None
    session_id: str | None = None
    dry_run: bool = False


class CompactionReport(Frozen):
    """Effect of a compaction, or its expected effect.

    Attributes:
        candidate_count: Number of compacted memories.
        candidates: The first 100 of them, as they were before.
        tokens_before: Approximate tokens of the candidates.
        tokens_after: Approximate tokens of their replacement.
        texts: Texts of the summaries.
        summaries: The memories made; none in a dry run.
    """

    dry_run: bool
    candidate_count: int = 0
    candidates: tuple[Memory, ...] = ()
    tokens_before: int = 0
    tokens_after: int = 0
    texts: tuple[str, ...] = ()
    summaries: tuple[Memory, ...] = ()

    @property
    def tokens_saved(self) -> int:
        """The estimate of the old texts less that of the new ones; nothing is taken that would not shrink."""
        return self.tokens_before - self.tokens_after
