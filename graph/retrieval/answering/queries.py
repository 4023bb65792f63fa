"""The typed functions over ``cypher/retrieval/answering``. The header of each file documents it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from cypher import load
from graph.core.rows import Row, Runner, execute, fetch_many
from graph.retrieval.answering.models import PromptRun


async def create_prompt_run(
    runner: Runner, *, workspace_id: str, id: str, properties: Mapping[str, Any]
) -> None:
    await execute(
        runner,
        load("create_prompt_run"),
        {"workspace_id": workspace_id, "id": id, "properties": properties},
    )


class ListPromptRunsRow(Row):
    run: PromptRun


async def list_prompt_runs(
    runner: Runner,
    *,
    workspace_id: str,
    after_created: datetime | None,
    after_id: str | None,
    limit: int,
) -> list[ListPromptRunsRow]:
    return await fetch_many(
        runner,
        load("list_prompt_runs"),
        ListPromptRunsRow,
        {
            "workspace_id": workspace_id,
            "after_created": after_created,
            "after_id": after_id,
            "limit": limit,
        },
    )
