"""The websocket side of GraphQL: the protocol graphql-transport-ws, and who may speak it."""

from typing import Annotated, Any, Literal, cast

from graphql import GraphQLError
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from strawberry.http.exceptions import WebSocketDisconnected
from strawberry.subscriptions.protocols.graphql_transport_ws.handlers import (
    BaseGraphQLTransportWSHandler,
    Operation,
)
from strawberry.subscriptions.protocols.graphql_transport_ws.types import Message

from app.surfaces.graphql.context import Context
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
