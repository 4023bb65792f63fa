"""The typed functions over ``cypher/telemetry/usage``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from typing import Any

from graph.core.query import query
from graph.core.rows import Runner


@query
async def add_recalls(runner: Runner, *, rows: Sequence[Mapping[str, Any]]) -> None: ...


@query
async def add_usage(runner: Runner, *, rows: Sequence[Mapping[str, Any]]) -> None: ...
