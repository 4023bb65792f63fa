"""The GraphQL surface: parsing and refusing requests, and the page for browsers."""

import json
from contextvars import ContextVar
from datetime import timedelta
from typing import Annotated, Any, ClassVar, Literal, cast

import msgspec
from cross_web import HTTPException as GraphQLRefusal
from graphql import GraphQLError
from litestar import Request, Response
from litestar.background_tasks import BackgroundTasks
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.status_codes import HTTP_400_BAD_REQUEST
from litestar.types import Dependencies
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from strawberry.http import GraphQLHTTPResponse, GraphQLRequestData
from strawberry.http.exceptions import WebSocketDisconnected
from strawberry.litestar.controller import GraphQLController
from strawberry.subscriptions import GRAPHQL_TRANSPORT_WS_PROTOCOL
from strawberry.subscriptions.protocols.graphql_transport_ws.handlers import (
    BaseGraphQLTransportWSHandler,
    Operation,
)
from strawberry.subscriptions.protocols.graphql_transport_ws.types import Message
from strawberry.types import ExecutionResult
from strawberry.types.unset import UNSET, UnsetType

from app.surfaces.graphql.context import Context, Proof, build_context
from app.surfaces.graphql.schema import schema
from app.surfaces.http.answer_headers import GRAPHQL_RESPONSE, media_type_for
from app.surfaces.http.credentials import (
    CREDENTIAL,
    GRAPHQL_PATH,
    Credential,
    owners_in,
    refuse_cross_site,
    secret_in,
    session_id_of,
)
from app.surfaces.http.limits import LARGEST_BODY_BYTES
from app.surfaces.http.strict_json import LARGE_BYTES, read_body, read_json
from app.surfaces.pages.routes import graphiql_page
from graph.core.errors import Forbidden, InvalidInput, RecollectError, Unauthenticated, Unavailable

_UNAUTHORIZED = 4401
_FORBIDDEN = 4403
_TRY_AGAIN_LATER = 1013
"""Close codes: of the protocol, and of RFC 6455's registry. Clients retry after the last, never after the others."""
_MOST_REASON_BYTES = 123
"""Room for a reason in a close frame (RFC 6455, section 5.5)."""


class _Shape(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True)


class _Bare(_Shape):
    type: Literal["connection_init", "ping", "pong"]
    payload: dict[str, Any] | None = None


class _Operation(_Shape):
    query: str
    variables: dict[str, Any] | None = None
    operation_name: str | None = Field(None, alias="operationName")


class _Subscribe(_Shape):
    type: Literal["subscribe"]
    id: str = Field(min_length=1)
    payload: _Operation


class _Complete(_Shape):
    type: Literal["complete"]
    id: str = Field(min_length=1)


_FromClient = Annotated[_Bare | _Subscribe | _Complete, Field(discriminator="type")]
_MESSAGE: TypeAdapter[Any] = TypeAdapter(_FromClient)


class CheckedConnection(BaseGraphQLTransportWSHandler[Context, None]):
    """One websocket connection; refuses invalid protocol messages, and callers without a valid key."""

    async def handle_message(self, message: Message) -> None:
        """Check the form of a message, then act on it."""
        try:
            _MESSAGE.validate_python(message)
        except ValidationError:
            await self.handle_invalid_message("this is no message of graphql-transport-ws")
            return
        given = {name: value for name, value in message.items() if value is not None}
        try:
            await super().handle_message(cast("Message", given))
        except Unauthenticated as refusal:
            await self.websocket.close(code=_UNAUTHORIZED, reason=_reason(refusal))
        except Forbidden as refusal:
            await self.websocket.close(code=_FORBIDDEN, reason=_reason(refusal))
        except InvalidInput as refusal:
            await self.handle_invalid_message(_reason(refusal))
        except Unavailable as refusal:
            await self.websocket.close(code=_TRY_AGAIN_LATER, reason=_reason(refusal))

    async def run_operation(self, operation: Operation[Context, None]) -> None:
        """Admit an operation as a request is admitted, then run it."""
        try:
            await self.context.admit()
        except RecollectError as refusal:
            extensions = {"code": refusal.code, "field": refusal.field}
            await operation.send_initial_errors([GraphQLError(refusal.message, extensions=extensions)])
            return
        await super().run_operation(operation)

    async def handle_task_exception(self, error: Exception) -> None:
        """Log what an operation raised; that its client is gone is nothing to log."""
        if not isinstance(error, WebSocketDisconnected):
            await super().handle_task_exception(error)

    def forget_id(self, id: str) -> None:
        """Forget an operation, which may have gone with its connection while it was refused."""
        self.operations.pop(id, None)


def _reason(refusal: RecollectError) -> str:
    """Return as much of a message as a close frame holds; it may quote what callers sent."""
    return refusal.message.encode()[:_MOST_REASON_BYTES].decode(errors="ignore")


_read_apart: ContextVar[tuple[bytes, Any] | None] = ContextVar("read_apart", default=None)
"""Body of the request and its parsed content, if it was parsed in another process."""


async def _empty_response() -> Response[Any]:
    """Return what resolvers may put a status and headers on; made in place, where Strawberry's own takes a thread."""
    return Response({}, background=BackgroundTasks([]))


class GraphQL(GraphQLController[Context, None]):
    """``/graphql``, with every refusal in the error shape of this service."""

    path = GRAPHQL_PATH
    opt = {CREDENTIAL: Credential.KEY_OR_SESSION}  # noqa: RUF012 - Litestar's own is declared so
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
        "response": Provide(_empty_response),
    }

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

    def encode_json(self, data: object) -> bytes:
        """Write an answer, or a message of a websocket."""
        return msgspec.json.encode(data)

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
        """Take the key that a websocket sends first, or else had in its headers, or else the session of its cookie.

        There is nothing to tell in return.

        Raises:
            Unauthenticated: There is none, or it is not valid.
            Forbidden: It is bound to another user or agent than the websocket is opened for; or the cookie comes with a
                page of another site.
            InvalidInput: The user or the agent is blank or too long.
        """
        sent = {name.lower(): value for name, value in (context.connection_params or {}).items()}
        texts = {name: value for name, value in sent.items() if isinstance(value, str)}
        socket = context.websocket
        headers = socket.headers if socket else {}
        secret = secret_in(texts) or secret_in(headers)
        session_id = session_id_of(socket) if socket and secret is None else None
        if socket and session_id:
            refuse_cross_site(socket)
        await context.authenticate(Proof(secret, session_id, owners_in({**headers, **texts})))
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
        context.response.media_type = media_type_for(request)
        request.state.answer = context.response
        if request.method == "POST":
            body = await request.body()
            if len(body) > LARGE_BYTES:
                _read_apart.set((body, await read_body(body, context.services.core.body_work)))
        try:
            answer: Response[Any] = await self.run(request, context=context, root_value=root_value)
        except GraphQLRefusal as refusal:
            raise HTTPException(status_code=refusal.status_code, detail=refusal.reason) from None
        return answer

    async def get_sub_response(self, request: Request[Any, Any, Any]) -> Response[Any]:
        """Return what the resolvers of this request have to say of status and headers.

        Strawberry keeps that in the controller, which serves all requests at once.
        """
        answer: Response[Any] = request.state.answer
        return answer

    def should_render_graphql_ide(self, request: Any) -> bool:
        """Tell whether a person opens the page; what names a query by its hash alone comes from a program."""
        return "extensions" not in request.query_params and super().should_render_graphql_ide(request)

    async def render_graphql_ide(self, request: Request[Any, Any, Any]) -> Response[str]:
        """Return GraphiQL, with a place for the key where nobody is signed in."""
        is_signed_in = secret_in(request.headers) is None
        return graphiql_page(asks_for_key=not is_signed_in)

    async def parse_http_body(self, request: Any) -> GraphQLRequestData | list[GraphQLRequestData]:
        """Parse the GraphQL request or requests of an HTTP body.

        Raises:
            InvalidInput: The operation name is not a string.
            HTTPException: The body is not a GraphQL request.
        """
        asked = await super().parse_http_body(request)
        if isinstance(asked, GraphQLRequestData) and not isinstance(asked.operation_name, str | None):
            raise InvalidInput("operationName", "operationName must be a string or null")
        return asked

    async def process_result(
        self, request: Request[Any, Any, Any], result: ExecutionResult
    ) -> GraphQLHTTPResponse:
        """Return the response; a request that was not executed gets the status for its media type."""
        response = await super().process_result(request, result)
        answer = await self.get_sub_response(request)
        is_executed = result.data is not None or any(error.path is not None for error in result.errors or ())
        if answer.media_type == GRAPHQL_RESPONSE and not is_executed:
            del response["data"]  # this media type has none where nothing was executed
            answer.status_code = answer.status_code or HTTP_400_BAD_REQUEST
        return response

    def create_response(
        self, response_data: GraphQLHTTPResponse | list[GraphQLHTTPResponse], sub_response: Response[bytes]
    ) -> Response[bytes]:
        """Return the response in the media type that was chosen for it."""
        response = super().create_response(response_data, sub_response)
        response.media_type = sub_response.media_type
        return response
