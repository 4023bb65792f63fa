"""What a resolver gets beside its arguments."""

from typing import Annotated

import strawberry
from litestar.datastructures import State
from litestar.types import Scope as Connection
from strawberry.litestar import BaseContext
from strawberry.types import Info as StrawberryInfo

from app.graphql.loaders import Loaders
from graph.access.models import Principal, Scope
from graph.services import Services


class Context(BaseContext, kw_only=True):
    """One request: who makes it, the services it may use, and what it has read."""

    services: Services
    principal: Principal
    loaders: Loaders

    async def workspace(self, scope: Scope, workspace_id: str | None) -> str:
        """Return the workspace the operation speaks of.

        Raises:
            Forbidden: The key lacks the scope.
            NotFound: The workspace is not the caller's.
        """
        return await self.services.access.authorize(self.principal, scope, workspace_id)


Info = StrawberryInfo[Context, None]
WorkspaceId = Annotated[
    strawberry.ID | None, strawberry.argument(description="Left out: the workspace of the key.")
]


async def build_context(state: State, scope: Connection) -> Context:
    """Make the context out of what the application and the authentication left."""
    services: Services = state.services
    return Context(services=services, principal=scope["auth"], loaders=Loaders(services))
