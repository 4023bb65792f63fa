"""Webhooks: URLs that receive the events of a workspace."""

from datetime import datetime

import strawberry

from app.surfaces.graphql.context import Info
from app.surfaces.graphql.inputs import Shown
from graph.operations import models
from graph.operations.models import WebhookEvent
from graph.tenancy.models import Scope

strawberry.enum(WebhookEvent)


@strawberry.type
class Webhook(Shown[models.Webhook]):
    """A URL that receives the events of a workspace; without its secret."""

    id: strawberry.ID
    workspace_id: strawberry.ID
    url: str
    events: list[WebhookEvent]
    description: str | None
    created_at: datetime
    last_delivered_at: datetime | None
    last_failed_at: datetime | None
    last_error: str | None = strawberry.field(description="Reason of the last failed delivery.")


@strawberry.type
class CreatedWebhook:
    """A new webhook; the API returns its secret only once."""

    webhook: Webhook
    secret: str = strawberry.field(
        description="`whsec_` and the signing key in base64, the format of Standard Webhooks libraries."
    )


@strawberry.input
class CreateWebhookInput:
    """A webhook to register."""

    url: str = strawberry.field(
        description="URL that begins with https:// and does not resolve to a private address."
    )
    events: list[WebhookEvent]
    description: str | None = None


@strawberry.type
class WebhookQueries:
    """Queries of webhooks."""

    @strawberry.field
    async def webhooks(self, info: Info, workspace_id: strawberry.ID | None = None) -> list[Webhook]:
        """Webhooks of a workspace, the oldest first; for administrators."""
        workspace = await info.context.workspace(Scope.ADMIN, workspace_id)
        found = await info.context.services.operations.webhooks.list_all(workspace)
        return [Webhook.of(webhook) for webhook in found]


@strawberry.type
class WebhookMutations:
    """Mutations of webhooks; for administrators."""

    @strawberry.mutation
    async def create_webhook(
        self, info: Info, input: CreateWebhookInput, workspace_id: strawberry.ID | None = None
    ) -> CreatedWebhook:
        """Register a webhook; within 5 seconds, it begins to receive the events of all users of the workspace."""
        workspace = await info.context.workspace(Scope.ADMIN, workspace_id)
        webhook, secret = await info.context.services.operations.webhooks.create(
            workspace, url=input.url, events=input.events, description=input.description
        )
        return CreatedWebhook(webhook=Webhook.of(webhook), secret=secret)

    @strawberry.mutation
    async def delete_webhook(
        self, info: Info, id: strawberry.ID, workspace_id: strawberry.ID | None = None
    ) -> bool:
        """Delete a webhook with its pending deliveries; false if it does not exist."""
        workspace = await info.context.workspace(Scope.ADMIN, workspace_id)
        return await info.context.services.operations.webhooks.delete(workspace, id)

    @strawberry.mutation
    async def test_webhook(
        self, info: Info, id: strawberry.ID, workspace_id: strawberry.ID | None = None
    ) -> strawberry.ID:
        """Deliver a test event of the type `webhook.test`; returns its id, the value of the header `webhook-id`."""
        workspace = await info.context.workspace(Scope.ADMIN, workspace_id)
        return strawberry.ID(await info.context.services.operations.webhooks.test(workspace, id))
