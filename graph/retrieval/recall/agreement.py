"""What hits say of each other: which of them say the same, and which disagree."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime

from graph.core.giving_way import in_turns
from graph.memories.contradictions.rules import contradicts, owner_of
from graph.memories.deduplication.sameness import say_the_same
from graph.memories.models import Memory
from graph.memories.rules import content_hash
from graph.retrieval.recall.models import RecallHit

LIKE_RANK = 0.9
"""Share of the better score from which on two hits count as of like rank."""
LIKE_RANK_OF_NEIGHBOURS = 0.75
"""The same of hits with no other hit between them: what contradicts each other matches a query almost alike."""
_MOST_COMPARED = 60  # hits of one recall: each is compared with each


@dataclass(frozen=True)
class Merged:
    """Hits without those that say what a better one says, and how many of these stood before each place."""

    hits: Sequence[RecallHit]
    places: Sequence[int]

    def count(self, shown: int) -> int:
        """Return how many were left out among as many of the best as are shown."""
        return sum(place < shown for place in self.places)


def merged(hits: Sequence[RecallHit], near: Mapping[str, AbstractSet[str]]) -> Merged:
    """Leave out what a better hit says as well.

    Args:
        hits: Best first.
        near: Of each memory the better ones that it may repeat, by their ids: a near vector proposes, and the words
            decide, since contradictions are as near as repetitions.
    """
    kept: list[RecallHit] = []
    places: list[int] = []
    for hit in hits:
        better = near.get(hit.memory.id, frozenset())
        if any(other.memory.id in better and _repeats(hit.memory, other.memory) for other in kept):
            places.append(len(kept))
        else:
            kept.append(hit)
    return Merged(kept, places)


async def with_disagreements(hits: Sequence[RecallHit]) -> list[RecallHit]:
    """Return the hits in the same order, each with the ids of those among the first 60 that it disagrees with."""
    found: dict[str, list[str]] = {}
    async for place in in_turns(range(min(len(hits), _MOST_COMPARED))):
        one = hits[place].memory
        for other in (hit.memory for hit in hits[place + 1 : _MOST_COMPARED]):
            if contradicts(one, other):
                found.setdefault(one.id, []).append(other.id)
                found.setdefault(other.id, []).append(one.id)
    return [_with_agreement(hit, found[hit.memory.id]) if hit.memory.id in found else hit for hit in hits]


def newer_first(hits: Sequence[RecallHit]) -> list[RecallHit]:
    """Let the newer of two hits that disagree change places with the older before it where both are of like rank.

    Args:
        hits: Best first, with what they disagree with. The scores stay with the places, so that they go on falling.
    """
    ordered = list(hits)
    for place in range(len(ordered)):
        against = set(ordered[place].disagrees_with)
        if not against:
            continue
        newer = [
            later
            for later in range(place + 1, len(ordered))
            if ordered[later].memory.id in against
            and _newness(ordered[later].memory) > _newness(ordered[place].memory)
            and _is_of_like_rank(ordered, place, later)
        ]
        if newer:
            newest = max(newer, key=lambda later: _newness(ordered[later].memory))
            ordered[place], ordered[newest] = ordered[newest], ordered[place]
    return [
        hit if hit.score == scored.score else hit.model_copy(update={"score": scored.score})
        for hit, scored in zip(ordered, hits, strict=True)
    ]


def said_at(memory: Memory) -> datetime:
    """Return since when a memory holds, or else when what it tells of happened or was saved."""
    return memory.t_valid or memory.timestamp


def _with_agreement(hit: RecallHit, others: Sequence[str]) -> RecallHit:
    why = [*hit.why, *(f"disagrees with {other}" for other in others)]
    return hit.model_copy(update={"disagrees_with": tuple(others), "why": why})


def _is_of_like_rank(hits: Sequence[RecallHit], better: int, other: int) -> bool:
    share = LIKE_RANK_OF_NEIGHBOURS if other == better + 1 else LIKE_RANK
    return hits[other].score >= share * hits[better].score


def _newness(memory: Memory) -> tuple[datetime, datetime]:
    return said_at(memory), memory.created_at


def _repeats(one: Memory, other: Memory) -> bool:
    """Tell whether nothing is lost without one of two memories: whose it is and when it holds count too."""
    return (owner_of(one), one.t_valid, one.t_invalid) == (
        owner_of(other),
        other.t_valid,
        other.t_invalid,
    ) and (
        content_hash(one.content) == content_hash(other.content) or say_the_same(one.content, other.content)
    )
