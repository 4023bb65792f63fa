"""The typed functions over ``cypher/core/data_versions``. The header of each file documents it."""

from datetime import datetime

from cypher import load
from graph.core.rows import Row, Runner, execute, fetch_optional


class FindDataVersionRow(Row):
    name: str


async def find_data_version(runner: Runner, *, name: str) -> FindDataVersionRow | None:
    return await fetch_optional(runner, load("find_data_version"), FindDataVersionRow, {"name": name})


async def note_data_version(runner: Runner, *, name: str, now: datetime) -> None:
    await execute(runner, load("note_data_version"), {"name": name, "now": now})
