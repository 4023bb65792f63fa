"""The typed functions over ``cypher/conversations/capture``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from graph.conversations.capture.models import Conversation, Message
from graph.core.query import query
from graph.core.rows import Row, Runner


@query
async def find_messages(
    runner: Runner, *, workspace_id: str, id: str, conversation_id: str | None, limit: int
) -> list[Message]: ...


class OpenConversationRow(Row):
    platform: str | None
    next_position: int
    facts_up_to: int
    extracted_up_to: int
    rereads: int
    settings: str
    user_id: str
    agent_id: str
    has_left: bool


@query
async def open_conversation(
    runner: Runner,
    *,
    workspace_id: str,
    id: str,
    user_id: str,
    agent_id: str,
    api_key_id: str | None,
    now: datetime,
) -> OpenConversationRow | None: ...


@query
async def find_captured(
    runner: Runner, *, workspace_id: str, conversation_id: str, ids: Sequence[str], positions: Sequence[int]
) -> list[Message]: ...


class FindSameTextsRow(Row):
    position: int
    content_hash: str
    role: str | None
    turn_ends: int | None


@query
async def find_same_texts(
    runner: Runner, *, workspace_id: str, conversation_id: str, hashes: Sequence[str]
) -> list[FindSameTextsRow]: ...


@query
async def write_messages(
    runner: Runner,
    *,
    workspace_id: str,
    conversation_id: str,
    messages: Sequence[Mapping[str, Any]],
    now: datetime,
) -> None: ...


@query
async def chain_messages(
    runner: Runner, *, workspace_id: str, conversation_id: str, since: int, until: int
) -> None: ...


@query
async def update_conversation(
    runner: Runner, *, workspace_id: str, id: str, properties: Mapping[str, Any]
) -> None: ...


@query
async def get_conversations(
    runner: Runner, *, workspace_id: str, ids: Sequence[str]
) -> list[Conversation]: ...


@query
async def list_conversations(
    runner: Runner,
    *,
    workspace_id: str,
    platform: str | None,
    after_updated: datetime | None,
    after_id: str | None,
    limit: int,
) -> list[Conversation]: ...


@query
async def list_messages(
    runner: Runner,
    *,
    workspace_id: str,
    conversation_ids: Sequence[str],
    after_position: int,
    after_id: str,
    limit: int,
) -> list[Message]: ...


@query
async def list_messages_before(
    runner: Runner,
    *,
    workspace_id: str,
    conversation_ids: Sequence[str],
    before_position: int,
    before_id: str,
    limit: int,
) -> list[Message]: ...


class CountOfConversationsRow(Row):
    id: str
    messages: int
    memories: int


@query
async def count_of_conversations(
    runner: Runner, *, workspace_id: str, ids: Sequence[str]
) -> list[CountOfConversationsRow]: ...


@query
async def list_turns(runner: Runner, *, workspace_id: str, conversation_id: str, limit: int) -> list[str]: ...


@query
async def delete_conversation(runner: Runner, *, workspace_id: str, id: str) -> str | None: ...


@query
async def delete_messages(
    runner: Runner, *, workspace_id: str, conversation_id: str, limit: int
) -> int | None: ...


class ListGoneMessagesRow(Row):
    id: str
    position: int
    text: str


@query
async def list_gone_messages(
    runner: Runner,
    *,
    workspace_id: str,
    conversation_id: str,
    ids: Sequence[str],
    positions: Sequence[int],
    texts: Sequence[str],
) -> list[ListGoneMessagesRow]: ...
