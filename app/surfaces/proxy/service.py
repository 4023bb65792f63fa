"""One turn through the proxy: add context, forward, execute tools, capture."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import unquote_plus

import httpx
import structlog
from litestar import Controller, Request, Response, post
from litestar.datastructures import State
from pydantic_core import to_json

from app.surfaces.http.credentials import CREDENTIAL, OWNER_HEADERS, USER_HEADER, Credential
from app.surfaces.http.errors import ProxyError, error_object
from app.surfaces.http.limits import LARGEST_BODY_BYTES, streamed
from app.surfaces.http.refusals import BODY
from app.surfaces.http.strict_json import read_body
from app.surfaces.proxy.capturing import (
    AnsweredTurn,
    OwedResults,
    SavedMeanwhile,
    SavedNotes,
    TurnCapture,
    conversation_of_day,
)
from app.surfaces.proxy.chat import ChatCompletions
from app.surfaces.proxy.composing import MEMORY_HEADER, NODES_HEADER, Composer, query_of
from app.surfaces.proxy.dialects import Dialect, Json, Round, Turn, added_up, joined, user_named
from app.surfaces.proxy.event_stream import error_event
from app.surfaces.proxy.output_feed import OutputFeed, is_long
from app.surfaces.proxy.responses import Responses
from app.surfaces.proxy.tools import ToolCall, ToolResult, Tools
from app.surfaces.proxy.upstream import (
    Upstream,
    headers_passed_back,
    object_in,
    passed_on,
    refusal_of,
    shown_of,
    whole_of,
)
from app.surfaces.tools import Caller
from graph.conversations.distillation.models import DistillSource, Output
from graph.core.errors import InvalidInput, RecollectError, Unavailable
from graph.core.measuring import Measurements
from graph.core.ports import Clock
from graph.core.scope import ReadScope, current_scope, narrowed, see_only
from graph.core.text.work import TextWork
from graph.tenancy.models import Principal, Scope

NO_MEMORY_HEADER = "x-omniroute-no-memory"
NOT_REQUESTED = "injected=0; skipped=context(not asked)"
_REFUSED = "injected=0; skipped=context(refused)"
CONVERSATION_HEADER = "x-recollect-conversation-id"
SAVED_HEADER = "x-recollect-saved"
"""Request header that enables comments about saved memories in a stream; off by default for strict clients."""
MOST_ROUNDS: Final = 5
"""Maximum number of tool rounds in one turn; a model that needs more is looping."""
_YES = frozenset({"true", "1", "yes"})
_REFUSALS = frozenset({400, 404, 413, 422})
_EVENTS = "text/event-stream"
_JSON = "application/json"
_BROKEN_STREAM = error_object(500, "the answer could not be passed on to its end", code="internal_error")
_log = structlog.get_logger("recollect.proxy")


@dataclass(frozen=True)
class ProxyRequest:
    """A request of a caller, unchanged except that header names are in lower case."""

    principal: Principal
    headers: Mapping[str, str]
    query: str
    body: bytes


@dataclass(frozen=True)
class Answered:
    """The response to the caller; its receiver must exhaust or close a stream."""

    status: int
    headers: Mapping[str, str]
    body: bytes | AsyncGenerator[bytes]


@dataclass(frozen=True)
class Plan:
    """The request to send to the upstream, and what to do with its response.

    Attributes:
        content: Bytes to send.
        body: The content as an object; None if the request is forwarded unchanged.
        names: Names of the tools that the proxy executes.
        turn: Parsed turn of the request; None if it was not parsed.
        captured_for: Owner of the captured turn; None to capture nothing.
        context_seconds: Time spent on memory; None if memory was not used.
        memory: Value of ``MEMORY_HEADER``.
        nodes: Value of ``NODES_HEADER``.
        user_text: Search text of memory; empty while memory is off.
        notes: Queue of memories to report in the stream; None to report none.
    """

    content: bytes
    body: Json | None = None
    names: frozenset[str] = frozenset()
    turn: Turn | None = None
    captured_for: ReadScope | None = None
    context_seconds: float | None = None
    memory: str = NOT_REQUESTED
    nodes: str = ""
    user_text: str = ""
    notes: SavedNotes | None = None

    @property
    def is_read(self) -> bool:
        """True if the proxy parses the response."""
        return bool(self.names) or self.captured_for is not None


class ChatProxy:
    """The use case of a turn; lives as long as the process.

    Memory never fails a turn: if it fails, the proxy forwards the request unchanged. If the upstream refuses a request
    with the proxy's additions, including results of tools, the proxy sends the unchanged request once.
    """

    def __init__(
        self,
        upstream: Upstream,
        composer: Composer,
        tools: Tools,
        owed: OwedResults,
        capture: TurnCapture,
        feed: OutputFeed,
        body_work: TextWork,
        clock: Clock,
        saved: SavedMeanwhile,
        *,
        most_rounds: int,
        measurements: Measurements,
    ) -> None:
        self._measurements = measurements
        self._upstream = upstream
        self._composer = composer
        self._tools = tools
        self._owed = owed
        self._capture = capture
        self._feed = feed
        self._body_work = body_work
        self._clock = clock
        self._saved = saved
        self._most_rounds = most_rounds

    async def models(self, headers: Mapping[str, str]) -> list[dict[str, Any]]:
        """Return the models that the upstream lists.

        Raises:
            ProxyError: The upstream cannot be reached or lists none.
        """
        return await self._upstream.models(headers)

    async def answer(self, dialect: Dialect, request: ProxyRequest) -> Answered:
        """Return the response to a request.

        Raises:
            ProxyError: The upstream cannot be reached, or exceeds the read timeout.
            Forbidden: The request names a user other than the one that the key is bound to.
        """
        plan = await self._planned(dialect, request)
        response = await self._send(dialect, request, plan)
        if plan.body is not None and response.status_code in _REFUSALS:
            plan, response = await self._sent_as_it_came(dialect, request, plan, response)
        if plan.context_seconds is not None:
            self._measurements.stage("proxy.memory", plan.context_seconds)
        return await self._answered(dialect, request, plan, response)

    async def _answered(
        self, dialect: Dialect, request: ProxyRequest, plan: Plan, response: httpx.Response
    ) -> Answered:
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if plan.is_read and response.is_success and kind == _EVENTS:
            headers = _headers(response, plan, same_bytes=False)
            announces_saved = dialect.reports_saved and is_yes(request.headers.get(SAVED_HEADER))
            named = self._conversation(request, plan) if announces_saved else None
            notes = self._saved.notes() if named else None
            shown = self._streamed(dialect, request, replace(plan, notes=notes), response)
            if named and notes:
                shown = self._saved.with_notes(request.principal.workspace_id, named, notes, shown)
            return Answered(response.status_code, headers, shown)
        if plan.is_read and response.is_success and kind == _JSON:
            return await self._whole(dialect, request, plan, response)
        headers = _headers(response, plan, same_bytes=True)
        is_plain = "content-encoding" not in response.headers
        return Answered(
            response.status_code, headers, passed_on(response, ends_in_events=is_plain and kind == _EVENTS)
        )

    async def drain(self) -> None:
        """Return once all answered turns are captured and their texts are enqueued for distillation."""
        await self._capture.drain()
        await self._feed.drain()

    async def _planned(self, dialect: Dialect, request: ProxyRequest) -> Plan:
        if is_yes(request.headers.get(NO_MEMORY_HEADER)):
            return Plan(request.body)
        try:
            body = await read_body(request.body, self._body_work, mends_halves=True)
            turn = dialect.turn(body, request.headers.get(CONVERSATION_HEADER))
            user_id = _user_of(request, body) if turn else None
        except (InvalidInput, Unavailable, ValueError, TypeError, LookupError, AttributeError) as error:
            # Most likely an invalid request, for which the upstream has the better error message.
            _log.warning("proxy.request_not_read", reason=type(error).__name__)
            return Plan(request.body)
        if turn is None:
            return Plan(request.body)
        see_only(narrowed(ReadScope(user_id=user_id)))
        try:
            return await self._with_memory(dialect, request, body, turn)
        except RecollectError as error:
            _log.warning("proxy.memory_failed", reason=error.code, field=error.field)
        except Exception as error:  # noqa: BLE001 - memory never fails a turn
            _log.error("proxy.memory_failed", reason=type(error).__name__, exc_info=error)
        return Plan(request.body)

    async def _with_memory(self, dialect: Dialect, request: ProxyRequest, body: Json, turn: Turn) -> Plan:
        turn = await self._owed.with_user_text(dialect, request.principal.workspace_id, turn, body)
        prepared = await self._composer.prepare(dialect, request.principal, request.headers, body, turn)
        prepared_body = body if prepared.body is None else prepared.body
        owed = await self._owed.with_owed(dialect, request.principal.workspace_id, turn, prepared_body)
        changed = None if owed is body else owed
        is_captured = prepared.may_capture and request.principal.may(Scope.WRITE)
        return Plan(
            content=request.body if changed is None else to_json(changed),
            body=changed,
            names=prepared.names,
            turn=turn,
            captured_for=current_scope() if is_captured else None,
            context_seconds=prepared.context_seconds,
            memory=prepared.memory,
            nodes=prepared.nodes,
            user_text=query_of(turn.query) if prepared.may_capture else "",
        )

    async def _send(self, dialect: Dialect, request: ProxyRequest, plan: Plan) -> httpx.Response:
        return await self._upstream.send(
            dialect.path, request.query, request.headers, plan.content, plain=plan.is_read
        )

    async def _sent_as_it_came(
        self, dialect: Dialect, request: ProxyRequest, plan: Plan, refusal: httpx.Response
    ) -> tuple[Plan, httpx.Response]:
        """Send the caller's request unchanged after a refusal; return the new plan and response."""
        await refusal.aclose()
        _log.warning("proxy.refused_with_memory", status=refusal.status_code)
        plan = replace(plan, content=request.body, body=None, names=frozenset(), memory=_REFUSED, nodes="")
        return plan, await self._send(dialect, request, plan)

    async def _whole(
        self, dialect: Dialect, request: ProxyRequest, plan: Plan, response: httpx.Response
    ) -> Answered:
        """Execute the proxy's tools round by round, and return the response for the caller."""
        spent: Json = {}
        earlier: list[Round] = []
        rounds = 0
        while True:
            content = await whole_of(response)
            headers = _headers(response, plan, same_bytes=False)
            answer = object_in(content)
            if not response.is_success or answer is None:
                return Answered(response.status_code, headers, content)
            read = dialect.read(answer, plan.names)
            if not read.goes_on or rounds == self._most_rounds:
                break
            spent = added_up(read.usage, spent)
            earlier.append(read)
            plan = await self._next(dialect, request, plan, read, rounds)
            response = await self._send(dialect, request, plan)
            if response.status_code in _REFUSALS:
                plan, response = await self._sent_as_it_came(dialect, request, plan, response)
                earlier.clear()
            rounds += 1
        await self._settle(request, plan, read)
        changed = dialect.without_calls(answer, plan.names) if read.calls else answer
        if spent and read.usage:
            changed = dialect.with_usage(changed, added_up(read.usage, spent))
        if any(each.text for each in earlier):
            changed = dialect.with_earlier(changed, earlier)
        self._note(request, plan, [*earlier, read])
        return Answered(response.status_code, headers, content if changed is answer else to_json(changed))

    async def _streamed(
        self, dialect: Dialect, request: ProxyRequest, plan: Plan, response: httpx.Response
    ) -> AsyncGenerator[bytes]:
        """Yield the caller's part of a streamed response, round by round."""
        states = [dialect.stream_state(plan.names)]
        try:
            for rounds in range(self._most_rounds + 1):
                state = states[-1]
                state.is_last = rounds == self._most_rounds
                is_unsettled = True
                async for shown in shown_of(state, response):
                    # Before the end reaches the caller, whose next request may need the stored results.
                    if is_unsettled and state.is_complete:
                        is_unsettled = False
                        await self._settle(request, plan, state.round())
                    yield shown
                read = state.round()
                if is_unsettled:
                    await self._settle(request, plan, read)
                if not state.goes_on:
                    break
                plan = await self._next(dialect, request, plan, read, rounds)
                response = await self._send(dialect, request, plan)
                if response.status_code in _REFUSALS and not any(each.round().text for each in states):
                    plan, response = await self._sent_as_it_came(dialect, request, plan, response)
                if not response.is_success:
                    yield await refusal_of(response)
                    break
                states.append(dialect.stream_state(plan.names, state))
        except ProxyError as error:
            yield error_event(error.body()["error"])
        except Exception as error:  # noqa: BLE001 - the caller gets an error event rather than a cut connection
            _log.error("proxy.stream_failed", reason=type(error).__name__, exc_info=error)
            yield error_event(_BROKEN_STREAM)
        finally:
            self._note(request, plan, [state.round() for state in states])
            await response.aclose()

    async def _next(
        self, dialect: Dialect, request: ProxyRequest, plan: Plan, read: Round, rounds: int
    ) -> Plan:
        """Execute the model's calls and return the plan of the next round."""
        assert plan.body is not None  # noqa: S101 - tools are offered in a body
        results = await self._execute(request, plan, read.calls)
        body = dialect.continued(plan.body, read, results)
        if rounds + 1 == self._most_rounds:
            body = dialect.without_tools(body, plan.names)
        return replace(plan, body=body, content=to_json(body))

    async def _settle(self, request: ProxyRequest, plan: Plan, read: Round) -> None:
        """Execute calls that came together with calls for the caller, and store data for the caller's next request."""
        workspace_id = request.principal.workspace_id
        try:
            if read.is_mixed and plan.turn is not None:
                results = await self._execute(request, plan, read.calls)
                await self._owed.keep(workspace_id, plan.turn, read, results)
            if read.others and plan.turn is not None:
                await self._owed.keep_user_text(workspace_id, plan.turn, read, plan.user_text)
            if read.renamed:
                await self._owed.keep_id(workspace_id, read.renamed)
        except RecollectError as error:
            _log.warning("proxy.results_not_kept", reason=error.code, field=error.field)

    async def _execute(
        self, request: ProxyRequest, plan: Plan, calls: Sequence[ToolCall]
    ) -> list[ToolResult]:
        caller = Caller(request.principal, self._conversation(request, plan))
        results = await self._tools.execute(caller, calls)
        for result in results:
            if plan.notes is not None and result.saved is not None:
                plan.notes.add(result.saved)
        return results

    def _note(self, request: ProxyRequest, plan: Plan, rounds: Sequence[Round]) -> None:
        """Capture the answer, and offer long texts for distillation; never captures reasoning."""
        # Uses the scope in the plan, because another task, without the request's scope, may close the stream.
        named = self._conversation(request, plan)
        if named is None or plan.turn is None or plan.captured_for is None:
            return
        principal, scope = request.principal, plan.captured_for
        answer = joined(each.answer for each in rounds)
        self._capture.note(
            AnsweredTurn(principal.workspace_id, principal.key_id, scope, named, plan.turn, answer)
        )
        reasoning = joined(each.reasoning for each in rounds)
        for source, text in ((DistillSource.ANSWER, answer), (DistillSource.DEEP_THINK, reasoning)):
            if is_long(text):
                self._feed.offer(principal, scope, _output(source, plan.turn, named, text))

    def _conversation(self, request: ProxyRequest, plan: Plan) -> str | None:
        """Return the id of the conversation that a turn is captured in; None if it is not captured."""
        if plan.turn is None or plan.captured_for is None:
            return None
        of_day = conversation_of_day(request.principal.key_id, plan.captured_for, self._clock.now())
        return plan.turn.conversation_id or of_day


def _output(source: DistillSource, turn: Turn, conversation_id: str, text: str) -> Output:
    return Output(
        source=source,
        text=text,
        invocation_id=f"{conversation_id} {turn.key} {turn.answers} {source}",
        conversation_id=conversation_id,
    )


def is_yes(value: str | None) -> bool:
    """Tell whether a header's value is ``true``, ``1`` or ``yes``."""
    return (value or "").strip().lower() in _YES


def _headers(response: httpx.Response, plan: Plan, *, same_bytes: bool) -> dict[str, str]:
    """Return the response headers, with the result of memory and its duration."""
    headers = {**headers_passed_back(response, same_bytes=same_bytes), MEMORY_HEADER: plan.memory}
    if plan.nodes:
        headers[NODES_HEADER] = plan.nodes
    return headers if plan.context_seconds is None else _timed(headers, plan.context_seconds)


def _timed(headers: Mapping[str, str], seconds: float) -> dict[str, str]:
    """Return the headers with the duration of memory in ``Server-Timing``, which browsers' tools display."""
    timing = f"recollect;dur={seconds * 1000:.1f}"
    known = headers.get("server-timing")
    return {**headers, "server-timing": f"{known}, {timing}" if known else timing}


def _user_of(request: ProxyRequest, body: Mapping[str, Any]) -> str | None:
    """Return the user that a request names, or None; always None if each key has its own pool of memories."""
    if request.principal.has_own_pool:
        return None
    return user_named(body, request.headers.get(USER_HEADER))


_OF_CHATS: Final = {
    CREDENTIAL: Credential.REMEMBERED_KEY_OR_SESSION,
    BODY: _JSON,
}  # the Studio has no key
_OF_RESPONSES: Final = {CREDENTIAL: Credential.REMEMBERED_KEY, BODY: _JSON}
_OURS: Final = frozenset({"api_key", *OWNER_HEADERS})
_UNSET = "no upstream is configured: set RECOLLECT_PROXY_URL"


class ChatProxyRoutes(Controller):
    """Routes for any OpenAI client; except for memory, the upstream determines the response."""

    path = "/v1"
    request_max_body_size = LARGEST_BODY_BYTES
    tags = ("chat proxy",)

    @post("/chat/completions", status_code=200, opt=_OF_CHATS, summary="Chat completions with memory")
    async def chat_completions(self, request: Request[Any, Any, State], state: State) -> Response[Any]:
        """Return a chat completion of the upstream, with memory, streamed or complete."""
        return await _answered(ChatCompletions(), request, state)

    @post("/responses", status_code=200, opt=_OF_RESPONSES, summary="Responses with memory")
    async def responses(self, request: Request[Any, Any, State], state: State) -> Response[Any]:
        """Return a response of the upstream, with memory, streamed or complete."""
        return await _answered(Responses(), request, state)


def _passed_on(query: str) -> str:
    """Return a query string without this service's key and owner parameters, which the upstream must not see."""
    return "&".join(part for part in query.split("&") if unquote_plus(part.partition("=")[0]) not in _OURS)


async def _answered(dialect: Dialect, request: Request[Any, Any, State], state: State) -> Response[Any]:
    await state.services.tenancy.access.authorize(request.auth, Scope.READ)
    proxy: ChatProxy | None = state.chat_proxy
    if proxy is None:
        unset = ProxyError(503, _UNSET, code="upstream_not_configured")
        return Response(unset.body(), status_code=unset.status, headers={"x-should-retry": "false"})
    proxied = ProxyRequest(
        principal=request.auth,
        headers={name.lower(): value for name, value in request.headers.items()},
        query=_passed_on(request.scope["query_string"].decode("latin-1")),
        body=await request.body(),
    )
    try:
        answer = await proxy.answer(dialect, proxied)
    except ProxyError as error:
        return Response(error.body(), status_code=error.status)
    # As a header, because Litestar would add a charset to a media type.
    headers = {"content-type": "application/octet-stream", **answer.headers}
    if isinstance(answer.body, bytes):
        return Response(answer.body, status_code=answer.status, headers=headers)
    return streamed(answer.body, status_code=answer.status, headers=headers)
