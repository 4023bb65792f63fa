"""``recollect save`` and ``recollect recall``."""

import sys
from collections.abc import Mapping
from typing import Annotated

import typer
from rich.console import Console

from app.cli.data.recall_view import RECALL_SHOWN, show_recall
from app.cli.printing import Json, as_json
from app.cli.remote import User, Workspace, payload, run_in, scope_of
from graph.memories.models import MemoryType
from graph.memories.tags import TAG_CONVENTIONS
from graph.retrieval.recall.models import RecallStrategy

WORTH_STORING: Mapping[str, tuple[float, float]] = {
    "correction": (0.9, 0.9),
    "decision with its rationale": (0.9, 0.9),
    "bug fix": (0.7, 0.8),
    "pattern": (0.7, 0.9),
}
"""Facts to store, each with its lowest and highest importance."""

NEVER_STORED = ("trivial", "already documented", "temporary", "secret")
"""Facts not to store."""


def importance_range(low: float, high: float) -> str:
    """Return a range in words.

    >>> importance_range(0.7, 0.8), importance_range(0.9, 0.9)
    ('0.7 to 0.8', '0.9')
    """
    return f"{low}" if low == high else f"{low} to {high}"


_SAVED_SHOWN = {"deduplicated": True, "warnings": True, "memory": {"id"}}
_CONVENTIONS = (
    "Tags by convention: "
    + "; ".join(f"{what}: {', '.join(tags)}" for what, tags in TAG_CONVENTIONS.items())
    + "; the date as YYYY-MM."
)

_GUIDANCE = (
    "Worth storing, with --importance: "
    + "; ".join(f"{what} {importance_range(*range_)}" for what, range_ in WORTH_STORING.items())
    + f". Never: {', '.join(NEVER_STORED)}."
)

Tags = Annotated[list[str] | None, typer.Option("--tag", "-t", help="Tag; may be repeated.")]


def register(cli: typer.Typer) -> None:
    """Add the commands."""
    cli.command("save", epilog=f"{_GUIDANCE}\n\n{_CONVENTIONS}")(save)
    cli.command("recall")(recall)


def save(
    text: Annotated[str, typer.Argument(help="Text to remember; - reads standard input.")],
    *,
    tag: Tags = None,
    category: Annotated[str | None, typer.Option(help="Free text, such as preference or fact.")] = None,
    memory_type: Annotated[
        MemoryType | None,
        typer.Option("--type", case_sensitive=False, help="Default: derived from the text."),
    ] = None,
    importance: Annotated[float | None, typer.Option(help="0 to 1; default 0.5.")] = None,
    key: Annotated[str | None, typer.Option(help="Key; a save with the same key updates the memory.")] = None,
    speaker: Annotated[str | None, typer.Option(help="Speaker of the text.")] = None,
    user: Annotated[
        str | None, typer.Option("--user", "-u", help="User that it belongs to; default: the key's.")
    ] = None,
    agent: Annotated[str | None, typer.Option(help="Agent that it belongs to; default: the key's.")] = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Save one memory."""
    fields = payload(
        content=sys.stdin.read() if text == "-" else text,
        tags=tag or None,
        category=category,
        type=memory_type and memory_type.name,
        importance=importance,
        key=key,
        speaker=speaker,
        userId=user,
        agentId=agent,
    )
    saved = run_in(
        workspace, lambda client, workspace_id: client.save_memory(fields, workspace_id=workspace_id)
    )
    if json:
        typer.echo(as_json(saved, _SAVED_SHOWN))
    else:
        note = " (an existing memory says the same)" if saved.deduplicated else ""
        typer.echo(f"saved {saved.memory.id}{note}")
        for warning in saved.warnings:
            typer.echo(f"warning: {warning}", err=True)


def recall(
    query: Annotated[str, typer.Argument(help="Question, name, or a few words.")],
    *,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1)] = 5,
    strategy: Annotated[
        RecallStrategy | None, typer.Option(case_sensitive=False, help="Default: the workspace's.")
    ] = None,
    tag: Tags = None,
    min_relevance: Annotated[float | None, typer.Option(help="Minimum relevance of a hit, 0 to 1.")] = None,
    user: User = None,
    workspace: Workspace = None,
    explain: Annotated[bool, typer.Option(help="Show all scores and the time of each stage.")] = False,
    json: Json = False,
) -> None:
    """Recall memories about something, with the reasons of each hit."""
    request = payload(
        query=query,
        limit=limit,
        strategy=strategy and strategy.name,
        tags=tag or None,
        minRelevance=min_relevance,
        scope=scope_of(user),
    )
    found = run_in(workspace, lambda client, workspace_id: client.recall(request, workspace_id))
    if json:
        typer.echo(as_json(found, RECALL_SHOWN))
    else:
        show_recall(Console(), found, explain=explain)
