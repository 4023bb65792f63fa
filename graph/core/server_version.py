"""Minimum release of Neo4j, checked by the server's version before the first statement."""

import re
from typing import Final

OLDEST: Final = (2026, 8)
"""Year and month of the first release that takes all of them, such as SEARCH with filters inside the vector index."""
_AGENT = re.compile(r"Neo4j/(?P<year>\d+)\.(?P<month>\d+)")


def is_too_old(agent: str) -> bool:
    """Tell whether a server is older than ``OLDEST``; not of Aura, whose name stays while its releases change.

    >>> is_too_old("Neo4j/5.26.1"), is_too_old("Neo4j/2026.08.1"), is_too_old("Neo4j/5.27-aura")
    (True, False, False)
    """
    named = _AGENT.match(agent)
    if named is None or "aura" in agent:
        return False
    return (int(named["year"]), int(named["month"])) < OLDEST


def requirement() -> str:
    """Return the required release, for a message."""
    year, month = OLDEST
    return f"Neo4j {year}.{month:02} or later"
