"""The typed functions over ``cypher/tenancy/language_models``. The header of each file documents it."""

from datetime import datetime

from graph.core.query import query
from graph.core.rows import Runner
from graph.tenancy.language_models.models import StoredModel


@query
async def find_language_model(runner: Runner, *, workspace_id: str) -> StoredModel | None: ...


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
