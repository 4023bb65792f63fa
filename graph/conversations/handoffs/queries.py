"""The typed functions over ``cypher/conversations/handoffs``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from graph.conversations.capture.models import Message
from graph.conversations.handoffs.models import ConversationSummary
from graph.core.query import query
from graph.core.rows import Runner
from graph.memories.models import Memory


@query
async def get_conversation_summaries(
    runner: Runner, *, workspace_id: str, ids: Sequence[str]
) -> list[ConversationSummary]: ...


@query
async def list_summaries_of_conversations(
    runner: Runner, *, workspace_id: str, conversation_ids: Sequence[str]
) -> list[ConversationSummary]: ...


@query
async def list_both_ends(
    runner: Runner, *, workspace_id: str, conversation_id: str, first: int, last: int
) -> list[Message]: ...


@query
async def list_concluded(
    runner: Runner,
    *,
    workspace_id: str,
    conversation_id: str,
    source_types: Sequence[str],
    now: datetime,
    limit: int,
) -> list[Memory]: ...


@query
async def replace_conversation_summary(
    runner: Runner,
    *,
    workspace_id: str,
    conversation_id: str,
    id: str,
    properties: Mapping[str, Any],
    now: datetime,
) -> ConversationSummary | None: ...
