"""The typed functions over ``cypher/conversations/episodes``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from cypher import load
from graph.conversations.capture.models import Message
from graph.conversations.episodes.models import Episode
from graph.core.rows import Row, Runner, fetch_many, fetch_one, fetch_optional


class LockConversationRow(Row):
    settings: str


async def lock_conversation(
    runner: Runner, *, workspace_id: str, id: str, now: datetime
) -> LockConversationRow | None:
    return await fetch_optional(
        runner,
        load("lock_conversation"),
        LockConversationRow,
        {"workspace_id": workspace_id, "id": id, "now": now},
    )


class ListOldMessagesRow(Row):
    message: Message
    content_hash: str | None


async def list_old_messages(
    runner: Runner,
    *,
    workspace_id: str,
    conversation_id: str,
    retain_last: int,
    older_than: datetime,
    limit: int,
) -> list[ListOldMessagesRow]:
    return await fetch_many(
        runner,
        load("list_old_messages"),
        ListOldMessagesRow,
        {
            "workspace_id": workspace_id,
            "conversation_id": conversation_id,
            "retain_last": retain_last,
            "older_than": older_than,
            "limit": limit,
        },
    )


class CreateEpisodeRow(Row):
    episode: Episode


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
) -> CreateEpisodeRow:
    return await fetch_one(
        runner,
        load("create_episode"),
        CreateEpisodeRow,
        {
            "workspace_id": workspace_id,
            "conversation_id": conversation_id,
            "id": id,
            "message_ids": message_ids,
            "keeps_messages": keeps_messages,
            "properties": properties,
            "now": now,
        },
    )


class GetEpisodesRow(Row):
    episode: Episode


async def get_episodes(runner: Runner, *, workspace_id: str, ids: Sequence[str]) -> list[GetEpisodesRow]:
    return await fetch_many(
        runner, load("get_episodes"), GetEpisodesRow, {"workspace_id": workspace_id, "ids": ids}
    )


class ListEpisodesRow(Row):
    episode: Episode


async def list_episodes(
    runner: Runner,
    *,
    workspace_id: str,
    conversation_id: str | None,
    after_created: datetime | None,
    after_id: str | None,
    limit: int,
) -> list[ListEpisodesRow]:
    return await fetch_many(
        runner,
        load("list_episodes"),
        ListEpisodesRow,
        {
            "workspace_id": workspace_id,
            "conversation_id": conversation_id,
            "after_created": after_created,
            "after_id": after_id,
            "limit": limit,
        },
    )


class ListLatestEpisodesRow(Row):
    episode: Episode


async def list_latest_episodes(
    runner: Runner, *, workspace_id: str, conversation_id: str, limit: int
) -> list[ListLatestEpisodesRow]:
    return await fetch_many(
        runner,
        load("list_latest_episodes"),
        ListLatestEpisodesRow,
        {"workspace_id": workspace_id, "conversation_id": conversation_id, "limit": limit},
    )
