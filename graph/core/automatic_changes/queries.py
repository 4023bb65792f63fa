"""The typed functions over ``cypher/core/automatic_changes``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from graph.core.automatic_changes.models import AutomaticChange
from graph.core.query import query
from graph.core.rows import Runner


@query
async def create_automatic_changes(
    runner: Runner, *, workspace_id: str, changes: Sequence[Mapping[str, Any]], now: datetime
) -> None: ...


@query
async def has_merged_save(runner: Runner, *, workspace_id: str, subject_id: str, version: int) -> bool: ...


@query
async def list_automatic_changes(
    runner: Runner,
    *,
    workspace_id: str,
    kinds: Sequence[str],
    after_created: datetime | None,
    after_id: str | None,
    limit: int,
) -> list[AutomaticChange]: ...


@query
async def lock_automatic_change(runner: Runner, *, workspace_id: str, id: str) -> AutomaticChange | None: ...


@query
async def settle_automatic_changes(
    runner: Runner,
    *,
    workspace_id: str,
    ids: Sequence[str],
    kind: str,
    subject_ids: Sequence[str],
    now: datetime,
) -> None: ...


@query
async def delete_old_automatic_changes(runner: Runner, *, before: datetime, limit: int) -> int: ...
