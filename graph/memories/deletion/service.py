"""Taking memories away: softly, permanently, in bulk, and out of sight once they have expired."""

from collections.abc import Awaitable, Callable, Collection, Sequence
from datetime import datetime

from graph.core.acting import leads_nowhere, touches
from graph.core.audit import note_act
from graph.core.database import Database
from graph.core.deadlines import takes_long
from graph.core.errors import InvalidInput
from graph.core.models import AuditAction
from graph.core.ports import Clock
from graph.core.rows import First, Runner
from graph.core.time import in_utc
from graph.memories import queries
from graph.memories.changes.queries import enqueue_timelines
from graph.memories.deletion import queries as forgetting
from graph.memories.deletion.queries import RemovedMemoryRow, SweepExpiredRow
from graph.memories.deletion.withholding import marks_of_memory, suffix_of_marks
from graph.memories.models import Deletion, MemoryClearing
from graph.memories.policy import MemoryPolicy
from graph.memories.saving.applying import PlanRunner, TurnPlace, turn_place
from graph.vectors.external.mirroring import Mirroring

Still = Callable[[Runner], Awaitable[Collection[str]]]
"""Returns the ids of the memories that still match, read in a transaction."""

_CLEARED_TOGETHER = 500
_SWEPT_TOGETHER = 500


class Deleter:
    """The use cases of deleting; lives as long as the process.

    Args:
        on_deleted: Receives the workspace and the deleted ids after the commit.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        policy: MemoryPolicy,
        mirroring: Mirroring,
        on_deleted: Callable[[str, Sequence[str]], None],
    ) -> None:
        self._database = database
        self._clock = clock
        self._policy = policy
        self._mirroring = mirroring
        self.on_deleted = on_deleted

    @property
    def is_hard(self) -> bool:
        """True if the deployment deletes permanently by default."""
        return self._policy.is_hard(asked_hard=False)

    async def delete(
        self, workspace_id: str, id_: str, *, hard: bool = False, first: First | None = None
    ) -> bool:
        """Delete a memory and return whether there was something to delete; see :meth:`remove`."""
        return await self.remove(workspace_id, id_, hard=hard, first=first) is Deletion.DELETED

    async def delete_all(
        self, workspace_id: str, ids: Sequence[str], still: Still | None = None, *, hard: bool = False
    ) -> list[str]:
        """Delete memories in one transaction; return the ids of the existing ones.

        ``still`` is called in the transaction after locking, and returns the memories that still match.
        """
        touches(*ids)
        return await self._remove(workspace_id, ids, hard=self._policy.is_hard(asked_hard=hard), still=still)

    async def remove(
        self, workspace_id: str, id_: str, *, hard: bool = False, first: First | None = None
    ) -> Deletion:
        """Delete a memory: soft keeps it for a restore, hard removes node, versions, passages and edges permanently.

        The setting ``delete_mode`` may decide otherwise. Doing it again is harmless, and tells an id that is gone
        from one that never was. What ``first`` does comes before it in its transaction, and ends it by raising.
        """
        touches(id_)
        if await self._remove(workspace_id, [id_], hard=self._policy.is_hard(asked_hard=hard), first=first):
            return Deletion.DELETED
        leads_nowhere()
        return await self._why_not(workspace_id, id_)

    @takes_long
    async def clear(self, workspace_id: str, clearing: MemoryClearing, *, hard: bool = False) -> int:
        """Delete every memory that matches, a batch in a transaction, and return how many that were.

        Raises:
            InvalidInput: ``older_than`` is outside the years 1 to 9999 of UTC, or a given list is empty: a computed
                empty list would otherwise delete everything.
            Unavailable: The graph does not answer; memories deleted so far stay deleted.
        """
        for name in ("types", "kinds", "facets"):
            if name in clearing.model_fields_set and not getattr(clearing, name):
                raise InvalidInput(name, f"{name} must name at least one; leave it out to mean all")
        is_hard = self._policy.is_hard(asked_hard=hard)
        created_before = in_utc("olderThan", clearing.older_than)

        async def listed(runner: Runner) -> list[str]:
            return await forgetting.list_memories_to_clear(
                runner,
                workspace_id=workspace_id,
                api_key_id=clearing.api_key_id,
                types=list(clearing.types),
                kinds=list(clearing.kinds),
                facets=list(clearing.facets),
                created_before=created_before,
                include_deleted=is_hard,
                limit=_CLEARED_TOGETHER,
            )

        removed = 0
        while True:
            ids = await listed(self._database)
            if ids:
                removed += len(await self._remove(workspace_id, ids, hard=is_hard, still=listed))
            if len(ids) < _CLEARED_TOGETHER:
                return removed

    async def forget(self, workspace_id: str, ids: Sequence[str], *, is_act: bool = True) -> None:
        """Delete memories permanently, regardless of the deployment's mode; ignores unknown ids.

        The audit gets no entry unless ``is_act``, as for memories that the engine itself made.
        """
        await self._remove(workspace_id, ids, hard=True, is_act=is_act)

    @takes_long
    async def sweep_expired(self) -> int:
        """Take expired memories of every workspace out of the search indexes' reach; return how many.

        The same transaction updates the search text of the turns around an expired one.
        """
        total = 0
        while True:
            swept = await self._database.transaction(self._sweep_some)
            total += swept
            if swept < _SWEPT_TOGETHER:
                return total

    async def _sweep_some(self, tx: Runner) -> int:
        now = self._clock.now()
        rows = await forgetting.sweep_expired(
            tx, now=now, limit=_SWEPT_TOGETHER, mirrors=self._mirroring.is_on
        )
        for workspace_id in sorted({row.workspace_id for row in rows}):
            here = [row for row in rows if row.workspace_id == workspace_id]
            await self._refresh_turns(tx, workspace_id, here, now)
            ids = [row.id for row in here]
            await enqueue_timelines(tx, workspace_id=workspace_id, ids=ids, now=now)
        return len(rows)

    async def lift_marks_of_user(self, workspace_id: str, user_id: str) -> None:
        """Forget what a user deleted, of which hashes are left."""
        await forgetting.lift_marks_of_user(
            self._database, workspace_id=workspace_id, suffix=suffix_of_marks(user_id)
        )

    async def remove_within(
        self,
        tx: Runner,
        workspace_id: str,
        ids: Sequence[str],
        *,
        hard: bool,
        is_act: bool = True,
        leaves_marks: bool = True,
    ) -> list[str]:
        """Delete memories in a caller's transaction; return the existing ones, which the caller announces.

        A person's deletion leaves marks, so that neither extraction nor an import restores the memory; the engine's own
        deletions leave none.
        """
        now = self._clock.now()
        if hard:
            await forgetting.lock_for_deletion(tx, workspace_id=workspace_id, ids=ids)
        if is_act and leaves_marks and ids:
            await self.mark(tx, workspace_id, ids)
        await enqueue_timelines(tx, workspace_id=workspace_id, ids=ids, now=now)
        forget = forgetting.delete_memories if hard else forgetting.archive_memories
        rows = await forget(tx, workspace_id=workspace_id, ids=ids, now=now)
        await self._refresh_turns(tx, workspace_id, rows, now)
        removed = [row.id for row in rows]
        if hard and removed and is_act:
            subject_id = removed[0] if len(removed) == 1 else None
            await note_act(
                tx,
                AuditAction.MEMORIES_REMOVED,
                workspace_id,
                subject_id=subject_id,
                count=len(removed),
                now=now,
            )
        await self._mirroring.enqueue(tx, workspace_id, removed, now)
        return removed

    async def locked(self, tx: Runner, workspace_id: str, ids: Sequence[str], still: Still) -> list[str]:
        """Lock memories; return which of them ``still`` returns then."""
        await forgetting.lock_for_deletion(tx, workspace_id=workspace_id, ids=ids)
        meant = set(await still(tx))
        return [id_ for id_ in ids if id_ in meant]

    async def _refresh_turns(
        self,
        tx: Runner,
        workspace_id: str,
        gone: Sequence[RemovedMemoryRow | SweepExpiredRow],
        now: datetime,
    ) -> None:
        """Update the search text of the turns around deleted ones."""
        places = [
            TurnPlace(row.turn_scope, row.position)
            for row in gone
            if row.turn_scope is not None and row.position is not None
        ]
        await PlanRunner(tx, workspace_id, None, now, self._mirroring).refresh_turns(places)

    async def mark(self, tx: Runner, workspace_id: str, ids: Sequence[str]) -> None:
        """Keep extraction and importers from bringing back what memories say and are called."""
        now = self._clock.now()
        rows = await queries.lock_memories(tx, workspace_id=workspace_id, ids=ids, keys=[])
        marks = {
            mark
            for row in rows
            for mark in marks_of_memory(row.memory, is_turn=turn_place(row.turn) is not None)
        }
        if marks:
            await forgetting.note_marks(tx, workspace_id=workspace_id, marks=sorted(marks), now=now)

    async def _remove(
        self,
        workspace_id: str,
        ids: Sequence[str],
        *,
        hard: bool,
        is_act: bool = True,
        first: First | None = None,
        still: Still | None = None,
    ) -> list[str]:
        async def work(tx: Runner) -> list[str]:
            if first is not None:
                await first(tx)
            meant = ids if still is None else await self.locked(tx, workspace_id, ids, still)
            return await self.remove_within(tx, workspace_id, meant, hard=hard, is_act=is_act)

        deleted = await self._database.transaction(work)
        self.on_deleted(workspace_id, deleted)
        return deleted

    async def _why_not(self, workspace_id: str, id_: str) -> Deletion:
        """Tell an id that is gone from one that never was."""
        stored = await queries.get_memories(
            self._database, workspace_id=workspace_id, ids=[id_], include_deleted=True, now=self._clock.now()
        )
        tombs = await forgetting.find_tombstones(self._database, workspace_id=workspace_id, ids=[id_])
        return Deletion.GONE_BEFORE if stored or tombs else Deletion.UNKNOWN
