"""What a check of ``recollect doctor`` says."""

from dataclasses import dataclass
from enum import StrEnum


class CheckState(StrEnum):
    """How a check ended."""

    FOUND = "found"
    MISSING = "missing"
    WRONG = "wrong"


@dataclass(frozen=True)
class Finding:
    """The result of one check.

    Attributes:
        check: What was looked at.
        state: How it ended.
        found: What is there.
        remedy: What to do; empty where nothing is amiss.
        needed: Whether Recollect cannot run as things are.
    """

    check: str
    state: CheckState
    found: str
    remedy: str = ""
    needed: bool = True

    @property
    def is_failure(self) -> bool:
        """Whether this makes the command fail."""
        return self.needed and self.state is not CheckState.FOUND
