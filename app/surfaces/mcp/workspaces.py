"""Oxagen's toggle of a workspace's memory, which the key names, and moving conversations between workspaces."""

from pydantic import Field

from app.surfaces.mcp.tool import SETS, Arguments, Call, Result, Tool
from graph.tenancy.models import Scope


class NoArguments(Arguments):
    """Nothing: the key gives the workspace."""


class MemoryToggle(Result):
    """State of the memory switch."""

    workspace_id: str
    memory_enabled: bool


class ConversationToMove(Arguments):
    """Conversation to move, and its target."""

    conversation_id: str = Field(description="The conversation, by its id.")
    workspace_id: str = Field(description="The workspace that it becomes part of.")


class MovedConversation(Result):
    """The moved conversation and its workspace."""

    conversation_id: str
    workspace_id: str


async def _move(call: Call, asked: ConversationToMove) -> MovedConversation:
    access = call.services.tenancy.access
    target = await access.authorize(call.principal, Scope.WRITE, asked.workspace_id)
    workspace = await access.authorize(call.principal, Scope.WRITE)
    moved = await call.services.conversations.moving.move(workspace, asked.conversation_id, target)
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
        "Use it when somebody asks that this workspace remember: turns its memory on, so that conversations and "
        "actions are captured, and agents are told patterns.",
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
        "Use it when somebody asks that this workspace stop remembering: turns its memory off. Nothing is captured or "
        "told unasked any more. What is there stays and can be read.",
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
        "Use it when somebody asks that a conversation belong to another workspace: moves what was said in it and the "
        "memories that come from it. Needs a key of an administrator.",
        ConversationToMove,
        MovedConversation,
        Scope.WRITE,
        SETS,
        _move,
        names={"id": "conversation_id"},
    ),
)
