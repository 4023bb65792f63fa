"""Profiles: selections of listed tools; the default is short, because models choose better among few tools."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final

from app.surfaces.mcp.tool import Tool
from graph.core.errors import InvalidInput


class ToolProfile(StrEnum):
    """A selection of tools: an agent's, all, or those of a system whose clients use this server."""

    AGENT = "agent"
    FULL = "full"
    AUTOMEM = "automem"
    OMNIROUTE = "omniroute"
    OXAGEN = "oxagen"
    XEROTIER = "xerotier"


_NAMES: Final[Mapping[ToolProfile, tuple[str, ...]]] = {
    ToolProfile.AGENT: ("remember", "recall", "context", "forget", "relate", "record", "ask", "get"),
    ToolProfile.AUTOMEM: ("store_memory", "update_memory", "delete_memory", "recall", "relate"),
    ToolProfile.OMNIROUTE: ("omniroute_memory_search", "omniroute_memory_add", "omniroute_memory_clear"),
    ToolProfile.OXAGEN: (
        "memory.search",
        "memory.context",
        "memory.annotate",
        "memory.metric_create",
        "memory.benchmark_get",
        "workspace.enable_memory",
        "workspace.disable_memory",
        "context",
        "record",
    ),
    ToolProfile.XEROTIER: ("x_save_memory", "x_recall_memory", "x_workspace_search"),
}


def profile_of(named: str) -> ToolProfile:
    """Return a profile by name.

    Raises:
        InvalidInput: There is no profile with this name.
    """
    try:
        return ToolProfile(named)
    except ValueError:
        known = ", ".join(ToolProfile)
        raise InvalidInput(
            "profile", f"there is no profile {named[:100]!r}; the profiles are: {known}"
        ) from None


def listed(tools: Sequence[Tool], profile: ToolProfile) -> list[Tool]:
    """Return the tools of a profile, in its order."""
    by_name = {tool.name: tool for tool in tools}
    return [by_name[name] for name in _NAMES.get(profile, tuple(by_name))]
