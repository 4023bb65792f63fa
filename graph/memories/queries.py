"""The typed functions over ``cypher/memories``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from graph.core.query import query
from graph.core.rows import Row, Runner
from graph.memories.models import Association, AssociationType, Memory, User


@query
async def count_live_memories(runner: Runner, *, workspace_id: str, now: datetime) -> int: ...


@query
async def count_memories(
    runner: Runner,
    *,
    workspace_id: str,
    filter: Mapping[str, Any],
    now: datetime,
) -> int: ...


class CreateMemoriesRow(Row):
    keeps_vectors: bool
    created: int


@query
async def create_memories(
    runner: Runner,
    *,
    workspace_id: str,
    memories: Sequence[Mapping[str, Any]],
    vector_property: str,
    signature: str | None,
    now: datetime,
) -> CreateMemoriesRow: ...


@query
async def extend_windows(
    runner: Runner, *, workspace_id: str, extensions: Sequence[Mapping[str, Any]]
) -> None: ...


@query
async def find_version(runner: Runner, *, workspace_id: str, memory_id: str, version: int) -> str | None: ...


@query
async def get_memories(
    runner: Runner, *, workspace_id: str, ids: Sequence[str], include_deleted: bool, now: datetime
) -> list[Memory]: ...


class ChainTurnsRow(Row):
    id: str
    position: int


@query
async def chain_turns(
    runner: Runner, *, workspace_id: str, turn_scope: str, conversation_id: str, since: int, until: int
) -> list[ChainTurnsRow]: ...


@query
async def link_turns(
    runner: Runner, *, workspace_id: str, turns: Sequence[Mapping[str, Any]], now: datetime
) -> None: ...


@query
async def list_memories(
    runner: Runner,
    *,
    workspace_id: str,
    filter: Mapping[str, Any],
    now: datetime,
    after_created: datetime | None,
    after_id: str | None,
    limit: int,
) -> list[Memory]: ...


class ListMemoriesRankedRow(Row):
    memory: Memory
    rank: float


@query
async def list_memories_ranked(
    runner: Runner,
    *,
    workspace_id: str,
    filter: Mapping[str, Any],
    now: datetime,
    rank_by: str,
    after_rank: float | None,
    after_id: str | None,
    limit: int,
) -> list[ListMemoriesRankedRow]: ...


class ListTurnsAroundRow(Row):
    id: str
    position: int
    content: str
    speaker: str | None
    timestamp: datetime
    key: str | None
    tags: Sequence[str] | None
    keywords: Sequence[str] | None
    metadata: str | None


@query
async def list_turns_around(
    runner: Runner, *, workspace_id: str, turn_scope: str, first_position: int, last_position: int
) -> list[ListTurnsAroundRow]: ...


class ListVersionsRow(Row):
    memory_id: str
    version: int
    content: str
    created_at: datetime


@query
async def list_versions(
    runner: Runner, *, workspace_id: str, memory_ids: Sequence[str], limit: int
) -> list[ListVersionsRow]: ...


class LockMemoriesRow(Row):
    memory: Memory
    revision: int
    turn: Mapping[str, Any]


@query
async def lock_memories(
    runner: Runner, *, workspace_id: str, ids: Sequence[str], keys: Sequence[Mapping[str, str]]
) -> list[LockMemoriesRow]: ...


@query
async def lock_turns_around(
    runner: Runner, *, workspace_id: str, turn_scope: str, first_position: int, last_position: int
) -> list[str]: ...


class OpenTurnsRow(Row):
    turn_scope: str
    last: Mapping[str, Any] | None
    tail: Sequence[Mapping[str, Any]]
    conversation_id: str
    user_id: str
    has_left: bool


@query
async def open_turns(
    runner: Runner, *, workspace_id: str, scopes: Sequence[Mapping[str, Any]], window: int, now: datetime
) -> list[OpenTurnsRow]: ...


@query
async def reindex_turns(runner: Runner, *, workspace_id: str, turns: Sequence[Mapping[str, Any]]) -> None: ...


class UpdateMemoriesRow(Row):
    keeps_vectors: bool
    updated: int


@query
async def update_memories(
    runner: Runner,
    *,
    workspace_id: str,
    updates: Sequence[Mapping[str, Any]],
    vector_property: str,
    signature: str | None,
    now: datetime,
) -> UpdateMemoriesRow | None: ...


@query
async def link_sources(
    runner: Runner, *, workspace_id: str, sources: Sequence[Mapping[str, Any]], now: datetime
) -> list[str]: ...


class DeleteAssociationRow(Row):
    source_id: str
    target_id: str
    type: AssociationType
    is_of_slot: bool
    is_opened: bool


@query
async def delete_association(
    runner: Runner, *, workspace_id: str, id: str, now: datetime
) -> DeleteAssociationRow | None: ...


class ListAssociationsRow(Row):
    memory_id: str
    association: Association


@query
async def list_associations(
    runner: Runner, *, workspace_id: str, memory_ids: Sequence[str], limit: int, now: datetime
) -> list[ListAssociationsRow]: ...


@query
async def upsert_association(
    runner: Runner,
    *,
    workspace_id: str,
    from_id: str,
    to_id: str,
    type: AssociationType,
    id: str,
    strength: float | None,
    now: datetime,
) -> Association | None: ...


class SelectedMemoryRow(Row):
    id: str
    metadata: str | None
    is_turn: bool
    tags: list[str]
    user_id: str | None
    agent_id: str | None
    key: str | None
    expires_at: datetime | None


@query
async def list_selected_memories(
    runner: Runner,
    *,
    workspace_id: str,
    filter: Mapping[str, Any],
    after_id: str,
    now: datetime,
    limit: int,
) -> list[SelectedMemoryRow]: ...


@query
async def list_memories_selected_by_id(
    runner: Runner,
    *,
    workspace_id: str,
    filter: Mapping[str, Any],
    ids: Sequence[str],
    now: datetime,
) -> list[SelectedMemoryRow]: ...


@query
async def list_taken_keys(
    runner: Runner, *, workspace_id: str, user_id: str, agent_id: str, keys: Sequence[str]
) -> list[str]: ...


@query
async def list_oldest_to_compact(
    runner: Runner,
    *,
    workspace_id: str,
    api_key_id: str | None,
    session_id: str | None,
    created_before: datetime,
    now: datetime,
    after_created: datetime | None,
    after_id: str | None,
    limit: int,
) -> list[Memory]: ...


@query
async def list_newest_to_compact(
    runner: Runner,
    *,
    workspace_id: str,
    api_key_id: str | None,
    session_id: str | None,
    now: datetime,
    after_created: datetime | None,
    after_id: str | None,
    limit: int,
) -> list[Memory]: ...


@query
async def list_not_lasting(
    runner: Runner, *, workspace_id: str, ids: Sequence[str], now: datetime
) -> list[str]: ...


@query
async def link_compacted(
    runner: Runner,
    *,
    workspace_id: str,
    summary_id: str,
    originals: Sequence[Mapping[str, Any]],
    now: datetime,
) -> None: ...


class ListOlderNeighboursRow(Row):
    memory: Memory
    other: Memory


@query
async def list_older_neighbours(
    runner: Runner,
    *,
    workspace_id: str,
    latest_limit: int,
    vector_property: str,
    vector_limit: int,
    least_cosine: float,
    now: datetime,
    vector_index: str,
) -> list[ListOlderNeighboursRow]: ...


class ClaimContentsRow(Row):
    memory: Memory
    content_hash: str
    dedup_key: str | None


@query
async def claim_contents(
    runner: Runner,
    *,
    workspace_id: str,
    hashes: Sequence[str],
    dedup_keys: Sequence[str],
    ids: Sequence[str],
    now: datetime,
) -> list[ClaimContentsRow]: ...


class FindNearMemoriesRow(Row):
    ordinal: int
    memory: Memory
    cosine: float


@query
async def find_near_memories(
    runner: Runner,
    *,
    workspace_id: str,
    probes: Sequence[Mapping[str, Any]],
    vector_property: str,
    vector_limit: int,
    least_cosine: float,
    now: datetime,
    vector_index: str,
) -> list[FindNearMemoriesRow]: ...


class ListLatestOfSlotsRow(Row):
    key: str
    memory: Memory


@query
async def list_latest_of_slots(
    runner: Runner, *, workspace_id: str, slots: Sequence[Mapping[str, str]], now: datetime
) -> list[ListLatestOfSlotsRow]: ...


class ListUncomparedRow(Row):
    memory: Memory
    vector: Sequence[float]


@query
async def list_uncompared(
    runner: Runner, *, subjects: Sequence[Mapping[str, Any]], vector_property: str
) -> list[ListUncomparedRow]: ...


@query
async def note_duplicates(
    runner: Runner, *, workspace_id: str, rows: Sequence[Mapping[str, Any]]
) -> None: ...


class RemovedMemoryRow(Row):
    id: str
    turn_scope: str | None
    position: int | None


class SweepExpiredRow(Row):
    workspace_id: str
    turn_scope: str | None
    position: int | None
    id: str


@query
async def archive_memories(
    runner: Runner, *, workspace_id: str, ids: Sequence[str], now: datetime
) -> list[RemovedMemoryRow]: ...


@query
async def delete_memories(
    runner: Runner, *, workspace_id: str, ids: Sequence[str], now: datetime
) -> list[RemovedMemoryRow]: ...


@query
async def find_tombstones(runner: Runner, *, workspace_id: str, ids: Sequence[str]) -> list[str]: ...


@query
async def list_memories_to_clear(
    runner: Runner,
    *,
    workspace_id: str,
    api_key_id: str | None,
    types: Sequence[str],
    kinds: Sequence[str],
    facets: Sequence[str],
    created_before: datetime | None,
    include_deleted: bool,
    limit: int,
) -> list[str]: ...


@query
async def lock_for_deletion(runner: Runner, *, workspace_id: str, ids: Sequence[str]) -> None: ...


@query
async def sweep_expired(
    runner: Runner, *, now: datetime, limit: int, mirrors: bool
) -> list[SweepExpiredRow]: ...


@query
async def note_marks(runner: Runner, *, workspace_id: str, marks: Sequence[str], now: datetime) -> None: ...


@query
async def lift_marks(runner: Runner, *, workspace_id: str, marks: Sequence[str]) -> None: ...


@query
async def lift_marks_of_user(runner: Runner, *, workspace_id: str, suffix: str) -> None: ...


@query
async def find_user(runner: Runner, *, workspace_id: str, id: str) -> User | None: ...


@query
async def list_users(runner: Runner, *, workspace_id: str, after_id: str, limit: int) -> list[User]: ...
