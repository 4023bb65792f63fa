"""``recollect browser``: address of Neo4j Browser, and queries and a style for it."""

import json
from collections.abc import Mapping, Sequence
from typing import Annotated
from urllib.parse import urlsplit

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from app.cli.profile import is_named
from app.cli.remote import fail, read_settings, service
from app.client.loopback import is_here
from app.settings import Settings
from cypher import FOR_PEOPLE, Statement, browser_style, catalogue

_PLACEHOLDER = "…"
_SECURE = ("+s", "+ssc")


def register(cli: typer.Typer) -> None:
    """Add the command group."""
    group = typer.Typer(
        invoke_without_command=True, help="Show the address of Neo4j Browser, and queries and a style for it."
    )
    group.callback()(browser)
    group.command("queries")(queries)
    group.command("style")(style)
    cli.add_typer(group, name="browser")


def browser(context: typer.Context) -> None:
    """Print the address of Neo4j Browser, the login, and the available queries."""
    if context.invoked_subcommand is not None:
        return
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold")
    table.add_column(overflow="fold")
    for name, text in _access(read_settings()).items():
        table.add_row(name, Text(text))
    table.add_row("Style", Text("`recollect browser style` prints it; paste it into the editor and run it"))
    table.add_row("Queries", Text("`recollect browser queries NAME` prints one; these are the names:"))
    console = Console(soft_wrap=True)
    console.print(table)
    console.print(_listed(_queries()))


def queries(
    name: Annotated[str | None, typer.Argument(help="Query to print; omitted: list all.")] = None,
    *,
    param: Annotated[
        list[str] | None, typer.Option("--param", "-p", help="Parameter as name=value; may be repeated.")
    ] = None,
) -> None:
    """Print a query for Neo4j Browser with the command that sets its parameters, or list the queries."""
    known = _queries()
    if name is None:
        Console(soft_wrap=True).print(_listed(known))
        return
    if name not in known:
        fail(f"there is no query {name!r}; there are {', '.join(known)}")
    statement = known[name]
    typer.echo(_parameters(statement, _values_of_parameters(statement, param or [])))
    typer.echo(f"\n{statement.text}", nl=False)


def style() -> None:
    """Print the command that sets colours and captions for this graph in Neo4j Browser."""
    typer.echo(f":style {browser_style()}", nl=False)


def _queries() -> Mapping[str, Statement]:
    return {name: query for name, query in catalogue().items() if query.folder == FOR_PEOPLE}


def _listed(found: Mapping[str, Statement]) -> Table:
    table = Table("Query", "Parameters", "Shows", box=None, header_style="dim", pad_edge=False)
    for name, query in found.items():
        parameters = [param.name + (f" ({param.why})" if param.why else "") for param in query.params]
        table.add_row(name, Text(", ".join(parameters)), Text(query.why or ""))
    return table


def _access(settings: Settings) -> dict[str, str]:
    """Return the address of Neo4j Browser and its login."""
    if settings.neo4j.uri is not None:
        return {
            "Neo4j Browser": f"that of {settings.neo4j.uri}, usually at {_usual_address(settings.neo4j.uri)}",
            "User": settings.neo4j.user,
            "Password": "the one in RECOLLECT_NEO4J_PASSWORD",
        }
    url, _ = service()
    if not is_here(url):
        whose = f"that of the graph behind {url}, on the machine where it runs; RECOLLECT_NEO4J_URI names it"
        return {"Neo4j Browser": whose}
    from app.embedded.data_folder import data_folder, find_holder
    from app.embedded.neo4j import USER, password_file, read_address

    folder = data_folder(settings.data_dir)
    address, holder = read_address(folder / "neo4j"), find_holder(folder)
    if holder is not None and is_named(settings, url) and urlsplit(url).port != holder.port:
        message = f"{folder} is the folder of the service on port {holder.port}; RECOLLECT_DATA_DIR names that of {url}"
        return {"Neo4j Browser": message}
    if address is None or holder is None:
        return {"Neo4j Browser": "not running; `recollect up` starts it and shows its address"}
    return {
        "Neo4j Browser": address.browser_url,
        "Connect URL": address.uri,
        "User": USER,
        "Password": f"in {password_file(folder / 'neo4j')}",
    }


def _usual_address(uri: str) -> str:
    parts = urlsplit(uri)
    if parts.scheme.endswith(_SECURE):
        return f"https://{parts.hostname}:7473/browser/, or for Aura in its console"
    return f"http://{parts.hostname}:7474/browser/"


def _values_of_parameters(statement: Statement, pairs: Sequence[str]) -> dict[str, str]:
    """Return the values of parameters; a malformed pair or unknown name ends the command."""
    names = [param.name for param in statement.params]
    parameters: dict[str, str] = {}
    for pair in pairs:
        name, separator, value = pair.partition("=")
        if not separator or name not in names:
            fail(f"--param takes name=value with a name of {', '.join(names)}, not {pair!r}")
        parameters[name] = value
    return parameters


def _parameters(statement: Statement, parameters: Mapping[str, str]) -> str:
    """Return the Browser command that sets all parameters; missing ones get a placeholder."""
    values = {param.name: parameters.get(param.name, _PLACEHOLDER) for param in statement.params}
    pairs = (f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in values.items())
    return f":param {{{', '.join(pairs)}}}"
