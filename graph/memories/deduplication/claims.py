"""Duplicates of new memories among stored ones, read within the transaction that saves them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from graph.core.rows import Runner
from graph.memories import queries
from graph.memories.changes.relative_times import is_relative
from graph.memories.deduplication.sameness import asks, differ_in_detail, say_the_same
from graph.memories.models import Memory, MemoryDraft
from graph.memories.queries import ClaimContentsRow
from graph.memories.rules import content_hash
from graph.memories.saving.preparing import PreparedDraft, day_of, speaker_of


@dataclass(frozen=True)
class Claim:
    """Content of a memory with its owner, speaker, day and validity, for the comparison with others."""

    content: str
    owner: tuple[str | None, str | None]
    speaker: str | None
    day: date | None
    stated_at: datetime | None
    t_valid: datetime | None
    t_invalid: datetime | None
    expires_at: datetime | None

    @classmethod
    def of_draft(cls, draft: MemoryDraft, now: datetime) -> "Claim":
        """Return the claim of a draft; its day is that of the caller's time, never that of the extraction.

        A text with a relative time has a day in any case, because its meaning depends on it.
        """
        day = day_of(draft) or (now.date() if is_relative(draft.content) else None)
        return cls(
            draft.content,
            (draft.user_id, draft.agent_id),
            speaker_of(draft),
            day,
            draft.timestamp,
            draft.t_valid,
            draft.t_invalid,
            draft.expires_at,
        )

    @classmethod
    def of_memory(cls, memory: Memory) -> "Claim":
        """Return the claim of a stored memory."""
        return cls(
            memory.content,
            (memory.user_id, memory.agent_id),
            speaker_of(memory),
            memory.timestamp.date(),
            memory.timestamp,
            memory.t_valid,
            memory.t_invalid,
            memory.expires_at,
        )

    def covers(self, other: "Claim", *, now: datetime) -> bool:
        """Tell whether this memory can represent ``other``, which is being saved, without loss."""
        return self.holds_like(other, now=now) and (
            is_one_text(self.content, other.content) or say_the_same(self.content, other.content)
        )

    def holds_like(self, other: "Claim", *, now: datetime) -> bool:
        """Tell whether owner, speaker, day and validity fit, so that this may represent ``other``.

        A memory without a start of validity is valid from now on.
        """
        return (
            self.owner == other.owner
            and self.speaker == other.speaker
            and (other.day is None or self.day is None or self.day == other.day)
            and (self.t_valid == other.t_valid or (other.t_valid is None and _has_begun(self.t_valid, now)))
            and (
                self.t_invalid == other.t_invalid or (other.t_invalid is None and self._held_when(other, now))
            )
            and (
                self.expires_at is None
                or (other.expires_at is not None and self.expires_at >= other.expires_at)
            )
        )

    def _held_when(self, other: "Claim", now: datetime) -> bool:
        """Tell whether this had not ended at the time of the other statement, which otherwise begins a new period."""
        return self.t_invalid is None or (other.stated_at or now) < self.t_invalid


def is_one_text(one: str, other: str) -> bool:
    """Tell whether two texts differ only in white space, punctuation, emphasis and optional capitals.

    >>> is_one_text("- **Ada** likes tea", "Ada likes tea."), is_one_text("Ada likes tea?", "Ada likes tea")
    (True, False)
    """
    return (
        content_hash(one) == content_hash(other)
        and asks(one) == asks(other)
        and not differ_in_detail(one, other)
    )


def _has_begun(t_valid: datetime | None, now: datetime) -> bool:
    return t_valid is None or t_valid <= now


class Claimed:
    """Stored memories that match a batch's contents, read inside its transaction."""

    def __init__(self, now: datetime, rows: Iterable[ClaimContentsRow] = ()) -> None:
        self._now = now
        self._by_id: dict[str, Memory] = {}
        self._by_hash: dict[str, list[Memory]] = defaultdict(list)
        self._by_key: dict[str, Memory] = {}
        for row in rows:
            self._by_id[row.memory.id] = row.memory
            self._by_hash[row.content_hash].append(row.memory)
            if row.dedup_key is not None:
                self._by_key[row.dedup_key] = row.memory

    def duplicate_of(self, prepared: PreparedDraft) -> Memory | None:
        """Return the stored memory with the same meaning as the draft, or None."""
        claim = Claim.of_draft(prepared.draft, self._now)
        same_text = self._by_hash.get(prepared.content_hash, ())
        verbatim = next(self._verbatim(prepared, claim, same_text), None)
        if verbatim is not None:
            return verbatim
        keyed = self._by_key.get(prepared.dedup_key)
        if (
            keyed is not None
            and Claim.of_memory(keyed).holds_like(claim, now=self._now)
            and not _is_overtaken(keyed, prepared)
        ):
            return keyed  # its text came as this one did, though both may have been shortened differently
        near = [self._by_id[id_] for id_ in prepared.near_ids if id_ in self._by_id]
        return next(
            (
                memory
                for memory in [*same_text, *near]
                if Claim.of_memory(memory).covers(claim, now=self._now)
                and not _is_overtaken(memory, prepared)
            ),
            None,
        )

    def _verbatim(self, prepared: PreparedDraft, claim: Claim, stored: Iterable[Memory]) -> Iterator[Memory]:
        """Yield memories with exactly the draft's text, those with all of its tags first."""
        tags = set(prepared.draft.tags or ())
        for memory in sorted(stored, key=lambda memory: not tags.issubset(memory.tags)):
            is_same = memory.content == prepared.draft.content
            if (
                is_same
                and Claim.of_memory(memory).holds_like(claim, now=self._now)
                and not _is_overtaken(memory, prepared)
            ):
                yield memory

    def free_key(self, prepared: PreparedDraft) -> str | None:
        """Return the draft's dedup key; None if a memory that is not its duplicate has the key."""
        key = prepared.dedup_key
        return None if key in self._by_key else key


def _is_overtaken(memory: Memory, prepared: PreparedDraft) -> bool:
    """Tell whether another state lies between a memory and a draft with the same statement."""
    stated_at = prepared.draft.timestamp
    return any(
        each.timestamp is None
        or (
            memory.timestamp < each.timestamp
            and (stated_at is None or each.timestamp < stated_at)
            and (each.is_change or each.timestamp.date() != memory.timestamp.date())
        )
        for each in prepared.successors
    )


async def claim(tx: Runner, workspace_id: str, batch: Sequence[PreparedDraft], now: datetime) -> Claimed:
    """Read the stored memories that match a batch, in the transaction that saves it."""
    compared = [prepared for prepared in batch if prepared.is_compared and prepared.same_as is None]
    if not compared:
        return Claimed(now)
    rows = await queries.claim_contents(
        tx,
        workspace_id=workspace_id,
        hashes=list({prepared.content_hash for prepared in compared}),
        dedup_keys=list({prepared.dedup_key for prepared in compared}),
        ids=list({id_ for prepared in compared for id_ in prepared.near_ids}),
        now=now,
    )
    return Claimed(now, rows)
