"""The typed functions over ``cypher/conversations/checkpoints``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from graph.conversations.checkpoints.models import Checkpoint
from graph.core.query import query
from graph.core.rows import Row, Runner


@query
async def upsert_checkpoint(
    runner: Runner,
    *,
    workspace_id: str,
    thread_id: str,
    namespace: str,
    id: str,
    user_id: str | None,
    agent_id: str | None,
    properties: Mapping[str, Any],
    now: datetime,
) -> bool | None: ...


@query
async def upsert_checkpoint_writes(
    runner: Runner,
    *,
    workspace_id: str,
    thread_id: str,
    namespace: str,
    checkpoint_id: str,
    task_id: str,
    user_id: str | None,
    agent_id: str | None,
    writes: Sequence[Mapping[str, Any]],
    now: datetime,
) -> int | None: ...


@query
async def find_checkpoint(
    runner: Runner, *, workspace_id: str, thread_id: str, namespace: str, lowest: str, highest: str
) -> Checkpoint | None: ...


@query
async def get_checkpoints(
    runner: Runner, *, workspace_id: str, keys: Sequence[Mapping[str, Any]]
) -> list[Checkpoint]: ...


class ListCheckpointsRow(Row):
    thread_id: str
    namespace: str
    id: str
    size: int


@query
async def list_checkpoints(
    runner: Runner,
    *,
    workspace_id: str,
    namespace: str | None,
    up_to: str,
    before: str | None,
    after_id: str | None,
    after_thread_id: str | None,
    after_namespace: str | None,
    pairs: Sequence[str],
    absent: Sequence[str],
    limit: int,
) -> list[ListCheckpointsRow]: ...


@query
async def list_checkpoints_of_thread(
    runner: Runner,
    *,
    workspace_id: str,
    thread_id: str,
    namespace: str | None,
    up_to: str,
    before: str | None,
    after_id: str | None,
    after_thread_id: str | None,
    after_namespace: str | None,
    pairs: Sequence[str],
    absent: Sequence[str],
    limit: int,
) -> list[ListCheckpointsRow]: ...


@query
async def delete_thread(
    runner: Runner, *, workspace_id: str, id: str, limit: int, most_bytes: int
) -> int | None: ...


@query
async def list_threads_of_user(
    runner: Runner, *, workspace_id: str, user_id: str, limit: int
) -> list[str]: ...
