"""The use case of erasing a user: counts first, then a durable job that ends when nothing is left."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from graph.conversations.capture.service import Conversations
from graph.core import queries as jobs
from graph.core.audit import note_act
from graph.core.automatic_changes import record_changes
from graph.core.background import portions
from graph.core.database import Database
from graph.core.deadlines import takes_long
from graph.core.errors import InvalidInput
from graph.core.ids import new_id
from graph.core.models import AuditAction, ChangeKind, JobKind, NewChange, SubjectKind
from graph.core.ports import Clock, WakeUp
from graph.core.queries import ClaimJobsRow
from graph.core.rows import Runner
from graph.core.text.checks import short_text
from graph.core.working_set import WorkingSet
from graph.knowledge.linking.service import delete_orphans
from graph.memories.deletion import Deleter
from graph.operations import queries
from graph.operations.models import ErasureCounts
from graph.operations.queries import delete_webhook_deliveries_of_user
from graph.telemetry.promoting import PatternPromoter
from graph.tenancy.access import Access
from graph.tenancy.keys import Keys

# Neo4j marks a deleted record as free and keeps its bytes until it reuses the space. It reuses space shortly after
# the last transaction that could see the record. Best effort: data in transaction logs, and keys in pages of range
# indexes, stay until the database prunes or reuses those.


FILLER_PREFIX: Final = "filler_"
"""Prefix of the ids of fillers."""
_FREED_AFTER_SECONDS: Final = 3.0
_FILLED_TOGETHER: Final = 500
_MOST: Final = 16_000
"""Maximum number of fillers, of about 6 KB each, so that the store temporarily grows by at most 100 MB."""
# Number of fillers for each erased node: a memory's text is stored as written, as search text, and in its neighbours.
_FOR_EACH: Final = 3
_LEAST: Final = 200
_RECORD_CHARS: Final = 120  # capacity of a record in Neo4j's string store
_FILLING: Final[Mapping[str, Any]] = {
    # Exactly one record each: a longer text needs several free records in a row, a shorter one leaves old bytes.
    **{f"filler_{number}": "." * _RECORD_CHARS for number in range(30)},
    "filler_numbers": [0.0] * 384,
}


async def overwrite_freed(database: Database, workspace_id: str, erased: int) -> None:
    """Overwrite the freed space of erased nodes: create fillers of about the same size, and delete all fillers."""
    if erased > 0:
        await asyncio.sleep(_FREED_AFTER_SECONDS)
        count = min(_MOST, max(_LEAST, _FOR_EACH * erased))
        for ids in portions([new_id(FILLER_PREFIX.rstrip("_")) for _ in range(count)], _FILLED_TOGETHER):
            await queries.write_fillers(database, workspace_id=workspace_id, ids=ids, properties=_FILLING)
    deleted = _FILLED_TOGETHER
    while deleted == _FILLED_TOGETHER:
        deleted = await queries.delete_fillers(
            database, workspace_id=workspace_id, prefix=FILLER_PREFIX, limit=_FILLED_TOGETHER
        )


_TOGETHER: Final = 200
_SEQUENCES_TOGETHER: Final = 50
_REST_TOGETHER: Final = 1000
_TURN_SECONDS: Final = 20.0
"""Time limit of one run of the job before it schedules the next: its lease must not expire."""


@dataclass(frozen=True)
class _Owner:
    """The user to erase."""

    workspace_id: str
    user_id: str

    @property
    def parameters(self) -> dict[str, str]:
        return {"workspace_id": self.workspace_id, "user_id": self.user_id}


class Erasure:
    """The use cases of erasure; lives as long as the process. The caller checks the permission."""

    def __init__(
        self,
        database: Database,
        access: Access,
        keys: Keys,
        deletion: Deleter,
        conversations: Conversations,
        promoter: PatternPromoter,
        working_set: WorkingSet,
        wake_up: WakeUp,
        clock: Clock,
    ) -> None:
        self._database = database
        self._access = access
        self._keys = keys
        self._deletion = deletion
        self._conversations = conversations
        self._promoter = promoter
        self._working_set = working_set
        self._wake_up = wake_up
        self._clock = clock

    async def count(self, workspace_id: str, user_id: str) -> ErasureCounts:
        """Return the number of nodes that an erasure would delete.

        Raises:
            InvalidInput: The user's id is blank or too long.
        """
        owner = _Owner(workspace_id, _checked(user_id))
        row = await queries.count_of_user(self._database, **owner.parameters)
        return ErasureCounts(**row.model_dump())

    async def begin(self, workspace_id: str, user_id: str) -> ErasureCounts:
        """Revoke the user's keys immediately and schedule the erasure of all other data; return the counts.

        Repeating the call during or after the erasure is harmless.

        Raises:
            InvalidInput: The user's id is blank or too long.
        """
        owner = _Owner(workspace_id, _checked(user_id))
        counts = await self.count(workspace_id, owner.user_id)
        now = self._clock.now()

        async def work(tx: Runner) -> None:
            await self._keys.revoke_of_user(tx, owner.workspace_id, owner.user_id)
            await self._enqueue(tx, owner)
            await note_act(tx, AuditAction.USER_ERASED, workspace_id, count=counts.total, now=now)
            # Recorded here, because the job may take several turns, each of which knows only a part of the number.
            if counts.total:
                await record_changes(tx, workspace_id, [_erased(counts.total)], now=now)

        await self._database.transaction(work)
        self._access.forget_keys()
        await self._wake_up.signal()
        return counts

    async def run_jobs(self, claimed: Sequence[ClaimJobsRow]) -> None:
        """Erase the users of the claimed jobs; a long erasure continues in the next turn."""
        for job in claimed:
            await self._erase(_Owner(job.workspace_id, job.subject_id))

    @takes_long
    async def _erase(self, owner: _Owner) -> None:
        before = (await self.count(owner.workspace_id, owner.user_id)).total
        is_done = await self._take_turn(owner, until=time.monotonic() + _TURN_SECONDS)
        left = (await self.count(owner.workspace_id, owner.user_id)).total
        await overwrite_freed(self._database, owner.workspace_id, before - left)
        if left or not is_done:
            await self._enqueue(self._database, owner)

    async def _take_turn(self, owner: _Owner, *, until: float) -> bool:
        """Erase until a time limit; return whether nothing is left."""
        # Sources of new memories come before the memories, including the user's messages in others' conversations.
        steps: Sequence[Callable[[_Owner], Awaitable[bool]]] = (
            self._erase_sequences,
            self._erase_conversations,
            self._erase_rest,
            self._erase_memories,
            self._erase_rest,
        )
        for step in steps:
            while await step(owner):
                if time.monotonic() > until:
                    return False
        await self._erase_names(owner)
        return True

    async def _erase_sequences(self, owner: _Owner) -> bool:
        ids = await queries.list_sequences_of_user(
            self._database, **owner.parameters, limit=_SEQUENCES_TOGETHER
        )
        return bool(ids) and bool(await self._promoter.forget(owner.workspace_id, sorted(ids)))

    async def _erase_conversations(self, owner: _Owner) -> bool:
        ids = await queries.list_conversations_of_user(self._database, **owner.parameters, limit=_TOGETHER)
        await self._forget_ids(self._database, owner.workspace_id, ids)
        for id_ in ids:
            await self._conversations.delete(owner.workspace_id, id_, is_act=False)
        return bool(ids)

    async def _erase_memories(self, owner: _Owner) -> bool:
        async def work(tx: Runner) -> tuple[bool, list[str]]:
            listed = await queries.list_memories_of_user(tx, **owner.parameters, limit=_TOGETHER)
            entity_ids: set[str] = set()

            async def still(tx: Runner) -> list[str]:
                """Return the memories that still belong to the user; locks prevent links and moves from now on."""
                rows = await queries.list_memories_still_of_user(tx, **owner.parameters, ids=listed)
                entity_ids.update(id_ for row in rows for id_ in row.entity_ids)
                return [row.id for row in rows]

            ids = await self._deletion.locked(tx, owner.workspace_id, listed, still)
            if not ids:
                return bool(listed), []
            removed = await self._deletion.remove_within(
                tx, owner.workspace_id, ids, hard=True, is_act=False, leaves_marks=False
            )
            await self._forget_ids(tx, owner.workspace_id, ids)
            await delete_orphans(tx, owner.workspace_id, entity_ids)
            return True, removed

        were_some, removed = await self._database.transaction(work)
        self._deletion.on_deleted(owner.workspace_id, removed)
        return were_some

    async def _erase_rest(self, owner: _Owner) -> bool:
        deleted = await queries.delete_rest_of_user(
            self._database, **owner.parameters, limit=_REST_TOGETHER, now=self._clock.now()
        )
        return deleted == _REST_TOGETHER

    async def _erase_names(self, owner: _Owner) -> None:
        """Erase references to the user: keys, marks, webhook deliveries, subjects of audit entries."""
        await self._keys.delete_of_user(owner.workspace_id, owner.user_id)
        await self._deletion.lift_marks_of_user(owner.workspace_id, owner.user_id)
        await self._working_set.clear_user(owner.workspace_id, owner.user_id)
        await delete_webhook_deliveries_of_user(self._database, **owner.parameters)
        await self._forget_ids(self._database, owner.workspace_id, [owner.user_id])

    async def _forget_ids(self, runner: Runner, workspace_id: str, ids: Sequence[str]) -> None:
        """Remove ids from all traces; takes a whole batch, because each call reads the whole audit."""
        if not ids:
            return
        await queries.delete_traces(runner, workspace_id=workspace_id, ids=ids)
        await queries.redact_audit(runner, about=workspace_id, subject_ids=ids)

    async def _enqueue(self, runner: Runner, owner: _Owner) -> None:
        now = self._clock.now()
        await jobs.enqueue_jobs(
            runner,
            workspace_id=owner.workspace_id,
            kind=JobKind.ERASE,
            subject_ids=[owner.user_id],
            now=now,
            due_at=now,
        )


def _erased(count: int) -> NewChange:
    """Return the entry of an erasure, without the user."""
    return NewChange(
        kind=ChangeKind.FORGOTTEN,
        subject_kind=SubjectKind.USER,
        subject_id=None,
        rule="erasure",
        count=count,
        is_final=True,
        job=JobKind.ERASE,
    )


def _checked(user_id: str) -> str:
    checked = short_text("userId", user_id)
    if not checked:
        raise InvalidInput("userId", "userId must name a user; shared data cannot be erased this way")
    return checked
