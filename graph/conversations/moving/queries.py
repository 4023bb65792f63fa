"""The typed functions over ``cypher/conversations/moving``. The header of each file documents it."""

from datetime import datetime

from graph.core.query import query
from graph.core.rows import Row, Runner


class MoveConversationRow(Row):
    user_id: str
    memory_ids: list[str]
    live_ids: list[str]
    slot_keys: list[str]


@query
async def count_what_moves(runner: Runner, *, workspace_id: str, id: str) -> int | None: ...


@query
async def move_conversation(
    runner: Runner, *, workspace_id: str, id: str, target_id: str, api_key_id: str, now: datetime
) -> MoveConversationRow | None: ...
