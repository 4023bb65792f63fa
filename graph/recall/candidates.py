"""What the graph returns of each memory that may be a hit."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict


class Candidate(BaseModel):
    """One candidate, as ``gather_candidates`` describes it; cosine in -1..1, None without a vector."""

    model_config = ConfigDict(frozen=True)

    id: str
    turn_scope: str | None
    position: int | None
    previous_id: str | None
    next_id: str | None
    cosine: float | None
    matched: frozenset[str]
    words: int
    is_question: bool
    first_person: bool
    has_time: bool
    speaker: str | None
    at: int
    importance: float
    usage_count: int
    superseded: bool


class Pool(BaseModel):
    """All candidates of one recall with the lists they came from.

    Attributes:
        text_scores: Lucene's score of each memory on the list of words, best first; keys are memory ids.
        vector_ids: Ids on the list of meaning, nearest first.
        turn_counts: How many turns each session has.
    """

    model_config = ConfigDict(frozen=True)

    candidates: Sequence[Candidate]
    text_scores: Mapping[str, float]
    vector_ids: Sequence[str]
    turn_counts: Mapping[str, int]

    @classmethod
    def of(
        cls,
        *,
        candidates: Sequence[Mapping[str, Any]],
        text_scores: Sequence[Mapping[str, Any]],
        vector_ids: Sequence[str],
        turn_counts: Sequence[Mapping[str, Any]],
    ) -> "Pool":
        """Read the columns of ``gather_candidates``."""
        return cls(
            candidates=[Candidate(**candidate) for candidate in candidates],
            text_scores={row["id"]: row["score"] for row in text_scores},
            vector_ids=vector_ids,
            turn_counts={row["turn_scope"]: row["size"] for row in turn_counts},
        )
