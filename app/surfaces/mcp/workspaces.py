"""Tools that turn the memory of the key's workspace on and off, and move a conversation to another workspace."""

from pydantic import Field

from app.surfaces.mcp.tool import SETS, Arguments, Call, Result, Tool
from graph.tenancy.models import Scope


class NoArguments(Arguments):
    """No arguments: the key determines the workspace."""


class MemoryToggle(Result):
    """State of the memory switch."""

    workspace_id: str
    memory_enabled: bool


class ConversationToMove(Arguments):
    """Arguments of ``move_conversation``."""

    conversation_id: str = Field(description="Id of the conversation.")
    workspace_id: str = Field(description="Id of the target workspace.")


class MovedConversation(Result):
    """The moved conversation and its workspace."""

    conversation_id: str
    workspace_id: str


async def _move(call: Call, arguments: ConversationToMove) -> MovedConversation:
    access = call.services.tenancy.access
    target = await access.authorize(call.principal, Scope.WRITE, arguments.workspace_id)
    workspace = await access.authorize(call.principal, Scope.WRITE)
    moved = await call.services.conversations.moving.move(workspace, arguments.conversation_id, target)
    return MovedConversation(conversation_id=moved.id, workspace_id=moved.workspace_id)


async def _enable(call: Call, _: NoArguments) -> MemoryToggle:
    return await _set(call, enabled=True)


async def _disable(call: Call, _: NoArguments) -> MemoryToggle:
    return await _set(call, enabled=False)


async def _set(call: Call, *, enabled: bool) -> MemoryToggle:
    changed = await call.services.tenancy.workspaces.switch_memory(call.workspace_id, is_on=enabled)
    return MemoryToggle(workspace_id=changed.id, memory_enabled=changed.memory_enabled)


TOOLS = (
    Tool(
        "workspace.enable_memory",
        "Turn memory on",
        "Use it when somebody asks that this workspace remember: turns its memory on, so that the service captures "
        "conversations and actions, and shows patterns to agents.",
        NoArguments,
        MemoryToggle,
        Scope.WRITE,
        SETS,
        _enable,
        aliases=("workspace_enable_memory",),
    ),
    Tool(
        "workspace.disable_memory",
        "Turn memory off",
        "Use it when somebody asks that this workspace stop remembering: turns its memory off, so that the service "
        "captures nothing and injects nothing automatically. Stored memories stay readable.",
        NoArguments,
        MemoryToggle,
        Scope.WRITE,
        SETS,
        _disable,
        aliases=("workspace_disable_memory",),
    ),
    Tool(
        "move_conversation",
        "Move a conversation",
        "Use it when somebody asks that a conversation belong to another workspace: moves its messages and the "
        "memories from it. Requires an administrator's key.",
        ConversationToMove,
        MovedConversation,
        Scope.WRITE,
        SETS,
        _move,
        names={"id": "conversation_id"},
    ),
)
