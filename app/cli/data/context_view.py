"""Shows the context an agent fetches before it acts, for `recollect context` and the scenarios of `recollect demo`."""

import asyncio
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from app.cli.data.recall_view import printable

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
    """Return a context without late parts; repeats the request if the store still plans its first queries.

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
    """Print the prompt as a model would read it, and the skipped parts."""
    console.print(Text(printable(context.prompt)) if context.prompt else "[dim]nothing to tell[/]")
    console.print(Text(f"{context.tokens} tokens", style="dim"))
    for reason in context.skipped:
        console.print(Text(f"skipped {printable(reason)}", style="yellow"))
