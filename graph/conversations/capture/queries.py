"""The typed functions over ``cypher/conversations/capture``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from cypher import load
from graph.conversations.capture.models import Conversation, Message
from graph.core.rows import Row, Runner, execute, fetch_many, fetch_optional


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


class OpenConversationRow(Row):
    platform: str | None
    next_position: int
    facts_up_to: int
    extracted_up_to: int
    settings: str


async def open_conversation(
    runner: Runner, *, workspace_id: str, id: str, now: datetime
) -> OpenConversationRow | None:
    return await fetch_optional(
        runner,
        load("open_conversation"),
        OpenConversationRow,
        {"workspace_id": workspace_id, "id": id, "now": now},
    )


class FindCapturedRow(Row):
    message: Message


async def find_captured(
    runner: Runner, *, workspace_id: str, conversation_id: str, ids: Sequence[str], positions: Sequence[int]
) -> list[FindCapturedRow]:
    return await fetch_many(
        runner,
        load("find_captured"),
        FindCapturedRow,
        {
            "workspace_id": workspace_id,
            "conversation_id": conversation_id,
            "ids": ids,
            "positions": positions,
        },
    )


class FindSameTextsRow(Row):
    position: int
    content_hash: str
    role: str | None


async def find_same_texts(
    runner: Runner, *, workspace_id: str, conversation_id: str, hashes: Sequence[str]
) -> list[FindSameTextsRow]:
    return await fetch_many(
        runner,
        load("find_same_texts"),
        FindSameTextsRow,
        {"workspace_id": workspace_id, "conversation_id": conversation_id, "hashes": hashes},
    )


async def write_messages(
    runner: Runner,
    *,
    workspace_id: str,
    conversation_id: str,
    messages: Sequence[Mapping[str, Any]],
    now: datetime,
) -> None:
    await execute(
        runner,
        load("write_messages"),
        {
            "workspace_id": workspace_id,
            "conversation_id": conversation_id,
            "messages": messages,
            "now": now,
        },
    )


async def chain_messages(
    runner: Runner, *, workspace_id: str, conversation_id: str, since: int, until: int
) -> None:
    await execute(
        runner,
        load("chain_messages"),
        {"workspace_id": workspace_id, "conversation_id": conversation_id, "since": since, "until": until},
    )


async def update_conversation(
    runner: Runner, *, workspace_id: str, id: str, properties: Mapping[str, Any]
) -> None:
    await execute(
        runner,
        load("update_conversation"),
        {"workspace_id": workspace_id, "id": id, "properties": properties},
    )


class GetConversationsRow(Row):
    conversation: Conversation


async def get_conversations(
    runner: Runner, *, workspace_id: str, ids: Sequence[str]
) -> list[GetConversationsRow]:
    return await fetch_many(
        runner, load("get_conversations"), GetConversationsRow, {"workspace_id": workspace_id, "ids": ids}
    )


class ListConversationsRow(Row):
    conversation: Conversation


async def list_conversations(
    runner: Runner,
    *,
    workspace_id: str,
    platform: str | None,
    after_updated: datetime | None,
    after_id: str | None,
    limit: int,
) -> list[ListConversationsRow]:
    return await fetch_many(
        runner,
        load("list_conversations"),
        ListConversationsRow,
        {
            "workspace_id": workspace_id,
            "platform": platform,
            "after_updated": after_updated,
            "after_id": after_id,
            "limit": limit,
        },
    )


class ListMessagesRow(Row):
    message: Message


async def list_messages(
    runner: Runner,
    *,
    workspace_id: str,
    conversation_ids: Sequence[str],
    after_position: int,
    after_id: str,
    limit: int,
) -> list[ListMessagesRow]:
    return await fetch_many(
        runner,
        load("list_messages"),
        ListMessagesRow,
        {
            "workspace_id": workspace_id,
            "conversation_ids": conversation_ids,
            "after_position": after_position,
            "after_id": after_id,
            "limit": limit,
        },
    )


class CountOfConversationsRow(Row):
    id: str
    messages: int
    memories: int


async def count_of_conversations(
    runner: Runner, *, workspace_id: str, ids: Sequence[str]
) -> list[CountOfConversationsRow]:
    return await fetch_many(
        runner,
        load("count_of_conversations"),
        CountOfConversationsRow,
        {"workspace_id": workspace_id, "ids": ids},
    )


class ListTurnsRow(Row):
    id: str


async def list_turns(
    runner: Runner, *, workspace_id: str, conversation_id: str, limit: int
) -> list[ListTurnsRow]:
    return await fetch_many(
        runner,
        load("list_turns"),
        ListTurnsRow,
        {"workspace_id": workspace_id, "conversation_id": conversation_id, "limit": limit},
    )


class DeleteConversationRow(Row):
    messages: int


async def delete_conversation(
    runner: Runner, *, workspace_id: str, id: str, now: datetime
) -> DeleteConversationRow | None:
    return await fetch_optional(
        runner,
        load("delete_conversation"),
        DeleteConversationRow,
        {"workspace_id": workspace_id, "id": id, "now": now},
    )


class ListGoneMessagesRow(Row):
    ids: list[str]
    positions: list[int]
    texts: list[str]


async def list_gone_messages(
    runner: Runner, *, workspace_id: str, conversation_id: str
) -> list[ListGoneMessagesRow]:
    return await fetch_many(
        runner,
        load("list_gone_messages"),
        ListGoneMessagesRow,
        {"workspace_id": workspace_id, "conversation_id": conversation_id},
    )
