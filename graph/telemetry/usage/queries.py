"""The typed functions over ``cypher/telemetry/usage``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from typing import Any

from cypher import load
from graph.core.rows import Runner, execute


async def add_recalls(runner: Runner, *, rows: Sequence[Mapping[str, Any]]) -> None:
    await execute(runner, load("add_recalls"), {"rows": rows})


async def add_usage(runner: Runner, *, rows: Sequence[Mapping[str, Any]]) -> None:
    await execute(runner, load("add_usage"), {"rows": rows})
