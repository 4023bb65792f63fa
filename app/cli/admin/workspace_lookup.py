"""Turns what people call a workspace, its id or its name, into its id."""

from typing import Any

from app.client.transport import ApiError, Client

_LIST = """
query Workspaces($first: Int, $after: String) {
  workspaces(first: $first, after: $after) {
    edges { node { id name } }
    pageInfo { hasNextPage endCursor }
  }
}
"""
_CREATE = """
mutation CreateWorkspace($input: CreateWorkspaceInput!) { createWorkspace(input: $input) { id } }
"""


async def find_workspace_id(client: Client, id_or_name: str) -> str | None:
    """Return the id of the workspace called so, or None.

    Raises:
        ApiError: ``CONFLICT`` when several workspaces have the name.
    """
    named: list[str] = []
    async for workspace in client.nodes(_LIST, "workspaces"):
        if workspace["id"] == id_or_name:
            return str(workspace["id"])
        if workspace["name"] == id_or_name:
            named.append(workspace["id"])
    if len(named) > 1:
        raise ApiError(
            "CONFLICT", f"{len(named)} workspaces are named {id_or_name!r}; give one of {', '.join(named)}"
        )
    return named[0] if named else None


async def get_workspace_id(client: Client, id_or_name: str | None) -> str | None:
    """Return the id of the workspace called so; None, for the key's own workspace, stays None.

    Raises:
        ApiError: ``NOT_FOUND`` when no workspace is called so.
    """
    if id_or_name is None:
        return None
    if found := await find_workspace_id(client, id_or_name):
        return found
    raise ApiError(
        "NOT_FOUND", f"no workspace has the id or name {id_or_name!r}; see `recollect workspaces list`"
    )


async def ensure_workspace(client: Client, id_or_name: str) -> str:
    """Return the id of the workspace called so, and create it when there is none."""
    if found := await find_workspace_id(client, id_or_name):
        return found
    try:
        created: dict[str, Any] = await client.execute(_CREATE, {"input": {"name": id_or_name}})
    except ApiError as error:
        if error.code != "FORBIDDEN":
            raise
        raise ApiError(
            "FORBIDDEN", f"no workspace is called {id_or_name!r}, and making one needs an administrator's key"
        ) from error
    return str(created["createWorkspace"]["id"])
