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
        older_than_days: One summary in the place of what is older; None: the mode says what is done.
        mode: None: TRUNCATE.
        max_tokens: What is left as it is, or of CONDENSE the length of the summary; 1 to 8000.
        api_key_id: Whose memories; None: all of the workspace.
        session_id: Of which session; None: all.
        dry_run: Whether nothing is changed.
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
        candidate_count: How many memories are compacted.
        candidates: The first 100 of them, as they were before.
        tokens_before: What the candidates have, about.
        tokens_after: What stands in their place, about.
        texts: What the summaries say.
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
