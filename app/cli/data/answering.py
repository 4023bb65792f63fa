"""``recollect ask``."""

import json
import re
from collections.abc import Mapping
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from app.cli.admin.workspace_lookup import get_workspace_id
from app.cli.remote import run
from app.client.transport import Client

_TIMEOUT_SECONDS = 90.0  # a language model may take its time, and be asked twice
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
"""What somebody saved must not move the cursor or set colours in the reader's terminal."""

_ASK = """
query Ask($question: String!, $workspaceId: ID) {
  ask(question: $question, workspaceId: $workspaceId) {
    text supported model fallback degraded runId
    citations { number kind id nodeIds quote score }
  }
}
"""


def register(cli: typer.Typer) -> None:
    """Add the command."""
    cli.command("ask")(ask)


def ask(
    question: Annotated[str, typer.Argument(help="A question in plain words.")],
    *,
    workspace: Annotated[
        str | None, typer.Option("--workspace", "-w", help="Id or name; default: the key's own.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")] = False,
) -> None:
    """Answer a question out of what is known, with citations; it says so if nothing supports an answer."""
    answer = run(lambda client: _ask(client, question, workspace), timeout_seconds=_TIMEOUT_SECONDS)
    if as_json:
        typer.echo(json.dumps(answer, ensure_ascii=False))
    else:
        _show(Console(highlight=False, soft_wrap=True), answer)


async def _ask(client: Client, question: str, workspace: str | None) -> dict[str, Any]:
    workspace_id = await get_workspace_id(client, workspace)
    data = await client.execute(_ASK, {"question": question, "workspaceId": workspace_id})
    return dict(data["ask"])


def _show(console: Console, answer: Mapping[str, Any]) -> None:
    console.print(Text(_shown(answer["text"])))
    for citation in answer["citations"]:
        line = Text(f"[{citation['number']}] ")
        line.append(f"{citation['kind'].lower()} {citation['id']} ({citation['score']:.2f}) ", style="cyan")
        line.append(_shown(citation["quote"]), style="dim")
        console.print(line)
    if answer["fallback"]:
        console.print(Text(f"fallback: {answer['fallback']}", style="yellow"))
    for reason in answer["degraded"]:
        console.print(Text(f"degraded: {reason}", style="yellow"))


def _shown(text: str) -> str:
    return _CONTROL.sub("\ufffd", text)
