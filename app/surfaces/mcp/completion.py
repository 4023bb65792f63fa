"""Completes what a person types into an argument of the prompt: workspaces, and types of entities."""

from collections.abc import Mapping

from mcp import types

from app.surfaces.mcp import before_acting
from app.surfaces.mcp.tool import Call
from graph.core.errors import NotFound
from graph.tenancy.access.models import Scope

MOST_VALUES = 100
"""MCP 2025-11-25, server/utilities/completion."""
_SEPARATOR = ","


async def complete(
    call: Call, argument: types.CompletionArgument, chosen: Mapping[str, str]
) -> types.Completion:
    """Return the values with the typed prefix; none for an argument without known values.

    Raises:
        NotFound: The chosen workspace is not the caller's.
    """
    if argument.name == before_acting.WORKSPACE:
        return _completion(await _workspaces(call, argument.value))
    if argument.name == before_acting.TARGET_TYPES:
        return _completion(await _types(await before_acting.placed(call, chosen), argument.value))
    return _completion([])


async def _workspaces(call: Call, typed: str) -> list[str]:
    """Return ids of a page of workspaces and of an exactly typed one; names match by prefix too."""
    page = await call.services.tenancy.workspaces.visible(call.principal, first=MOST_VALUES)
    begins = typed.casefold()
    found = [
        each.id for each in page.items if each.id.startswith(typed) or each.name.casefold().startswith(begins)
    ]
    whole = [] if typed in found or not typed.strip() else await _named(call, typed)
    return [*whole, *found]


async def _named(call: Call, id_: str) -> list[str]:
    try:
        return [await call.services.tenancy.access.authorize(call.principal, Scope.READ, id_)]
    except NotFound:
        return []


async def _types(call: Call, typed: str) -> list[str]:
    """Return the typed text with its last part completed; commas separate several types."""
    before, separator, last = typed.rpartition(_SEPARATOR)
    registry = await call.services.knowledge.ontology.types.read(call.workspace_id)
    begins = last.strip().casefold()
    known = sorted(name for name in registry.entity_types if name.casefold().startswith(begins))
    return [f"{before}{separator}{name}" for name in known]


def _completion(values: list[str]) -> types.Completion:
    return types.Completion(values=values[:MOST_VALUES], total=len(values), hasMore=len(values) > MOST_VALUES)
