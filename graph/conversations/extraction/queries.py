"""The typed functions over ``cypher/conversations/extraction``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from graph.conversations.capture.models import Message
from graph.conversations.extraction.models import DeletionSuggestion, ExtractionState, KnownFact, KnownMemory
from graph.core.query import query
from graph.core.rows import Row, Runner


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
    wished_at: datetime | None,
) -> str | None: ...


class WishExtractionRow(Row):
    memory_enabled: bool
    settings: str


@query
async def wish_extraction(
    runner: Runner, *, workspace_id: str, conversation_id: str, now: datetime
) -> WishExtractionRow | None: ...


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
