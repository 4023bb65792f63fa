"""The typed functions over ``cypher/telemetry``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from graph.core.query import query
from graph.core.rows import Row, Runner
from graph.telemetry.models import AgentAction, AgentPattern, AgentSequence, Metric, Outcome
from graph.telemetry.noted import TargetRow
from graph.telemetry.sequencing import OpenSequence


@query
async def annotate_pattern(
    runner: Runner, *, workspace_id: str, id: str, properties: Mapping[str, Any], now: datetime
) -> AgentPattern | None: ...


@query
async def chain_actions(
    runner: Runner, *, workspace_id: str, chains: Sequence[Mapping[str, Any]]
) -> None: ...


@query
async def close_tallies(runner: Runner, *, workspace_id: str, ids: Sequence[str]) -> None: ...


@query
async def count_attempts(
    runner: Runner, *, workspace_id: str, attempts: Sequence[Mapping[str, Any]]
) -> None: ...


@query
async def count_failures(
    runner: Runner, *, workspace_id: str, failures: Sequence[Mapping[str, Any]]
) -> None: ...


@query
async def create_actions(
    runner: Runner, *, workspace_id: str, actions: Sequence[Mapping[str, Any]]
) -> int: ...


class DeleteActionsRow(Row):
    deleted: int
    days: Sequence[str]


@query
async def delete_actions(
    runner: Runner, *, workspace_id: str, sequence_ids: Sequence[str], limit: int
) -> DeleteActionsRow: ...


class DeleteSequencesRow(Row):
    id: str
    tallies: Sequence[Mapping[str, Any]]


@query
async def delete_sequences(
    runner: Runner, *, workspace_id: str, ids: Sequence[str]
) -> list[DeleteSequencesRow]: ...


@query
async def find_targets(
    runner: Runner, *, workspace_id: str, names: Sequence[str], kinds: Sequence[str]
) -> list[TargetRow]: ...


class FindActionsRow(Row):
    id: str
    session_id: str
    user_id: str


@query
async def find_actions(runner: Runner, *, workspace_id: str, ids: Sequence[str]) -> list[FindActionsRow]: ...


@query
async def list_actions(
    runner: Runner,
    *,
    workspace_id: str,
    session_id: str | None,
    sequence_id: str | None,
    action_type: str | None,
    node_type: str | None,
    outcome: str | None,
    error_code: str | None,
    since: datetime | None,
    until: datetime | None,
    after_time: datetime | None,
    after_id: str | None,
    limit: int,
) -> list[AgentAction]: ...


@query
async def list_actions_of_sequence(
    runner: Runner,
    *,
    workspace_id: str,
    session_id: str | None,
    sequence_id: str | None,
    action_type: str | None,
    node_type: str | None,
    outcome: str | None,
    error_code: str | None,
    since: datetime | None,
    until: datetime | None,
    after_time: datetime | None,
    after_id: str | None,
    limit: int,
) -> list[AgentAction]: ...


@query
async def list_known_types(runner: Runner, *, workspace_id: str, names: Sequence[str]) -> list[str]: ...


class ListActionsOfSequencesRow(Row):
    sequence_id: str
    action: AgentAction


@query
async def list_actions_of_sequences(
    runner: Runner, *, workspace_id: str, sequence_ids: Sequence[str], limit: int
) -> list[ListActionsOfSequencesRow]: ...


class ListActionsOfTargetsRow(Row):
    target_id: str
    action: AgentAction


@query
async def list_actions_of_targets(
    runner: Runner,
    *,
    workspace_id: str,
    target_ids: Sequence[str],
    session_id: str | None,
    sequence_id: str | None,
    action_type: str | None,
    node_type: str | None,
    outcome: str | None,
    error_code: str | None,
    since: datetime | None,
    until: datetime | None,
    after_time: datetime | None,
    after_id: str | None,
    limit: int,
) -> list[ListActionsOfTargetsRow]: ...


class ListEvidenceRow(Row):
    pattern_id: str
    sequence: AgentSequence


@query
async def list_evidence(
    runner: Runner, *, workspace_id: str, pattern_ids: Sequence[str], limit: int
) -> list[ListEvidenceRow]: ...


@query
async def list_patterns_of_sequences(
    runner: Runner, *, workspace_id: str, sequence_ids: Sequence[str], limit: int
) -> list[AgentPattern]: ...


class ListPatternsRow(Row):
    pattern: AgentPattern
    rank: float


@query
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
) -> list[ListPatternsRow]: ...


class ListRepeatedFailuresRow(Row):
    action_type: str
    node_type: str
    error_code: str


@query
async def list_repeated_failures(
    runner: Runner, *, workspace_id: str, attempts: Sequence[Mapping[str, Any]], least: int
) -> list[ListRepeatedFailuresRow]: ...


@query
async def list_sequences(
    runner: Runner,
    *,
    workspace_id: str,
    session_id: str | None,
    outcome: str | None,
    after_time: datetime | None,
    after_id: str | None,
    limit: int,
) -> list[AgentSequence]: ...


@query
async def list_target_types(runner: Runner, *, workspace_id: str, names: Sequence[str]) -> list[str]: ...


class ListUnsettledRow(Row):
    id: str
    state: str | None
    sequences: int
    attempts: int
    settled_attempts: int | None
    settled_confidence: float | None


@query
async def list_unsettled(
    runner: Runner, *, workspace_id: str, attempts: Sequence[Mapping[str, Any]]
) -> list[ListUnsettledRow]: ...


@query
async def list_untallied(runner: Runner, *, workspace_id: str, after_id: str, limit: int) -> list[str]: ...


@query
async def lock_sequences(runner: Runner, *, workspace_id: str, ids: Sequence[str]) -> list[str]: ...


@query
async def open_sequences(
    runner: Runner, *, workspace_id: str, sessions: Sequence[Mapping[str, Any]], now: datetime
) -> list[OpenSequence]: ...


class OpenUntalliedRow(Row):
    sequence_id: str
    action_type: str
    node_type: str
    failed: bool
    error_code: str | None
    first_at: datetime
    last_at: datetime


@query
async def open_untallied(
    runner: Runner, *, workspace_id: str, ids: Sequence[str]
) -> list[OpenUntalliedRow]: ...


class RecountAttemptsRow(Row):
    action_type: str
    node_type: str
    error_codes: list[str]


@query
async def recount_attempts(
    runner: Runner, *, workspace_id: str, attempts: Sequence[Mapping[str, Any]]
) -> list[RecountAttemptsRow]: ...


class SearchSequencesRow(Row):
    sequence: AgentSequence
    text_score: float | None
    cosine: float | None


@query
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
) -> list[SearchSequencesRow]: ...


@query
async def settle_patterns(
    runner: Runner, *, workspace_id: str, patterns: Sequence[Mapping[str, Any]], now: datetime
) -> None: ...


@query
async def update_sequences(
    runner: Runner, *, workspace_id: str, sequences: Sequence[Mapping[str, Any]], now: datetime
) -> None: ...


class CountRunsRow(Row):
    sequences: int
    patterns: int


@query
async def count_runs(
    runner: Runner, *, workspace_id: str, since: datetime, until: datetime, noted_type: str
) -> CountRunsRow: ...


@query
async def delete_metric(runner: Runner, *, workspace_id: str, id: str) -> str | None: ...


@query
async def enqueue_benchmarks(
    runner: Runner, *, days: Sequence[Mapping[str, Any]], metric: str, now: datetime
) -> int: ...


class ListActionGroupsRow(Row):
    action_type: str
    node_type: str
    outcome: Outcome
    error_code: str | None
    actions: int
    timed: int
    latency_ms: float


@query
async def list_action_groups(
    runner: Runner, *, workspace_id: str, since: datetime, until: datetime
) -> list[ListActionGroupsRow]: ...


class ListBenchmarksRow(Row):
    day: str
    value: float
    samples: int


@query
async def list_benchmarks(
    runner: Runner, *, workspace_id: str, metric: str, since_day: str, until_day: str
) -> list[ListBenchmarksRow]: ...


@query
async def list_metrics(runner: Runner, *, workspace_id: str) -> list[Metric]: ...


@query
async def upsert_benchmarks(
    runner: Runner,
    *,
    workspace_id: str,
    benchmarks: Sequence[Mapping[str, Any]],
    unmeasured: Sequence[Mapping[str, Any]],
    now: datetime,
) -> None: ...


class UpsertMetricRow(Row):
    metric: Metric | None
    is_full: bool


@query
async def upsert_metric(
    runner: Runner,
    *,
    workspace_id: str,
    name: str,
    id: str,
    properties: Mapping[str, Any],
    most: int,
    now: datetime,
) -> UpsertMetricRow | None: ...


@query
async def count_outcomes(runner: Runner, *, workspace_id: str, sequence_ids: Sequence[str]) -> None: ...


@query
async def forget_outcomes(
    runner: Runner, *, workspace_id: str, sequence_ids: Sequence[str], limit: int
) -> int: ...


class GetMemoryOutcomesRow(Row):
    memory_id: str
    runs: int
    succeeded: int


@query
async def get_memory_outcomes(
    runner: Runner, *, workspace_id: str, ids: Sequence[str]
) -> list[GetMemoryOutcomesRow]: ...


@query
async def link_uses(runner: Runner, *, workspace_id: str, uses: Sequence[Mapping[str, Any]]) -> list[str]: ...


class ListMemoryOutcomesRow(Row):
    memory_id: str
    runs: int
    succeeded: int
    rank: float


@query
async def list_memory_outcomes(
    runner: Runner,
    *,
    workspace_id: str,
    min_runs: int,
    is_worst_first: bool,
    prior_successes: float,
    prior_runs: float,
    after_rank: float | None,
    after_id: str | None,
    limit: int,
    now: datetime,
) -> list[ListMemoryOutcomesRow]: ...


@query
async def add_recalls(runner: Runner, *, rows: Sequence[Mapping[str, Any]]) -> None: ...


@query
async def add_usage(runner: Runner, *, rows: Sequence[Mapping[str, Any]]) -> None: ...
