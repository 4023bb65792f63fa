"""``/v1/chat/completions`` and ``/v1/responses``: OpenAI's protocol, with memory, to the configured upstream."""

from typing import Any, Final
from urllib.parse import unquote_plus

from litestar import Controller, Request, Response, post
from litestar.datastructures import State

from app.surfaces.http.body_limits import LARGEST_BODY_BYTES
from app.surfaces.http.credentials import CREDENTIAL, OWNER_HEADERS, Credential
from app.surfaces.http.streams import streamed
from app.surfaces.proxy.chat import ChatCompletions
from app.surfaces.proxy.dialects import Dialect
from app.surfaces.proxy.errors import ProxyError
from app.surfaces.proxy.responses import Responses
from app.surfaces.proxy.service import ChatProxy, ProxyRequest
from app.surfaces.rest.refusals import BODY
from graph.tenancy.models import Scope

_JSON: Final = "application/json"
_OF_CHATS: Final = {CREDENTIAL: Credential.REMEMBERED_KEY_OR_SESSION, BODY: _JSON}  # the Studio has no key
_OF_RESPONSES: Final = {CREDENTIAL: Credential.REMEMBERED_KEY, BODY: _JSON}
_OURS: Final = frozenset({"api_key", *OWNER_HEADERS})
_UNSET = "no upstream is configured: set RECOLLECT_PROXY_URL"


class ChatProxyRoutes(Controller):
    """Routes for any OpenAI client; the upstream determines the response apart from memory."""

    path = "/v1"
    request_max_body_size = LARGEST_BODY_BYTES
    tags = ("chat proxy",)

    @post("/chat/completions", status_code=200, opt=_OF_CHATS, summary="Chat completions with memory")
    async def chat_completions(self, request: Request[Any, Any, State], state: State) -> Response[Any]:
        """Answer a chat completion, streamed or whole."""
        return await _answered(ChatCompletions(), request, state)

    @post("/responses", status_code=200, opt=_OF_RESPONSES, summary="Responses with memory")
    async def responses(self, request: Request[Any, Any, State], state: State) -> Response[Any]:
        """Answer a response, streamed or whole."""
        return await _answered(Responses(), request, state)


def _passed_on(query: str) -> str:
    """Return a query without what tells this service who asks, which is no business of the upstream's."""
    return "&".join(part for part in query.split("&") if unquote_plus(part.partition("=")[0]) not in _OURS)


async def _answered(dialect: Dialect, request: Request[Any, Any, State], state: State) -> Response[Any]:
    await state.services.tenancy.access.authorize(request.auth, Scope.READ)
    proxy: ChatProxy | None = state.chat_proxy
    if proxy is None:
        unset = ProxyError(503, _UNSET, code="upstream_not_configured")
        return Response(unset.body(), status_code=unset.status, headers={"x-should-retry": "false"})
    asked = ProxyRequest(
        principal=request.auth,
        headers={name.lower(): value for name, value in request.headers.items()},
        query=_passed_on(request.scope["query_string"].decode("latin-1")),
        body=await request.body(),
    )
    try:
        answer = await proxy.answer(dialect, asked)
    except ProxyError as error:
        return Response(error.body(), status_code=error.status)
    # As a header, since Litestar would add a charset to a media type.
    headers = {"content-type": "application/octet-stream", **answer.headers}
    if isinstance(answer.body, bytes):
        return Response(answer.body, status_code=answer.status, headers=headers)
    return streamed(answer.body, status_code=answer.status, headers=headers)
