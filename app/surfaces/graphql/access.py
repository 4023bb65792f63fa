"""API keys, the caller, and the audit log."""

from datetime import datetime
from typing import Annotated

import strawberry

from app.surfaces.graphql.context import Info
from app.surfaces.graphql.inputs import Shown, or_default
from app.surfaces.graphql.pages import DEFAULT_PAGE, Connection, connection_parts
from graph.core import models as audit
from graph.core.models import AuditAction
from graph.tenancy import models
from graph.tenancy.keys import DEFAULT_GRACE_SECONDS
from graph.tenancy.models import Scope

for _vocabulary in (Scope, AuditAction):
    strawberry.enum(_vocabulary)


@strawberry.type
class Principal:
    """The caller."""

    key_id: strawberry.ID
    name: str
    workspace_id: strawberry.ID
    scopes: list[Scope]


@strawberry.type
class ApiKey(Shown[models.ApiKey]):
    """A key without its secret."""

    id: strawberry.ID
    workspace_id: strawberry.ID
    name: str
    prefix: str
    scopes: list[Scope]
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None = strawberry.field(
        description="Time of the last use, to the minute; null: never."
    )
    rotated_at: datetime | None = strawberry.field(description="Time of the last new secret; null: never.")
    requests_per_minute: int | None = strawberry.field(
        description="Request limit of the key, 0: unlimited; null: the deployment's limit."
    )
    user_id: strawberry.ID | None = strawberry.field(
        description="User that the key is bound to: it reads and writes only that user's memory; null: all users."
    )
    agent_id: strawberry.ID | None = strawberry.field(
        description="Agent that the key is bound to: it reads and writes only that agent's memory; null: all agents."
    )


@strawberry.type
class CreatedApiKey:
    """A new key; the API returns its secret only once."""

    key: ApiKey
    secret: str


@strawberry.input
class CreateApiKeyInput:
    """An API key to create for one workspace."""

    name: str
    scopes: list[Scope]
    workspace_id: strawberry.ID | None = None
    expires_at: datetime | None = None
    requests_per_minute: int | None = strawberry.field(
        default=None, description="Request limit of the key, 0: unlimited; omitted: the deployment's limit."
    )
    user_id: strawberry.ID | None = strawberry.field(
        default=None,
        description="User that the key is bound to: it reads and writes that user's memory, and reads shared memory.",
    )
    agent_id: strawberry.ID | None = strawberry.field(
        default=None,
        description="Agent that the key is bound to: it reads and writes that agent's memory, and reads memory shared "
        "by all agents.",
    )


@strawberry.type
class AuditEntry(Shown[audit.AuditEntry]):
    """An audited action: ids only, no content."""

    id: strawberry.ID
    action: AuditAction
    actor_key_id: strawberry.ID | None = strawberry.field(
        description="Acting API key; null for automatic actions and failed sign-ins."
    )
    workspace_id: strawberry.ID = strawberry.field(
        description="Workspace of the action, which may no longer exist; `deployment` if none."
    )
    subject_id: strawberry.ID | None = strawberry.field(
        description="Target of the action besides the workspace; for a failed sign-in, the address that it came from."
    )
    count: int = strawberry.field(description="Number of affected records.")
    at: datetime


@strawberry.type
class AuditEntryConnection(Connection[AuditEntry]):
    """A page of the audit log."""


@strawberry.type
class AccessQueries:
    """Queries of keys and the audit log."""

    @strawberry.field
    async def me(self, info: Info) -> Principal:
        """The caller of this request, with its scopes."""
        principal = info.context.principal
        return Principal(
            key_id=strawberry.ID(principal.key_id),
            name=principal.name,
            workspace_id=strawberry.ID(principal.workspace_id),
            scopes=sorted(principal.scopes),
        )

    @strawberry.field
    async def api_keys(self, info: Info, workspace_id: strawberry.ID | None = None) -> list[ApiKey]:
        """Valid API keys of a workspace; for administrators."""
        workspace = await info.context.workspace(Scope.ADMIN, workspace_id)
        return [ApiKey.of(key) for key in await info.context.services.tenancy.keys.list_live(workspace)]

    @strawberry.field
    async def audit_log(
        self,
        info: Info,
        actions: list[AuditAction] | None = None,
        first: int | None = DEFAULT_PAGE,
        after: str | None = None,
    ) -> AuditEntryConnection:
        """Audit entries of the whole deployment, the latest first; for administrators.

        AuditAction lists the audited actions.
        """
        await info.context.workspace(Scope.ADMIN, None)
        page = await info.context.services.core.audit.page(
            actions=actions or (), first=or_default(first, DEFAULT_PAGE), after=after
        )
        edges, page_info = connection_parts(page, AuditEntry.of, after)
        return AuditEntryConnection(edges=edges, page_info=page_info)


@strawberry.type
class AccessMutations:
    """Mutations of keys; for administrators."""

    @strawberry.mutation
    async def create_api_key(self, info: Info, input: CreateApiKeyInput) -> CreatedApiKey:
        """Create an API key; the response contains its secret, once."""
        workspace = await info.context.workspace(Scope.ADMIN, input.workspace_id)
        key, secret = await info.context.services.tenancy.keys.create(
            workspace,
            name=input.name,
            scopes=input.scopes,
            expires_at=input.expires_at,
            requests_per_minute=input.requests_per_minute,
            user_id=input.user_id,
            agent_id=input.agent_id,
        )
        return CreatedApiKey(key=ApiKey.of(key), secret=secret)

    @strawberry.mutation
    async def rotate_api_key(
        self,
        info: Info,
        id: strawberry.ID,
        grace_seconds: Annotated[
            int | None,
            strawberry.argument(
                description="Seconds for which the previous secret stays valid, at most 2,592,000 (30 days)."
            ),
        ] = DEFAULT_GRACE_SECONDS,
    ) -> CreatedApiKey:
        """Give a key a new secret; sessions that the previous secret opened end together with it."""
        await info.context.workspace(Scope.ADMIN, None)
        key, secret = await info.context.services.tenancy.keys.rotate(
            id, grace_seconds=or_default(grace_seconds, DEFAULT_GRACE_SECONDS)
        )
        return CreatedApiKey(key=ApiKey.of(key), secret=secret)

    @strawberry.mutation
    async def limit_api_key(
        self, info: Info, id: strawberry.ID, requests_per_minute: int | None = None
    ) -> ApiKey:
        """Set the request limit of a key, 0: unlimited; null: the deployment's limit."""
        await info.context.workspace(Scope.ADMIN, None)
        return ApiKey.of(await info.context.services.tenancy.keys.limit(id, requests_per_minute))

    @strawberry.mutation
    async def revoke_api_key(self, info: Info, id: strawberry.ID) -> bool:
        """Revoke a key immediately."""
        await info.context.workspace(Scope.ADMIN, None)
        await info.context.services.tenancy.keys.revoke(id)
        return True
