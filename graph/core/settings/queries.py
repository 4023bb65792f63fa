"""The typed functions over ``cypher/core/settings``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from cypher import load
from graph.core.rows import Row, Runner, execute, fetch_many


class ListSettingsRow(Row):
    key: str
    value: str


async def list_settings(runner: Runner, *, workspace_id: str) -> list[ListSettingsRow]:
    return await fetch_many(runner, load("list_settings"), ListSettingsRow, {"workspace_id": workspace_id})


async def store_settings(
    runner: Runner, *, workspace_id: str, rows: Sequence[Mapping[str, Any]], now: datetime
) -> None:
    await execute(runner, load("store_settings"), {"workspace_id": workspace_id, "rows": rows, "now": now})
