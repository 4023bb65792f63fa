"""The typed functions over ``cypher/conversations/extraction``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from cypher import load
from graph.conversations.capture.models import Message
from graph.conversations.extraction.models import DeletionSuggestion, ExtractionState, KnownFact, KnownMemory
from graph.core.rows import Row, Runner, execute, fetch_many, fetch_optional


class GetExtractionRow(Row):
    state: ExtractionState


async def get_extraction(
    runner: Runner, *, workspace_id: str, conversation_id: str
) -> GetExtractionRow | None:
    return await fetch_optional(
        runner,
        load("get_extraction"),
        GetExtractionRow,
        {"workspace_id": workspace_id, "conversation_id": conversation_id},
    )


class AdvanceFactsRow(Row):
    id: str


async def advance_facts(
    runner: Runner, *, workspace_id: str, conversation_id: str, seen: int, position: int, now: datetime
) -> AdvanceFactsRow | None:
    return await fetch_optional(
        runner,
        load("advance_facts"),
        AdvanceFactsRow,
        {
            "workspace_id": workspace_id,
            "conversation_id": conversation_id,
            "seen": seen,
            "position": position,
            "now": now,
        },
    )


class AdvanceExtractionRow(Row):
    id: str


async def advance_extraction(
    runner: Runner,
    *,
    workspace_id: str,
    conversation_id: str,
    seen: int,
    position: int,
    wished_at: datetime | None,
    now: datetime,
) -> AdvanceExtractionRow | None:
    return await fetch_optional(
        runner,
        load("advance_extraction"),
        AdvanceExtractionRow,
        {
            "workspace_id": workspace_id,
            "conversation_id": conversation_id,
            "seen": seen,
            "position": position,
            "wished_at": wished_at,
            "now": now,
        },
    )


class WishExtractionRow(Row):
    memory_enabled: bool
    settings: str


async def wish_extraction(
    runner: Runner, *, workspace_id: str, conversation_id: str, now: datetime
) -> WishExtractionRow | None:
    return await fetch_optional(
        runner,
        load("wish_extraction"),
        WishExtractionRow,
        {"workspace_id": workspace_id, "conversation_id": conversation_id, "now": now},
    )


class ListKnownFactsRow(Row):
    fact: KnownFact


async def list_known_facts(
    runner: Runner, *, workspace_id: str, keys: Sequence[str], hashes: Sequence[str], now: datetime
) -> list[ListKnownFactsRow]:
    return await fetch_many(
        runner,
        load("list_known_facts"),
        ListKnownFactsRow,
        {"workspace_id": workspace_id, "keys": keys, "hashes": hashes, "now": now},
    )


class ListFactsWithoutSentenceRow(Row):
    workspace_id: str
    id: str


async def list_facts_without_sentence(runner: Runner, *, limit: int) -> list[ListFactsWithoutSentenceRow]:
    return await fetch_many(
        runner, load("list_facts_without_sentence"), ListFactsWithoutSentenceRow, {"limit": limit}
    )


class ListEarlierMessagesRow(Row):
    message: Message


async def list_earlier_messages(
    runner: Runner, *, workspace_id: str, conversation_id: str, position: int, limit: int
) -> list[ListEarlierMessagesRow]:
    return await fetch_many(
        runner,
        load("list_earlier_messages"),
        ListEarlierMessagesRow,
        {
            "workspace_id": workspace_id,
            "conversation_id": conversation_id,
            "position": position,
            "limit": limit,
        },
    )


class SearchKnownMemoriesRow(Row):
    memory: KnownMemory


async def search_known_memories(
    runner: Runner,
    *,
    workspace_id: str,
    conversation_id: str,
    text_queries: Sequence[Mapping[str, Any]],
    searched: int,
    limit: int,
    now: datetime,
) -> list[SearchKnownMemoriesRow]:
    return await fetch_many(
        runner,
        load("search_known_memories"),
        SearchKnownMemoriesRow,
        {
            "workspace_id": workspace_id,
            "conversation_id": conversation_id,
            "text_queries": text_queries,
            "searched": searched,
            "limit": limit,
            "now": now,
        },
    )


class ListForgottenTextsRow(Row):
    content: str


async def list_forgotten_texts(
    runner: Runner, *, workspace_id: str, conversation_id: str, limit: int
) -> list[ListForgottenTextsRow]:
    return await fetch_many(
        runner,
        load("list_forgotten_texts"),
        ListForgottenTextsRow,
        {"workspace_id": workspace_id, "conversation_id": conversation_id, "limit": limit},
    )


async def suggest_deletions(
    runner: Runner,
    *,
    workspace_id: str,
    conversation_id: str,
    rows: Sequence[Mapping[str, str]],
    now: datetime,
) -> None:
    await execute(
        runner,
        load("suggest_deletions"),
        {"workspace_id": workspace_id, "conversation_id": conversation_id, "rows": rows, "now": now},
    )


async def remove_read_texts(
    runner: Runner, *, workspace_id: str, conversation_id: str, position: int
) -> None:
    await execute(
        runner,
        load("remove_read_texts"),
        {"workspace_id": workspace_id, "conversation_id": conversation_id, "position": position},
    )


class ListDeletionSuggestionsRow(Row):
    suggestion: DeletionSuggestion


async def list_deletion_suggestions(
    runner: Runner,
    *,
    workspace_id: str,
    after_suggested: datetime | None,
    after_id: str | None,
    limit: int,
) -> list[ListDeletionSuggestionsRow]:
    return await fetch_many(
        runner,
        load("list_deletion_suggestions"),
        ListDeletionSuggestionsRow,
        {
            "workspace_id": workspace_id,
            "after_suggested": after_suggested,
            "after_id": after_id,
            "limit": limit,
        },
    )


class SettleDeletionSuggestionRow(Row):
    id: str


async def settle_deletion_suggestion(
    runner: Runner, *, workspace_id: str, memory_id: str, is_dismissed: bool, now: datetime
) -> SettleDeletionSuggestionRow | None:
    return await fetch_optional(
        runner,
        load("settle_deletion_suggestion"),
        SettleDeletionSuggestionRow,
        {
            "workspace_id": workspace_id,
            "memory_id": memory_id,
            "is_dismissed": is_dismissed,
            "now": now,
        },
    )
