"""The typed functions over ``cypher/operations/admin``. The header of each file documents it."""

from graph.core.query import query
from graph.core.rows import Row, Runner


@query
async def find_store_version(runner: Runner) -> int | None: ...


class GetServerRow(Row):
    version: str
    edition: str


@query
async def get_server(runner: Runner) -> GetServerRow: ...


class ListIndexesRow(Row):
    name: str
    kind: str
    state: str
    percent: float


@query
async def list_indexes(runner: Runner) -> list[ListIndexesRow]: ...


@query
async def note_store_version(runner: Runner, *, number: int) -> None: ...
