"""``recollect status``: how the running service is, by its own account."""

import typer

from app.cli.doctor.findings import without_credentials
from app.cli.printing import Json, print_json
from app.cli.remote import fail, service
from app.client.loopback import is_here

_SECONDS = 10.0


def register(cli: typer.Typer) -> None:
    """Add the command."""
    cli.command("status")(status)


def status(*, json: Json = False) -> None:
    """Say whether the service and its servers answer, and what waits; exit code 1 when the graph does not answer.

    It needs no key. `recollect doctor` finds problems and their remedies.
    """
    import httpx

    url, _ = service()
    shown = without_credentials(url)
    try:
        answer = httpx.get(f"{url.rstrip('/')}/health", timeout=_SECONDS, trust_env=not is_here(url))
        found = answer.json()
        embedder = found["embedder"]
        told = {
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
        for name, value in {"service": shown, **told}.items():
            typer.echo(f"{name}: {value}")
    if answer.is_error:
        raise typer.Exit(1)


def _answers(is_there: bool) -> str:
    return "answers" if is_there else "does not answer"
