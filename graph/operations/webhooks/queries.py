"""The typed functions over ``cypher/operations/webhooks``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from graph.core.query import query
from graph.core.rows import Row, Runner
from graph.operations.webhooks.models import Webhook


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
