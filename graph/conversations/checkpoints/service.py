"""What can be done with checkpoints: save them and what tasks write on top, read and list them, delete a thread."""

import asyncio
import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

from pydantic_core import from_json

from graph.conversations.checkpoints import queries
from graph.conversations.checkpoints.metadata import beginning_of, pairs_of
from graph.conversations.checkpoints.models import Checkpoint, CheckpointDraft, CheckpointFilter, WritesDraft
from graph.conversations.checkpoints.rules import checkpoint_properties, write_rows
from graph.core.audit.models import AuditAction
from graph.core.audit.service import note_act
from graph.core.database import Database
from graph.core.deadlines import takes_long
from graph.core.errors import Conflict, InvalidInput
from graph.core.pages import Cursor, Page, Paging
from graph.core.ports import Clock
from graph.core.rows import Runner
from graph.core.scope import owner_named
from graph.core.text.checks import short_text
from graph.memories.rules import validated_metadata

_ATTEMPTS: Final = 3
"""A thread's first checkpoint and what its tasks write come at the same time, and both begin the thread."""
_LOWEST: Final = ""
_HIGHEST: Final = "~"
"""Below and above every id, which has letters, digits and what stands before them in ASCII."""
_PAGE_BYTES: Final = 16 * 1024 * 1024
"""After so many bytes of states a page ends, however few checkpoints it holds."""
_DELETED_TOGETHER: Final = 500
_DELETED_BYTES: Final = 16 * 1024 * 1024


class Checkpoints:
    """The use cases of checkpoints; lives as long as the process.

    They are never embedded, linked or searched, and are kept whether or not the workspace's memory is on: they are a
    program's, not what was said.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def save(self, workspace_id: str, draft: CheckpointDraft) -> bool:
        """Save a checkpoint, in the place of the one of its thread, namespace and id; return whether it is new.

        Raises:
            InvalidInput: A field breaks a rule; nothing was stored.
            Forbidden: The user or the agent lies outside the present scope.
            Conflict: The thread is another user's or agent's.
        """
        owners = _owners(draft)
        properties = await asyncio.to_thread(checkpoint_properties, draft)
        now = self._clock.now()

        async def work(tx: Runner) -> bool | None:
            return await queries.upsert_checkpoint(
                tx,
                workspace_id=workspace_id,
                thread_id=draft.thread_id,
                namespace=draft.namespace,
                id=draft.checkpoint_id,
                properties=properties,
                now=now,
                **owners,
            )

        is_new = await self._database.transaction(work, attempts=_ATTEMPTS)
        if is_new is None:
            raise _anothers(draft)
        return is_new

    async def save_writes(self, workspace_id: str, draft: WritesDraft) -> int:
        """Save what a task wrote on top of a checkpoint; return how much of it is new or took another's place.

        What stands at a position from 0 stays as it was first; below it, it is replaced.

        Raises:
            InvalidInput: A field breaks a rule; nothing was stored.
            Forbidden: The user or the agent lies outside the present scope.
            Conflict: The thread is another user's or agent's.
        """
        owners = _owners(draft)
        writes = await asyncio.to_thread(write_rows, draft)
        now = self._clock.now()

        async def work(tx: Runner) -> int | None:
            return await queries.upsert_checkpoint_writes(
                tx,
                workspace_id=workspace_id,
                thread_id=draft.thread_id,
                namespace=draft.namespace,
                checkpoint_id=draft.checkpoint_id,
                task_id=draft.task_id,
                writes=writes,
                now=now,
                **owners,
            )

        stored = await self._database.transaction(work, attempts=_ATTEMPTS)
        if stored is None:
            raise _anothers(draft)
        return stored

    async def find(
        self, workspace_id: str, thread_id: str, *, namespace: str = "", id_: str | None = None
    ) -> Checkpoint | None:
        """Return the checkpoint of an id, or the latest of a thread and namespace; None where there is none."""
        return await queries.find_checkpoint(
            self._database,
            workspace_id=workspace_id,
            thread_id=thread_id,
            namespace=namespace,
            lowest=_LOWEST if id_ is None else id_,
            highest=_HIGHEST if id_ is None else id_,
        )

    async def page(
        self, workspace_id: str, wanted: CheckpointFilter, *, first: int, after: str | None = None
    ) -> Page[Checkpoint]:
        """Return a page of checkpoints, the latest first; it ends early where their states are large.

        Raises:
            InvalidInput: The metadata to find are no JSON object.
        """
        paging = Paging.of(first, after)
        rows = await self._listed(workspace_id, wanted, paging)
        shown = list(_fitting(rows[: paging.size]))
        keys = [row.model_dump(include={"thread_id", "namespace", "id"}) for row in shown]
        found = await queries.get_checkpoints(self._database, workspace_id=workspace_id, keys=keys)
        by_place = {_place_of(each): each for each in found}
        # One that was deleted since it was listed is left out.
        items = [by_place[place] for row in shown if (place := _place_of(row)) in by_place]
        return Page(
            items=items,
            cursors=[Cursor(id=json.dumps(_place_of(each))) for each in items],
            has_more=len(rows) > len(shown),
        )

    async def _listed(
        self, workspace_id: str, wanted: CheckpointFilter, paging: Paging
    ) -> list[queries.ListCheckpointsRow]:
        metadata = validated_metadata(wanted.metadata)
        after_id, after_thread_id, after_namespace = _place_in(paging.id)
        asked: dict[str, Any] = {
            "workspace_id": workspace_id,
            "namespace": wanted.namespace,
            "up_to": min(after_id or _HIGHEST, wanted.before or _HIGHEST),
            "before": wanted.before,
            "after_id": after_id,
            "after_thread_id": after_thread_id,
            "after_namespace": after_namespace,
            "pairs": pairs_of(metadata),
            "absent": [beginning_of(name) for name, value in metadata.items() if value is None],
            "limit": paging.limit,
        }
        if wanted.thread_id is None:
            return await queries.list_checkpoints(self._database, **asked)
        return await queries.list_checkpoints_of_thread(self._database, thread_id=wanted.thread_id, **asked)

    @takes_long
    async def delete_thread(self, workspace_id: str, thread_id: str, *, is_act: bool = True) -> bool:
        """Delete a thread with all its checkpoints permanently; return whether there was one.

        It goes in transactions of bounded size. The audit names what is an act of somebody.

        Raises:
            Unavailable: The graph does not answer; the call may be repeated.
        """
        found = False
        while True:
            deleted = await self._delete_part(workspace_id, thread_id, is_act=is_act)
            if not deleted:
                return found or deleted is not None
            found = True

    async def _delete_part(self, workspace_id: str, thread_id: str, *, is_act: bool) -> int | None:
        """Return how many nodes went: 0 where the thread itself did, None where there is none."""
        now = self._clock.now()

        async def work(tx: Runner) -> int | None:
            deleted = await queries.delete_thread(
                tx,
                workspace_id=workspace_id,
                id=thread_id,
                limit=_DELETED_TOGETHER,
                most_bytes=_DELETED_BYTES,
            )
            if deleted == 0 and is_act:
                await note_act(tx, AuditAction.THREAD_REMOVED, workspace_id, subject_id=thread_id, now=now)
            return deleted

        return await self._database.transaction(work)

    async def threads_of_user(self, workspace_id: str, user_id: str, *, limit: int) -> list[str]:
        """Return the ids of threads that belong to a user, in no order."""
        return await queries.list_threads_of_user(
            self._database, workspace_id=workspace_id, user_id=user_id, limit=limit
        )


def _owners(draft: CheckpointDraft | WritesDraft) -> dict[str, str | None]:
    user_id, agent_id = owner_named(
        short_text("userId", draft.user_id), short_text("agentId", draft.agent_id)
    )
    return {"user_id": user_id, "agent_id": agent_id}


def _anothers(draft: CheckpointDraft | WritesDraft) -> Conflict:
    return Conflict(
        f"thread {draft.thread_id!r} belongs to another user or agent: choose another threadId",
        field="threadId",
    )


def _fitting(rows: Sequence[queries.ListCheckpointsRow]) -> Iterator[queries.ListCheckpointsRow]:
    """Yield rows as long as their states fit into a page; the first one in any case."""
    size = 0
    for row in rows:
        size += row.size
        if size > _PAGE_BYTES and size > row.size:
            return
        yield row


def _place_of(row: Checkpoint | queries.ListCheckpointsRow) -> tuple[str, str, str]:
    return row.id, row.thread_id, row.namespace


def _place_in(cursor: str | None) -> tuple[str | None, str | None, str | None]:
    """Return the id, the thread and the namespace that a page begins behind.

    Raises:
        InvalidInput: The cursor is of another list.
    """
    if cursor is None:
        return None, None, None
    try:
        id_, thread_id, namespace = map(str, from_json(cursor))
    except (TypeError, ValueError):
        raise InvalidInput("after", "after must be a cursor that an earlier page returned") from None
    return id_, thread_id, namespace
