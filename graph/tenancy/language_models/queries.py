"""The typed functions over ``cypher/tenancy/language_models``. The header of each file documents it."""

from datetime import datetime

from graph.core.query import query
from graph.core.rows import Row, Runner
from graph.tenancy.language_models.models import StoredModel


class LockLanguageModelRow(Row):
    id: str
    chosen: StoredModel | None


@query
async def find_language_model(runner: Runner, *, workspace_id: str) -> StoredModel | None: ...


@query
async def lock_language_model(runner: Runner, *, workspace_id: str) -> LockLanguageModelRow | None: ...


@query
async def update_language_model(
    runner: Runner,
    *,
    workspace_id: str,
    url: str | None,
    model: str | None,
    sealed_key: str | None,
    now: datetime,
) -> str | None: ...
