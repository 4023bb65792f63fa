"""Use cases of memories: save, read, list, change, restore."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graph.core.background import in_turns
from graph.core.current_call import touches
from graph.core.database import Database
from graph.core.deadlines import takes_long
from graph.core.errors import Conflict, Forbidden, InvalidInput, NotFound, RecollectError
from graph.core.events import Announcer
from graph.core.measuring import UNMEASURED, Measurements
from graph.core.models import MemoryEventType
from graph.core.pages import Cursor, Page, Paging, page_of, page_size
from graph.core.ports import Clock, WakeUp
from graph.core.rows import First, Runner
from graph.core.scope import EVERYTHING, SHARED, current_scope, owner_named
from graph.memories import queries, rules
from graph.memories.deletion_marks import deleted_before, deleted_conflict, marks_of_memory
from graph.memories.derived_keys import following_key
from graph.memories.filtering import filter_parameters
from graph.memories.models import (
    Memory,
    MemoryChange,
    MemoryDraft,
    MemoryFilter,
    MemoryOrder,
    MemoryState,
    MemoryVersion,
    SavedMemory,
)
from graph.memories.policy import MOST_CHARS, MOST_TURN_CHARS, IdFormat, MemoryPolicy, Retention
from graph.memories.queries import LockMemoriesRow, lift_marks
from graph.memories.saving.announcing import announce_saved
from graph.memories.saving.applying import PlanRunner
from graph.memories.saving.preparing import Preparer
from graph.memories.saving.saver import MAX_BATCH, Saver
from graph.memories.saving.waiting import wait_for
from graph.memories.saving.writing import BatchWriter, require
from graph.vectors.external.mirroring import Mirroring
from graph.vectors.index.service import Embeddings


@dataclass(frozen=True)
class Restored:
    """The memory after a restore, and what the restore did.

    Attributes:
        was_gone: The memory was deleted or expired before.
        is_changed: The restore changed the memory.
    """

    memory: Memory
    was_gone: bool
    is_changed: bool


class Changer:
    """Changes and restores memories; lives as long as the process."""

    def __init__(
        self,
        database: Database,
        embeddings: Embeddings,
        clock: Clock,
        preparer: Preparer,
        policy: MemoryPolicy,
        mirroring: Mirroring,
    ) -> None:
        self._database = database
        self._embeddings = embeddings
        self._clock = clock
        self._preparer = preparer
        self._policy = policy
        self._mirroring = mirroring

    async def update(
        self, workspace_id: str, id_: str, change: MemoryChange, *, expected_version: int | None = None
    ) -> Memory:
        """Change the set fields while the memory is locked; see ``Memories.update``."""
        changes = rules.validated_change(change)
        if changes.get("embedding") is not None:
            changes["embedding"] = rules.validated_embedding(
                changes["embedding"], self._embeddings.require_dimension()
            )
        self._preparer.guard({name: changes.get(name) for name in ("content", "summary", "metadata", "key")})

        async def work(tx: Runner) -> Memory:
            found = await self._lock(tx, workspace_id, id_)
            self._check_may_change(found, changes)
            if expected_version not in (None, found.memory.version):
                raise Conflict(
                    f"memory {id_!r} has changed since it was read; read it again", field="version"
                )
            properties = dict(changes)
            if "content" in properties:
                properties["content"] = rules.validated_content(properties["content"], self._longest(found))
            embedding = properties.pop("embedding", None)
            properties |= await self._key_after(tx, workspace_id, found.memory, properties)
            lasting = rules.lasting_metadata(found.memory, properties.get("content"))
            if "metadata" in properties or lasting != found.memory.metadata:
                merged = rules.merged_metadata(lasting, properties.get("metadata", {}))
                properties["metadata"] = rules.as_json(merged)
            return await self._apply(tx, workspace_id, found, properties, embedding)

        try:
            return await self._database.transaction(work)
        except Conflict as error:
            if "key" not in changes or error.field == "version":
                raise
            raise Conflict(f"key {changes['key']!r} belongs to another memory", field="key") from error

    async def restore(self, workspace_id: str, id_: str, version: int | None) -> Restored:
        """Undo a soft delete or an expiry, or go back to a version, while the memory is locked."""

        async def work(tx: Runner) -> Restored:
            found = await self._lock(tx, workspace_id, id_)
            properties: dict[str, Any] = {}
            if version is not None and version != found.memory.version:
                properties["content"] = await _text_of_version(tx, workspace_id, id_, version)
                properties |= await self._key_after(tx, workspace_id, found.memory, properties)
                lasting = rules.lasting_metadata(found.memory, properties["content"])
                properties["metadata"] = rules.as_json(lasting)
            now = self._clock.now()
            if found.memory.deleted_at is not None:
                properties["deleted_at"] = None
                marks = marks_of_memory(found.memory)
                await lift_marks(tx, workspace_id=workspace_id, marks=marks)
            if found.memory.expires_at is not None and found.memory.expires_at <= now:
                properties["expires_at"] = None
            if not properties:
                return Restored(found.memory, was_gone=False, is_changed=False)
            memory = await self._apply(tx, workspace_id, found, properties, None)
            was_gone = not properties.keys().isdisjoint({"deleted_at", "expires_at"})
            return Restored(memory, was_gone=was_gone, is_changed=True)

        return await self._database.transaction(work)

    async def change_within(
        self,
        tx: Runner,
        workspace_id: str,
        id_: str,
        properties_of: Callable[[Memory], Mapping[str, Any]],
    ) -> Memory:
        """Change a memory, deleted or not, in the caller's transaction.

        Args:
            tx: The caller's transaction.
            workspace_id: Workspace of the memory.
            id_: Id of the memory.
            properties_of: Returns the new properties; it receives the memory after this method locked it.

        Raises:
            NotFound: There is no such memory.
        """
        found = await self._lock(tx, workspace_id, id_)
        properties = dict(properties_of(found.memory))
        return await self._apply(tx, workspace_id, found, properties, None) if properties else found.memory

    async def _key_after(
        self, tx: Runner, workspace_id: str, memory: Memory, changes: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return the changes of the key: a key derived from the old text is derived again from the new text.

        If another memory already has the new key, this memory loses its key.
        """
        if "key" in changes:
            return {} if changes["key"] == memory.key else {"key_is_derived": False}
        content = changes.get("content", memory.content)
        if memory.key is None or not memory.key_is_derived or content == memory.content:
            return {}
        key = following_key(memory.key, memory.content, content)
        if key == memory.key:
            return {}
        named = {"user_id": memory.user_id or SHARED, "agent_id": memory.agent_id or SHARED, "key": key}
        others = await queries.lock_memories(tx, workspace_id=workspace_id, ids=[], keys=[named])
        return {"key": None, "key_is_derived": False} if others else {"key": key}

    async def _lock(self, tx: Runner, workspace_id: str, id_: str) -> LockMemoriesRow:
        rows = await queries.lock_memories(tx, workspace_id=workspace_id, ids=[id_], keys=[])
        return require(rows, id_)

    async def _apply(
        self,
        tx: Runner,
        workspace_id: str,
        found: LockMemoriesRow,
        properties: dict[str, Any],
        embedding: list[float] | None,
    ) -> Memory:
        now = self._clock.now()
        writer = BatchWriter(workspace_id, now=now, stored=[found], tails={})
        changed = writer.change(found, properties, embedding)
        placeholders = self._policy.placeholder_vectors
        index = self._embeddings.active
        runner = PlanRunner(tx, workspace_id, index, now, self._mirroring, placeholders)
        await runner.apply(writer.plan)
        return changed

    def _check_may_change(self, found: LockMemoriesRow, changes: Mapping[str, Any]) -> None:
        """Check that a memory is live; an expired one passes if the change extends its expiry.

        Raises:
            NotFound: The memory was deleted or has expired.
        """
        memory = found.memory
        expires_at = changes.get("expires_at", memory.expires_at)
        if not rules.is_live(deleted_at=memory.deleted_at, expires_at=expires_at, now=self._clock.now()):
            require([], memory.id)

    def _longest(self, found: LockMemoriesRow) -> int:
        is_turn = found.turn.get("turn_scope") is not None
        return MOST_TURN_CHARS if is_turn else MOST_CHARS


async def _text_of_version(tx: Runner, workspace_id: str, id_: str, version: int) -> str:
    content = await queries.find_version(tx, workspace_id=workspace_id, memory_id=id_, version=version)
    if content is None:
        raise NotFound(f"memory {id_!r} has no version {version}", field="version")
    return content


MOST_VERSIONS = 100


class Memories:
    """Saves, reads, lists, changes and restores memories; lives as long as the process.

    Every method works on one workspace and cannot read or change another.
    """

    def __init__(
        self,
        database: Database,
        wake_up: WakeUp,
        announcer: Announcer,
        clock: Clock,
        policy: MemoryPolicy,
        *,
        saver: Saver,
        changer: Changer,
        measurements: Measurements = UNMEASURED,
    ) -> None:
        self._measurements = measurements
        self._database = database
        self._wake_up = wake_up
        self._announcer = announcer
        self._clock = clock
        self._policy = policy
        self._saver = saver
        self.changer = changer

    @property
    def retention(self) -> Retention:
        """Age limit of recalled memories."""
        return self._policy.retention

    @property
    def dedup_on_post(self) -> bool:
        """True if AutoMem's ``POST /memory`` skips paraphrases of stored memories, as other surfaces do."""
        return self._policy.dedup_on_post

    async def save(
        self, workspace_id: str, draft: MemoryDraft, *, id_format: IdFormat = IdFormat.MEM
    ) -> SavedMemory:
        """Save one memory; see :meth:`save_all`."""
        return (await self.save_all(workspace_id, [draft], id_format=id_format))[0]

    @takes_long
    async def save_all(
        self,
        workspace_id: str,
        drafts: Sequence[MemoryDraft],
        *,
        id_format: IdFormat = IdFormat.MEM,
        first: First | None = None,
    ) -> list[SavedMemory]:
        """Save drafts in one transaction and return their receipts in order.

        A draft with the id or key of a stored memory updates that memory. A draft with neither is deduplicated: if a
        live memory says the same, nothing is saved and the receipt names that memory. Deduplication skips turns, and
        drafts whose ``dedup`` is false. Drafts with a source conversation are its turns, in the given order, unless
        their source type marks them as conclusions from it. The transaction queues a job for missing vectors.

        Args:
            workspace_id: Workspace of the memories.
            drafts: 1 to 1000 drafts.
            id_format: Form of new ids on the caller's surface; the setting ``id_format`` overrides it.
            first: Runs at the start of the transaction, once for each attempt; its exception rolls everything back.

        Raises:
            InvalidInput: A draft breaks a rule or contains a credential; nothing was saved.
            Forbidden: A draft names a user or agent that the caller may not act for.
            Conflict: An id belongs to another kind of node, an id and a key name two memories, or concurrent writers
                kept claiming the same keys.
        """
        start = time.perf_counter()
        receipts = await self._saver.save_all(
            workspace_id, [owned(draft) for draft in drafts], id_format, first
        )
        touches(*(receipt.memory.id for receipt in receipts))
        self._measurements.stage("save", time.perf_counter() - start)
        await self._wake_up.signal()
        announce_saved(self._announcer, workspace_id, receipts)
        return receipts

    @takes_long
    async def save_each(
        self, workspace_id: str, drafts: Sequence[MemoryDraft], *, restores_deleted: bool = True
    ) -> list[SavedMemory | RecollectError]:
        """Save the valid drafts; return a receipt or an error for each draft, in order.

        Valid drafts are saved together as in :meth:`save_all`. If one conflicts with stored data, the batch is halved
        and retried until the conflicting draft stands alone. An outage after some parts were saved becomes the error
        of all remaining drafts; saved drafts keep their receipts.

        Args:
            workspace_id: Workspace of the memories.
            drafts: At most 1000 drafts.
            restores_deleted: Save drafts again whose memory was deleted; otherwise refuse them as a conflict.

        Raises:
            InvalidInput: There are more than 1000 drafts.
            RecollectError: Something else failed before anything was saved.
        """
        if len(drafts) > MAX_BATCH:
            raise InvalidInput("inputs", f"inputs must hold at most {MAX_BATCH} memories, got {len(drafts)}")
        outcomes: dict[int, SavedMemory | RecollectError] = {}
        sound: dict[int, MemoryDraft] = {}
        async for place in in_turns(range(len(drafts))):
            try:
                sound[place] = owned(drafts[place])
                self._saver.check(sound[place])
            except (InvalidInput, Forbidden) as error:
                sound.pop(place, None)
                outcomes[place] = error
        if sound and not restores_deleted:
            deleted = await deleted_before(self._database, workspace_id, list(sound.values()))
            for place in [place for place, is_gone in zip(sound, deleted, strict=True) if is_gone]:
                del sound[place]
                outcomes[place] = deleted_conflict("it")
        if sound:
            saved = await self._saved_apart(workspace_id, list(sound.values()))
            outcomes |= dict(zip(sound, saved, strict=True))
        return [outcomes[place] for place in range(len(drafts))]

    async def _saved_apart(
        self, workspace_id: str, drafts: Sequence[MemoryDraft]
    ) -> list[SavedMemory | RecollectError]:
        outcomes: list[SavedMemory | RecollectError] = []
        parts = [drafts]
        while parts:
            part = parts.pop()
            try:
                outcomes += await self.save_all(workspace_id, part)
            except (Conflict, InvalidInput) as error:
                middle = len(part) // 2
                if middle:
                    parts += [part[middle:], part[:middle]]
                else:
                    outcomes.append(error)
            except RecollectError as error:
                if not any(isinstance(outcome, SavedMemory) for outcome in outcomes):
                    raise
                return [*outcomes, *[error] * (len(drafts) - len(outcomes))]
        return outcomes

    async def get(self, workspace_id: str, id_: str, *, include_deleted: bool = False) -> Memory:
        """Return one memory.

        Raises:
            NotFound: The memory does not exist in this workspace, was deleted, or has expired.
        """
        memory = await self.find(workspace_id, id_, include_deleted=include_deleted)
        if memory is None:
            raise NotFound(f"there is no memory {id_!r} in this workspace", field="id")
        return memory

    async def find(self, workspace_id: str, id_: str, *, include_deleted: bool = False) -> Memory | None:
        """Return one memory, or None; ``include_deleted`` includes soft-deleted and expired ones."""
        found = await self.find_all(workspace_id, [id_], include_deleted=include_deleted)
        return found.get(id_)

    async def find_all(
        self, workspace_id: str, ids: Sequence[str], *, include_deleted: bool = False
    ) -> dict[str, Memory]:
        """Return the existing memories, by their ids."""
        memories = await queries.get_memories(
            self._database,
            workspace_id=workspace_id,
            ids=ids,
            include_deleted=include_deleted,
            now=self._clock.now(),
        )
        return {memory.id: memory for memory in memories}

    async def lock(self, tx: Runner, workspace_id: str, ids: Sequence[str]) -> list[Memory]:
        """Lock memories in a caller's transaction and return the existing ones, including deleted ones."""
        rows = await queries.lock_memories(tx, workspace_id=workspace_id, ids=ids, keys=[])
        return [row.memory for row in rows]

    async def wait_for(
        self, workspace_id: str, ids: Sequence[str], state: MemoryState, *, timeout_ms: int
    ) -> dict[str, Memory]:
        """Wait until all memories have reached a state or failed, or until the timeout; return them.

        Raises:
            InvalidInput: ``timeout_ms`` is not between 0 and 10,000.
        """
        return await wait_for(
            lambda waiting: self.find_all(workspace_id, waiting), ids, state, timeout_ms=timeout_ms
        )

    async def page(
        self,
        workspace_id: str,
        filter_: MemoryFilter,
        *,
        order: MemoryOrder = MemoryOrder.CREATED_AT,
        first: int = 50,
        after: str | None = None,
    ) -> Page[Memory]:
        """Return a page of live memories, in descending order.

        Raises:
            InvalidInput: ``first``, ``after`` or the filter is malformed.
        """
        paging = Paging.of(first, after)
        common: dict[str, Any] = {
            "filter": filter_parameters(filter_),
            "workspace_id": workspace_id,
            "now": self._clock.now(),
            "after_id": paging.id,
            "limit": paging.limit,
        }
        if order is MemoryOrder.CREATED_AT:
            memories = await queries.list_memories(self._database, after_created=paging.date, **common)
            cursors = [Cursor(date=memory.created_at, id=memory.id) for memory in memories]
        else:
            ranked = await queries.list_memories_ranked(
                self._database, rank_by=order.value, after_rank=paging.rank, **common
            )
            memories = [row.memory for row in ranked]
            cursors = [Cursor(rank=row.rank, id=row.memory.id) for row in ranked]
        return page_of(memories, cursors, paging.size)

    async def count(self, workspace_id: str, filter_: MemoryFilter | None = None) -> int:
        """Count the live memories that match the filter; without a filter the count comes from an index."""
        now = self._clock.now()
        if current_scope() == EVERYTHING and filter_ in (None, MemoryFilter()):
            return await queries.count_live_memories(self._database, workspace_id=workspace_id, now=now)
        return await queries.count_memories(
            self._database,
            workspace_id=workspace_id,
            now=now,
            filter=filter_parameters(filter_ or MemoryFilter()),
        )

    async def update(
        self, workspace_id: str, id_: str, change: MemoryChange, *, expected_version: int | None = None
    ) -> Memory:
        """Change the set fields: merge the metadata, and keep the previous text as a version.

        Args:
            workspace_id: Workspace of the memory.
            id_: Id of the memory.
            change: New fields.
            expected_version: Version that the change is based on; None: any.

        Raises:
            NotFound: The memory does not exist, was deleted or has expired.
            InvalidInput: A field breaks a rule or contains a credential.
            Conflict: Another memory has the key, or the memory's version is not the expected one (``version``).
        """
        touches(id_)
        memory = await self.changer.update(workspace_id, id_, change, expected_version=expected_version)
        await self._wake_up.signal()
        self._announcer.memories_changed(workspace_id, MemoryEventType.UPDATED, [id_])
        return memory

    async def restore(self, workspace_id: str, id_: str, *, version: int | None = None) -> Memory:
        """Undo a soft delete or an expiry; with a version, also go back to its text.

        Going back is a change like any other: the replaced text becomes a version. A live memory that already has the
        text is returned unchanged.

        Raises:
            NotFound: The memory does not exist, was deleted permanently, or has no such version.
        """
        touches(id_)
        restored = await self.changer.restore(workspace_id, id_, version)
        await self._wake_up.signal()
        if restored.is_changed:
            type_ = MemoryEventType.SAVED if restored.was_gone else MemoryEventType.UPDATED
            self._announcer.memories_changed(workspace_id, type_, [id_])
        return restored.memory

    async def versions(
        self, workspace_id: str, ids: Sequence[str], *, first: int
    ) -> dict[str, list[MemoryVersion]]:
        """Return the previous texts of memories, the latest first.

        Raises:
            InvalidInput: ``first`` is not between 1 and 100.
        """
        limit = page_size(first, most=MOST_VERSIONS)
        rows = await queries.list_versions(
            self._database, workspace_id=workspace_id, memory_ids=ids, limit=limit
        )
        found: dict[str, list[MemoryVersion]] = {id_: [] for id_ in ids}
        for row in rows:
            found[row.memory_id].append(MemoryVersion(**row.model_dump()))
        return found


def owned(draft: MemoryDraft) -> MemoryDraft:
    """Return a draft with its user and agent; omitted ones come from the current scope.

    Raises:
        Forbidden: The draft names a user or agent outside the current scope.
    """
    user_id, agent_id = owner_named(draft.user_id, draft.agent_id)
    return draft.model_copy(update={"user_id": user_id, "agent_id": agent_id})
