"""The context that a resolver receives in addition to its arguments."""

from typing import Annotated, Any, NamedTuple, Self

import strawberry
from litestar.datastructures import State
from litestar.enums import ScopeType
from litestar.types import Scope as Connection
from msgspec.structs import replace
from strawberry.extensions import SchemaExtension
from strawberry.litestar import BaseContext
from strawberry.types import Info as StrawberryInfo

from app.surfaces.graphql.limits import GraphQLLimits
from app.surfaces.graphql.loaders import Loaders
from app.surfaces.http.credentials import Owners
from graph.core.errors import Unauthenticated
from graph.operations.services import Services
from graph.tenancy.models import Principal, Scope


class Proof(NamedTuple):
    """Credentials of a websocket.

    Attributes:
        secret: API key.
        session_id: Session of the signed-in person; the key overrides it.
        owners: User and agent that the caller acts for.
    """

    secret: str | None
    session_id: str | None
    owners: Owners


class Context(BaseContext, kw_only=True):
    """One request: its caller, the services that it may use, and the data that it has loaded.

    A websocket has one context for the lifetime of its connection, and each of its operations has its own. At every
    use, and so at every event, the context checks its key again, because the key may have been revoked, and discards
    its loaded data.
    """

    services: Services
    loaders: Loaders
    limits: GraphQLLimits
    notices: list[str]
    caller: Principal | None = None
    connection_params: dict[str, Any] | None = None
    proof: Proof | None = None

    @property
    def principal(self) -> Principal:
        """The caller.

        Raises:
            Unauthenticated: A websocket has not sent its key yet.
        """
        if self.caller is None:
            raise Unauthenticated("send an API key first")
        return self.caller

    def notice(self, text: str | None) -> None:
        """Add a text to ``extensions.notices`` of the response, once; ignore None."""
        if text is not None and text not in self.notices:
            self.notices.append(text)

    async def authenticate(self, proof: Proof) -> None:
        """Authenticate a websocket by its key or session, for the user and agent that it names.

        Raises:
            Unauthenticated: There is no key or session, or it is unknown, revoked or expired.
            Forbidden: The key is bound to another user or agent.
            Unavailable: The graph does not answer, or Redis for a session.
        """
        tenancy = self.services.tenancy
        if proof.secret is None and proof.session_id is not None:
            caller = await tenancy.sessions.resume(proof.session_id)
        else:
            caller = await tenancy.access.authenticate(proof.secret)
        self.caller = caller.speaking_for(**proof.owners) if any(proof.owners.values()) else caller
        self.proof = proof

    async def admit(self) -> None:
        """Check the key and its request limit before an operation of a websocket, which counts as one request.

        Raises:
            Unauthenticated: The key is no longer valid, or the session has ended.
            LimitExceeded: The key has exceeded its request limit for this minute.
        """
        if self.proof is not None:
            await self.authenticate(self.proof)
        await self.services.tenancy.request_limits.admit(self.principal)

    def of_operation(self) -> Self:
        """Return the context of one operation of a websocket, with its own loaders and notices."""
        return replace(self, loaders=Loaders(self.services), notices=[])

    async def workspace(self, scope: Scope, workspace_id: str | None) -> str:
        """Return the id of the operation's workspace if the caller may use it with this scope.

        Raises:
            Unauthenticated: The key of a websocket is no longer valid.
            Forbidden: The key lacks the scope.
            NotFound: The workspace does not exist, or the caller may not see it.
        """
        if self.proof is not None:
            await self.authenticate(self.proof)
            self.loaders = Loaders(self.services)
        return await self.services.tenancy.access.authorize(self.principal, scope, workspace_id)


Info = StrawberryInfo[Context, None]
WorkspaceId = Annotated[
    strawberry.ID | None, strawberry.argument(description="Workspace; defaults to that of the key.")
]


async def build_context(state: State, scope: Connection) -> Context:
    """Build the context from the application's state and the authenticated caller."""
    services: Services = state.services
    is_socket = scope["type"] == ScopeType.WEBSOCKET
    return Context(
        services=services,
        caller=None if is_socket else scope["auth"],
        loaders=Loaders(services),
        limits=state.graphql_limits,
        notices=[],
    )


class Notices(SchemaExtension):
    """Puts the notices of a request's operations into ``extensions.notices``, if there are any."""

    def get_results(self) -> dict[str, Any]:
        """Return the notices for ``extensions``."""
        context = self.execution_context.context
        return {"notices": context.notices} if isinstance(context, Context) and context.notices else {}
