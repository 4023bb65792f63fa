"""Models of recall: query, hits and explanation."""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from graph.core.measuring import UNMEASURED, Measurements
from graph.core.models import Frozen, RecallTier
from graph.memories.models import Memory, MemoryFilter
from graph.vectors.external.models import Nearest

NEWEST_FIRST = "newest first"
"""Beginning of a fallback that shows the newest memories for lack of matches."""


class RecallStrategy(StrEnum):
    """Strategy: by words among the newest, by meaning and words, or by both lists together."""

    EXACT = "exact"
    SEMANTIC = "semantic"
    HYBRID = "hybrid"


def strategy_named(name: str) -> RecallStrategy:
    """Return the strategy of a setting, where ``recent`` is another word for ``exact``."""
    return RecallStrategy.EXACT if name == "recent" else RecallStrategy(name)


class Fusion(StrEnum):
    """Fusion of text and vector results: the fitted model, or reciprocal rank fusion."""

    MODEL = "model"
    RRF = "rrf"


class RecallLeg(StrEnum):
    """The lists a memory can stand on before it is a hit."""

    VECTOR = "vector"
    WORDS = "words"
    TAGS = "tags"
    NEWEST = "newest"


class Validity(StrEnum):
    """Validity of a memory at the time of the recall."""

    CURRENT = "CURRENT"
    HISTORY = "HISTORY"
    """It has ended, or other memories have replaced it."""


class RecallQuery(Frozen):
    """Parameters of a recall.

    Attributes:
        query: None lists the newest or, if the filter has tags, memories with these.
        strategy: None takes the workspace's, or else the deployment's.
        min_score: A cosine of the embedder in use; None asks for no threshold.
        min_relevance: 0..1; None asks for no threshold.
        only_relevant: Use the calibrated threshold of the embedder, which few queries unrelated to the workspace reach.
        for_injection: Select hits for automatic injection: omit memories that are not true now or superseded and, while
            there are no vectors to compare with ``min_score``, irrelevant ones.
        diversity: 0..1, trades relevance for novelty against better hits.
        used_by: Session whose run uses the hits; unlike the filter's session it does not filter.
        dry_run: Count no use.
    """

    query: str | None = None
    strategy: RecallStrategy | None = None
    fusion: Fusion = Fusion.MODEL
    limit: int = 5
    offset: int = 0
    max_tokens: int | None = None
    min_score: float | None = None
    min_relevance: float | None = None
    only_relevant: bool = False
    for_injection: bool = False
    diversity: float = 0.0
    filter: MemoryFilter = MemoryFilter()
    expand_relations: bool = True
    used_by: str | None = None
    dry_run: bool = False

    @property
    def leaves_out_what_ended(self) -> bool:
        """True if candidates must be true now and not superseded."""
        return self.for_injection and self.filter.valid_at is not None

    @property
    def asks_for_relevance(self) -> bool:
        """True if hits below a minimum relevance are removed."""
        return self.only_relevant or self.min_relevance is not None


class Relation(Frozen):
    """An association of a hit, seen from the hit."""

    id: str | None
    type: str
    direction: str
    strength: float | None
    created_at: datetime | None
    other_id: str


class RecallHit(Frozen):
    """One memory found.

    Attributes:
        places: Place on each list, from 1; empty for a memory found through its neighbours.
        score: Orders the hits of one recall, higher is better. 0..1; with reciprocal rank fusion its plain sum, at
            most 2/(k + 1); of a recall by tags the importance; of an exact one how much of the query it holds.
        superseded_by: Ids of the memories that took its place.
        validity: Validity at the time of the recall.
        disagrees_with: Ids of memories found as well that say of the same thing what cannot both hold.
        relevance: Probability that it is evidence for the query, 0 to 1; comparable between queries. None without a
            query: in a list of the newest, or by tag.
    """

    memory: Memory
    score: float
    relevance: float | None = None
    vector_score: float | None
    text_score: float | None
    tier: RecallTier
    tokens: int
    why: Sequence[str]
    places: Mapping[RecallLeg, int] = {}
    relations: Sequence[Relation] = ()
    superseded_by: Sequence[str] = ()
    validity: Validity = Validity.CURRENT
    disagrees_with: Sequence[str] = ()

    @property
    def vector_rank(self) -> int | None:
        """The place on the list of meaning, from 1; None for one that is not on it."""
        return self.places.get(RecallLeg.VECTOR)

    @property
    def text_rank(self) -> int | None:
        """The place on the list of words, from 1; None for one that is not on it."""
        return self.places.get(RecallLeg.WORDS)


class RecallResolution(Frozen):
    """Execution of a recall: tiers, skipped parts and timings.

    Attributes:
        at: Time of the recall, which determines validity.
        max_tokens: The budget that held, which is at most 8000; None: there was none.
        merged: Number of hits omitted as duplicates of better ones.
        calibration: Calibration of the relevance; None without a relevance.
        threshold: Least relevance, 0..1, of a hit that bears on the query: the caller's, or else the calibrated one.
            None where the hits have no relevance.
    """

    strategy: RecallStrategy
    at: datetime
    tier: RecallTier
    embedder: str | None
    fallback: str | None
    exact: bool
    max_tokens: int | None = None
    merged: int = 0
    calibration: str | None = None
    threshold: float | None = None
    degraded: Sequence[str] = ()
    stages_ms: Mapping[str, float]

    @property
    def is_of_newest(self) -> bool:
        """True if the newest memories replace missing matches."""
        return self.fallback is not None and self.fallback.startswith(NEWEST_FIRST)


class RecallResult(Frozen):
    """The hits, best first, with how they were found.

    Attributes:
        left_out: Number of requested hits that exceeded the budget.
    """

    hits: Sequence[RecallHit]
    resolution: RecallResolution
    left_out: int = 0

    @property
    def relevant(self) -> "Sequence[RecallHit]":
        """Hits whose relevance reaches the threshold, and hits without a relevance."""
        least = self.resolution.threshold
        return [hit for hit in self.hits if least is None or hit.relevance is None or hit.relevance >= least]

    @property
    def total_tokens(self) -> int:
        """Tokens of all hits together."""
        return sum(hit.tokens for hit in self.hits)


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
