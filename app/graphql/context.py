"""What a resolver gets beside its arguments."""

from litestar.datastructures import State
from litestar.types import Scope as Connection
from strawberry.litestar import BaseContext
from strawberry.types import Info as StrawberryInfo

from graph.access.models import Principal, Scope
from graph.services import Services


class Context(BaseContext, kw_only=True):
    """One request: who makes it, and the services it may use."""

    services: Services
    principal: Principal

    async def workspace(self, scope: Scope, workspace_id: str | None) -> str:
        """Return the workspace the operation speaks of.

        Raises:
            Forbidden: The key lacks the scope.
            NotFound: The workspace is not the caller's.
        """
        return await self.services.access.authorize(self.principal, scope, workspace_id)


Info = StrawberryInfo[Context, None]


async def build_context(state: State, scope: Connection) -> Context:
    """Make the context out of what the application and the authentication left."""
    return Context(services=state.services, principal=scope["auth"])
