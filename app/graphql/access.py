"""Keys and who holds them."""

from datetime import datetime

import strawberry

from app.graphql.context import Info
from graph.access import models
from graph.access.models import Scope

for _vocabulary in (Scope,):
    strawberry.enum(_vocabulary)


@strawberry.type
class Principal:
    """Whoever makes the request."""

    key_id: strawberry.ID
    name: str
    workspace_id: strawberry.ID
    scopes: list[Scope]


@strawberry.type
class ApiKey:
    """A key without its secret."""

    id: strawberry.ID
    workspace_id: strawberry.ID
    name: str
    prefix: str
    scopes: list[Scope]
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None

    @classmethod
    def of(cls, key: models.ApiKey) -> "ApiKey":
        """Return the GraphQL form of a key."""
        return cls(**{**key.model_dump(), "scopes": list(key.scopes)})


@strawberry.type
class CreatedApiKey:
    """A new key; its secret is shown this once."""

    key: ApiKey
    secret: str


@strawberry.input
class CreateApiKeyInput:
    """A key to make, bound to one workspace."""

    name: str
    scopes: list[Scope]
    workspace_id: strawberry.ID | None = None
    expires_at: datetime | None = None


@strawberry.type
class AccessQueries:
    """Reading keys."""

    @strawberry.field
    async def me(self, info: Info) -> Principal:
        """Who makes this request, and what it may do."""
        principal = info.context.principal
        return Principal(
            key_id=strawberry.ID(principal.key_id),
            name=principal.name,
            workspace_id=strawberry.ID(principal.workspace_id),
            scopes=sorted(principal.scopes),
        )

    @strawberry.field
    async def api_keys(self, info: Info, workspace_id: strawberry.ID | None = None) -> list[ApiKey]:
        """The live keys of a workspace; for administrators."""
        workspace = await info.context.workspace(Scope.ADMIN, workspace_id)
        return [ApiKey.of(key) for key in await info.context.services.access.list_keys(workspace)]


@strawberry.type
class AccessMutations:
    """Writing keys; for administrators."""

    @strawberry.mutation
    async def create_api_key(self, info: Info, input: CreateApiKeyInput) -> CreatedApiKey:
        """Make a key."""
        workspace = await info.context.workspace(Scope.ADMIN, input.workspace_id)
        key, secret = await info.context.services.access.create_key(
            workspace, name=input.name, scopes=input.scopes, expires_at=input.expires_at
        )
        return CreatedApiKey(key=ApiKey.of(key), secret=secret)

    @strawberry.mutation
    async def revoke_api_key(self, info: Info, id: strawberry.ID) -> bool:
        """Revoke a key at once."""
        await info.context.workspace(Scope.ADMIN, None)
        await info.context.services.access.revoke_key(id)
        return True
