"""The typed functions over ``cypher/operations``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any

from graph.core.query import query
from graph.core.rows import NO_TIMES, Row, Runner
from graph.operations.models import Webhook


@query
async def find_store_version(runner: Runner) -> int | None: ...


class GetServerRow(Row):
    version: str
    edition: str


@query
async def get_server(runner: Runner) -> GetServerRow: ...


class ListIndexesRow(Row):
    name: str
    kind: str
    state: str
    percent: float


@query
async def list_indexes(runner: Runner) -> list[ListIndexesRow]: ...


@query
async def note_store_version(runner: Runner, *, number: int) -> None: ...


class ListArchiveNodesRow(Row):
    label: str
    refs: list[str]


@query
async def list_archive_nodes(
    runner: Runner, *, workspace_id: str, user_id: str | None, labels: Sequence[str], filler_prefix: str
) -> list[ListArchiveNodesRow]: ...


class GetArchiveNodesRow(Row):
    ref: str
    labels: list[str]
    properties: Annotated[Mapping[str, Any], NO_TIMES]  # driver times with nanoseconds
    vector: list[float] | None


@query
async def get_archive_nodes(
    runner: Runner,
    *,
    workspace_id: str,
    refs: Sequence[str],
    label: str,
    user_id: str | None,
    vector_property: str | None,
) -> list[GetArchiveNodesRow]: ...


class GetArchiveIdentitiesRow(Row):
    ref: str
    properties: Annotated[Mapping[str, Any], NO_TIMES]


@query
async def get_archive_identities(
    runner: Runner, *, workspace_id: str, refs: Sequence[str], label: str
) -> list[GetArchiveIdentitiesRow]: ...


class ListArchiveEdgesRow(Row):
    source: str
    target: str
    target_labels: list[str]
    type: str
    properties: Annotated[Mapping[str, Any], NO_TIMES]


@query
async def list_archive_edges(
    runner: Runner, *, workspace_id: str, refs: Sequence[str], label: str, user_id: str | None
) -> list[ListArchiveEdgesRow]: ...


class CreateArchiveNodesRow(Row):
    number: int
    ref: str


@query
async def create_archive_nodes(
    runner: Runner, *, workspace_id: str, rows: Sequence[Mapping[str, Any]], vector_property: str
) -> list[CreateArchiveNodesRow]: ...


@query
async def create_archive_edges(
    runner: Runner, *, workspace_id: str, rows: Sequence[Mapping[str, Any]]
) -> int: ...


@query
async def note_restore(runner: Runner, *, workspace_id: str, digest: str | None) -> str | None: ...


@query
async def recount_runs(runner: Runner, *, workspace_id: str, refs: Sequence[str]) -> None: ...


@query
async def lock_restored_conversation(runner: Runner, *, workspace_id: str, id: str) -> str | None: ...


class CountOfUserRow(Row):
    memories: int
    versions: int
    passages: int
    conversations: int
    messages: int
    episodes: int
    summaries: int
    distillations: int
    sequences: int
    actions: int
    prompt_runs: int
    api_keys: int


@query
async def count_of_user(runner: Runner, *, workspace_id: str, user_id: str) -> CountOfUserRow: ...


@query
async def list_memories_of_user(
    runner: Runner, *, workspace_id: str, user_id: str, limit: int
) -> list[str]: ...


class ListMemoriesStillOfUserRow(Row):
    id: str
    entity_ids: list[str]


@query
async def list_memories_still_of_user(
    runner: Runner, *, workspace_id: str, user_id: str, ids: Sequence[str]
) -> list[ListMemoriesStillOfUserRow]: ...


@query
async def list_conversations_of_user(
    runner: Runner, *, workspace_id: str, user_id: str, limit: int
) -> list[str]: ...


@query
async def list_sequences_of_user(
    runner: Runner, *, workspace_id: str, user_id: str, limit: int
) -> list[str]: ...


@query
async def delete_traces(runner: Runner, *, workspace_id: str, ids: Sequence[str]) -> None: ...


@query
async def redact_audit(runner: Runner, *, about: str, subject_ids: Sequence[str]) -> None: ...


@query
async def delete_rest_of_user(
    runner: Runner, *, workspace_id: str, user_id: str, limit: int, now: datetime
) -> int: ...


@query
async def write_fillers(
    runner: Runner, *, workspace_id: str, ids: Sequence[str], properties: Mapping[str, Any]
) -> None: ...


@query
async def delete_fillers(runner: Runner, *, workspace_id: str, prefix: str, limit: int) -> int: ...


class CountByWorkspaceRow(Row):
    workspace_id: str
    memories: int
    embedded: int
    needs_reindex: int
    failed: int
    pending_jobs: int
    failed_jobs: int
    recalls: int
    answered_recalls: int


@query
async def count_by_workspace(
    runner: Runner, *, workspace_ids: Sequence[str], building_property: str | None
) -> list[CountByWorkspaceRow]: ...


class CountStoredRow(Row):
    memories: int
    waiting: Sequence[Mapping[str, Any]]


@query
async def count_stored(runner: Runner, *, kinds: Sequence[str]) -> CountStoredRow: ...


@query
async def delete_probe_remains(
    runner: Runner, *, workspace_id: str, ids: Sequence[str], before: datetime
) -> None: ...


class SampleTextsRow(Row):
    text: str


@query
async def sample_texts(
    runner: Runner, *, workspace_id: str, count: int, length: int
) -> list[SampleTextsRow]: ...


class SampleTextsOfAllRow(Row):
    text: str


@query
async def sample_texts_of_all(runner: Runner, *, count: int, length: int) -> list[SampleTextsOfAllRow]: ...


@query
async def ping(runner: Runner) -> bool: ...


class CreateWebhookRow(Row):
    webhook: Webhook | None
    is_full: bool


@query
async def create_webhook(
    runner: Runner, *, workspace_id: str, properties: Mapping[str, Any], most: int
) -> CreateWebhookRow | None: ...


@query
async def list_webhooks(runner: Runner, *, workspace_id: str) -> list[Webhook]: ...


@query
async def delete_webhook(runner: Runner, *, workspace_id: str, id: str) -> str | None: ...


@query
async def delete_parked_deliveries(runner: Runner, *, before: datetime, limit: int) -> int: ...


@query
async def delete_deliveries_of_webhook(
    runner: Runner, *, workspace_id: str, webhook_id: str, limit: int
) -> int: ...


@query
async def list_webhook_workspaces(runner: Runner) -> list[str]: ...


@query
async def create_webhook_deliveries(
    runner: Runner,
    *,
    workspace_id: str,
    events: Sequence[Mapping[str, Any]],
    webhook_id: str | None,
    now: datetime,
) -> list[str]: ...


class GetWebhookDeliveriesRow(Row):
    id: str
    webhook_id: str
    type: str
    occurred_at: datetime
    data: str
    url: str
    secret: str


@query
async def get_webhook_deliveries(
    runner: Runner, *, workspace_id: str, ids: Sequence[str]
) -> list[GetWebhookDeliveriesRow]: ...


@query
async def settle_webhook_delivery(
    runner: Runner, *, workspace_id: str, id: str, properties: Mapping[str, Any], is_delivered: bool
) -> None: ...


@query
async def delete_webhook_deliveries(runner: Runner, *, workspace_id: str, ids: Sequence[str]) -> None: ...


@query
async def delete_webhook_deliveries_of_user(runner: Runner, *, workspace_id: str, user_id: str) -> None: ...


class DescribeMemoriesRow(Row):
    id: str
    key: str | None
    type: str | None
    user_id: str | None
    agent_id: str | None


@query
async def describe_memories(
    runner: Runner, *, workspace_id: str, ids: Sequence[str]
) -> list[DescribeMemoriesRow]: ...
