"""The typed functions over ``cypher/conversations/distillation``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from graph.conversations.distillation.models import Distillation
from graph.core.query import query
from graph.core.rows import Runner


@query
async def create_distillation(
    runner: Runner, *, workspace_id: str, id: str, properties: Mapping[str, Any], now: datetime
) -> bool | None: ...


@query
async def get_distillations(
    runner: Runner, *, workspace_id: str, ids: Sequence[str]
) -> list[Distillation]: ...


@query
async def note_found(runner: Runner, *, workspace_id: str, id: str, found: str) -> str | None: ...


@query
async def delete_distillation(runner: Runner, *, workspace_id: str, id: str) -> bool | None: ...
