"""The outcome of each embedder's last call, which tells whether it is ready."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from graph.core.ports import Clock

TRUSTED: Final = timedelta(minutes=5)
"""How long a call that worked counts before a probe is due; some providers charge for each probe."""
RETRIED: Final = timedelta(seconds=10)
"""How long a failure counts before a probe is due."""


@dataclass(frozen=True)
class Failure:
    """Why an embedder fails, and since when."""

    reason: str
    since: datetime


@dataclass(frozen=True)
class _Outcome:
    at: datetime
    failure: Failure | None


class EmbedderOutcomes:
    """The last outcomes in this process, by the embedders' signatures; lives as long as the process."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._last: dict[str, _Outcome] = {}
        self._doubted: set[str] = set()

    def worked(self, signature: str) -> None:
        """Note a call that returned vectors."""
        self._note(signature, None)

    def failed(self, signature: str, reason: str) -> None:
        """Note a call that failed, through no fault of its texts."""
        failure = self.failure(signature)
        self._note(signature, Failure(reason, failure.since if failure else self._clock.now()))

    def doubt(self, signature: str) -> None:
        """Note that texts were refused, which says nothing of others: a probe is due."""
        self._doubted.add(signature)

    def failure(self, signature: str) -> Failure | None:
        """Return why and since when calls fail; None where the last one worked or there was none."""
        outcome = self._last.get(signature)
        return outcome.failure if outcome else None

    def is_probe_due(self, signature: str) -> bool:
        """Tell whether too much time has passed since the last outcome, or it is in doubt."""
        outcome = self._last.get(signature)
        if outcome is None or signature in self._doubted:
            return True
        return self._clock.now() - outcome.at >= (RETRIED if outcome.failure else TRUSTED)

    def _note(self, signature: str, failure: Failure | None) -> None:
        self._doubted.discard(signature)
        self._last[signature] = _Outcome(self._clock.now(), failure)
