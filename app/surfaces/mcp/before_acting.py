"""The context before acting: as the tool ``context`` for models, and as a prompt for people."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from mcp import types
from pydantic import Field

from app.surfaces.mcp.tool import OWNERS, READS, BriefArguments, Call, Tags, Tool
from app.surfaces.tools import Count
from graph.conversations.episodes.models import Episode
from graph.core.errors import InvalidInput, NotFound
from graph.knowledge.ontology.models import Entity
from graph.retrieval.context.models import DEFAULT_LAYERS, AgentContext, ContextQuery, LayerName
from graph.telemetry.models import AgentPattern
from graph.tenancy.models import Scope

NAME = "before_acting"
WORKSPACE = "workspace_id"
TARGET_TYPES = "target_types"
_NOTHING = "Nothing is known that bears on this."
_NOTHING_READ = "Nothing was found, but some parts could not be read; call again."
_UNREAD = frozenset({"late", "failed", "away"})
"""Codes of :attr:`AgentContext.missing` for parts that may have results."""


class BeforeActing(BriefArguments):
    """Arguments of ``context``."""

    query: str = Field(min_length=1, description="Task at hand.")
    action_type: str | None = Field(None, description="Such as deploy.")
    target_types: Tags = Field([], description="Such as Service.")
    target_ids: Tags = Field([], description="Ids or keys.")
    conversation_id: str | None = Field(None, description="Adds its episodes.")
    max_tokens: Count | None = Field(None, description="Budget.")
    used_by: str | None = Field(None, description="Using session.")
    dry_run: bool = Field(default=False, description="Count no use.")
    profile: bool = Field(default=False, description="Who the user is.")


async def _compose(call: Call, acting: BeforeActing) -> AgentContext:
    query = ContextQuery(
        query=acting.query,
        conversation_id=acting.conversation_id,
        target_ids=_named(acting.target_ids),
        target_types=_named(acting.target_types),
        action_type=acting.action_type,
        max_tokens=acting.max_tokens,
        used_by=acting.used_by,
        dry_run=acting.dry_run,
        layers=DEFAULT_LAYERS | ({LayerName.PROFILE} if acting.profile else frozenset()),
    )
    return await call.services.retrieval.context.compose(call.workspace_id, query)


def _named(texts: list[str]) -> tuple[str, ...]:
    return tuple(text.strip() for text in texts if text.strip())


async def _before_acting(call: Call, acting: BeforeActing) -> str:
    composed = await _compose(call, acting)
    nodes: Mapping[str, Sequence[Entity | AgentPattern | Episode]] = {
        "entities": composed.entities,
        "patterns": composed.patterns,
        "episodes": composed.episodes,
    }
    named = {"memories": composed.memory_ids} | {kind: [node.id for node in of] for kind, of in nodes.items()}
    ids = "; ".join(f"{kind} {', '.join(of)}" for kind, of in named.items() if of)
    return "\n\n".join(
        [
            composed.prompt or (_NOTHING_READ if _UNREAD & {*composed.missing.values()} else _NOTHING),
            *([f"Ids for get: {ids}"] if ids else []),
            *([f"Left out: {'; '.join(composed.skipped)}"] if composed.skipped else []),
        ]
    )


TOOLS = (
    Tool(
        "context",
        "Context",
        "Use it before you act, once a task: past turns, targets, their failures, memories.",
        BeforeActing,
        None,
        Scope.READ,
        READS,
        _before_acting,
        names={"targetEntityIds": "target_ids"},
        aliases=("memory.before_acting",),
    ),
)

_ARGUMENTS = {
    "query": "Task or message at hand.",
    "action_type": "Type of the intended action, such as deploy.",
    TARGET_TYPES: "Types of the action's targets, such as Service; commas separate several.",
    "target_ids": "Ids or keys of the target entities; commas separate several.",
    "conversation_id": "Conversation whose episodes to include.",
    **{name: owner["description"] for name, owner in OWNERS.items()},
    WORKSPACE: "Workspace, for an administrator's key; omitted: the key's own.",
}

PROMPT = types.Prompt(
    name=NAME,
    title="Before acting",
    description="The task with its context: earlier turns, targets, their failure patterns, memories.",
    arguments=[
        types.PromptArgument(name=name, description=description, required=name == "query")
        for name, description in _ARGUMENTS.items()
    ],
)


async def placed(call: Call, arguments: Mapping[str, str]) -> Call:
    """Return the call in the workspace that the arguments name, by default the key's.

    Raises:
        Forbidden: The key may not read.
        NotFound: The caller may not see that workspace.
    """
    named = arguments.get(WORKSPACE) or None
    workspace_id = await call.services.tenancy.access.authorize(call.principal, Scope.READ, named)
    return replace(call, principal=call.principal.model_copy(update={"workspace_id": workspace_id}))


async def prompt_before_acting(call: Call, arguments: Mapping[str, str]) -> types.GetPromptResult:
    """Return the task as a user's message, with the context before it.

    Raises:
        InvalidInput: An argument is missing, unknown or malformed.
        Forbidden: The key may not read, or is bound to another user or agent.
        NotFound: The caller may not see the workspace.
    """
    (tool,) = TOOLS
    for name in arguments:
        if name not in _ARGUMENTS:
            raise InvalidInput(
                "arguments",
                f"there is no argument {name[:100]!r}; the arguments are: {', '.join(_ARGUMENTS)}",
            )
    owners = {name: arguments[name] for name in OWNERS if arguments.get(name)}
    call = await placed(call.narrowed(owners), arguments)
    acting = tool.read({name: value for name, value in arguments.items() if name != WORKSPACE})
    composed = await _compose(call, acting)
    task = acting.query
    text = f"{composed.prompt}\n\n---\n\n{task}" if composed.prompt else task
    reasons = "; ".join(composed.skipped)
    return types.GetPromptResult(
        description=f"left out: {reasons}" if reasons else None,
        messages=[types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))],
    )


MOST_VALUES = 100
"""Maximum number of values of a completion (MCP 2025-11-25, server/utilities/completion)."""
_SEPARATOR = ","


async def complete(
    call: Call, argument: types.CompletionArgument, chosen: Mapping[str, str]
) -> types.Completion:
    """Return the values with the typed prefix; none for an argument without known values.

    Raises:
        NotFound: The caller may not see the chosen workspace.
    """
    if argument.name == WORKSPACE:
        return _completion(await _workspaces(call, argument.value))
    if argument.name == TARGET_TYPES:
        return _completion(await _types(await placed(call, chosen), argument.value))
    return _completion([])


async def _workspaces(call: Call, typed: str) -> list[str]:
    """Return ids of workspaces whose id or name begins with the text, and of a workspace with exactly this id.

    Searches one page of workspaces only, apart from the exact id.
    """
    page = await call.services.tenancy.workspaces.visible(call.principal, first=MOST_VALUES)
    begins = typed.casefold()
    found = [
        each.id for each in page.items if each.id.startswith(typed) or each.name.casefold().startswith(begins)
    ]
    whole = [] if typed in found or not typed.strip() else await _workspace_named(call, typed)
    return [*whole, *found]


async def _workspace_named(call: Call, id_: str) -> list[str]:
    try:
        return [await call.services.tenancy.access.authorize(call.principal, Scope.READ, id_)]
    except NotFound:
        return []


async def _types(call: Call, typed: str) -> list[str]:
    """Return completions of the last type in a text; commas separate several types."""
    before, separator, last = typed.rpartition(_SEPARATOR)
    registry = await call.services.knowledge.ontology.types.read(call.workspace_id)
    begins = last.strip().casefold()
    known = sorted(name for name in registry.entity_types if name.casefold().startswith(begins))
    return [f"{before}{separator}{name}" for name in known]


def _completion(values: list[str]) -> types.Completion:
    return types.Completion(values=values[:MOST_VALUES], total=len(values), hasMore=len(values) > MOST_VALUES)
