"""The typed functions over ``cypher/conversations/distillation``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from cypher import load
from graph.conversations.distillation.models import Distillation
from graph.core.rows import Row, Runner, execute, fetch_many, fetch_optional


class CreateDistillationRow(Row):
    is_new: bool


async def create_distillation(
    runner: Runner, *, workspace_id: str, id: str, properties: Mapping[str, Any], now: datetime
) -> CreateDistillationRow | None:
    return await fetch_optional(
        runner,
        load("create_distillation"),
        CreateDistillationRow,
        {"workspace_id": workspace_id, "id": id, "properties": properties, "now": now},
    )


class GetDistillationsRow(Row):
    distillation: Distillation


async def get_distillations(
    runner: Runner, *, workspace_id: str, ids: Sequence[str]
) -> list[GetDistillationsRow]:
    return await fetch_many(
        runner,
        load("get_distillations"),
        GetDistillationsRow,
        {"workspace_id": workspace_id, "ids": ids},
    )


class NoteFoundRow(Row):
    found: str


async def note_found(runner: Runner, *, workspace_id: str, id: str, found: str) -> NoteFoundRow | None:
    return await fetch_optional(
        runner,
        load("note_found"),
        NoteFoundRow,
        {"workspace_id": workspace_id, "id": id, "found": found},
    )


async def delete_distillation(runner: Runner, *, workspace_id: str, id: str) -> None:
    await execute(runner, load("delete_distillation"), {"workspace_id": workspace_id, "id": id})
