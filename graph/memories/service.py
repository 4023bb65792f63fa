"""What can be done with memories: save, read, list, change, delete, restore."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from graph.core.database import Database
from graph.core.errors import Conflict, InvalidInput, NotFound
from graph.core.pages import Cursor, Page, page_of, page_size
from graph.core.rows import Runner
from graph.embeddings.service import Embeddings
from graph.jobs import queries as jobs
from graph.jobs.models import JobKind
from graph.memories import queries, rules
from graph.memories.models import (
    Memory,
    MemoryChange,
    MemoryDraft,
    MemoryFilter,
    MemoryOrder,
    SavedMemory,
)
from graph.memories.rules import ContentLimits
from graph.memories.writing import BatchWriter, require, rounds, turn_scope
from graph.ports import Clock, WakeUp

MAX_BATCH = 1000
_CONSTRAINT_RETRIES = 3


class Memories:
    """The use cases of memories; lives as long as the process.

    Every method speaks of one workspace: what lies in another does not exist for it.
    """

    def __init__(
        self, database: Database, embeddings: Embeddings, wake_up: WakeUp, clock: Clock, limits: ContentLimits
    ) -> None:
        self._database = database
        self._embeddings = embeddings
        self._wake_up = wake_up
        self._clock = clock
        self._limits = limits

    async def save(self, workspace_id: str, draft: MemoryDraft) -> SavedMemory:
        """Save one memory; see :meth:`save_all`."""
        return (await self.save_all(workspace_id, [draft]))[0]

    async def save_all(self, workspace_id: str, drafts: Sequence[MemoryDraft]) -> list[SavedMemory]:
        """Save drafts in one transaction and return their receipts in order.

        A draft whose id or key is stored updates that memory. Drafts with a source conversation are turns of
        it, in the order given. Vectors that are not supplied are made by a job of the same transaction.

        Raises:
            InvalidInput: A draft breaks a rule; nothing was saved.
            Conflict: An id belongs to another workspace, or other writers kept claiming the same keys.
            Unavailable: The graph does not answer.
        """
        if not 1 <= len(drafts) <= MAX_BATCH:
            raise InvalidInput("inputs", f"inputs must hold 1 to {MAX_BATCH} memories, got {len(drafts)}")
        accepted = [self._accept(draft) for draft in drafts]
        receipts = await self._write(workspace_id, accepted)
        await self._wake_up.signal()
        return receipts

    async def get(self, workspace_id: str, id_: str, *, include_deleted: bool = False) -> Memory:
        """Return one memory.

        Raises:
            NotFound: It does not exist in this workspace, or was deleted.
        """
        found = await self.find(workspace_id, id_, include_deleted=include_deleted)
        if found is None:
            raise NotFound(f"there is no memory {id_!r} in this workspace", field="id")
        return found

    async def find(self, workspace_id: str, id_: str, *, include_deleted: bool = False) -> Memory | None:
        """Return one memory, or None."""
        rows = await queries.get_memories(
            self._database, workspace_id=workspace_id, ids=[id_], include_deleted=include_deleted
        )
        return rows[0].memory if rows else None

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
            InvalidInput: ``first`` or ``after`` is malformed.
        """
        size = page_size(first)
        cursor = Cursor.decode(after) if after else None
        common: dict[str, Any] = {
            **filter_parameters(filter_),
            "workspace_id": workspace_id,
            "now": self._clock.now(),
            "after_id": cursor.id if cursor else None,
            "limit": size + 1,
        }
        if order is MemoryOrder.CREATED_AT:
            listed = await queries.list_memories(
                self._database, after_created=cursor.date if cursor else None, **common
            )
            memories = [row.memory for row in listed]
            cursors = [Cursor(date=memory.created_at, id=memory.id) for memory in memories]
        else:
            ranked = await queries.list_memories_ranked(
                self._database, rank_by=order.value, after_rank=cursor.rank if cursor else None, **common
            )
            memories = [row.memory for row in ranked]
            cursors = [Cursor(rank=row.rank, id=row.memory.id) for row in ranked]
        return page_of(memories, cursors, size)

    async def count(self, workspace_id: str, filter_: MemoryFilter | None = None) -> int:
        """Return how many live memories the filter admits."""
        row = await queries.count_memories(
            self._database,
            workspace_id=workspace_id,
            now=self._clock.now(),
            **filter_parameters(filter_ or MemoryFilter()),
        )
        return row.count

    async def update(self, workspace_id: str, id_: str, change: MemoryChange) -> Memory:
        """Change the fields that were set; metadata is merged, a changed text is kept as a version.

        Raises:
            NotFound: There is no such memory, or it was deleted.
            InvalidInput: A field breaks a rule.
        """
        given = self._checked_change(change)

        async def work(tx: Runner) -> Memory:
            now = self._clock.now()
            rows = await queries.lock_memories(tx, workspace_id=workspace_id, ids=[id_], keys=[], now=now)
            found = require([row for row in rows if row.memory.deleted_at is None], id_)
            properties = dict(given)
            embedding = properties.pop("embedding", None)
            if "metadata" in properties:
                properties["metadata"] = rules.as_json(
                    rules.merged_metadata(found.memory.metadata, properties["metadata"])
                )
            rules.check_validity(
                properties.get("t_valid", found.memory.t_valid),
                properties.get("t_invalid", found.memory.t_invalid),
            )
            writer = BatchWriter(workspace_id, now=now, stored=rows, tails={})
            changed = writer.change(found, properties, embedding)
            await self._apply(tx, workspace_id, writer, now)
            return changed

        memory = await self._database.transaction(work)
        await self._wake_up.signal()
        return memory

    async def delete(self, workspace_id: str, id_: str, *, hard: bool = False) -> bool:
        """Delete a memory: soft keeps it for a restore, hard removes node, versions and edges for good.

        Returns whether there was something to delete.
        """
        if hard:
            return await queries.delete_memory(self._database, workspace_id=workspace_id, id=id_) is not None
        archived = await queries.archive_memory(
            self._database, workspace_id=workspace_id, id=id_, now=self._clock.now()
        )
        return archived is not None

    def _accept(self, draft: MemoryDraft) -> MemoryDraft:
        accepted = rules.checked(draft, self._limits)
        if accepted.embedding is None:
            return accepted
        vector = rules.checked_embedding(accepted.embedding, self._embeddings.require_dimension())
        return accepted.model_copy(update={"embedding": tuple(vector)})

    async def _write(self, workspace_id: str, drafts: Sequence[MemoryDraft]) -> list[SavedMemory]:
        async def work(tx: Runner) -> list[SavedMemory]:
            receipts: list[SavedMemory] = []
            for batch in rounds(drafts):
                receipts += await self._write_round(tx, workspace_id, batch)
            return receipts

        for attempt in range(1, _CONSTRAINT_RETRIES + 1):
            try:
                return await self._database.transaction(work)
            except Conflict:
                # Another writer created the same key meanwhile: the next attempt finds and updates it.
                if attempt == _CONSTRAINT_RETRIES:
                    raise
        raise AssertionError

    async def _write_round(
        self, tx: Runner, workspace_id: str, drafts: Sequence[MemoryDraft]
    ) -> list[SavedMemory]:
        now = self._clock.now()
        ids = [draft.id for draft in drafts if draft.id]
        keys = [draft.key for draft in drafts if draft.key]
        tails = await self._open_turns(tx, workspace_id, drafts, now)
        stored = (
            await queries.lock_memories(tx, workspace_id=workspace_id, ids=ids, keys=keys, now=now)
            if ids or keys
            else []
        )
        writer = BatchWriter(workspace_id, now=now, stored=stored, tails=tails)
        for draft in drafts:
            writer.add(draft)
        await self._apply(tx, workspace_id, writer, now)
        return writer.plan.receipts

    async def _open_turns(
        self, tx: Runner, workspace_id: str, drafts: Sequence[MemoryDraft], now: datetime
    ) -> dict[str, Any]:
        scopes = {turn_scope(draft): draft.source_conversation_id for draft in drafts if draft.is_turn}
        if not scopes:
            return {}
        # A fixed order of locks keeps two batches over the same conversations from waiting for each other.
        ordered = [{"turn_scope": scope, "conversation_id": scopes[scope]} for scope in sorted(scopes)]
        rows = await queries.open_turns(tx, workspace_id=workspace_id, scopes=ordered, now=now)
        return {row.turn_scope: row.tail for row in rows}

    async def _apply(self, tx: Runner, workspace_id: str, writer: BatchWriter, now: datetime) -> None:
        plan = writer.plan
        vector_property = self._embeddings.vector_property
        if plan.creations:
            await queries.create_memories(
                tx,
                workspace_id=workspace_id,
                memories=plan.creations,
                vector_property=vector_property,
                now=now,
            )
        if plan.turns:
            await queries.link_turns(tx, workspace_id=workspace_id, turns=plan.turns, now=now)
        if plan.updates:
            await queries.update_memories(
                tx, workspace_id=workspace_id, updates=plan.updates, vector_property=vector_property, now=now
            )
        created = {row["id"] for row in plan.creations}
        if again := [id_ for id_ in plan.to_embed if id_ not in created]:
            await jobs.enqueue_jobs(
                tx, workspace_id=workspace_id, kind=JobKind.EMBED, subject_ids=again, now=now, due_at=now
            )

    def _checked_change(self, change: MemoryChange) -> dict[str, Any]:
        given = rules.checked_change(change, self._limits)
        if given.get("embedding") is not None:
            given["embedding"] = rules.checked_embedding(
                given["embedding"], self._embeddings.require_dimension()
            )
        return given


def filter_parameters(filter_: MemoryFilter) -> dict[str, Any]:
    """Return the query parameters of a filter."""
    return {
        "types": list(filter_.types),
        "kinds": list(filter_.kinds),
        "facets": list(filter_.facets),
        "categories": list(filter_.categories),
        "source_types": list(filter_.source_types),
        "any_tags": [tag.strip().lower() for tag in filter_.any_tags],
        "all_tags": [tag.strip().lower() for tag in filter_.all_tags],
        "min_importance": filter_.min_importance,
        "min_confidence": filter_.min_confidence,
        "conversation_id": filter_.conversation_id,
        "session_id": filter_.session_id,
        "since": rules.in_utc(filter_.since),
        "until": rules.in_utc(filter_.until),
        "text": filter_.text.lower() if filter_.text else None,
    }
