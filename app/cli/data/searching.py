"""``recollect search``."""

import re
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from app.cli.data.recall_view import printable
from app.cli.printing import Json, as_json, print_table
from app.cli.remote import User, Workspace, run_in, scope_of
from graph.retrieval.search.models import SearchKind

if TYPE_CHECKING:
    from app.client.generated import AskAsk


_SHOWN = 120


def register(cli: typer.Typer) -> None:
    """Add the commands."""
    cli.command("search")(search)
    cli.command("ask")(ask)


def search(
    query: Annotated[str, typer.Argument(help="Question, name, or a few words.")],
    *,
    kind: Annotated[
        list[SearchKind] | None,
        typer.Option("--kind", "-k", case_sensitive=False, help="Only this kind; may be repeated."),
    ] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1)] = 10,
    explain: Annotated[bool, typer.Option(help="Show the score and reasons of every hit.")] = False,
    user: User = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Search memories, entities, chunks of documents, artifacts and episodes; print one list, the best first."""
    kinds: Any = [each.name for each in kind] if kind else None
    scope = scope_of(user)
    found = run_in(
        workspace,
        lambda client, workspace_id: client.search(
            query, kinds, limit, workspace_id=workspace_id, scope=scope
        ),
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
    print_table(("kind", "id", *explained, "text"), rows, right=("score",), if_empty="nothing found")
    for reason in found.resolution.degraded:
        typer.echo(f"degraded: {printable(reason)}", err=True)


def _shown(passage: str, location: str | None) -> str:
    """Return the beginning of a passage, and the location of the whole text if only an excerpt is stored."""
    text = " ".join(printable(passage).split())[:_SHOWN]
    return text if location is None else f"{text} (excerpt of {printable(location)})"


_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
"""Stored text must not move the cursor or set colours in the reader's terminal."""


def ask(
    question: Annotated[str, typer.Argument(help="Question in plain words.")],
    *,
    user: User = None,
    workspace: Workspace = None,
    json: Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")] = False,
) -> None:
    """Answer a question from stored facts, with citations, or state that nothing supports an answer."""
    scope = scope_of(user)
    answer = run_in(workspace, lambda client, workspace_id: client.ask(question, workspace_id, scope))
    if json:
        typer.echo(as_json(answer))
    else:
        _show_answer(Console(highlight=False, soft_wrap=True), answer)


def _show_answer(console: Console, answer: "AskAsk") -> None:
    console.print(Text(_without_controls(answer.text)))
    for citation in answer.citations:
        line = Text(f"[{citation.number}] ")
        line.append(f"{citation.kind.lower()} {citation.node_id} ({citation.score:.2f}) ", style="cyan")
        line.append(_without_controls(citation.quote), style="dim")
        if citation.validity:
            line.append(f" ({citation.validity})", style="yellow")
        console.print(line)
    if answer.fallback:
        console.print(Text(f"fallback: {answer.fallback}", style="yellow"))
    for reason in answer.degraded:
        console.print(Text(f"degraded: {reason}", style="yellow"))


def _without_controls(text: str) -> str:
    return _CONTROL.sub("\ufffd", text)
