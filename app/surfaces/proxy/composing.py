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
"""Asks for the user's profile at the head of the context."""
_DATED = re.compile(r"-\d{4}-\d{2}-\d{2}$")
"""Ends the name of a snapshot, such as o1-mini-2024-09-12, which has the roles of its model."""
_SAFE_IN_IDS = ":_-."  # callers choose ids of any characters
_LONGEST_SHARE = 1.1  # of the deadline, which a workspace that is read late leaves some of to the layers
_WORDING_SECONDS = 0.1
_NO_WORDS = "-"  # what is asked for a message without text, to know whether memory is on
_SWITCH = {"on": True, "true": True, "1": True, "off": False, "false": False, "0": False}
_log = structlog.get_logger("recollect.proxy")


class NoContext(StrEnum):
    """Why a turn has no context at all."""

    AWAY = "away"
    LATE = "late"
    FAILED = "failed"


@dataclass(frozen=True)
class ComposingRules:
    """Rules that an operator sets.

    Attributes:
        provider: Provider of the models, if their names do not determine it.
        format: Default place of the context.
        offers_tools: Offer tools to models by default.
        deadline_seconds: Deadline of the layers of a turn's context.
    """

    provider: str | None
    format: InjectionFormat
    offers_tools: bool
    deadline_seconds: float


@dataclass(frozen=True)
class PreparedTurn:
    """A request after memory was added, or the reason why not.

    Attributes:
        body: Request with memory; None if nothing was added.
        names: Of the tools that the proxy executes.
        may_capture: Capture the turn.
        context_seconds: Duration of the context.
        memory: Result of memory, in short.
        nodes: Ids of the injected nodes, for ``NODES_HEADER``.
    """

    body: Json | None = None
    names: frozenset[str] = frozenset()
    may_capture: bool = True
    context_seconds: float = 0.0
    memory: str = ""
    nodes: str = ""


class Composer:
    """Prepares requests; lives as long as the process."""

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
        """Return the request as the model should get it.

        While memory is off, nothing is captured. Tools and skills are offered even if the context fails, unless the
        graph is unavailable: then no tool could work, and the request is forwarded unchanged.
        """
        asked = self._query(headers, body, turn)
        started = time.perf_counter()
        context, skills = await asyncio.gather(
            context_in_time(self._contexts, principal.workspace_id, asked, self._rules.deadline_seconds),
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
            changed = dialect.with_context(body, _injection(context, asked))
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
        """Return what the workspace has its chats told of, for their callers to execute."""
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
        # Where the user says nothing, there is no message of theirs to put memory into or before.
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
    """Return what memory is searched by for a message: its end, where a long one comes to its point; may be empty.

    Of a longer message it has one character more than is read, so that the context says that it was cut.
    """
    return end_without_injected(message, QUERY_CHARS + 1).strip()


async def context_in_time(
    contexts: AgentContexts, workspace_id: str, asked: ContextQuery, seconds: float
) -> AgentContext | NoContext:
    """Return a context, or why there is none, logged and counted: a turn never fails from memory.

    Args:
        contexts: Composes it.
        workspace_id: Workspace of the turn.
        asked: Request of the context.
        seconds: Deadline of its layers.
    """
    try:
        async with asyncio.timeout(seconds * _LONGEST_SHARE + _WORDING_SECONDS):
            return await contexts.compose(workspace_id, asked, deadline_seconds=seconds)
    except Unavailable as error:
        why = NoContext.AWAY
        _log.warning("proxy.context_failed", reason=error.code)
    except TimeoutError:
        why = NoContext.LATE
        _log.warning("proxy.context_failed", reason="late")
    except RecollectError as error:
        why = NoContext.FAILED
        _log.warning("proxy.context_failed", reason=error.code, field=error.field)
    except Exception as error:  # noqa: BLE001 - whatever it is
        why = NoContext.FAILED
        _log.error("proxy.context_failed", reason=type(error).__name__, exc_info=error)
    contexts.count_missing({"context": why})
    return why


def in_short(context: AgentContext | NoContext, *more: str) -> str:
    """Return the header value for a context and for the skipped parts in ``more``; see ``MEMORY_HEADER``."""
    if isinstance(context, AgentContext):
        return context.in_short(*more)
    return f"injected=0; skipped={','.join([f'context({context})', *more])}"


def _injection(context: AgentContext, asked: ContextQuery) -> Injection:
    is_suffix = asked.format is InjectionFormat.USER_SUFFIX
    return Injection(
        blocks=[context.prompt] if is_suffix else [message["content"] for message in context.messages],
        format=asked.format,
        has_system_role=provider_supports_system_message(asked.provider),
    )


def _format_named(name: str | None) -> InjectionFormat | None:
    try:
        return InjectionFormat((name or "").strip().lower())
    except ValueError:
        return None


def _switched(value: Any, *, default: bool) -> bool:
    return _SWITCH.get(str(value).strip().lower(), default)
