"""The typed functions over ``cypher/conversations/handoffs``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from cypher import load
from graph.conversations.capture.models import Message
from graph.conversations.handoffs.models import ConversationSummary
from graph.core.rows import Row, Runner, fetch_many, fetch_optional


class GetConversationSummariesRow(Row):
    summary: ConversationSummary


async def get_conversation_summaries(
    runner: Runner, *, workspace_id: str, ids: Sequence[str]
) -> list[GetConversationSummariesRow]:
    return await fetch_many(
        runner,
        load("get_conversation_summaries"),
        GetConversationSummariesRow,
        {"workspace_id": workspace_id, "ids": ids},
    )


class ListSummariesOfConversationsRow(Row):
    summary: ConversationSummary


async def list_summaries_of_conversations(
    runner: Runner, *, workspace_id: str, conversation_ids: Sequence[str]
) -> list[ListSummariesOfConversationsRow]:
    return await fetch_many(
        runner,
        load("list_summaries_of_conversations"),
        ListSummariesOfConversationsRow,
        {"workspace_id": workspace_id, "conversation_ids": conversation_ids},
    )


class ListBothEndsRow(Row):
    message: Message


async def list_both_ends(
    runner: Runner, *, workspace_id: str, conversation_id: str, first: int, last: int
) -> list[ListBothEndsRow]:
    return await fetch_many(
        runner,
        load("list_both_ends"),
        ListBothEndsRow,
        {"workspace_id": workspace_id, "conversation_id": conversation_id, "first": first, "last": last},
    )


class ReplaceConversationSummaryRow(Row):
    summary: ConversationSummary


async def replace_conversation_summary(
    runner: Runner,
    *,
    workspace_id: str,
    conversation_id: str,
    id: str,
    properties: Mapping[str, Any],
    now: datetime,
) -> ReplaceConversationSummaryRow | None:
    return await fetch_optional(
        runner,
        load("replace_conversation_summary"),
        ReplaceConversationSummaryRow,
        {
            "workspace_id": workspace_id,
            "conversation_id": conversation_id,
            "id": id,
            "properties": properties,
            "now": now,
        },
    )
