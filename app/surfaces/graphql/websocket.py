"""The websocket side of GraphQL: the protocol graphql-transport-ws, and who may speak it."""

from typing import Annotated, Any, Literal, cast

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from strawberry.subscriptions.protocols.graphql_transport_ws.handlers import BaseGraphQLTransportWSHandler
from strawberry.subscriptions.protocols.graphql_transport_ws.types import Message

from app.surfaces.graphql.context import Context
from graph.core.errors import Forbidden, InvalidInput, Unauthenticated, Unavailable

_UNAUTHORIZED = 4401
_FORBIDDEN = 4403
_TRY_AGAIN_LATER = 1013
"""Close codes: of the protocol, and of RFC 6455's registry. Clients retry after the second, never after the first."""


_MOST_REASON = 100  # RFC 6455 has room for 123 bytes; what callers named is cut


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
    """One connection: refuses what is no message of the protocol, and whoever has no valid key."""

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
            await self.websocket.close(code=_UNAUTHORIZED, reason=refusal.message)
        except Forbidden as refusal:
            await self.websocket.close(code=_FORBIDDEN, reason=refusal.message[:_MOST_REASON])
        except InvalidInput as refusal:
            await self.handle_invalid_message(refusal.message[:_MOST_REASON])
        except Unavailable as refusal:
            await self.websocket.close(code=_TRY_AGAIN_LATER, reason=refusal.message)
