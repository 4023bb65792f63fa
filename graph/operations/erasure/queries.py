"""The typed functions over ``cypher/operations/erasure``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from graph.core.query import query
from graph.core.rows import Row, Runner


class CountOfUserRow(Row):
    memories: int
    versions: int
    passages: int
    conversations: int
    messages: int
    episodes: int
    summaries: int
    distillations: int
    sequences: int
    actions: int
    prompt_runs: int
    api_keys: int


@query
async def count_of_user(runner: Runner, *, workspace_id: str, user_id: str) -> CountOfUserRow: ...


@query
async def list_memories_of_user(
    runner: Runner, *, workspace_id: str, user_id: str, limit: int
) -> list[str]: ...


class ListMemoriesStillOfUserRow(Row):
    id: str
    entity_ids: list[str]


@query
async def list_memories_still_of_user(
    runner: Runner, *, workspace_id: str, user_id: str, ids: Sequence[str]
) -> list[ListMemoriesStillOfUserRow]: ...


@query
async def list_conversations_of_user(
    runner: Runner, *, workspace_id: str, user_id: str, limit: int
) -> list[str]: ...


@query
async def list_sequences_of_user(
    runner: Runner, *, workspace_id: str, user_id: str, limit: int
) -> list[str]: ...


@query
async def delete_traces(runner: Runner, *, workspace_id: str, ids: Sequence[str]) -> None: ...


@query
async def redact_audit(runner: Runner, *, about: str, subject_ids: Sequence[str]) -> None: ...


@query
async def delete_rest_of_user(
    runner: Runner, *, workspace_id: str, user_id: str, limit: int, now: datetime
) -> int: ...


@query
async def write_fillers(
    runner: Runner, *, workspace_id: str, ids: Sequence[str], properties: Mapping[str, Any]
) -> None: ...


@query
async def delete_fillers(runner: Runner, *, workspace_id: str, prefix: str, limit: int) -> int: ...
