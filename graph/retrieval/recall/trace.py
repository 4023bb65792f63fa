"""Collected events and timings of one recall."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime

from graph.core.measuring import UNMEASURED, Measurements
from graph.core.tiers import RecallTier
from graph.retrieval.recall.models import RecallResolution, RecallStrategy
from graph.vectors.external.models import Nearest


@dataclass
class RecallTrace:
    """Becomes the resolution of an answer; one for each recall.

    Attributes:
        at: Time of the recall.
        operation: Name of the measurement.
        calibration: Calibration of the relevance.
        threshold: Least relevance of a hit that bears on the query; None: none was measured.
        budget: The tokens that may be returned, 0 to 8000; None: as many as the hits have.
    """

    strategy: RecallStrategy
    at: datetime
    operation: str = "recall"
    measurements: Measurements = UNMEASURED
    tier: RecallTier = RecallTier.VECTOR
    embedder: str | None = None
    fallback: str | None = None
    exact: bool = False
    budget: int | None = None
    merged: int = 0
    calibration: str | None = None
    threshold: float | None = None
    degraded: list[str] = field(default_factory=list)
    stages_ms: dict[str, float] = field(default_factory=dict)

    def note_without_vectors(self, reason: str) -> None:
        """Note that keywords have to serve."""
        self.tier = RecallTier.KEYWORD
        self.embedder = None
        self.fallback = f"keywords only: {reason}"

    def note_without_diversity(self, reason: str) -> None:
        """Note why hits that resemble each other were left beside each other, once."""
        if not any(lack.startswith("diversity:") for lack in self.degraded):
            self.degraded.append(f"diversity: {reason}, so the order is as without it")

    def note_external(self, answer: Nearest) -> None:
        """Record that the external tier served, with its gaps, or the reason why it did not."""
        if answer.found is not None:
            self.tier = RecallTier.EXTERNAL
            if answer.lacks is not None:
                self.degraded.append(f"external: {answer.lacks}; the graph's own index was asked as well")
        elif answer.reason is not None:
            self.fallback = f"the graph's own vectors: {answer.reason}"
            self.degraded.append(f"external: {answer.reason}")
        if answer.milliseconds is not None:
            self.stages_ms["external"] = answer.milliseconds

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time the enclosed stage."""
        start = time.perf_counter()
        yield
        self.stages_ms[name] = round((time.perf_counter() - start) * 1000, 3)

    def resolution(self) -> RecallResolution:
        """Return the resolution for the caller, and report its measurements."""
        self._measure()
        return RecallResolution(
            strategy=self.strategy,
            at=self.at,
            tier=self.tier,
            embedder=self.embedder,
            fallback=self.fallback,
            exact=self.exact,
            max_tokens=self.budget,
            merged=self.merged,
            calibration=self.calibration,
            threshold=self.threshold,
            degraded=tuple(dict.fromkeys(self.degraded)),
            stages_ms=self.stages_ms,
        )

    def _measure(self) -> None:
        for stage, milliseconds in self.stages_ms.items():
            self.measurements.stage(f"{self.operation}.{stage}", milliseconds / 1000)
        lacks = ([] if self.fallback is None else [self.fallback]) + self.degraded
        kinds = {lack.partition(":")[0] for lack in lacks}  # what comes behind may be a server's own words
        for kind in kinds:
            self.measurements.fallback(self.operation, kind)
