"""``recollect search``."""

from typing import Annotated, Any

import typer

from app.cli.admin.workspace_lookup import Workspace, run_in
from app.cli.data.recall_view import printable
from app.cli.printing import Json, as_json, print_table
from graph.retrieval.search.models import SearchKind

_SHOWN = 120


def register(cli: typer.Typer) -> None:
    """Add the command."""
    cli.command("search")(search)


def search(
    query: Annotated[str, typer.Argument(help="A question, a name, a few words.")],
    *,
    kind: Annotated[
        list[SearchKind] | None,
        typer.Option("--kind", "-k", case_sensitive=False, help="Only these; may be given several times."),
    ] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1)] = 10,
    explain: Annotated[bool, typer.Option(help="Show every hit's score and why it was found.")] = False,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Search memories, entities, chunks of documents, artifacts and episodes in one list, the best first."""
    kinds: Any = [each.name for each in kind] if kind else None
    found = run_in(
        workspace, lambda client, workspace_id: client.search(query, kinds, limit, workspace_id=workspace_id)
    )
    if json:
        typer.echo(as_json(found))
        return
    rows = (
        (
            hit.kind.value.lower(),
            hit.node_id,
            *([f"{hit.score:.3f}", printable(", ".join(hit.why))] if explain else []),
            _shown(hit.passage, hit.location if hit.is_excerpt else None),
        )
        for hit in found.hits
    )
    explained = ("score", "why") if explain else ()
    print_table(("kind", "id", *explained, "text"), rows, right=("score",))
    for reason in found.resolution.degraded:
        typer.echo(f"degraded: {printable(reason)}", err=True)


def _shown(passage: str, location: str | None) -> str:
    """Return the beginning of a passage, and where the whole text is if no more than an excerpt is stored."""
    text = " ".join(printable(passage).split())[:_SHOWN]
    return text if location is None else f"{text} (excerpt of {printable(location)})"
