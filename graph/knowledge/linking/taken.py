"""Claimed spans of a text, which must not overlap; lookups take logarithmic time."""

from bisect import bisect_left, insort
from collections.abc import Iterable


class Taken:
    """Stretches of one text, each from its first character to behind its last."""

    def __init__(self) -> None:
        # Of those that overlap one reaches farthest; all others that begin before it end before it, or are in it.
        self._starts: list[int] = []
        self._ends: dict[int, int] = {}
        self._reach: list[int] = []

    def add(self, stretches: Iterable[tuple[int, int]]) -> None:
        """Take stretches, which may overlap each other; best many at once."""
        for start, end in stretches:
            self._ends[start] = max(end, self._ends.get(start, end))
        self._starts = sorted(self._ends)
        self._reach = []
        reach = 0
        for start in self._starts:
            reach = max(reach, self._ends[start])
            self._reach.append(reach)

    def overlaps(self, start: int, end: int) -> bool:
        """Tell whether a stretch has a character in common with one that is taken."""
        before = bisect_left(self._starts, end)
        return before > 0 and self._reach[before - 1] > start


class Apart:
    """Stretches of one text that do not overlap, taken one by one."""

    def __init__(self) -> None:
        self._stretches: list[tuple[int, int]] = []

    def take(self, start: int, end: int) -> bool:
        """Take a stretch and return True, unless one that is taken overlaps it."""
        place = bisect_left(self._stretches, (end, 0))
        if place and self._stretches[place - 1][1] > start:
            return False
        insort(self._stretches, (start, end))
        return True
