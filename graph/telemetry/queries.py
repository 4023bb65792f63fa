"""The typed functions over ``cypher/telemetry``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from cypher import load
from graph.core.rows import Row, Runner, execute, fetch_many, fetch_one, fetch_optional
from graph.telemetry.models import AgentAction, AgentPattern, AgentSequence
from graph.telemetry.sequencing import OpenSequence


class AnnotatePatternRow(Row):
    pattern: AgentPattern


async def annotate_pattern(
    runner: Runner, *, workspace_id: str, id: str, properties: Mapping[str, Any], now: datetime
) -> AnnotatePatternRow | None:
    return await fetch_optional(
        runner,
        load("annotate_pattern"),
        AnnotatePatternRow,
        {"workspace_id": workspace_id, "id": id, "properties": properties, "now": now},
    )


async def chain_actions(runner: Runner, *, workspace_id: str, chains: Sequence[Mapping[str, Any]]) -> None:
    await execute(runner, load("chain_actions"), {"workspace_id": workspace_id, "chains": chains})


async def close_tallies(runner: Runner, *, workspace_id: str, ids: Sequence[str]) -> None:
    await execute(runner, load("close_tallies"), {"workspace_id": workspace_id, "ids": ids})


async def count_attempts(
    runner: Runner, *, workspace_id: str, attempts: Sequence[Mapping[str, Any]], now: datetime
) -> None:
    await execute(
        runner, load("count_attempts"), {"workspace_id": workspace_id, "attempts": attempts, "now": now}
    )


async def count_failures(
    runner: Runner, *, workspace_id: str, failures: Sequence[Mapping[str, Any]], now: datetime
) -> None:
    await execute(
        runner, load("count_failures"), {"workspace_id": workspace_id, "failures": failures, "now": now}
    )


class CreateActionsRow(Row):
    targets_unknown: int


async def create_actions(
    runner: Runner, *, workspace_id: str, actions: Sequence[Mapping[str, Any]]
) -> CreateActionsRow:
    return await fetch_one(
        runner, load("create_actions"), CreateActionsRow, {"workspace_id": workspace_id, "actions": actions}
    )


class DeleteSequencesRow(Row):
    id: str
    tallies: Sequence[Mapping[str, Any]]


async def delete_sequences(
    runner: Runner, *, workspace_id: str, ids: Sequence[str], now: datetime
) -> list[DeleteSequencesRow]:
    return await fetch_many(
        runner,
        load("delete_sequences"),
        DeleteSequencesRow,
        {"workspace_id": workspace_id, "ids": ids, "now": now},
    )


class FindActionsRow(Row):
    id: str


async def find_actions(runner: Runner, *, workspace_id: str, ids: Sequence[str]) -> list[FindActionsRow]:
    return await fetch_many(
        runner, load("find_actions"), FindActionsRow, {"workspace_id": workspace_id, "ids": ids}
    )


class ListActionsRow(Row):
    action: AgentAction


async def list_actions(
    runner: Runner,
    *,
    workspace_id: str,
    session_id: str | None,
    action_type: str | None,
    node_type: str | None,
    outcome: str | None,
    error_code: str | None,
    since: datetime | None,
    until: datetime | None,
    after_time: datetime | None,
    after_id: str | None,
    limit: int,
) -> list[ListActionsRow]:
    return await fetch_many(
        runner,
        load("list_actions"),
        ListActionsRow,
        {
            "workspace_id": workspace_id,
            "session_id": session_id,
            "action_type": action_type,
            "node_type": node_type,
            "outcome": outcome,
            "error_code": error_code,
            "since": since,
            "until": until,
            "after_time": after_time,
            "after_id": after_id,
            "limit": limit,
        },
    )


class ListActionsOfSequencesRow(Row):
    sequence_id: str
    action: AgentAction


async def list_actions_of_sequences(
    runner: Runner, *, workspace_id: str, sequence_ids: Sequence[str], limit: int
) -> list[ListActionsOfSequencesRow]:
    return await fetch_many(
        runner,
        load("list_actions_of_sequences"),
        ListActionsOfSequencesRow,
        {"workspace_id": workspace_id, "sequence_ids": sequence_ids, "limit": limit},
    )


class ListActionsOfTargetsRow(Row):
    target_id: str
    action: AgentAction


async def list_actions_of_targets(
    runner: Runner,
    *,
    workspace_id: str,
    target_ids: Sequence[str],
    session_id: str | None,
    action_type: str | None,
    node_type: str | None,
    outcome: str | None,
    error_code: str | None,
    since: datetime | None,
    until: datetime | None,
    after_time: datetime | None,
    after_id: str | None,
    limit: int,
) -> list[ListActionsOfTargetsRow]:
    return await fetch_many(
        runner,
        load("list_actions_of_targets"),
        ListActionsOfTargetsRow,
        {
            "workspace_id": workspace_id, "target_ids": target_ids, "session_id": session_id,
            "action_type": action_type, "node_type": node_type, "outcome": outcome, "error_code": error_code,
            "since": since, "until": until, "after_time": after_time, "after_id": after_id, "limit": limit,
        },
    )  # fmt: skip


class ListEvidenceRow(Row):
    pattern_id: str
    sequence: AgentSequence


async def list_evidence(
    runner: Runner, *, workspace_id: str, pattern_ids: Sequence[str], limit: int
) -> list[ListEvidenceRow]:
    return await fetch_many(
        runner,
        load("list_evidence"),
        ListEvidenceRow,
        {"workspace_id": workspace_id, "pattern_ids": pattern_ids, "limit": limit},
    )


class ListPatternsOfSequencesRow(Row):
    pattern: AgentPattern


async def list_patterns_of_sequences(
    runner: Runner, *, workspace_id: str, sequence_ids: Sequence[str], limit: int
) -> list[ListPatternsOfSequencesRow]:
    return await fetch_many(
        runner,
        load("list_patterns_of_sequences"),
        ListPatternsOfSequencesRow,
        {"workspace_id": workspace_id, "sequence_ids": sequence_ids, "limit": limit},
    )


class ListPatternsRow(Row):
    pattern: AgentPattern
    rank: float


async def list_patterns(
    runner: Runner,
    *,
    workspace_id: str,
    node_types: Sequence[str],
    action_type: str | None,
    error_code: str | None,
    suppressed: bool | None,
    states: Sequence[str],
    after_rank: float | None,
    after_id: str | None,
    limit: int,
) -> list[ListPatternsRow]:
    return await fetch_many(
        runner,
        load("list_patterns"),
        ListPatternsRow,
        {
            "workspace_id": workspace_id,
            "node_types": node_types,
            "action_type": action_type,
            "error_code": error_code,
            "suppressed": suppressed,
            "states": states,
            "after_rank": after_rank,
            "after_id": after_id,
            "limit": limit,
        },
    )


class ListSequencesRow(Row):
    sequence: AgentSequence


async def list_sequences(
    runner: Runner,
    *,
    workspace_id: str,
    session_id: str | None,
    outcome: str | None,
    after_time: datetime | None,
    after_id: str | None,
    limit: int,
) -> list[ListSequencesRow]:
    return await fetch_many(
        runner,
        load("list_sequences"),
        ListSequencesRow,
        {
            "workspace_id": workspace_id,
            "session_id": session_id,
            "outcome": outcome,
            "after_time": after_time,
            "after_id": after_id,
            "limit": limit,
        },
    )


class ListTargetTypesRow(Row):
    type: str


async def list_target_types(
    runner: Runner, *, workspace_id: str, ids: Sequence[str]
) -> list[ListTargetTypesRow]:
    return await fetch_many(
        runner, load("list_target_types"), ListTargetTypesRow, {"workspace_id": workspace_id, "ids": ids}
    )


class ListUnsettledRow(Row):
    id: str
    state: str | None
    sequences: int
    attempts: int
    settled_attempts: int | None
    settled_confidence: float | None


async def list_unsettled(
    runner: Runner, *, workspace_id: str, attempts: Sequence[Mapping[str, Any]]
) -> list[ListUnsettledRow]:
    return await fetch_many(
        runner, load("list_unsettled"), ListUnsettledRow, {"workspace_id": workspace_id, "attempts": attempts}
    )


class ListUntalliedRow(Row):
    id: str


async def list_untallied(
    runner: Runner, *, workspace_id: str, after_id: str, limit: int
) -> list[ListUntalliedRow]:
    return await fetch_many(
        runner,
        load("list_untallied"),
        ListUntalliedRow,
        {"workspace_id": workspace_id, "after_id": after_id, "limit": limit},
    )


class OpenSequencesRow(Row):
    sequence: OpenSequence


async def open_sequences(
    runner: Runner, *, workspace_id: str, sessions: Sequence[Mapping[str, Any]], now: datetime
) -> list[OpenSequencesRow]:
    return await fetch_many(
        runner,
        load("open_sequences"),
        OpenSequencesRow,
        {"workspace_id": workspace_id, "sessions": sessions, "now": now},
    )


class OpenUntalliedRow(Row):
    sequence_id: str
    action_type: str
    node_type: str
    failed: bool
    error_code: str | None
    first_at: datetime
    last_at: datetime


async def open_untallied(
    runner: Runner, *, workspace_id: str, ids: Sequence[str], now: datetime
) -> list[OpenUntalliedRow]:
    return await fetch_many(
        runner,
        load("open_untallied"),
        OpenUntalliedRow,
        {"workspace_id": workspace_id, "ids": ids, "now": now},
    )


class SearchSequencesRow(Row):
    sequence: AgentSequence
    text_score: float | None
    cosine: float | None


async def search_sequences(
    runner: Runner,
    *,
    vector_index: str,
    workspace_id: str,
    text_queries: Sequence[Mapping[str, Any]],
    vector: Sequence[float] | None,
    vector_property: str,
    outcome: str | None,
    limit: int,
) -> list[SearchSequencesRow]:
    return await fetch_many(
        runner,
        load("search_sequences").on_index(vector_index),
        SearchSequencesRow,
        {
            "workspace_id": workspace_id,
            "text_queries": text_queries,
            "vector": vector,
            "vector_property": vector_property,
            "outcome": outcome,
            "limit": limit,
        },
    )


async def settle_patterns(
    runner: Runner, *, workspace_id: str, patterns: Sequence[Mapping[str, Any]], now: datetime
) -> None:
    await execute(
        runner, load("settle_patterns"), {"workspace_id": workspace_id, "patterns": patterns, "now": now}
    )


async def update_sequences(
    runner: Runner, *, workspace_id: str, sequences: Sequence[Mapping[str, Any]], now: datetime
) -> None:
    await execute(
        runner, load("update_sequences"), {"workspace_id": workspace_id, "sequences": sequences, "now": now}
    )
