"""Merges duplicate hits, and marks and orders contradicting ones."""

import asyncio
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations, groupby

from graph.memories.changes.relative_times import is_relative
from graph.memories.deduplication.claims import Claim, is_one_text
from graph.memories.deduplication.disagreement import contradicts
from graph.memories.deduplication.sameness import say_the_same
from graph.memories.deduplication.statements import tells_what_happened
from graph.memories.models import Memory
from graph.memories.policy import SourceType
from graph.retrieval.recall.explanation import quoted
from graph.retrieval.recall.models import RecallHit
from graph.retrieval.recall.validity import holds

LIKE_RANK = 0.9
"""Share of the better score from which two hits count as equally ranked."""
LIKE_RANK_OF_NEIGHBOURS = 0.75
"""The same share for adjacent hits: contradicting statements match a query almost equally."""
HEAD = 60
"""Number of best hits that are compared with each other; hits behind them are neither merged nor reordered."""
BLOCK = 10
"""Number of ranks that are read together, and within which contradicting hits change places."""


@dataclass(frozen=True)
class Merged:
    """Hits without duplicates of better ones, and the number of kept hits before each omitted duplicate."""

    hits: Sequence[RecallHit]
    places: Sequence[int]

    def count(self, shown: int) -> int:
        """Return the number of omitted duplicates among the first ``shown`` hits."""
        return sum(place < shown for place in self.places)


def merged(hits: Sequence[RecallHit], near: Mapping[str, AbstractSet[str]]) -> Merged:
    """Omit hits that repeat a better hit.

    Args:
        hits: Hits, best first.
        near: Ids of the memories with a near vector, by id. The words decide whether one is repeated, because the
            vectors of contradictions are near as well.
    """
    unrepeated: list[RecallHit] = []
    places: list[int] = []
    for hit in hits:
        better = near.get(hit.memory.id, frozenset())
        if any(other.memory.id in better and _repeats(hit.memory, other.memory) for other in unrepeated):
            places.append(len(unrepeated))
        else:
            unrepeated.append(hit)
    return Merged(unrepeated, places)


async def with_disagreements(hits: Sequence[RecallHit]) -> list[RecallHit]:
    """Add to the first 60 hits the ids of those that contradict them; keep the order.

    A superseded memory and its successor do not count as contradicting: the successor is current.
    """
    found = await asyncio.to_thread(_disagreements, hits[:HEAD])
    texts = {hit.memory.id: hit.memory.content for hit in hits}
    return [
        _with_agreement(hit, found[hit.memory.id], texts) if hit.memory.id in found else hit for hit in hits
    ]


def _disagreements(hits: Sequence[RecallHit]) -> dict[str, list[str]]:
    """Return the ids of contradicting hits, by id."""
    found: dict[str, list[str]] = {}
    for one, other in combinations(hits, 2):
        if not _one_supersedes(one, other) and contradicts(one.memory, other.memory):
            found.setdefault(one.memory.id, []).append(other.memory.id)
            found.setdefault(other.memory.id, []).append(one.memory.id)
    return found


def newer_first_in_blocks(hits: Sequence[RecallHit], places: Sequence[int], at: datetime) -> list[RecallHit]:
    """Move the current or newer of two contradicting hits ahead, within each block of a ranking.

    The blocks make the order independent of the number of hits read, so that pages of any length agree.
    """
    blocks = groupby(zip(places, hits, strict=True), key=lambda placed: placed[0] // BLOCK)
    return [hit for _, block in blocks for hit in newer_first([hit for _, hit in block], at)]


def newer_first(hits: Sequence[RecallHit], at: datetime) -> list[RecallHit]:
    """Swap two contradicting hits if the newer one stands behind and both are equally ranked.

    A statement that has ended or not begun never moves ahead of a current one. Scores stay at their places, so that
    they keep falling.

    Args:
        hits: Hits, best first, with their contradictions.
        at: Time that decides which statements are current.
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


def effective_at(memory: Memory) -> datetime:
    """Return the start of a memory's validity, or else the time of its event or of the save."""
    return memory.t_valid or memory.timestamp


def _one_supersedes(one: RecallHit, other: RecallHit) -> bool:
    return one.memory.id in other.superseded_by or other.memory.id in one.superseded_by


def _with_agreement(hit: RecallHit, others: Sequence[str], texts: Mapping[str, str]) -> RecallHit:
    new = [other for other in others if other not in hit.disagrees_with]
    why = [*hit.why, *(f"disagrees with {quoted(texts[other])}" for other in new)]
    return hit.model_copy(update={"disagrees_with": (*hit.disagrees_with, *new), "why": why})


def _is_of_like_rank(hits: Sequence[RecallHit], better: int, other: int) -> bool:
    share = LIKE_RANK_OF_NEIGHBOURS if other == better + 1 else LIKE_RANK
    return hits[other].score >= share * hits[better].score


def _newness(memory: Memory, at: datetime) -> tuple[bool, datetime, datetime]:
    return holds(memory, at), effective_at(memory), memory.created_at


def _repeats(one: Memory, other: Memory) -> bool:
    """Tell whether two memories of one owner, speaker and validity say the same."""
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
    """Tell whether both memories have their own event times on different days; an event can happen twice."""
    days = {each.timestamp.date() for each in (one, other) if _has_own_time(each)}
    return len(days) > 1


def _has_own_time(memory: Memory) -> bool:
    return memory.source_type != SourceType.EXTRACTED and memory.timestamp != memory.created_at
