"""The typed functions over ``cypher/operations/earlier_locks``. The header of each file documents it."""

from graph.core.query import query
from graph.core.rows import Runner


@query
async def remove_earlier_locks(runner: Runner, *, limit: int) -> int: ...
