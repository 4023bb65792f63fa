"""The typed functions over ``cypher/core/data_versions``. The header of each file documents it."""

from datetime import datetime

from graph.core.query import query
from graph.core.rows import Runner


@query
async def find_data_version(runner: Runner, *, name: str) -> str | None: ...


@query
async def note_data_version(runner: Runner, *, name: str, now: datetime) -> None: ...
