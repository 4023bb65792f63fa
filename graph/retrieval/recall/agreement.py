"""Relations between hits: duplicates, and contradictions."""

import asyncio
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations, groupby

from graph.memories.changes.relative_times import is_relative
from graph.memories.contradictions.rules import contradicts
from graph.memories.deduplication.claims import Claim, is_one_text
from graph.memories.deduplication.sameness import say_the_same
from graph.memories.deduplication.statements import tells_what_happened
from graph.memories.models import Memory
from graph.memories.policy import SourceType
from graph.retrieval.recall.explanation import quoted
from graph.retrieval.recall.models import RecallHit
from graph.retrieval.recall.validity import holds

LIKE_RANK = 0.9
"""Share of the better score from which on two hits count as of like rank."""
LIKE_RANK_OF_NEIGHBOURS = 0.75
"""The same of hits with no other hit between them: what contradicts each other matches a query almost alike."""
HEAD = 60
"""Number of the best that are compared with each other; behind them nothing is merged or reordered."""
BLOCK = 10
"""Places of the head that are read together, and within which hits that disagree change places."""


@dataclass(frozen=True)
class Merged:
    """Hits without duplicates of better ones, and the place of each omitted duplicate."""

    hits: Sequence[RecallHit]
    places: Sequence[int]

    def count(self, shown: int) -> int:
        """Return the number of omitted duplicates among the first ``shown`` hits."""
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
    """Return the hits in the same order, each with the ids of those among the first 60 that it disagrees with.

    A superseded memory does not disagree with its successor: it is known which is current.
    """
    found = await asyncio.to_thread(_disagreements, hits[:HEAD])
    texts = {hit.memory.id: hit.memory.content for hit in hits}
    return [
        _with_agreement(hit, found[hit.memory.id], texts) if hit.memory.id in found else hit for hit in hits
    ]


def _disagreements(hits: Sequence[RecallHit]) -> dict[str, list[str]]:
    """Return the ids of the hits that each hit disagrees with, by its id."""
    found: dict[str, list[str]] = {}
    for one, other in combinations(hits, 2):
        if not _is_settled(one, other) and contradicts(one.memory, other.memory):
            found.setdefault(one.memory.id, []).append(other.memory.id)
            found.setdefault(other.memory.id, []).append(one.memory.id)
    return found


def newer_first_in_blocks(hits: Sequence[RecallHit], places: Sequence[int], at: datetime) -> list[RecallHit]:
    """Of two hits that disagree, move the current or newer one ahead, within each block of a ranking.

    So the order does not depend on the number of hits read, and pages of any length agree.
    """
    blocks = groupby(zip(places, hits, strict=True), key=lambda placed: placed[0] // BLOCK)
    return [hit for _, block in blocks for hit in newer_first([hit for _, hit in block], at)]


def newer_first(hits: Sequence[RecallHit], at: datetime) -> list[RecallHit]:
    """Let the newer of two hits that disagree change places with the older before it where both are of like rank.

    A statement that has ended or is still to begin never moves ahead of a current one.

    Args:
        hits: Best first, with their disagreements. Scores stay with their places, so that they keep falling.
        at: When it is to hold.
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
            and _newness(ordered[later].memory, at) > _newness(ordered[place].memory, at)
            and _is_of_like_rank(ordered, place, later)
        ]
        if newer:
            newest = max(newer, key=lambda later: _newness(ordered[later].memory, at))
            ordered[place], ordered[newest] = ordered[newest], ordered[place]
    return [
        hit if hit.score == scored.score else hit.model_copy(update={"score": scored.score})
        for hit, scored in zip(ordered, hits, strict=True)
    ]


def said_at(memory: Memory) -> datetime:
    """Return the start of a memory's validity, or else the time of its event or of the save."""
    return memory.t_valid or memory.timestamp


def _is_settled(one: RecallHit, other: RecallHit) -> bool:
    return one.memory.id in other.superseded_by or other.memory.id in one.superseded_by


def _with_agreement(hit: RecallHit, others: Sequence[str], texts: Mapping[str, str]) -> RecallHit:
    new = [other for other in others if other not in hit.disagrees_with]
    why = [*hit.why, *(f"disagrees with {quoted(texts[other])}" for other in new)]
    return hit.model_copy(update={"disagrees_with": (*hit.disagrees_with, *new), "why": why})


def _is_of_like_rank(hits: Sequence[RecallHit], better: int, other: int) -> bool:
    share = LIKE_RANK_OF_NEIGHBOURS if other == better + 1 else LIKE_RANK
    return hits[other].score >= share * hits[better].score


def _newness(memory: Memory, at: datetime) -> tuple[bool, datetime, datetime]:
    return holds(memory, at), said_at(memory), memory.created_at


def _repeats(one: Memory, other: Memory) -> bool:
    """Tell whether one of two memories is redundant: owner, speaker and time count too."""
    claims = [Claim.of_memory(each) for each in (one, other)]
    first, second = ((each.owner, each.speaker, each.t_valid, each.t_invalid) for each in claims)
    return (
        first == second
        and (is_one_text(one.content, other.content) or say_the_same(one.content, other.content))
        and not (
            _are_of_two_days(one, other) and (tells_what_happened(one.content) or is_relative(one.content))
        )
    )


def _are_of_two_days(one: Memory, other: Memory) -> bool:
    """Tell whether both memories have an own time on different days: an event can happen twice, a state cannot."""
    days = {each.timestamp.date() for each in (one, other) if _has_own_time(each)}
    return len(days) > 1


def _has_own_time(memory: Memory) -> bool:
    return memory.source_type != SourceType.EXTRACTED and memory.timestamp != memory.created_at
