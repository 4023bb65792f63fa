"""Models of recall: query, hits, resolution and trace."""

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
"""Prefix of the fallback that lists the newest memories because nothing matches."""


class RecallStrategy(StrEnum):
    """Strategy of a recall.

    EXACT lists the newest memories with words of the query. SEMANTIC and HYBRID rank memories by meaning and words; if
    they find nothing, SEMANTIC lists the newest memories. FAST fuses the ranks by meaning and by words; it computes no
    relevance, merges no duplicates and does not move history behind what is current.
    """

    EXACT = "exact"
    SEMANTIC = "semantic"
    HYBRID = "hybrid"
    FAST = "fast"


def strategy_named(name: str) -> RecallStrategy:
    """Return the strategy that a setting names; ``recent`` is an alias of ``exact``."""
    return RecallStrategy.EXACT if name == "recent" else RecallStrategy(name)


class Fusion(StrEnum):
    """Fusion of text and vector results: the fitted model, or reciprocal rank fusion."""

    MODEL = "model"
    RRF = "rrf"


class RecallLeg(StrEnum):
    """Lists in which a recall finds memories before ranking them."""

    VECTOR = "vector"
    WORDS = "words"
    TAGS = "tags"
    NEWEST = "newest"


class Validity(StrEnum):
    """Validity of a memory at the time of the recall."""

    CURRENT = "CURRENT"
    HISTORY = "HISTORY"
    """The memory has ended, or another one supersedes it."""


class RecallQuery(Frozen):
    """Parameters of a recall.

    Attributes:
        query: Text of the query; None lists memories with the filter's tags, or else the newest.
        strategy: None: the workspace's, or else the deployment's.
        min_score: Minimum cosine of the active embedder; None: no minimum.
        min_relevance: Minimum relevance, 0..1; None: no minimum.
        only_relevant: Use the embedder's calibrated threshold, which queries unrelated to the workspace rarely reach.
        for_injection: Select hits for automatic injection: omit memories that are superseded or not valid now. Without
            vectors, ``min_score`` cannot be applied, so irrelevant memories are omitted instead.
        diversity: Weight of novelty against relevance, 0..1.
        used_by: Session whose run uses the hits; unlike the filter's session, it does not filter.
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
        """True if the candidates are already limited to valid memories that are not superseded."""
        return self.for_injection and self.filter.valid_at is not None

    @property
    def asks_for_relevance(self) -> bool:
        """True if hits below a minimum relevance are removed."""
        return self.only_relevant or self.min_relevance is not None


class HitRelation(Frozen):
    """An association of a hit, seen from the hit."""

    id: str | None
    type: str
    direction: str
    strength: float | None
    created_at: datetime | None
    other_id: str


class RecallHit(Frozen):
    """One found memory.

    Attributes:
        places: Rank in each list, from 1; empty for a memory found only as a neighbour of another.
        score: Order within one recall, higher is better, 0..1. Reciprocal rank fusion gives its plain sum, at most
            2/(k + 1); a recall by tags gives the importance; an exact recall gives the matched share of the query.
        superseded_by: Ids of the memories that supersede it.
        validity: Validity at the time of the recall.
        disagrees_with: Ids of other hits that contradict it.
        relevance: Probability that the memory is evidence for the query, 0..1, comparable between queries. None
            without a query.
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
    relations: Sequence[HitRelation] = ()
    superseded_by: Sequence[str] = ()
    validity: Validity = Validity.CURRENT
    disagrees_with: Sequence[str] = ()

    @property
    def vector_rank(self) -> int | None:
        """Rank in the list by meaning, from 1; None if the memory is not in it."""
        return self.places.get(RecallLeg.VECTOR)

    @property
    def text_rank(self) -> int | None:
        """Rank in the list by words, from 1; None if the memory is not in it."""
        return self.places.get(RecallLeg.WORDS)


class RecallResolution(Frozen):
    """Execution of a recall: tiers, skipped parts and timings.

    Attributes:
        at: Time of the recall, which determines validity.
        max_tokens: Applied token budget, at most 8000; None: no budget.
        merged: Number of hits omitted as duplicates of better ones.
        calibration: Calibration of the relevance; None if the hits have no relevance.
        threshold: Relevance from which a hit counts as relevant, 0..1: the caller's, or else the calibrated one.
            None if the hits have no relevance.
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
        """True if the hits are the newest memories, because nothing matches."""
        return self.fallback is not None and self.fallback.startswith(NEWEST_FIRST)


class RecallResult(Frozen):
    """The hits, best first, with the resolution.

    Attributes:
        left_out: Number of requested hits that exceeded the token budget.
    """

    hits: Sequence[RecallHit]
    resolution: RecallResolution
    left_out: int = 0

    @property
    def relevant(self) -> "Sequence[RecallHit]":
        """Hits that reach the relevance threshold, and hits without a relevance."""
        least = self.resolution.threshold
        return [hit for hit in self.hits if least is None or hit.relevance is None or hit.relevance >= least]

    @property
    def total_tokens(self) -> int:
        """Total tokens of all hits."""
        return sum(hit.tokens for hit in self.hits)


@dataclass
class RecallTrace:
    """Collects the resolution of one recall while it runs.

    Attributes:
        at: Time of the recall.
        operation: Prefix of the measurements' names.
        calibration: Calibration of the relevance.
        threshold: Relevance from which a hit counts as relevant; None: relevance was not computed.
        budget: Token budget, 0 to 8000; None: no budget.
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
        """Note that the recall uses keywords only."""
        self.tier = RecallTier.KEYWORD
        self.embedder = None
        self.fallback = f"keywords only: {reason}"

    def note_without_diversity(self, reason: str) -> None:
        """Note once why diversity was not applied."""
        if not any(lack.startswith("diversity:") for lack in self.degraded):
            self.degraded.append(f"diversity: not applied, because {reason}")

    def note_external(self, answer: Nearest) -> None:
        """Note that the external tier answered, possibly incompletely, or why it did not."""
        if answer.found is not None:
            self.tier = RecallTier.EXTERNAL
            if answer.lacks is not None:
                self.degraded.append(f"external: {answer.lacks}; the graph's own index was searched as well")
        elif answer.reason is not None:
            self.fallback = f"the graph's own vectors: {answer.reason}"
            self.degraded.append(f"external: {answer.reason}")
        if answer.milliseconds is not None:
            self.stages_ms["external"] = answer.milliseconds

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Measure the duration of the enclosed stage."""
        start = time.perf_counter()
        yield
        self.stages_ms[name] = round((time.perf_counter() - start) * 1000, 3)

    def resolution(self) -> RecallResolution:
        """Return the resolution, and report its measurements."""
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
        kinds = {lack.partition(":")[0] for lack in lacks}  # the rest may be a server's error text
        for kind in kinds:
            self.measurements.fallback(self.operation, kind)
