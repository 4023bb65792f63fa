"""Interfaces of other memory services: one module or folder for each, with its REST and MCP form."""

from app.surfaces.dialects.automem import mcp as automem
from app.surfaces.dialects.omniroute import mcp as omniroute
from app.surfaces.mcp import agent, automatic_changes, before_acting, recalling, telemetry, workspaces
from app.surfaces.mcp import recalling as chat_tools
from app.surfaces.mcp.tool import Tool

TOOLS: tuple[Tool, ...] = (
    *automem.PLAIN_TOOLS,
    *agent.TOOLS,
    *automem.TOOLS,
    *recalling.TOOLS,
    *before_acting.TOOLS,
    *telemetry.TOOLS,
    *omniroute.TOOLS,
    *chat_tools.CHAT_TOOLS,
    *workspaces.TOOLS,
    *automatic_changes.TOOLS,
)
"""All MCP tools, in the order of the full list."""
