"""Writes of a compaction: a summary that replaces memories, or shortened memories, each in one transaction."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graph.core.automatic_changes import record_changes
from graph.core.database import Database
from graph.core.ids import new_id
from graph.core.models import ChangeKind, NewChange
from graph.core.ports import Clock
from graph.core.rows import Runner
from graph.core.text.work import TextWork
from graph.memories import queries
from graph.memories.compaction.wording import may_be_compacted, oldest_first, shortened, shrinking
from graph.memories.deletion import Deleter
from graph.memories.models import Memory, MemoryDraft, MemoryKind, MemoryType, SavedMemory
from graph.memories.policy import IdFormat, MemoryPolicy
from graph.memories.queries import LockMemoriesRow, lock_memories
from graph.memories.rules import is_live
from graph.memories.saving.applying import PlanRunner
from graph.memories.saving.automatic_changes import changed_fields
from graph.memories.saving.preparing import PreparedDraft
from graph.memories.saving.writing import BatchWriter
from graph.tenancy.workspaces import Workspaces
from graph.vectors.external.mirroring import Mirroring
from graph.vectors.index.service import Embeddings

FEWEST_TOGETHER = 2
_CATEGORY = "summary"


@dataclass(frozen=True)
class Replaced:
    """A summary, and the memories that it replaced."""

    receipt: SavedMemory
    originals: Sequence[Memory]


@dataclass(frozen=True)
class Shortened:
    """A memory before and after it was shortened."""

    before: Memory
    after: Memory


class Rewriter:
    """Writes the results of a compaction; lives as long as the process."""

    def __init__(
        self,
        database: Database,
        embeddings: Embeddings,
        clock: Clock,
        policy: MemoryPolicy,
        mirroring: Mirroring,
        deleter: Deleter,
        text_work: TextWork,
        workspaces: Workspaces,
    ) -> None:
        self._database = database
        self._embeddings = embeddings
        self._clock = clock
        self._policy = policy
        self._mirroring = mirroring
        self._deleter = deleter
        self._text_work = text_work
        self._workspaces = workspaces

    async def lined(
        self, workspace_id: str, memories: Sequence[Memory], line_chars: int
    ) -> Sequence[tuple[Memory, str]]:
        """Return the memories that a summary may replace, oldest first, with their lines; change nothing.

        Omits exempt memories, memories that a summary cannot represent (see ``list_not_lasting.cypher``), and those
        with no more tokens than their line.
        """
        return await self._lined(await self._replaceable(self._database, workspace_id, memories), line_chars)

    async def shortened(self, memories: Sequence[Memory]) -> Sequence[str]:
        """Return each text truncated to three sentences, or unchanged if that would not shorten it."""
        texts = [memory.content for memory in memories]
        return await self._text_work.run(shortened, texts, chars=sum(map(len, texts)))

    async def replace(self, workspace_id: str, ids: Sequence[str], *, line_chars: int) -> Replaced | None:
        """Replace the memories with one summary, apart from those that :meth:`lined` omits.

        The summary is linked to the memories unless they are deleted permanently.

        Returns:
            None if fewer than two memories are left; then nothing was changed.

        Raises:
            Unavailable: The graph does not answer; nothing was changed.
        """
        lifetime_days = (await self._workspaces.settings_of(workspace_id)).lifetime_days
        # The lifetime of type Context does not apply: the originals have no expiry, and may be of any type.
        of_summaries = {name: days for name, days in lifetime_days.items() if name == _CATEGORY}

        async def work(tx: Runner) -> Replaced | None:
            locked = [row.memory for row in await self._locked(tx, workspace_id, ids)]
            lined = await self._lined(await self._replaceable(tx, workspace_id, locked), line_chars)
            if len(lined) < FEWEST_TOGETHER:
                return None
            originals = [each for each, _ in lined]
            draft = _summary("\n".join(line for _, line in lined), originals)
            receipt = await self._create(tx, workspace_id, draft, len(originals), of_summaries)
            is_hard = self._policy.is_hard(requests_hard=self._policy.compacts_for_good)
            if not is_hard:
                await queries.link_compacted(
                    tx,
                    workspace_id=workspace_id,
                    summary_id=receipt.memory.id,
                    originals=[{"id": each.id, "association_id": new_id("rel")} for each in originals],
                    now=self._clock.now(),
                )
            removed = [each.id for each in originals]
            await self._deleter.remove_within(tx, workspace_id, removed, hard=is_hard, leaves_marks=False)
            change = NewChange(
                kind=ChangeKind.COMPACTED,
                subject_id=receipt.memory.id,
                rule="summary",
                version=receipt.memory.version,
                other_ids=() if is_hard else tuple(removed),
                user_id=receipt.memory.user_id,
                agent_id=receipt.memory.agent_id,
                count=len(removed),
                is_final=is_hard,
            )
            await record_changes(tx, workspace_id, [change], now=self._clock.now())
            return Replaced(receipt, originals)

        return await self._database.transaction(work)

    async def shorten(self, workspace_id: str, ids: Sequence[str]) -> list[Shortened]:
        """Truncate memories to their first three sentences; the previous text becomes a version.

        Raises:
            Unavailable: The graph does not answer; nothing was changed.
        """

        async def work(tx: Runner) -> list[Shortened]:
            locked = [
                row for row in await self._locked(tx, workspace_id, ids) if may_be_compacted(row.memory)
            ]
            texts = await self.shortened([row.memory for row in locked])
            writer = BatchWriter(workspace_id, now=self._clock.now(), stored=locked, tails={})
            cut = []
            for row, text in zip(locked, texts, strict=True):
                if text != row.memory.content:
                    after = writer.change(row, {"content": text}, None)
                    cut.append(Shortened(row.memory, after))
            await self._runner(tx, workspace_id).apply(writer.plan)
            changes = [_shortening(each) for each in cut]
            await record_changes(tx, workspace_id, changes, now=self._clock.now())
            return cut

        return await self._database.transaction(work)

    async def _locked(self, tx: Runner, workspace_id: str, ids: Sequence[str]) -> list[LockMemoriesRow]:
        """Lock the memories; return the live ones, because another call may have compacted some since the listing."""
        now = self._clock.now()
        rows = await lock_memories(tx, workspace_id=workspace_id, ids=ids, keys=[])
        return [
            row
            for row in rows
            if is_live(deleted_at=row.memory.deleted_at, expires_at=row.memory.expires_at, now=now)
        ]

    async def _replaceable(
        self, runner: Runner, workspace_id: str, memories: Sequence[Memory]
    ) -> list[Memory]:
        candidates = [memory for memory in memories if may_be_compacted(memory)]
        ids, now = [memory.id for memory in candidates], self._clock.now()
        not_lasting = set(await queries.list_not_lasting(runner, workspace_id=workspace_id, ids=ids, now=now))
        return [memory for memory in candidates if memory.id not in not_lasting]

    async def _lined(self, memories: Sequence[Memory], line_chars: int) -> Sequence[tuple[Memory, str]]:
        chars = sum(len(memory.content) for memory in memories)
        return await self._text_work.run(shrinking, oldest_first(memories), line_chars, chars=chars)

    async def _create(
        self,
        tx: Runner,
        workspace_id: str,
        draft: MemoryDraft,
        count: int,
        lifetime_days: Mapping[str, float],
    ) -> SavedMemory:
        writer = BatchWriter(
            workspace_id,
            now=self._clock.now(),
            stored=[],
            tails={},
            new_id=self._policy.id_maker(IdFormat.MEM),
            lifetime_days=lifetime_days,
        )
        writer.add(PreparedDraft(draft=draft))
        writer.plan.creations[0]["properties"]["compacts"] = count
        (receipt,) = await self._runner(tx, workspace_id).apply(writer.plan)
        return receipt

    def _runner(self, tx: Runner, workspace_id: str) -> PlanRunner:
        index, placeholders = self._embeddings.active, self._policy.placeholder_vectors
        return PlanRunner(tx, workspace_id, index, self._clock.now(), self._mirroring, placeholders)


def _summary(text: str, originals: Sequence[Memory]) -> MemoryDraft:
    """Return the draft of a summary, with the common fields and the highest importance of its originals."""
    return MemoryDraft(
        content=text,
        category=_CATEGORY,
        type=MemoryType.CONTEXT,
        kind=MemoryKind.SEMANTIC,
        user_id=originals[0].user_id,
        agent_id=originals[0].agent_id,
        api_key_id=_shared([each.api_key_id for each in originals]),
        session_id=_shared([each.session_id for each in originals]),
        tags=tuple(tag for tag in originals[0].tags if all(tag in each.tags for each in originals)),
        importance=max(each.importance for each in originals),
        metadata={
            "compacted": len(originals),
            "since": originals[0].created_at.isoformat(),
            "until": originals[-1].created_at.isoformat(),
        },
    )


def _shortening(cut: Shortened) -> NewChange:
    before, after = changed_fields(cut.before, cut.after)
    return NewChange(
        kind=ChangeKind.COMPACTED,
        subject_id=cut.after.id,
        rule="three_sentences",
        user_id=cut.after.user_id,
        agent_id=cut.after.agent_id,
        version=cut.after.version,
        before=before,
        after=after,
    )


def _shared(ids: Sequence[str | None]) -> str | None:
    """Return the common id of all originals, or None if they differ."""
    return ids[0] if len(set(ids)) == 1 else None
