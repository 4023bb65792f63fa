"""Connects commands to the running service; reports a failure with one line and a non-zero exit code."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, TypeVar

import typer
from pydantic import ValidationError

from app.cli.profile import profile_file, service_of
from app.client.transport import TIMEOUT_SECONDS, ApiError
from app.settings import Settings
from app.settings.names import UnknownSetting

if TYPE_CHECKING:
    from app.client.generated import RecollectClient


_PAGE_SIZE = 100
_REMEDIES = {
    "FORBIDDEN": "`recollect keys me` shows what this key may do",
    "RATE_LIMITED": "wait a minute, or give the key another limit",
}
"""Remedies for errors whose message has none, by code."""
_NO_KEY = (
    "no API key is set; set RECOLLECT_API_KEY or run `recollect login`; the first start of the service prints the first"
    " key, and `recollect keys create` makes others"
)
_LISTED = {
    "memory": "memories list",
    "automatic change": "changes",
    "conversation": "conversations",
    "key": "keys list",
    "webhook": "webhooks list",
    "workspace": "workspaces list",
}
"""Commands that list what an unknown id should name."""
_UNKNOWN = re.compile(rf"there is no ({'|'.join(_LISTED)})\b")

Result = TypeVar("Result")


def fail(message: str) -> NoReturn:
    """Print one line to standard error and exit with code 1."""
    typer.secho("error: ", err=True, nl=False, bold=True, fg=typer.colors.RED)
    typer.echo(" ".join(message.split()), err=True)
    raise typer.Exit(1)


def read_settings() -> Settings:
    """Return the settings; an invalid one ends the command with the name of its variable or file."""
    try:
        return Settings()
    except UnknownSetting as error:
        fail(str(error))
    except ValidationError as error:
        first = error.errors()[0]
        variable = "_".join(("RECOLLECT", *(str(part).upper() for part in first["loc"])))
        fail(f"{variable}: {first['msg'].removeprefix('Value error, ')}")
    except UnicodeDecodeError:
        fail(f"{Path('.env').resolve()} is not in UTF-8")
    except OSError as error:
        fail(f"{error.filename or Path('.env').resolve()} cannot be read: {error.strerror}")


def run(
    work: "Callable[[RecollectClient], Coroutine[Any, Any, Result]]",
    *,
    timeout_seconds: float = TIMEOUT_SECONDS,
) -> Result:
    """Run ``work`` with a client of the service in the settings or the profile; errors end the command."""
    url, key = service()
    return run_at(url, key, work, timeout_seconds=timeout_seconds)


def service() -> tuple[str, str | None]:
    """Return the address of the service and the key for it; an unreadable profile ends the command."""
    settings = read_settings()
    try:
        return service_of(settings)
    except (OSError, ValueError) as error:
        fail(f"{profile_file()} cannot be read ({error}); `recollect login` writes it again")


def run_at(
    url: str,
    key: str | None,
    work: "Callable[[RecollectClient], Coroutine[Any, Any, Result]]",
    *,
    timeout_seconds: float = TIMEOUT_SECONDS,
) -> Result:
    """Run ``work`` with a client of a service; errors end the command."""
    try:
        return asyncio.run(_with_client(url, key, work, timeout_seconds))
    except ApiError as error:
        fail(_advice(error, has_key=key is not None))
    except ValidationError as error:
        fail(f"the answer is not one that this version knows ({error.title}); install the service's version")


def payload(**fields: Any) -> Any:
    """Return an input with the fields that are not None, under the API's names.

    Its type is Any, because it serves every input type, and the service validates the values.
    """
    return {name: value for name, value in fields.items() if value is not None}


async def nodes(page_after: Callable[..., Awaitable[Any]]) -> AsyncIterator[Any]:
    """Yield every node of a connection; ``page_after`` returns a page for ``first`` and ``after``."""
    after, is_last = None, False
    while not is_last:
        page = await page_after(first=_PAGE_SIZE, after=after)
        for edge in page.edges:
            yield edge.node
        after, is_last = page.page_info.end_cursor, not page.page_info.has_next_page


async def first_nodes(
    most: int, page_after: Callable[..., Awaitable[Any]], *arguments: Any, **options: Any
) -> list[Any]:
    """Return at most ``most`` nodes of a connection; further arguments are passed to ``page_after``."""
    found: list[Any] = []
    after = None
    while len(found) < most:
        size = min(_PAGE_SIZE, most - len(found))
        page = await page_after(*arguments, first=size, after=after, **options)
        found += [edge.node for edge in page.edges]
        after = page.page_info.end_cursor
        if not page.page_info.has_next_page:
            break
    return found


async def _with_client(
    url: str,
    key: str | None,
    work: "Callable[[RecollectClient], Coroutine[Any, Any, Result]]",
    timeout_seconds: float,
) -> Result:
    from app.client.generated import RecollectClient

    async with RecollectClient(url, key, timeout_seconds=timeout_seconds) as client:
        return await work(client)


def _advice(error: ApiError, *, has_key: bool) -> str:
    if error.code == "UNAUTHENTICATED":
        return f"{error}; {_other_key()}" if has_key else _NO_KEY
    if error.code == "NOT_FOUND":
        unknown = _UNKNOWN.search(error.message)
        return f"{error.message}; see `recollect {_LISTED[unknown[1]]}`" if unknown else error.message
    remedy = _REMEDIES.get(error.code)
    return f"{error}; {remedy}" if remedy else str(error)


def _other_key() -> str:
    """Return the remedy for a key that the service refuses: the environment overrides what login stored."""
    if read_settings().api_key is not None:
        return "correct RECOLLECT_API_KEY, or unset it and run `recollect login`"
    return "`recollect login` stores another key"


Workspace = Annotated[
    str | None, typer.Option("--workspace", "-w", help="Id or name; default: the key's own.")
]

User = Annotated[
    str | None, typer.Option("--user", "-u", help="User whose memories to read; default: the key's.")
]


def scope_of(user: str | None) -> Any:
    """Return the input that restricts a request to one user's memories; None: no restriction."""
    return payload(userId=user) or None


def run_in(
    workspace: str | None,
    work: "Callable[[RecollectClient, str | None], Coroutine[Any, Any, Result]]",
) -> Result:
    """Run ``work`` with a client and the id of a workspace; errors end the command.

    None stands for the key's own workspace.
    """

    async def located(client: "RecollectClient") -> Result:
        return await work(client, await get_workspace_id(client, workspace))

    return run(located)


async def find_workspace_id(client: "RecollectClient", id_or_name: str) -> str | None:
    """Return the id of a workspace by its id or name, or None.

    Raises:
        ApiError: ``CONFLICT`` if several workspaces have the name.
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
    """Return the id of a workspace by its id or name; None stands for the key's own workspace.

    Raises:
        ApiError: ``NOT_FOUND`` if the workspace does not exist.
    """
    if id_or_name is None:
        return None
    if found := await find_workspace_id(client, id_or_name):
        return found
    raise ApiError(
        "NOT_FOUND", f"no workspace has the id or name {id_or_name!r}; see `recollect workspaces list`"
    )


async def ensure_workspace(client: "RecollectClient", id_or_name: str) -> str:
    """Return the id of a workspace by its id or name; create it if it does not exist."""
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
