"""The typed functions over ``cypher/memories/users``. The header of each file documents it."""

from graph.core.query import query
from graph.core.rows import Row, Runner
from graph.memories.users.models import User


class ListUsersRow(Row):
    user: User


@query
async def list_users(
    runner: Runner, *, workspace_id: str, only: str | None, after_id: str, limit: int
) -> list[ListUsersRow]: ...
