"""Turns what people call a workspace, its id or its name, into its id."""

from collections.abc import Callable, Coroutine
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.cli.remote import Result, nodes, payload, run
from app.client.transport import ApiError

if TYPE_CHECKING:
    from app.client.generated import RecollectClient

Workspace = Annotated[
    str | None, typer.Option("--workspace", "-w", help="Id or name; default: the key's own.")
]


def run_in(
    workspace: str | None,
    work: "Callable[[RecollectClient, str | None], Coroutine[Any, Any, Result]]",
) -> Result:
    """Run ``work`` with a client and the id of the workspace called so; errors end the command.

    None, for the key's own workspace, stays None.
    """

    async def located(client: "RecollectClient") -> Result:
        return await work(client, await get_workspace_id(client, workspace))

    return run(located)


async def find_workspace_id(client: "RecollectClient", id_or_name: str) -> str | None:
    """Return the id of the workspace called so, or None.

    Raises:
        ApiError: ``CONFLICT`` when several workspaces have the name.
    """
    named: list[str] = []
    async for workspace in nodes(partial(client.workspaces, called=id_or_name)):
        if workspace.id == id_or_name:
            return str(workspace.id)
        named.append(workspace.id)
    if len(named) > 1:
        raise ApiError(
            "CONFLICT", f"{len(named)} workspaces are named {id_or_name!r}; give one of {', '.join(named)}"
        )
    return named[0] if named else None


async def get_workspace_id(client: "RecollectClient", id_or_name: str | None) -> str | None:
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


async def ensure_workspace(client: "RecollectClient", id_or_name: str) -> str:
    """Return the id of the workspace called so, and create it when there is none."""
    if found := await find_workspace_id(client, id_or_name):
        return found
    try:
        return (await client.create_workspace(payload(name=id_or_name))).id
    except ApiError as error:
        if error.code != "FORBIDDEN":
            raise
        raise ApiError(
            "FORBIDDEN", f"no workspace is called {id_or_name!r}, and making one needs an administrator's key"
        ) from error
