"""The typed functions over ``cypher/conversations``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from graph.conversations.capture.models import Conversation, Message
from graph.conversations.distillation.models import Distillation
from graph.conversations.episodes.models import Episode
from graph.conversations.extraction.models import DeletionSuggestion, ExtractionState, KnownFact, KnownMemory
from graph.conversations.handoffs.models import ConversationSummary
from graph.core.query import query
from graph.core.rows import Row, Runner
from graph.memories.models import Memory


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


class LockConversationRow(Row):
    settings: str
    user_id: str
    extracted_up_to: int
    is_requested: bool


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


@query
async def find_extraction(
    runner: Runner, *, workspace_id: str, conversation_id: str
) -> ExtractionState | None: ...


@query
async def advance_facts(
    runner: Runner, *, workspace_id: str, conversation_id: str, seen: int, position: int, rereads: int
) -> str | None: ...


@query
async def advance_extraction(
    runner: Runner,
    *,
    workspace_id: str,
    conversation_id: str,
    seen: int,
    position: int,
    rereads: int,
    requested_at: datetime | None,
) -> str | None: ...


class ScheduleExtractionRow(Row):
    memory_enabled: bool
    settings: str


@query
async def schedule_extraction(
    runner: Runner, *, workspace_id: str, conversation_id: str, now: datetime
) -> ScheduleExtractionRow | None: ...


@query
async def list_known_facts(
    runner: Runner,
    *,
    workspace_id: str,
    user_id: str,
    agent_ids: Sequence[str],
    keys: Sequence[str],
    hashes: Sequence[str],
    now: datetime,
) -> list[KnownFact]: ...


@query
async def release_keys(runner: Runner, *, workspace_id: str, ids: Sequence[str]) -> None: ...


@query
async def list_earlier_messages(
    runner: Runner, *, workspace_id: str, conversation_id: str, position: int, limit: int
) -> list[Message]: ...


@query
async def search_known_memories(
    runner: Runner,
    *,
    workspace_id: str,
    conversation_id: str,
    text_queries: Sequence[Mapping[str, Any]],
    searched: int,
    limit: int,
    now: datetime,
) -> list[KnownMemory]: ...


@query
async def list_forgotten_texts(
    runner: Runner, *, workspace_id: str, conversation_id: str, limit: int
) -> list[str]: ...


@query
async def suggest_deletions(
    runner: Runner,
    *,
    workspace_id: str,
    conversation_id: str,
    rows: Sequence[Mapping[str, str]],
    now: datetime,
) -> None: ...


@query
async def remove_read_texts(
    runner: Runner, *, workspace_id: str, conversation_id: str, position: int
) -> int | None: ...


@query
async def list_deletion_suggestions(
    runner: Runner,
    *,
    workspace_id: str,
    after_suggested: datetime | None,
    after_id: str | None,
    limit: int,
) -> list[DeletionSuggestion]: ...


@query
async def settle_deletion_suggestion(
    runner: Runner, *, workspace_id: str, memory_id: str, is_dismissed: bool, now: datetime
) -> str | None: ...


@query
async def create_distillation(
    runner: Runner, *, workspace_id: str, id: str, properties: Mapping[str, Any], now: datetime
) -> bool | None: ...


@query
async def get_distillations(
    runner: Runner, *, workspace_id: str, ids: Sequence[str]
) -> list[Distillation]: ...


@query
async def note_found(runner: Runner, *, workspace_id: str, id: str, found: str) -> str | None: ...


@query
async def delete_distillation(runner: Runner, *, workspace_id: str, id: str) -> bool | None: ...


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
