"""The typed functions over ``cypher/retrieval/profile``. The header of each file documents it."""

from collections.abc import Sequence
from datetime import datetime

from graph.core.query import query
from graph.core.rows import Runner
from graph.retrieval.profile.models import ProfileFact


@query
async def list_profile_facts(
    runner: Runner,
    *,
    workspace_id: str,
    user_id: str,
    doubtful_below: float,
    other_parts: Sequence[str],
    pinned_query: str,
    kinds: Sequence[str],
    newest: int,
    now: datetime,
    limit: int,
) -> list[ProfileFact]: ...
