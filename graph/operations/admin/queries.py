"""The typed functions over ``cypher/operations/admin``. The header of each file documents it."""

from cypher import load
from graph.core.rows import Row, Runner, fetch_many, fetch_one


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
