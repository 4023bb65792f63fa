"""The typed functions over ``cypher/conversations``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from cypher import load
from graph.conversations.models import Message
from graph.core.rows import Row, Runner, execute, fetch_many


class FindMessagesRow(Row):
    message: Message


async def find_messages(
    runner: Runner, *, workspace_id: str, id: str, conversation_id: str | None, limit: int
) -> list[FindMessagesRow]:
    return await fetch_many(
        runner,
        load("find_messages"),
        FindMessagesRow,
        {"workspace_id": workspace_id, "id": id, "conversation_id": conversation_id, "limit": limit},
    )


async def link_sources(
    runner: Runner, *, workspace_id: str, sources: Sequence[Mapping[str, Any]], now: datetime
) -> None:
    await execute(
        runner, load("link_sources"), {"workspace_id": workspace_id, "sources": sources, "now": now}
    )
