"""Links of the OpenAPI document: routes that read the objects which another route creates."""

from collections.abc import Mapping
from typing import Any, Final

Json = dict[str, Any]

_MADE: Final[Mapping[tuple[str, str], tuple[str, str]]] = {
    ("/memory", "memory_id"): ("/memory/{memory_id}", "memory_id"),
    ("/api/memory", "id"): ("/api/memory/{memory_id}", "memory_id"),
    ("/v1/workspaces/{workspace_id}/memories", "id"): (
        "/v1/workspaces/{workspace_id}/memories/{memory_id}",
        "memory_id",
    ),
    ("/chat/api/workspaces/{workspace_id}/memories", "id"): (
        "/chat/api/workspaces/{workspace_id}/memories/{memory_id}",
        "memory_id",
    ),
    ("/chat/api/{chat_id}/memory", "id"): ("/chat/api/{chat_id}/memories/{memory_id}", "memory_id"),
    ("/v1/conversations/{conversation_id}/messages", "conversation_id"): (
        "/v1/conversations/{conversation_id}",
        "conversation_id",
    ),
}
"""The path of one thing and the parameter that names it, by where such things are made and the field of its id."""


def link(paths: Json) -> None:
    """Add to each answer that names a new thing the operations on that thing."""
    for (made_at, field), (path, parameter) in _MADE.items():
        links = {
            operation["operationId"]: {
                "operationId": operation["operationId"],
                "parameters": _parameters(path, parameter, field),
                "description": operation["summary"],
            }
            for operation in paths[path].values()
        }
        for status, answer in paths[made_at]["post"]["responses"].items():
            if status in ("200", "201"):
                answer["links"] = links


def _parameters(path: str, parameter: str, field: str) -> dict[str, str]:
    """Return where the parameters of a path come from: the answer, and for the others the path of the request."""
    names = [part[1:-1] for part in path.split("/") if part.startswith("{")]
    return {
        name: f"$response.body#/{field}" if name == parameter else f"$request.path.{name}" for name in names
    }
