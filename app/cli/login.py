"""``recollect login`` and ``recollect logout``."""

from typing import Annotated

import typer

from app.cli.profile import Profile, address_of, remove_profile, write_profile
from app.cli.remote import fail, read_settings, run_at


def register(cli: typer.Typer) -> None:
    """Add the commands."""
    cli.command("login")(login)
    cli.command("logout")(logout)


def login(
    *,
    url: Annotated[
        str | None, typer.Option("--url", help="Address of the service; default: the one in the settings.")
    ] = None,
    key: Annotated[
        str | None,
        typer.Option("--key", help="API key; omitted: the command asks for it without showing it."),
    ] = None,
) -> None:
    """Store the address and API key of a service in a file that only you can read.

    RECOLLECT_API_URL and RECOLLECT_API_KEY override it.
    """
    address = (url or address_of(read_settings())).rstrip("/")
    secret = (key or typer.prompt(f"API key of {address}", hide_input=True)).strip()
    if not secret:
        fail("the key is blank; `recollect keys create` makes one, and `recollect up` shows the first")
    me = run_at(address, secret, lambda client: client.me())
    file = write_profile(Profile(address, secret))
    typer.echo(
        f"logged in at {address} as {me.name} of workspace {me.workspace_id}; the key is kept in {file}"
    )


def logout() -> None:
    """Delete the address and key that login stored; the key itself stays valid."""
    if not remove_profile():
        fail("nobody is logged in; `recollect login` keeps an address and a key")
    typer.echo("logged out")
