"""The typed functions over ``cypher/operations/admin``. The header of each file documents it."""

from datetime import datetime

from cypher import load
from graph.core.rows import Row, Runner, execute, fetch_many, fetch_one, fetch_optional


class GetServerRow(Row):
    version: str
    edition: str


async def get_server(runner: Runner) -> GetServerRow:
    return await fetch_one(runner, load("get_server"), GetServerRow, {})


class ListIndexesRow(Row):
    name: str
    kind: str
    state: str
    percent: float


async def list_indexes(runner: Runner) -> list[ListIndexesRow]:
    return await fetch_many(runner, load("list_indexes"), ListIndexesRow, {})


class FindDataVersionRow(Row):
    name: str


async def find_data_version(runner: Runner, *, name: str) -> FindDataVersionRow | None:
    return await fetch_optional(runner, load("find_data_version"), FindDataVersionRow, {"name": name})


async def note_data_version(runner: Runner, *, name: str, now: datetime) -> None:
    await execute(runner, load("note_data_version"), {"name": name, "now": now})
