"""The typed functions over ``cypher/conversations/episodes``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from graph.conversations.capture.models import Message
from graph.conversations.episodes.models import Episode
from graph.core.query import query
from graph.core.rows import Row, Runner


class LockConversationRow(Row):
    settings: str
    user_id: str
    extracted_up_to: int
    is_wished: bool


@query
async def lock_conversation(runner: Runner, *, workspace_id: str, id: str) -> LockConversationRow | None: ...


class ListOldMessagesRow(Row):
    message: Message
    content_hash: str | None


@query
async def list_old_messages(
    runner: Runner,
    *,
    workspace_id: str,
    conversation_id: str,
    retain_last: int,
    older_than: datetime,
    read_up_to: int | None,
    limit: int,
) -> list[ListOldMessagesRow]: ...


@query
async def create_episode(
    runner: Runner,
    *,
    workspace_id: str,
    conversation_id: str,
    id: str,
    message_ids: Sequence[str],
    keeps_messages: bool,
    properties: Mapping[str, Any],
    now: datetime,
) -> Episode: ...


@query
async def delete_episode(
    runner: Runner, *, workspace_id: str, conversation_id: str, id: str
) -> str | None: ...


@query
async def get_episodes(runner: Runner, *, workspace_id: str, ids: Sequence[str]) -> list[Episode]: ...


@query
async def list_episodes(
    runner: Runner,
    *,
    workspace_id: str,
    conversation_id: str | None,
    after_created: datetime | None,
    after_id: str | None,
    limit: int,
) -> list[Episode]: ...


@query
async def list_latest_episodes(
    runner: Runner, *, workspace_id: str, conversation_id: str, limit: int
) -> list[Episode]: ...
