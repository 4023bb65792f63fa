"""The typed functions over ``cypher/core/settings``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from graph.core.query import query
from graph.core.rows import Row, Runner


class ListSettingsRow(Row):
    key: str
    value: str


@query
async def list_settings(runner: Runner, *, workspace_id: str) -> list[ListSettingsRow]: ...


@query
async def store_settings(
    runner: Runner, *, workspace_id: str, rows: Sequence[Mapping[str, Any]], now: datetime
) -> None: ...
