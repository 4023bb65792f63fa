"""``recollect context`` and ``recollect profile``: an agent's context, and the profile of a user."""

import asyncio
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from app.cli.data.recall_view import printable
from app.cli.printing import Json, as_json
from app.cli.remote import User, Workspace, payload, run_in, scope_of
from graph.retrieval.profile.models import DEFAULT_TOKENS

if TYPE_CHECKING:
    from app.client.generated import ContextContext, RecollectClient


CONTEXT_SHOWN = {
    **dict.fromkeys(("prompt", "messages", "tokens", "skipped", "missing"), True),
    "profile": True,
    "memories": {"__all__": {"memory": {"id"}, "score": True}},
    "episodes": {"__all__": {"id", "turn_count"}},
    "entities": {"__all__": {"id", "name", "type_"}},
    "patterns": {"__all__": {"id", "text"}},
}
"""Fields of a context in JSON output."""

_TRIES = 20
_PAUSE_SECONDS = 0.5


async def whole_context(client: "RecollectClient", request: Any, workspace_id: str) -> "ContextContext":
    """Return a context without late parts; repeats the request while the store still plans its first queries.

    Raises:
        ApiError: The service refuses or does not answer.
    """
    for attempt in range(_TRIES):
        context = await client.context(request, workspace_id)
        if all(each.why != "late" for each in context.missing):
            break
        if attempt + 1 < _TRIES:
            await asyncio.sleep(_PAUSE_SECONDS)
    return context


def show_context(console: Console, context: "ContextContext") -> None:
    """Print the prompt for the model, and the skipped parts."""
    console.print(Text(printable(context.prompt)) if context.prompt else "[dim]nothing to tell[/]")
    console.print(Text(f"{context.tokens} tokens", style="dim"))
    for reason in context.skipped:
        console.print(Text(f"skipped {printable(reason)}", style="yellow"))


def register(cli: typer.Typer) -> None:
    """Add the commands."""
    cli.command("context")(context)
    cli.command("profile")(show_profile)


def context(
    query: Annotated[str, typer.Argument(help="Message that the agent works on.")],
    *,
    conversation: Annotated[
        str | None, typer.Option(help="Id of its conversation, whose episodes are included.")
    ] = None,
    target: Annotated[
        list[str] | None, typer.Option(help="Id or key of a target entity; may be repeated.")
    ] = None,
    target_type: Annotated[list[str] | None, typer.Option(help="Type of a target; may be repeated.")] = None,
    action: Annotated[str | None, typer.Option(help="Planned action, such as deploy.")] = None,
    max_tokens: Annotated[
        int | None,
        typer.Option(help="Token limit of the prompt; default 2000, at most the setting maxTokens."),
    ] = None,
    injection: Annotated[
        str | None, typer.Option("--format", help="system_prompt, system_message or user_suffix.")
    ] = None,
    provider: Annotated[str | None, typer.Option(help="Provider of the model.")] = None,
    used_by: Annotated[str | None, typer.Option(help="Session of the run that uses the memories.")] = None,
    profile: Annotated[bool, typer.Option("--profile", help="Begin with the profile of the user.")] = False,
    user: User = None,
    workspace: Workspace = None,
    json: Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")] = False,
) -> None:
    """Compose the context for an agent before it acts: episodes, targets, failure patterns and memories."""
    request = payload(
        query=query,
        conversationId=conversation,
        targetEntityIds=target or None,
        targetTypes=target_type or None,
        actionType=action,
        maxTokens=max_tokens,
        format=injection and injection.upper(),
        provider=provider,
        usedBy=used_by,
        profile=profile or None,
        scope=scope_of(user),
    )
    composed = run_in(workspace, lambda client, workspace_id: client.context(request, workspace_id))
    if json:
        typer.echo(as_json(composed, CONTEXT_SHOWN))
    else:
        show_context(Console(soft_wrap=True), composed)


def show_profile(
    *,
    user: Annotated[
        str | None,
        typer.Option("--user", "-u", help="User; default: the key's, else memories without a user."),
    ] = None,
    max_tokens: Annotated[int, typer.Option(min=0, help="Token limit, at most 8000.")] = DEFAULT_TOKENS,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Show the current facts about a user: slots, preferences, projects and people."""
    found = run_in(
        workspace,
        lambda client, workspace_id: client.profile(
            user_id=user, max_tokens=max_tokens, workspace_id=workspace_id
        ),
    )
    if json:
        typer.echo(as_json(found))
    else:
        typer.echo(printable(found.text) or "nothing is known")
