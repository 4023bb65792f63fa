"""The list of automatic changes, and their undo in one transaction each."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

from graph.core import queries
from graph.core.current_call import touches
from graph.core.database import Database
from graph.core.errors import Conflict, NotFound
from graph.core.events import Announcer
from graph.core.models import SAVED, AutomaticChange, ChangeKind, MemoryEventType, SubjectKind
from graph.core.pages import Cursor, Page, Paging
from graph.core.ports import Clock, WakeUp
from graph.core.rows import First, Runner
from graph.core.scope import ReadScope, seeing
from graph.knowledge.merging import Merging
from graph.memories.deletion import Deleter
from graph.memories.models import Memory, MemoryDraft
from graph.memories.rules import as_json
from graph.memories.service import Memories

_RETENTION_DAYS: Final = 90
"""Age in days at which a change leaves the list; the changed data stay."""
_DELETED_TOGETHER: Final = 1000
Changed = Mapping[MemoryEventType, Sequence[str]]
"""Ids of the memories that an undo restored, changed or deleted, by event."""


class AutomaticChanges:
    """The list of automatic changes, and undoing them; lives as long as the process."""

    def __init__(
        self,
        database: Database,
        memories: Memories,
        deleter: Deleter,
        merging: Merging,
        announcer: Announcer,
        wake_up: WakeUp,
        clock: Clock,
    ) -> None:
        self._database = database
        self._memories = memories
        self._changer = memories.changer
        self._deleter = deleter
        self._merging = merging
        self._announcer = announcer
        self._wake_up = wake_up
        self._clock = clock

    async def page(
        self,
        workspace_id: str,
        *,
        kinds: Sequence[ChangeKind] = (),
        first: int = 50,
        after: str | None = None,
    ) -> Page[AutomaticChange]:
        """Return a page of changes, including undone ones, the newest first."""
        paging = Paging.of(first, after)
        found = await queries.list_automatic_changes(
            self._database, workspace_id=workspace_id, kinds=list(kinds), **paging.by_creation
        )
        return paging.page(found, lambda change: Cursor(date=change.created_at, id=change.id))

    async def delete_old(self) -> int:
        """Delete changes of every workspace that are older than 90 days; return their number."""
        before, total = self._clock.now() - timedelta(days=_RETENTION_DAYS), 0
        while True:
            deleted = await queries.delete_old_automatic_changes(
                self._database, before=before, limit=_DELETED_TOGETHER
            )
            total += deleted
            if deleted < _DELETED_TOGETHER:
                return total

    async def undo(self, workspace_id: str, id_: str) -> AutomaticChange:
        """Undo an automatic change, and return it as undone.

        A learnt memory is deleted or gets its earlier fields, and is not learnt again. A merged save becomes a separate
        memory, and merged entities are separated. A closed memory is reopened. Originals replace their summary and are
        not compacted again. An expired memory is restored without an end. A field that somebody has changed since keeps
        its newer value.

        Raises:
            NotFound: The change does not exist in this workspace.
            Conflict: The change was undone before or is permanent, or the memory was changed since.
        """
        change = await self._locked(self._database, workspace_id, id_)
        now = self._clock.now()
        if change.subject_id:
            touches(change.subject_id)

        async def settle(tx: Runner) -> None:
            await self._locked(tx, workspace_id, id_)
            await queries.settle_automatic_changes(
                tx, workspace_id=workspace_id, ids=[id_], kind=change.kind, subject_ids=[], now=now
            )

        if change.subject_kind is SubjectKind.ENTITY:
            await self._merging.undo(workspace_id, change.subject_id or "", first=settle)
        elif change.kind is ChangeKind.MERGED:
            await self._split(workspace_id, change, settle)
        else:

            async def work(tx: Runner) -> Changed:
                await settle(tx)
                return await self._put_back(tx, workspace_id, change)

            try:
                changed = await self._database.transaction(work)
            except Conflict as error:
                if error.field is not None:
                    raise
                raise Conflict(
                    f"another memory now has the key of {change.subject_id!r}; change that key first",
                    field="id",
                ) from error
            for type_, ids in changed.items():
                self._announcer.memories_changed(workspace_id, type_, ids)
        await self._wake_up.signal()
        return change.model_copy(update={"undone_at": now})

    async def _locked(self, runner: Runner, workspace_id: str, id_: str) -> AutomaticChange:
        """Lock and return a change that can be undone."""
        change = await queries.lock_automatic_change(runner, workspace_id=workspace_id, id=id_)
        if change is None:
            raise NotFound(f"there is no automatic change {id_[:80]!r} in this workspace", field="id")
        if change.undone_at is not None:
            raise Conflict("this change has already been undone", field="id")
        if change.is_final:
            raise Conflict("this change is permanent: nothing is left to restore", field="id")
        return change

    async def _split(self, workspace_id: str, change: AutomaticChange, settle: First) -> None:
        """Store a merged save as a separate memory, and remove its fields from the other memory."""
        before = dict(change.before or {})
        draft = MemoryDraft.model_validate({**before.pop(SAVED), "dedup": False})
        subject_id = change.subject_id or ""
        taken_back: dict[str, Any] = {}

        def earlier(memory: Memory) -> dict[str, Any]:
            taken_back.clear()  # the transaction may be tried again
            taken_back.update(_earlier(memory, change))
            return taken_back

        async def first(tx: Runner) -> None:
            await settle(tx)
            if before:
                await self._changer.change_within(tx, workspace_id, subject_id, earlier)

        with seeing(ReadScope.of_owner(change.user_id, change.agent_id)):  # the new memory keeps the owner
            await self._memories.save_all(workspace_id, [draft], first=first)
        if taken_back:
            self._announcer.memories_changed(workspace_id, MemoryEventType.UPDATED, [subject_id])

    async def _put_back(self, tx: Runner, workspace_id: str, change: AutomaticChange) -> Changed:
        id_ = change.subject_id or ""
        if change.kind is ChangeKind.LEARNT and change.before is None:
            return await self._unlearn(tx, workspace_id, change)
        if change.other_ids:
            return await self._unfold(tx, workspace_id, change)
        if change.kind is ChangeKind.FORGOTTEN:
            await self._changer.change_within(tx, workspace_id, id_, self._unexpired)
            return {MemoryEventType.SAVED: [id_]}
        if change.kind is ChangeKind.LEARNT:
            await self._deleter.mark(tx, workspace_id, [id_])
            await self._check_no_merged_save(tx, workspace_id, change)
        await self._changer.change_within(
            tx, workspace_id, id_, lambda memory: _earlier(memory, change) | _uncompacted(change)
        )
        return {MemoryEventType.UPDATED: [id_]}

    async def _check_no_merged_save(self, tx: Runner, workspace_id: str, change: AutomaticChange) -> None:
        """Check that no caller's save was merged into the changed memory, whose text the undo removes.

        Raises:
            Conflict: A save was merged into it.
        """
        id_, version = change.subject_id or "", change.version or 1
        if await queries.has_merged_save(tx, workspace_id=workspace_id, subject_id=id_, version=version):
            raise Conflict(
                f"a later save was merged into memory {id_!r}; undo that first, or delete the memory",
                field="id",
            )

    def _unexpired(self, memory: Memory) -> dict[str, Any]:
        """Return the properties that restore an expired memory without an end.

        Raises:
            Conflict: Somebody has deleted the memory or set another end since.
        """
        is_expired = memory.expires_at is not None and memory.expires_at <= self._clock.now()
        if memory.deleted_at is not None or not is_expired:
            raise Conflict(f"memory {memory.id!r} was changed since", field="id")
        return {"expires_at": None}

    async def _unlearn(self, tx: Runner, workspace_id: str, change: AutomaticChange) -> Changed:
        """Delete a learnt memory, so that no extraction saves it again.

        Raises:
            Conflict: Somebody has changed, confirmed or saved it since.
        """
        id_ = change.subject_id or ""
        for memory in await self._memories.lock(tx, workspace_id, [id_]):
            if memory.deleted_at is not None:
                continue
            await self._check_no_merged_save(tx, workspace_id, change)
            if memory.version != change.version or not _has(memory, change.after or {}):
                raise Conflict(f"memory {id_!r} was changed since; delete it instead", field="id")
        removed = await self._deleter.remove_within(tx, workspace_id, [id_], hard=self._deleter.is_hard)
        return {MemoryEventType.DELETED: removed}

    async def _unfold(self, tx: Runner, workspace_id: str, change: AutomaticChange) -> Changed:
        """Restore the originals of a summary, and delete the summary.

        Raises:
            Conflict: The summary was changed since, or an original no longer exists.
        """
        summary_id = change.subject_id or ""
        locked = await self._memories.lock(tx, workspace_id, sorted({summary_id, *change.other_ids}))
        originals = [memory for memory in locked if memory.id != summary_id]
        is_changed = any(
            memory.id == summary_id and memory.deleted_at is None and memory.version != change.version
            for memory in locked
        )
        if is_changed or len(originals) < len(change.other_ids):
            raise Conflict("the summary was changed since, or an original no longer exists", field="id")
        await self._check_no_merged_save(tx, workspace_id, change)
        restored = []
        for memory in originals:
            await self._changer.change_within(
                tx, workspace_id, memory.id, lambda _: {"deleted_at": None, "kept_whole": True}
            )
            if memory.deleted_at is not None:
                restored.append(memory.id)
        removed = await self._deleter.remove_within(
            tx, workspace_id, [summary_id], hard=self._deleter.is_hard, is_act=False
        )
        return {MemoryEventType.SAVED: restored, MemoryEventType.DELETED: removed}


def _has(memory: Memory, fields: Mapping[str, Any]) -> bool:
    """Return whether a memory still has the fields that a change gave it."""
    left = Memory.model_validate({**memory.model_dump(), **fields})
    return all(getattr(memory, name) == getattr(left, name) for name in fields)


def _uncompacted(change: AutomaticChange) -> dict[str, Any]:
    """Return the property that exempts a memory from compaction, if a compaction was undone."""
    return {"kept_whole": True} if change.kind is ChangeKind.COMPACTED else {}


def _earlier(memory: Memory, change: AutomaticChange) -> dict[str, Any]:
    """Return the properties of a memory before a change, without those that were changed again since.

    Raises:
        Conflict: The memory was deleted, or its text was changed since.
    """
    if memory.deleted_at is not None:
        raise Conflict(f"memory {memory.id!r} was deleted since; restore it first", field="id")
    before = {name: value for name, value in (change.before or {}).items() if name != SAVED}
    after = change.after or {}
    earlier = Memory.model_validate({**memory.model_dump(), **before})
    left = Memory.model_validate({**memory.model_dump(), **after})
    changed_since = {name for name in after if getattr(memory, name) != getattr(left, name)}
    if "content" in before and "content" in changed_since:
        raise Conflict(f"memory {memory.id!r} was changed since; edit it instead", field="id")
    return {name: _stored(getattr(earlier, name)) for name in before if name not in changed_since}


def _stored(value: object) -> object:
    """Return the stored form of a field."""
    if isinstance(value, Mapping):
        return as_json(value)
    return list(value) if isinstance(value, tuple) else value
