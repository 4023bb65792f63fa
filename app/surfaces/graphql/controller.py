"""The HTTP and websocket controller of GraphQL: parses requests, shapes refusals, serves GraphiQL."""

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
"""Close codes of the protocol and of RFC 6455's registry. Clients retry only after 1013."""
_MOST_REASON_BYTES = 123
"""Maximum length of the reason in a close frame (RFC 6455, section 5.5)."""


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
        """Validate a message, then handle it; close the connection on a refusal."""
        try:
            _MESSAGE.validate_python(message)
        except ValidationError:
            await self.handle_invalid_message("the message does not follow graphql-transport-ws")
            return
        values = {name: value for name, value in message.items() if value is not None}
        try:
            await super().handle_message(cast("Message", values))
        except Unauthenticated as refusal:
            await self.websocket.close(code=_UNAUTHORIZED, reason=_reason(refusal))
        except Forbidden as refusal:
            await self.websocket.close(code=_FORBIDDEN, reason=_reason(refusal))
        except InvalidInput as refusal:
            await self.handle_invalid_message(_reason(refusal))
        except Unavailable as refusal:
            await self.websocket.close(code=_TRY_AGAIN_LATER, reason=_reason(refusal))

    async def run_operation(self, operation: Operation[Context, None]) -> None:
        """Check an operation's key and request limit like those of an HTTP request, then run it."""
        try:
            await self.context.admit()
        except RecollectError as refusal:
            extensions = {"code": refusal.code, "field": refusal.field}
            await operation.send_initial_errors([GraphQLError(refusal.message, extensions=extensions)])
            return
        await super().run_operation(operation)

    async def handle_task_exception(self, error: Exception) -> None:
        """Log an operation's exception, unless its client has disconnected."""
        if not isinstance(error, WebSocketDisconnected):
            await super().handle_task_exception(error)

    def forget_id(self, id: str) -> None:
        """Forget an operation; the connection's end may have removed it during the refusal."""
        self.operations.pop(id, None)


def _reason(refusal: RecollectError) -> str:
    """Return an error message truncated to the length of a close frame's reason."""
    return refusal.message.encode()[:_MOST_REASON_BYTES].decode(errors="ignore")


_parsed_elsewhere: ContextVar[tuple[bytes, Any] | None] = ContextVar("read_apart", default=None)
"""Body of the request and its content, if another process has parsed it."""


async def _empty_response() -> Response[Any]:
    """Return the response on which resolvers set status and headers.

    A coroutine, because Litestar would run Strawberry's own synchronous provider in a thread.
    """
    return Response({}, background=BackgroundTasks([]))


class GraphQL(GraphQLController[Context, None]):
    """The controller of ``/graphql``; every refusal has this service's error shape."""

    path = GRAPHQL_PATH
    opt = {CREDENTIAL: Credential.KEY_OR_SESSION}  # noqa: RUF012 - Litestar's own is declared so
    include_in_schema = False  # GraphQL has a schema of its own
    request_max_body_size = LARGEST_BODY_BYTES
    schema = schema
    protocols = (GRAPHQL_TRANSPORT_WS_PROTOCOL,)
    graphql_transport_ws_handler_class = CheckedConnection
    connection_init_wait_timeout = timedelta(seconds=10)
    max_subscriptions_per_connection = 20
    dependencies: ClassVar[Dependencies] = {  # type: ignore[misc]  # Litestar's attribute is no ClassVar
        **GraphQLController.dependencies,
        "custom_context": Provide(build_context),
        "response": Provide(_empty_response),
    }

    def parse_json(self, data: str | bytes) -> Any:
        """Read JSON as strictly as the other surfaces.

        Raises:
            InvalidInput: The body is not strict JSON, or neither an object nor a list.
        """
        apart = _parsed_elsewhere.get()
        parsed = apart[1] if apart is not None and apart[0] is data else read_json(data)
        if not isinstance(parsed, dict | list):
            raise InvalidInput("body", "the request must be a JSON object")
        return parsed

    def encode_json(self, data: object) -> bytes:
        """Serialize a response or a websocket message."""
        return msgspec.json.encode(data)

    def decode_json(self, data: str | bytes) -> Any:
        """Read a message of a websocket as strictly as a request.

        Raises:
            JSONDecodeError: The message is not strict JSON; Strawberry then refuses it.
        """
        try:
            return read_json(data)
        except InvalidInput as error:
            raise json.JSONDecodeError(error.message, "", 0) from None

    async def on_ws_connect(self, context: Context) -> UnsetType:
        """Authenticate a websocket by the key in its first message, else in its headers, else by its session cookie.

        Raises:
            Unauthenticated: There is no credential, or it is not valid.
            Forbidden: The key is bound to another user or agent, or another site's page sent the cookie.
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
            HTTPException: The request is not a GraphQL request.
            InvalidInput: A large body is not strict JSON.
            Unavailable: The process that parsed a large body died.
        """
        context.response.media_type = media_type_for(request)
        request.state.answer = context.response
        if request.method == "POST":
            body = await request.body()
            if len(body) > LARGE_BYTES:
                _parsed_elsewhere.set((body, await read_body(body, context.services.core.body_work)))
        try:
            answer: Response[Any] = await self.run(request, context=context, root_value=root_value)
        except GraphQLRefusal as refusal:
            raise HTTPException(status_code=refusal.status_code, detail=refusal.reason) from None
        return answer

    async def get_sub_response(self, request: Request[Any, Any, Any]) -> Response[Any]:
        """Return the response on which this request's resolvers set status and headers.

        Strawberry would store it in the controller, which all concurrent requests share.
        """
        answer: Response[Any] = request.state.answer
        return answer

    def should_render_graphql_ide(self, request: Any) -> bool:
        """Tell whether to serve GraphiQL; a persisted query, recognizable by its extensions, is a program's request."""
        return "extensions" not in request.query_params and super().should_render_graphql_ide(request)

    async def render_graphql_ide(self, request: Request[Any, Any, Any]) -> Response[str]:
        """Return GraphiQL; it asks for a key unless a person is signed in."""
        is_signed_in = secret_in(request.headers) is None
        return graphiql_page(asks_for_key=not is_signed_in)

    async def parse_http_body(self, request: Any) -> GraphQLRequestData | list[GraphQLRequestData]:
        """Parse the GraphQL request or requests of an HTTP body.

        Raises:
            InvalidInput: The operation name is not a string.
            HTTPException: The body is not a GraphQL request.
        """
        parsed = await super().parse_http_body(request)
        if isinstance(parsed, GraphQLRequestData) and not isinstance(parsed.operation_name, str | None):
            raise InvalidInput("operationName", "operationName must be a string or null")
        return parsed

    async def process_result(
        self, request: Request[Any, Any, Any], result: ExecutionResult
    ) -> GraphQLHTTPResponse:
        """Return the response; set status 400 on a request that failed before execution.

        Only for ``application/graphql-response+json``, whose specification requires both status and missing data.
        """
        response = await super().process_result(request, result)
        answer = await self.get_sub_response(request)
        is_executed = result.data is not None or any(error.path is not None for error in result.errors or ())
        if answer.media_type == GRAPHQL_RESPONSE and not is_executed:
            del response["data"]
            answer.status_code = answer.status_code or HTTP_400_BAD_REQUEST
        return response

    def create_response(
        self, response_data: GraphQLHTTPResponse | list[GraphQLHTTPResponse], sub_response: Response[bytes]
    ) -> Response[bytes]:
        """Return the response in the negotiated media type."""
        response = super().create_response(response_data, sub_response)
        response.media_type = sub_response.media_type
        return response
