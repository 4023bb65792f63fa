"""The surface of GraphQL: how requests are read and refused, and what a browser is shown."""

import json
from contextvars import ContextVar
from datetime import timedelta
from typing import Any, ClassVar

from cross_web import HTTPException as GraphQLRefusal
from litestar import Request, Response
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.types import Dependencies
from strawberry.http.ides import get_graphql_ide_html
from strawberry.litestar.controller import GraphQLController
from strawberry.subscriptions import GRAPHQL_TRANSPORT_WS_PROTOCOL
from strawberry.types.unset import UNSET, UnsetType

from app.surfaces.graphql.context import Context, build_context
from app.surfaces.graphql.schema import schema
from app.surfaces.graphql.websocket import CheckedConnection
from app.surfaces.http.body_limits import LARGEST_BODY_BYTES
from app.surfaces.http.credentials import owners_in, secret_in
from app.surfaces.http.large_json import LARGE_BYTES, read_body
from app.surfaces.http.strict_json import read_json
from graph.core.errors import InvalidInput

PATH = "/graphql"

# Where the page's options begin; the key a person types there stays in the browser and is sent as a header.
_PAGE_OPTIONS = "defaultEditorToolsVisibility: true,"
_KEY_OPTIONS = """defaultEditorToolsVisibility: "headers",
          defaultHeaders: '{"Authorization": "Bearer "}',"""

_read_apart: ContextVar[tuple[bytes, Any] | None] = ContextVar("read_apart", default=None)
"""The body of the request and what it says, where it was too large to be read between others."""


class GraphQL(GraphQLController[Context, None]):
    """``/graphql``, with every refusal in the error shape of this service."""

    path = PATH
    include_in_schema = False  # GraphQL has a schema of its own
    request_max_body_size = LARGEST_BODY_BYTES
    schema = schema
    protocols = (GRAPHQL_TRANSPORT_WS_PROTOCOL,)
    graphql_transport_ws_handler_class = CheckedConnection
    connection_init_wait_timeout = timedelta(seconds=10)
    max_subscriptions_per_connection = 20
    dependencies: ClassVar[Dependencies] = {  # type: ignore[misc]  # Litestar's own is not declared as one
        **GraphQLController.dependencies,
        "custom_context": Provide(build_context),
    }

    @property
    def graphql_ide_html(self) -> str:
        """GraphiQL with a place for the key."""
        return graphiql_page()

    def parse_json(self, data: str | bytes) -> Any:
        """Read JSON as strictly as every surface.

        Raises:
            InvalidInput: It is no strict JSON, or a bare value.
        """
        apart = _read_apart.get()
        parsed = apart[1] if apart is not None and apart[0] is data else read_json(data)
        if not isinstance(parsed, dict | list):
            raise InvalidInput("body", "the request must be a JSON object")
        return parsed

    def decode_json(self, data: str | bytes) -> Any:
        """Read a message of a websocket as strictly as a request.

        Raises:
            JSONDecodeError: It is no JSON; Strawberry then refuses the message.
        """
        try:
            return read_json(data)
        except InvalidInput as error:
            raise json.JSONDecodeError(error.message, "", 0) from None

    async def on_ws_connect(self, context: Context) -> UnsetType:
        """Take the key that a websocket sends first, or else had in its headers; there is nothing to tell in return.

        Raises:
            Unauthenticated: There is none, or it is not valid.
            Forbidden: It is bound to another user or agent than the websocket is opened for.
            InvalidInput: The user or the agent is blank or too long.
        """
        sent = {name.lower(): value for name, value in (context.connection_params or {}).items()}
        texts = {name: value for name, value in sent.items() if isinstance(value, str)}
        headers = context.websocket.headers if context.websocket else {}
        await context.authenticate(secret_in(texts) or secret_in(headers), owners_in({**headers, **texts}))
        nothing: UnsetType = UNSET
        return nothing

    async def execute_request(
        self, request: Request[Any, Any, Any], context: Any, root_value: Any
    ) -> Response[Any]:
        """Run the request.

        Raises:
            HTTPException: It is no GraphQL request.
            InvalidInput: It is large and no strict JSON.
            Unavailable: The process that read it came to its end.
        """
        if request.method == "POST":
            body = await request.body()
            if len(body) > LARGE_BYTES:
                _read_apart.set((body, await read_body(body, context.services.core.body_work)))
        try:
            answer: Response[Any] = await self.run(request, context=context, root_value=root_value)
        except GraphQLRefusal as refusal:
            raise HTTPException(status_code=refusal.status_code, detail=refusal.reason) from None
        return answer


def graphiql_page() -> str:
    """Return the page on which people try queries; it holds no data and asks with the key typed into it."""
    return get_graphql_ide_html(graphql_ide="graphiql").replace(_PAGE_OPTIONS, _KEY_OPTIONS)
