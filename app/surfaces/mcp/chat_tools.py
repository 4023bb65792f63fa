"""The x_ tools, which the chat proxy offers too; each returns one text.

The chat proxy distils the texts that ``x_workspace_search`` reads, because its turns become memories anyway. This
surface does not: the tool is annotated as read-only, so hosts call it without confirmation, and a call has neither a
conversation nor a turn that could be the source of a memory.
"""

from collections.abc import Awaitable, Callable

from pydantic import BaseModel

from app.surfaces.mcp.tool import ADDS, READS, Call, Tool
from app.surfaces.tools import X_TOOLS, Caller, XTool
from graph.tenancy.models import Scope

_TITLES = {
    "x_save_memory": "Save a memory",
    "x_recall_memory": "Recall memories",
    "x_workspace_search": "Search the workspace",
}


def _tool(tool: XTool) -> Tool:
    return Tool(
        tool.name,
        _TITLES[tool.name],
        tool.description,
        tool.arguments,
        None,
        tool.scope,
        READS if tool.scope is Scope.READ else ADDS,
        _runner(tool),
    )


def _runner(tool: XTool) -> Callable[[Call, BaseModel], Awaitable[str]]:
    async def run(call: Call, asked: BaseModel) -> str:
        answer = await tool.run(call.services, Caller(call.principal, None), asked)
        return answer.text

    return run


TOOLS = tuple(_tool(tool) for tool in X_TOOLS.values())
