"""Additions of memory to a request: context for the model, and tools that it may call."""

import asyncio
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from urllib.parse import quote

import structlog

from app.surfaces.proxy.dialects import Dialect, Injection, Json, Turn
from app.surfaces.proxy.tools import ToolDefinition, definitions_for
from graph.conversations.capture.statements import end_without_injected
from graph.core.errors import RecollectError, Unavailable
from graph.core.text.checks import QUERY_CHARS
from graph.operations.status import Status
from graph.retrieval.context.models import (
    DEFAULT_LAYERS,
    AgentContext,
    ContextQuery,
    InjectionFormat,
    LayerName,
    WhyOff,
)
from graph.retrieval.context.service import AgentContexts
from graph.retrieval.context.wording import provider_supports_system_message
from graph.tenancy.models import Principal
from graph.tenancy.workspaces import Workspaces

MEMORY_HEADER = "x-recollect-memory"
"""Header with the number of injected memories and the skipped parts, ``injected=3; skipped=meaning(late)``."""
NODES_HEADER = "x-recollect-nodes"
"""Response header with the ids of the injected memories, entities, patterns and episodes."""
FORMAT_HEADER = "x-recollect-format"
TOOLS_HEADER = "x-recollect-tools"
PROFILE_HEADER = "x-recollect-profile"
"""Request header that adds the user's profile at the beginning of the context."""
_DATED = re.compile(r"-\d{4}-\d{2}-\d{2}$")
"""End of a snapshot's name, such as o1-mini-2024-09-12; a snapshot supports the same roles as its model."""
_SAFE_IN_IDS = ":_-."  # not percent-encoded in NODES_HEADER; callers choose ids of any characters
_LONGEST_SHARE = (
    1.1  # timeout of the composition, in deadlines of its layers: reading the workspace takes time too
)
_WORDING_SECONDS = 0.1
_NO_WORDS = "-"  # placeholder query for a message without text, to find out whether memory is on
_SWITCH = {"on": True, "true": True, "1": True, "off": False, "false": False, "0": False}
_log = structlog.get_logger("recollect.proxy")


class NoContext(StrEnum):
    """Reason why a turn has no context at all."""

    AWAY = "away"
    LATE = "late"
    FAILED = "failed"


@dataclass(frozen=True)
class ComposingRules:
    """The operator's settings of the composition.

    Attributes:
        provider: Provider of the models, if their names do not determine it.
        format: Default place of the context.
        offers_tools: Whether models are offered tools by default.
        deadline_seconds: Deadline of the layers of a turn's context, in seconds.
    """

    provider: str | None
    format: InjectionFormat
    offers_tools: bool
    deadline_seconds: float


@dataclass(frozen=True)
class PreparedTurn:
    """A request with memory added, or the reason why nothing was added.

    Attributes:
        body: Request with memory; None if nothing was added.
        names: Names of the tools that the proxy executes.
        may_capture: Whether the turn may be captured: memory is on.
        context_seconds: Time spent on the context.
        memory: Value of ``MEMORY_HEADER``.
        nodes: Value of ``NODES_HEADER``.
    """

    body: Json | None = None
    names: frozenset[str] = frozenset()
    may_capture: bool = True
    context_seconds: float = 0.0
    memory: str = ""
    nodes: str = ""


class Composer:
    """Adds context and tools to requests; lives as long as the process."""

    def __init__(
        self, contexts: AgentContexts, workspaces: Workspaces, status: Status, rules: ComposingRules
    ) -> None:
        self._contexts = contexts
        self._workspaces = workspaces
        self._status = status
        self._rules = rules

    async def prepare(
        self, dialect: Dialect, principal: Principal, headers: Mapping[str, str], body: Json, turn: Turn
    ) -> PreparedTurn:
        """Return the request with context, tools and skills.

        While memory is off, the turn is not captured. Tools and skills are offered even if the context fails. If the
        graph is unavailable, no tool could work, and the request stays unchanged.
        """
        query = self._query(headers, body, turn)
        started = time.perf_counter()
        context, skills = await asyncio.gather(
            context_in_time(self._contexts, principal.workspace_id, query, self._rules.deadline_seconds),
            self._skills(principal),
        )
        if context is NoContext.LATE and not await self._status.graph_answers():
            context = NoContext.AWAY
        seconds = time.perf_counter() - started
        if context is NoContext.AWAY:
            return PreparedTurn(context_seconds=seconds, memory=in_short(context))
        is_off = isinstance(context, AgentContext) and context.off is WhyOff.MEMORY
        changed, nodes = body, ""
        if isinstance(context, AgentContext) and context.prompt:
            nodes = ",".join(quote(id_, safe=_SAFE_IN_IDS) for id_ in context.node_ids)
            changed = dialect.with_context(body, _injection(context, query))
        names: frozenset[str] = frozenset()
        is_offering = _switched(headers.get(TOOLS_HEADER), default=self._rules.offers_tools)
        tools = definitions_for(principal) if is_offering else []
        if tools or skills:
            offering = dialect.with_tools(changed, [*tools, *skills])
            if offering is not None:
                changed, names = offering, frozenset(tool.name for tool in tools)
        put_in = None if changed is body else changed
        return PreparedTurn(
            body=put_in,
            names=names,
            may_capture=not is_off,
            context_seconds=seconds,
            memory=in_short(context, *(["capture(off)"] if is_off else [])),
            nodes=nodes,
        )

    async def _skills(self, principal: Principal) -> list[ToolDefinition]:
        """Return the workspace's skills for this key: tools that the caller executes."""
        try:
            async with asyncio.timeout(self._rules.deadline_seconds):
                settings = await self._workspaces.settings_of(principal.workspace_id)
        except (RecollectError, TimeoutError) as error:
            _log.warning("proxy.skills_not_read", reason=type(error).__name__)
            return []
        return [
            ToolDefinition(skill.name, skill.description, skill.parameters)
            for skill in settings.skills_of(principal.key_id)
        ]

    def _query(self, headers: Mapping[str, str], body: Json, turn: Turn) -> ContextQuery:
        model = body.get("model")
        names = (self._rules.provider, _DATED.sub("", model) if isinstance(model, str) else None)
        provider = "/".join(name for name in names if name) or None
        format_ = _format_named(headers.get(FORMAT_HEADER)) or self._rules.format
        # A turn without a text of the user has no message that a suffix or a user message could extend.
        is_put_in = bool(turn.texts) or (
            format_ is not InjectionFormat.USER_SUFFIX and provider_supports_system_message(provider)
        )
        text = query_of(turn.query) if is_put_in else ""
        has_profile = _switched(headers.get(PROFILE_HEADER), default=False)
        layers = DEFAULT_LAYERS | ({LayerName.PROFILE} if has_profile else frozenset())
        return ContextQuery(
            query=text or _NO_WORDS,
            layers=layers if text else frozenset(),
            conversation_id=turn.conversation_id,
            format=format_,
            provider=provider,
            is_automatic=True,
        )


def query_of(message: str) -> str:
    """Return the search text of a message: its end, without injected memory and NUL characters; may be empty.

    The text of a long message exceeds the limit by one character, so that the context reports the truncation.
    """
    return end_without_injected(message.replace("\0", ""), QUERY_CHARS + 1).strip()


async def context_in_time(
    contexts: AgentContexts, workspace_id: str, query: ContextQuery, seconds: float
) -> AgentContext | NoContext:
    """Return a context, or the reason why there is none; never raise, because memory must not fail a turn.

    Logs and counts every failure.

    Args:
        contexts: Composes the context.
        workspace_id: Workspace of the turn.
        query: Query of the context.
        seconds: Deadline of the context's layers.
    """
    try:
        async with asyncio.timeout(seconds * _LONGEST_SHARE + _WORDING_SECONDS):
            return await contexts.compose(workspace_id, query, deadline_seconds=seconds)
    except Unavailable as error:
        why = NoContext.AWAY
        _log.warning("proxy.context_failed", reason=error.code)
    except TimeoutError:
        why = NoContext.LATE
        _log.warning("proxy.context_failed", reason="late")
    except RecollectError as error:
        why = NoContext.FAILED
        _log.warning("proxy.context_failed", reason=error.code, field=error.field)
    except Exception as error:  # noqa: BLE001 - memory must not fail a turn
        why = NoContext.FAILED
        _log.error("proxy.context_failed", reason=type(error).__name__, exc_info=error)
    contexts.count_missing({"context": why})
    return why


def in_short(context: AgentContext | NoContext, *more: str) -> str:
    """Return the header value for a context and for the skipped parts in ``more``; see ``MEMORY_HEADER``."""
    if isinstance(context, AgentContext):
        return context.in_short(*more)
    return f"injected=0; skipped={','.join([f'context({context})', *more])}"


def _injection(context: AgentContext, query: ContextQuery) -> Injection:
    is_suffix = query.format is InjectionFormat.USER_SUFFIX
    return Injection(
        blocks=[context.prompt] if is_suffix else [message["content"] for message in context.messages],
        format=query.format,
        has_system_role=provider_supports_system_message(query.provider),
    )


def _format_named(name: str | None) -> InjectionFormat | None:
    try:
        return InjectionFormat((name or "").strip().lower())
    except ValueError:
        return None


def _switched(value: Any, *, default: bool) -> bool:
    return _SWITCH.get(str(value).strip().lower(), default)
