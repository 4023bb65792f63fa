"""``POST /v1/inject``: adds relevant memories to a text before it is sent."""

from typing import Any, Final

from litestar import Request, Response, post
from litestar.datastructures import State
from litestar.params import JSONBody
from pydantic import BaseModel, ConfigDict

from app.surfaces.http.shapes import Name, shown_by
from app.surfaces.http.strict_json import MENDS_HALVES
from app.surfaces.proxy.composing import MEMORY_HEADER, NoContext, context_in_time, in_short, query_of
from app.surfaces.proxy.service import NO_MEMORY_HEADER, NOT_REQUESTED, is_yes
from graph.core.exact import Flag
from graph.core.scope import ReadScope, narrowed, see_only
from graph.core.text.checks import short_text
from graph.operations.services import Services
from graph.retrieval.context.models import (
    DEFAULT_LAYERS,
    AgentContext,
    ContextQuery,
    InjectionFormat,
    LayerName,
)
from graph.tenancy.models import Scope

_WHY_NOTHING: Final = {
    NoContext.AWAY: "context: the graph does not answer",
    NoContext.LATE: "context: it missed the deadline",
    NoContext.FAILED: "context: it failed; the log says why",
}


class TextToSend(BaseModel):
    """A text to send to a model, and the form of the injected memory.

    Attributes:
        profile: Whether to begin with the user's profile.
    """

    model_config = ConfigDict(extra="forbid", json_schema_extra=shown_by("TextToSend"))

    text: str
    conversation_id: Name | None = None
    user_id: Name | None = None
    agent_id: Name | None = None
    format: InjectionFormat = InjectionFormat.USER_SUFFIX
    provider: str | None = None
    profile: Flag = False


class InjectedText(BaseModel):
    """The text with injected memory.

    Attributes:
        text: Text to send; unchanged unless the format is the suffix.
        messages: Messages to put before the text, in the other formats.
        memory_ids: Ids of the injected memories.
        skipped: Skipped parts, with reasons.
    """

    model_config = ConfigDict(frozen=True, json_schema_extra=shown_by("InjectedText"))

    text: str
    messages: list[dict[str, str]] = []
    memory_ids: list[str] = []
    skipped: list[str] = []


@post(
    "/v1/inject",
    status_code=200,
    tags=["conversations"],
    opt={MENDS_HALVES: True},
    summary="Inject memory into a message",
)
async def inject(
    request: Request[Any, Any, State], state: State, data: JSONBody[TextToSend]
) -> Response[InjectedText]:
    """Return the text followed by relevant memories, unchanged if there are none.

    The other formats leave the text unchanged and return ``messages`` to put before it.
    """
    services: Services = state.services
    workspace_id = await services.tenancy.access.authorize(request.auth, Scope.READ)
    for name in ("conversation_id", "user_id", "agent_id"):
        short_text(name, getattr(data, name))
    query = query_of(data.text)
    if not query or is_yes(request.headers.get(NO_MEMORY_HEADER)):
        return Response(InjectedText(text=data.text), headers={MEMORY_HEADER: NOT_REQUESTED})
    see_only(narrowed(ReadScope(user_id=data.user_id, agent_id=data.agent_id)))
    is_suffix = data.format is InjectionFormat.USER_SUFFIX
    context_query = ContextQuery(
        query=query,
        conversation_id=data.conversation_id,
        format=data.format,
        provider=data.provider,
        layers=frozenset(
            {
                *({LayerName.PATTERNS, LayerName.MEMORIES} if is_suffix else DEFAULT_LAYERS),
                *({LayerName.PROFILE} if data.profile else ()),
            }
        ),
        is_automatic=True,
    )
    contexts = services.retrieval.context
    context = await context_in_time(contexts, workspace_id, context_query, contexts.turn_deadline_seconds)
    if isinstance(context, NoContext):
        nothing = InjectedText(text=data.text, skipped=[_WHY_NOTHING[context]])
        return Response(nothing, headers={MEMORY_HEADER: in_short(context)})
    injected = InjectedText(
        text=f"{data.text}\n\n{context.prompt}" if is_suffix and context.prompt else data.text,
        messages=[] if is_suffix else [dict(message) for message in context.messages],
        memory_ids=context.memory_ids,
        skipped=_skipped(context),
    )
    return Response(injected, headers={MEMORY_HEADER: in_short(context)})


def _skipped(context: AgentContext) -> list[str]:
    """Return the skipped parts, memories first; omit patterns that were skipped only for lack of a target."""
    is_wanting = LayerName.PATTERNS in context.missing
    lines = [line for line in context.skipped if is_wanting or not line.startswith(f"{LayerName.PATTERNS}: ")]
    return sorted(lines, key=lambda line: not line.startswith(f"{LayerName.MEMORIES}: "))
