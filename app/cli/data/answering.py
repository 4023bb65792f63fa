"""``recollect ask``."""

import re
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.text import Text

from app.cli.admin.workspace_lookup import Workspace, run_in
from app.cli.printing import as_json

if TYPE_CHECKING:
    from app.client.generated import AskAsk

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
"""Stored text must not move the cursor or set colours in the reader's terminal."""


def register(cli: typer.Typer) -> None:
    """Add the command."""
    cli.command("ask")(ask)


def ask(
    question: Annotated[str, typer.Argument(help="A question in plain words.")],
    *,
    workspace: Workspace = None,
    json: Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")] = False,
) -> None:
    """Answer a question from stored facts, with citations, or state that nothing supports an answer."""
    answer = run_in(workspace, lambda client, workspace_id: client.ask(question, workspace_id))
    if json:
        typer.echo(as_json(answer))
    else:
        _show(Console(highlight=False, soft_wrap=True), answer)


def _show(console: Console, answer: "AskAsk") -> None:
    console.print(Text(_shown(answer.text)))
    for citation in answer.citations:
        line = Text(f"[{citation.number}] ")
        line.append(f"{citation.kind.lower()} {citation.node_id} ({citation.score:.2f}) ", style="cyan")
        line.append(_shown(citation.quote), style="dim")
        if citation.validity:
            line.append(f" ({citation.validity})", style="yellow")
        console.print(line)
    if answer.fallback:
        console.print(Text(f"fallback: {answer.fallback}", style="yellow"))
    for reason in answer.degraded:
        console.print(Text(f"degraded: {reason}", style="yellow"))


def _shown(text: str) -> str:
    return _CONTROL.sub("\ufffd", text)
