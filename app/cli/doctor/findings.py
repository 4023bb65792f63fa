"""Results of the checks of ``recollect doctor``."""

import re
from dataclasses import dataclass
from enum import StrEnum

_PARAMETERS = re.compile("[?#]")


class CheckState(StrEnum):
    """Result of a check."""

    FOUND = "found"
    MISSING = "missing"
    WRONG = "wrong"


@dataclass(frozen=True)
class Finding:
    """The result of one check.

    Attributes:
        check: Checked item.
        state: Result.
        found: Finding.
        remedy: Remedy; empty without a problem.
        needed: Whether Recollect cannot run without it.
    """

    check: str
    state: CheckState
    found: str
    remedy: str = ""
    needed: bool = True

    @property
    def is_failure(self) -> bool:
        """True if this makes the command fail."""
        return self.needed and self.state is not CheckState.FOUND


def without_credentials(url: str) -> str:
    """Return an address without user, password and parameters, for display."""
    scheme, is_address, rest = url.partition("://")
    if not is_address:
        return url
    place = _PARAMETERS.split(rest.rpartition("@")[2], maxsplit=1)[0]
    return f"{scheme}://{place}"
