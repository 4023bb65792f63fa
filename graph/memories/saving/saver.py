"""Saves memories: prepares and compares the drafts, then writes them in one retried transaction."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import accumulate, pairwise
from typing import Any, Generic, TypeVar

from graph.core.automatic_changes import record_changes
from graph.core.background import in_turns
from graph.core.database import Database
from graph.core.errors import Conflict, InvalidInput, RecollectError, Unavailable
from graph.core.models import NewChange
from graph.core.ports import Clock
from graph.core.queries import has_merged_save
from graph.core.rows import First, Runner
from graph.core.scope import SHARED, ReadScope, current_scope, seeing
from graph.memories import queries, rules
from graph.memories.deduplication.claims import claim
from graph.memories.deduplication.service import Deduplicator
from graph.memories.models import Memory, MemoryDraft, SavedMemory, SaveOutcome
from graph.memories.policy import AUTOMATIC_SOURCES, IdFormat, MemoryPolicy
from graph.memories.saving.applying import PlanRunner
from graph.memories.saving.automatic_changes import confirmation_of, merge_of
from graph.memories.saving.indexing import WINDOW_TURNS
from graph.memories.saving.naming import distinct_beginning, names_of, rounds, stored_by_name
from graph.memories.saving.preparing import PreparedDraft, Preparer
from graph.memories.saving.writing import BatchWriter, turn_scope
from graph.tenancy.workspaces import Workspaces
from graph.vectors.external.mirroring import Mirroring
from graph.vectors.index.models import VectorIndex
from graph.vectors.index.service import Embeddings

# A save is written immediately if no other write is running; saves that arrive during a write share the next
# transaction.


KeyT = TypeVar("KeyT", bound=Hashable)
ItemT = TypeVar("ItemT")
ReceiptT = TypeVar("ReceiptT")


@dataclass(frozen=True)
class _Batch(Generic[ItemT, ReceiptT]):
    """Drafts of one caller, with the future of their receipts."""

    items: Sequence[ItemT]
    receipts: "asyncio.Future[Sequence[ReceiptT]]"


class GroupCommit(Generic[KeyT, ItemT, ReceiptT]):
    """Writes waiting batches with the same key in one transaction; lives as long as the process.

    Args:
        write: Writes the batches of one key in one transaction; returns the receipts of each batch, in order.
        most: Maximum number of items in a transaction; a larger batch gets a transaction of its own.
    """

    def __init__(
        self,
        write: Callable[[KeyT, Sequence[Sequence[ItemT]]], Awaitable[Sequence[Sequence[ReceiptT]]]],
        *,
        most: int,
    ) -> None:
        self._write = write
        self._most = most
        self._waiting: dict[KeyT, deque[_Batch[ItemT, ReceiptT]]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def write(self, key: KeyT, items: Sequence[ItemT]) -> Sequence[ReceiptT]:
        """Return the receipts of a batch once it is committed.

        If the caller is cancelled before the transaction begins, nothing of its batch is written. If a transaction of
        several batches is refused, each batch is written again on its own.

        Raises:
            RecollectError: Error from writing the batch.
        """
        batch = _Batch[ItemT, ReceiptT](items, asyncio.get_running_loop().create_future())
        if key in self._waiting:
            self._waiting[key].append(batch)
        else:
            self._waiting[key] = deque([batch])
            task = asyncio.create_task(self._drain(key))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return await batch.receipts

    async def _drain(self, key: KeyT) -> None:
        waiting = self._waiting[key]
        try:
            while group := self._next_group(waiting):
                await self._write_group(key, group)
        finally:
            del self._waiting[key]
            for batch in waiting:
                batch.receipts.cancel()

    def _next_group(self, waiting: deque[_Batch[ItemT, ReceiptT]]) -> list[_Batch[ItemT, ReceiptT]]:
        """Take the next batches up to the maximum, without cancelled ones; at least one if any waits."""
        group: list[_Batch[ItemT, ReceiptT]] = []
        size = 0
        while waiting and (not group or size + len(waiting[0].items) <= self._most):
            batch = waiting.popleft()
            if not batch.receipts.done():
                group.append(batch)
                size += len(batch.items)
        return group

    async def _write_group(self, key: KeyT, group: Sequence[_Batch[ItemT, ReceiptT]]) -> None:
        try:
            receipts = await self._write(key, [batch.items for batch in group])
        except BaseException as error:  # callers would wait forever if no error reached them
            if isinstance(error, RecollectError) and not isinstance(error, Unavailable) and len(group) > 1:
                for batch in group:
                    await self._write_group(key, [batch])
                return
            for batch in group:
                _refuse(batch, error)
            if not isinstance(error, Exception):
                raise
        else:
            for batch, own in zip(group, receipts, strict=True):
                if not batch.receipts.done():
                    batch.receipts.set_result(own)


def _refuse(batch: _Batch[ItemT, ReceiptT], error: BaseException) -> None:
    if batch.receipts.done():
        return
    if isinstance(error, Exception):
        batch.receipts.set_exception(error)
    else:
        batch.receipts.cancel()


CONFIRMED = 1.0
"""Confidence of a learnt memory after a caller saves the same without naming a confidence."""


def taken_over(draft: MemoryDraft, stored: Memory) -> dict[str, Any]:
    """Return the changes of a stored memory after a caller saved one with the same meaning.

    The memory gets the draft's tags. A memory that a job learnt also gets the draft's confidence if that is higher.
    If the draft ``merges``, the memory also gets its metadata and a higher importance. Drafts of jobs change nothing.
    """
    taken: dict[str, Any] = {}
    if draft.source_type in AUTOMATIC_SOURCES:
        return taken
    tags = rules.joined_tags(stored.tags, draft.tags or ())
    if tags != tuple(stored.tags):
        taken["tags"] = list(tags)
    if stored.source_type in AUTOMATIC_SOURCES:
        confidence = CONFIRMED if draft.confidence is None else draft.confidence
        if confidence > stored.confidence:
            taken["confidence"] = confidence
    if not draft.merges:
        return taken
    metadata = rules.merged_metadata(stored.metadata, draft.metadata or {})
    if metadata != dict(stored.metadata):
        taken["metadata"] = rules.as_json(metadata)
    if draft.importance is not None and draft.importance > stored.importance:
        taken["importance"] = draft.importance
    return taken


MAX_BATCH = 1000
_ATTEMPTS = 5
_MOST_OF_A_GROUP = 100  # memories in one transaction of several callers


@dataclass(frozen=True)
class _Target:
    """Workspace, scope, index and id format of a batch; only batches with equal targets share a transaction."""

    workspace_id: str
    scope: ReadScope
    index: VectorIndex | None
    id_format: IdFormat


class Saver:
    """Saves memories; lives as long as the process."""

    def __init__(
        self,
        database: Database,
        embeddings: Embeddings,
        clock: Clock,
        preparer: Preparer,
        deduplicator: Deduplicator,
        policy: MemoryPolicy,
        mirroring: Mirroring,
        workspaces: Workspaces,
    ) -> None:
        self._database = database
        self._embeddings = embeddings
        self._clock = clock
        self._preparer = preparer
        self._deduplicator = deduplicator
        self._policy = policy
        self._mirroring = mirroring
        self._workspaces = workspaces
        self._together: GroupCommit[_Target, PreparedDraft, SavedMemory] = GroupCommit(
            self._write_together, most=_MOST_OF_A_GROUP
        )

    async def save_all(
        self,
        workspace_id: str,
        drafts: Sequence[MemoryDraft],
        id_format: IdFormat,
        first: First | None = None,
    ) -> list[SavedMemory]:
        """Save the drafts in one transaction, which other callers may share; return receipts in order."""
        if not 1 <= len(drafts) <= MAX_BATCH:
            raise InvalidInput("inputs", f"inputs must hold 1 to {MAX_BATCH} memories, got {len(drafts)}")
        prepared = [self._checked_vector(self._preparer.prepare(draft)) async for draft in in_turns(drafts)]
        finished = await asyncio.gather(*(self._preparer.finished(workspace_id, item) for item in prepared))
        compared = await self._deduplicator.compare(workspace_id, finished)
        target = _Target(workspace_id, current_scope(), self._embeddings.active, id_format)
        if first is not None or len(compared) > _MOST_OF_A_GROUP:
            return await self._write(target, compared, first)
        return list(await self._together.write(target, compared))

    def check(self, draft: MemoryDraft) -> None:
        """Validate a draft without reading stored data.

        Raises:
            InvalidInput: The draft breaks a rule, contains a credential, or its vector does not fit the index.
        """
        self._checked_vector(self._preparer.prepare(draft))

    async def _write_together(
        self, target: _Target, batches: Sequence[Sequence[PreparedDraft]]
    ) -> list[list[SavedMemory]]:
        """Write batches of several callers in one transaction; return the receipts of each batch."""
        starts = list(accumulate((len(batch) for batch in batches), initial=0))
        joined = [
            prepared if prepared.same_as is None else replace(prepared, same_as=prepared.same_as + start)
            for start, batch in zip(starts, batches, strict=False)
            for prepared in batch
        ]
        with seeing(target.scope):  # the task inherited the scope of the caller that started it
            receipts = await self._write(target, joined, None)
        return [receipts[start:end] for start, end in pairwise(starts)]

    def _checked_vector(self, prepared: PreparedDraft) -> PreparedDraft:
        if prepared.vector is None:
            return prepared
        dimension = self._embeddings.require_dimension()
        length = len(prepared.vector)
        if (
            length != dimension
            and prepared.draft.reembeds_on_mismatch
            and self._embeddings.can_embed_memories
        ):
            warning = f"embedding has {length} numbers, not {dimension}: the content is embedded instead"
            draft = prepared.draft.model_copy(update={"embedding": None})
            return replace(prepared, draft=draft, vector=None, warnings=(*prepared.warnings, warning))
        return replace(prepared, vector=rules.validated_embedding(prepared.vector, dimension))

    async def _write(
        self, target: _Target, batch: Sequence[PreparedDraft], first: First | None
    ) -> list[SavedMemory]:
        lifetime_days = (await self._workspaces.settings_of(target.workspace_id)).lifetime_days

        async def work(tx: Runner) -> list[SavedMemory]:
            if first is not None:
                await first(tx)
            receipts: list[SavedMemory] = []
            for whole_round in rounds(batch):
                rest: Sequence[PreparedDraft] = whole_round
                while rest:
                    written = await self._write_some(tx, target, rest, receipts, lifetime_days)
                    receipts += written
                    rest = rest[len(written) :]
            return receipts

        try:
            return await self._database.transaction(work, attempts=_ATTEMPTS)
        except Conflict as error:
            if error.field is not None:
                raise
            raise _taken(batch) from error

    async def _write_some(
        self,
        tx: Runner,
        target: _Target,
        batch: Sequence[PreparedDraft],
        earlier: Sequence[SavedMemory],
        lifetime_days: Mapping[str, float],
    ) -> list[SavedMemory]:
        """Write drafts up to the first that names an already written memory; return their receipts."""
        now = self._clock.now()
        workspace_id = target.workspace_id
        ids, keys = names_of(prepared.draft for prepared in batch)
        stored = (
            await queries.lock_memories(tx, workspace_id=workspace_id, ids=ids, keys=keys)
            if ids or keys
            else []
        )
        batch = distinct_beginning(batch, stored_by_name(stored))
        writer = BatchWriter(
            workspace_id,
            now=now,
            stored=stored,
            tails=await self._open_turns(tx, workspace_id, [prepared.draft for prepared in batch], now),
            claimed=await claim(tx, workspace_id, batch, now),
            earlier=earlier,
            new_id=self._policy.id_maker(target.id_format),
            lifetime_days=lifetime_days,
        )
        async for prepared in in_turns(batch):
            writer.add(prepared)
        placeholders = self._policy.placeholder_vectors
        runner = PlanRunner(tx, workspace_id, target.index, now, self._mirroring, placeholders)
        receipts = await runner.apply(writer.plan)
        finished = []
        merges: list[NewChange] = []
        for prepared, receipt in zip(batch, receipts, strict=True):
            known = receipt.memory
            if receipt.outcome is SaveOutcome.DEDUPLICATED:
                merged = await self._merged(tx, target, prepared.draft, receipt)
                found = merge_of(prepared.draft, known, merged)
                merges += found or await self._confirmation(tx, prepared.draft, known, merges)
                finished.append(merged)
            else:
                if receipt.outcome is SaveOutcome.UNCHANGED:
                    merges += await self._confirmation(tx, prepared.draft, known, merges)
                finished.append(receipt)
        await record_changes(tx, workspace_id, merges, now=now)
        return finished

    async def _confirmation(
        self, tx: Runner, draft: MemoryDraft, known: Memory, noted: Sequence[NewChange]
    ) -> list[NewChange]:
        """Return the change entry when a caller first saves a statement that a job had learnt."""
        change = confirmation_of(draft, known)
        if change is None or any(each.subject_id == known.id for each in noted):
            return []
        if await has_merged_save(
            tx, workspace_id=known.workspace_id, subject_id=known.id, version=known.version
        ):
            return []
        await _locked(tx, known)  # keeps an undo from deleting the memory before this commit
        return [change]

    async def _merged(
        self, tx: Runner, target: _Target, draft: MemoryDraft, receipt: SavedMemory
    ) -> SavedMemory:
        """Copy the draft's additional fields to the memory with the same meaning; return the updated receipt."""
        if not taken_over(draft, receipt.memory):
            return receipt
        now, workspace_id = self._clock.now(), target.workspace_id
        found = await _locked(tx, receipt.memory)
        taken = taken_over(draft, found.memory)
        if not taken:
            return receipt
        writer = BatchWriter(workspace_id, now=now, stored=[found], tails={})
        memory = writer.change(found, taken, None)
        runner = PlanRunner(
            tx, workspace_id, target.index, now, self._mirroring, self._policy.placeholder_vectors
        )
        await runner.apply(writer.plan)
        return receipt.model_copy(update={"memory": memory, "merged": tuple(taken)})

    async def _open_turns(
        self, tx: Runner, workspace_id: str, drafts: Sequence[MemoryDraft], now: datetime
    ) -> dict[str, queries.OpenTurnsRow]:
        scopes = {turn_scope(draft): draft for draft in drafts if draft.is_turn}
        if not scopes:
            return {}
        # A fixed lock order prevents deadlocks between two batches over the same conversations.
        ordered = [
            {
                "turn_scope": scope,
                "conversation_id": draft.source_conversation_id,
                "user_id": draft.user_id or SHARED,
                "agent_id": draft.agent_id or SHARED,
            }
            for scope, draft in sorted(scopes.items(), key=lambda item: item[0])
        ]
        rows = await queries.open_turns(
            tx, workspace_id=workspace_id, scopes=ordered, window=WINDOW_TURNS, now=now
        )
        for row in rows:
            if row.has_left:  # the retry creates a new conversation in this workspace
                raise Conflict(
                    f"conversation {row.conversation_id!r} is being moved to another workspace; try again"
                )
            if scopes[row.turn_scope].user_id not in (None, row.user_id):
                raise Conflict(
                    f"conversation {row.conversation_id!r} has another userId: choose another sourceConversationId",
                    field="userId",
                )
        return {row.turn_scope: row for row in rows}


async def _locked(tx: Runner, known: Memory) -> queries.LockMemoriesRow:
    """Lock a stored memory and return its current state.

    Raises:
        Conflict: The memory was deleted or moved meanwhile; the retry saves the draft as a new memory.
    """
    rows = await queries.lock_memories(tx, workspace_id=known.workspace_id, ids=[known.id], keys=[])
    if not rows or rows[0].memory.deleted_at is not None:
        raise Conflict("a memory with the same meaning was just deleted or moved; try again")
    return rows[0]


def _taken(batch: Sequence[PreparedDraft]) -> Conflict:
    if any(prepared.draft.id for prepared in batch):
        return Conflict("an id is taken by something else in this workspace; choose another", field="id")
    return Conflict("other writers keep saving the same keys; try again", field="key")
