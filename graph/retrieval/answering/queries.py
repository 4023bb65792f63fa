"""The typed functions over ``cypher/retrieval/answering``. The header of each file documents it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from graph.core.query import query
from graph.core.rows import Runner
from graph.retrieval.answering.models import PromptRun


@query
async def create_prompt_run(
    runner: Runner, *, workspace_id: str, id: str, properties: Mapping[str, Any]
) -> None: ...


@query
async def list_prompt_runs(
    runner: Runner,
    *,
    workspace_id: str,
    after_created: datetime | None,
    after_id: str | None,
    limit: int,
) -> list[PromptRun]: ...
