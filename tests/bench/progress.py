"""Progress of a bench, as lines on standard error, flushed so that a pipe shows them immediately."""

import sys
import time

_SECONDS = 5.0


def say(text: str) -> None:
    """Print a line with the time of day."""
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


class Progress:
    """Counter of steps, printed at most every five seconds and, if the total is known, at the end."""

    def __init__(self, name: str, total: int | None = None) -> None:
        self._name = name
        self._total = total
        self._done = 0
        self._said = 0.0

    def step(self, what: str = "", count: int = 1) -> None:
        """Count completed steps; ``what`` names the part they belong to."""
        self._done += count
        now = time.monotonic()
        if now - self._said >= _SECONDS or self._done == self._total:
            self._said = now
            of_all = "" if self._total is None else f" of {self._total:,}"
            say(f"{self._name}: {self._done:,}{of_all}{what and f', {what}'}")
