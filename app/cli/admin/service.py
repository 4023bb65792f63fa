"""``recollect settings``, ``status`` and ``schema``: the running service, its settings and its GraphQL schema."""

from collections.abc import Mapping
from typing import Annotated, Any, Final

import typer
from pydantic_core import to_json

from app.cli.doctor import without_credentials
from app.cli.printing import Json, print_json, read_scalar
from app.cli.remote import fail, run_in, service
from app.client.loopback import is_here

Name = Annotated[str, typer.Argument(help="Name of a setting, such as strategy.")]
Workspace = Annotated[
    str | None, typer.Option("--workspace", "-w", help="Id or name; omitted: the key's workspace.")
]

_OTHER_NAMES: Final[Mapping[str, str]] = {"memoryEnabled": "enabled"}
"""Names of settings elsewhere: a workspace calls the switch of memory ``memoryEnabled``."""


def register(cli: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(no_args_is_help=True, help="Show, set and reset settings of the running service.")
    group.command("show")(show_settings)
    group.command("set")(set_setting)
    group.command("reset")(reset_setting)
    cli.add_typer(group, name="settings")
    cli.command("schema")(schema)
    cli.command("status")(status)


def show_settings(
    workspace: Workspace = None,
    *,
    json: Json = False,
) -> None:
    """Show the effective settings."""
    settings = run_in(workspace or None, lambda client, workspace_id: client.settings(workspace_id))
    shown = settings.model_dump(by_alias=True)
    if json:
        print_json(shown)
    else:
        _print(shown)


def set_setting(
    name: Name,
    value: Annotated[str, typer.Argument(help="true, false, null, a number or a text.")],
    workspace: Workspace = None,
    *,
    json: Json = False,
) -> None:
    """Set one setting; it takes effect immediately."""
    name = _OTHER_NAMES.get(name, name)
    _update(workspace, {name: read_scalar(value)}, json=json)
    if name == "enabled" and read_scalar(value) is True:
        typer.echo("note: each chat request is given up to maxTokens tokens more, which are billed", err=True)


def reset_setting(name: Name, workspace: Workspace = None, *, json: Json = False) -> None:
    """Reset one setting to the value in the service's environment."""
    _update(workspace, {}, [_OTHER_NAMES.get(name, name)], json=json)


def _update(workspace: str | None, change: Any, reset: list[str] | None = None, *, json: bool) -> None:
    settings = run_in(
        workspace or None, lambda client, workspace_id: client.update_settings(change, reset, workspace_id)
    )
    shown = settings.model_dump(by_alias=True)
    if json:
        print_json(shown)
    else:
        _print(shown)


def _print(settings: Mapping[str, Any]) -> None:
    for name, value in settings.items():
        if isinstance(value, Mapping):
            for inner, of_inner in value.items():
                typer.echo(f"{name}.{inner}: {_shown(of_inner)}")
        else:
            typer.echo(f"{name}: {_shown(value)}")


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else to_json(value).decode()


def schema(*, json: Json = False) -> None:
    """Print the GraphQL schema; ``app/surfaces/graphql/schema.graphql`` is its committed snapshot.

    With --json it prints the result of an introspection query, for tools that need it.
    """
    # Imported here, because the whole API takes seconds to import.
    from graphql import build_schema, introspection_from_schema

    from app.surfaces.graphql.schema import sdl

    if json:
        print_json({"data": introspection_from_schema(build_schema(sdl()))})
    else:
        typer.echo(sdl(), nl=False)


_SECONDS = 10.0


def status(*, json: Json = False) -> None:
    """Show the health of the service and its servers, and waiting jobs; exit code 1 if the graph does not answer.

    It needs no key. `recollect doctor` finds problems and their remedies.
    """
    import httpx

    url, _ = service()
    shown = without_credentials(url)
    try:
        answer = httpx.get(f"{url.rstrip('/')}/health", timeout=_SECONDS, trust_env=not is_here(url))
        found = answer.json()
        embedder = found["embedder"]
        state = {
            "status": found["status"],
            "neo4j": _answers(found["neo4j"]),
            "redis": _answers(found["redis"]),
            "qdrant": "off" if found["qdrant"] is None else _answers(found["qdrant"]),
            "embedder": "ready" if embedder["ready"] else f"not ready: {embedder['reason']}",
            "memories": "unknown" if found["memory_count"] is None else found["memory_count"],
            "waiting jobs": sum(found["queues"].values()),
        }
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        fail(f"{shown} does not answer ({type(error).__name__}); `recollect doctor` says why")
    except (ValueError, KeyError, TypeError, AttributeError):
        fail(f"{shown} is no service of Recollect; correct RECOLLECT_API_URL or `recollect login`")
    if json:
        print_json({"url": shown, **found})
    else:
        for name, value in {"service": shown, **state}.items():
            typer.echo(f"{name}: {value}")
    if answer.is_error:
        raise typer.Exit(1)


def _answers(is_there: bool) -> str:
    return "answers" if is_there else "does not answer"
