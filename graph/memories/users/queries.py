"""The typed functions over ``cypher/memories/users``. The header of each file documents it."""

from graph.core.query import query
from graph.core.rows import Runner
from graph.memories.users.models import User


@query
async def find_user(runner: Runner, *, workspace_id: str, id: str) -> User | None: ...


@query
async def list_users(runner: Runner, *, workspace_id: str, after_id: str, limit: int) -> list[User]: ...
