"""Deletes memories, softly or permanently, one by one or in bulk; sweeps expired ones from the indexes."""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from datetime import datetime

from graph.core.audit import note_act
from graph.core.current_call import leads_nowhere, touches
from graph.core.database import Database
from graph.core.deadlines import takes_long
from graph.core.errors import InvalidInput
from graph.core.models import AuditAction
from graph.core.ports import Clock
from graph.core.rows import First, Runner
from graph.core.time import in_utc
from graph.memories import queries
from graph.memories.changes.queries import enqueue_timelines
from graph.memories.deletion_marks import marks_of_memory, suffix_of_marks
from graph.memories.models import Deletion, MemoryClearing
from graph.memories.policy import MemoryPolicy
from graph.memories.queries import RemovedMemoryRow, SweepExpiredRow
from graph.memories.saving.applying import PlanRunner, TurnPlace, turn_place
from graph.vectors.external.mirroring import Mirroring

Still = Callable[[Runner], Awaitable[Collection[str]]]
"""Reads in a transaction the ids of the memories that still match."""

_CLEARED_TOGETHER = 500
_SWEPT_TOGETHER = 500


class Deleter:
    """Deletes memories; lives as long as the process.

    Args:
        on_deleted: Called after the commit with the workspace and the deleted ids.
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
        return self._policy.is_hard(requests_hard=False)

    async def delete(
        self, workspace_id: str, id_: str, *, hard: bool = False, first: First | None = None
    ) -> bool:
        """Delete a memory; return whether it existed. See :meth:`remove`."""
        return await self.remove(workspace_id, id_, hard=hard, first=first) is Deletion.DELETED

    async def delete_all(
        self, workspace_id: str, ids: Sequence[str], still: Still | None = None, *, hard: bool = False
    ) -> list[str]:
        """Delete memories in one transaction; return the deleted ids.

        Args:
            workspace_id: Workspace of the memories.
            ids: Ids of the memories.
            still: Called after locking; only memories that it returns are deleted.
            hard: Delete permanently; the setting ``delete_mode`` may override it.
        """
        touches(*ids)
        return await self._remove(
            workspace_id, ids, hard=self._policy.is_hard(requests_hard=hard), still=still
        )

    async def remove(
        self, workspace_id: str, id_: str, *, hard: bool = False, first: First | None = None
    ) -> Deletion:
        """Delete a memory: softly, so that it can be restored, or permanently with its versions and edges.

        A repeated call changes nothing, and distinguishes a deleted memory from an unknown id.

        Args:
            workspace_id: Workspace of the memory.
            id_: Id of the memory.
            hard: Delete permanently; the setting ``delete_mode`` may override it.
            first: Runs at the start of the transaction; its exception prevents the delete.
        """
        touches(id_)
        if await self._remove(
            workspace_id, [id_], hard=self._policy.is_hard(requests_hard=hard), first=first
        ):
            return Deletion.DELETED
        leads_nowhere()
        return await self._why_not(workspace_id, id_)

    @takes_long
    async def clear(self, workspace_id: str, clearing: MemoryClearing, *, hard: bool = False) -> int:
        """Delete all matching memories, in batches of one transaction each; return their number.

        Raises:
            InvalidInput: ``older_than`` is outside the years 1 to 9999 of UTC, or a given list is empty. An empty list
                that a client computed must not delete everything.
            Unavailable: The graph does not answer; memories deleted so far stay deleted.
        """
        for name in ("types", "kinds", "facets"):
            if name in clearing.model_fields_set and not getattr(clearing, name):
                raise InvalidInput(name, f"{name} must have at least one entry; omit it to match all")
        is_hard = self._policy.is_hard(requests_hard=hard)
        created_before = in_utc("olderThan", clearing.older_than)

        async def listed(runner: Runner) -> list[str]:
            return await queries.list_memories_to_clear(
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
        """Delete memories permanently, regardless of the setting ``delete_mode``; ignore unknown ids.

        Without ``is_act``, as for memories that the service itself created, the audit gets no entry and the memories
        leave no marks.
        """
        await self._remove(workspace_id, ids, hard=True, is_act=is_act)

    @takes_long
    async def sweep_expired(self) -> int:
        """Remove expired memories of all workspaces from the search indexes; return their number.

        The same transaction updates the search text of the turns around an expired turn. Subscribers get the events of
        deleted memories.
        """
        total = 0
        while True:
            swept = await self._database.transaction(self._sweep_some)
            for workspace_id, ids in swept.items():
                self.on_deleted(workspace_id, ids)
            count = sum(map(len, swept.values()))
            total += count
            if count < _SWEPT_TOGETHER:
                return total

    async def _sweep_some(self, tx: Runner) -> Mapping[str, Sequence[str]]:
        """Return the ids of some expired memories by workspace."""
        swept: dict[str, Sequence[str]] = {}
        now = self._clock.now()
        rows = await queries.sweep_expired(tx, now=now, limit=_SWEPT_TOGETHER, mirrors=self._mirroring.is_on)
        for workspace_id in sorted({row.workspace_id for row in rows}):
            here = [row for row in rows if row.workspace_id == workspace_id]
            await self._refresh_turns(tx, workspace_id, here, now)
            ids = [row.id for row in here]
            await enqueue_timelines(tx, workspace_id=workspace_id, ids=ids, now=now)
            swept[workspace_id] = ids
        return swept

    async def lift_marks_of_user(self, workspace_id: str, user_id: str) -> None:
        """Delete the marks of everything that a user deleted."""
        await queries.lift_marks_of_user(
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
        """Delete memories in the caller's transaction; return the deleted ids, which the caller announces.

        Args:
            tx: The caller's transaction.
            workspace_id: Workspace of the memories.
            ids: Ids of the memories.
            hard: Delete permanently.
            is_act: A person deletes; the audit records it.
            leaves_marks: If a person deletes, also leave marks that keep extraction and imports from restoring the
                memories.
        """
        now = self._clock.now()
        if hard:
            await queries.lock_for_deletion(tx, workspace_id=workspace_id, ids=ids)
        if is_act and leaves_marks and ids:
            await self.mark(tx, workspace_id, ids)
        await enqueue_timelines(tx, workspace_id=workspace_id, ids=ids, now=now)
        forget = queries.delete_memories if hard else queries.archive_memories
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
        """Lock memories; return those that ``still`` then returns."""
        await queries.lock_for_deletion(tx, workspace_id=workspace_id, ids=ids)
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
        """Leave marks that keep extraction and imports from restoring memories by text or key."""
        now = self._clock.now()
        rows = await queries.lock_memories(tx, workspace_id=workspace_id, ids=ids, keys=[])
        marks = {
            mark
            for row in rows
            for mark in marks_of_memory(row.memory, is_turn=turn_place(row.turn) is not None)
        }
        if marks:
            await queries.note_marks(tx, workspace_id=workspace_id, marks=sorted(marks), now=now)

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
        """Tell whether an id belongs to a deleted memory or never existed."""
        stored = await queries.get_memories(
            self._database, workspace_id=workspace_id, ids=[id_], include_deleted=True, now=self._clock.now()
        )
        tombs = await queries.find_tombstones(self._database, workspace_id=workspace_id, ids=[id_])
        return Deletion.GONE_BEFORE if stored or tombs else Deletion.UNKNOWN
