"""Shows the context an agent fetches before it acts, for `recollect context` and the scenarios of `recollect demo`."""

import asyncio
from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.text import Text

from app.cli.data.recall_view import printable
from app.client.transport import Client

CONTEXT = """
query Context($input: ContextInput!, $workspaceId: ID) {
  context(input: $input, workspaceId: $workspaceId) {
    prompt messages tokens skipped missing { part why }
    memories { memory { id } score }
    episodes { id turnCount }
    entities { id name type }
    patterns { id text }
  }
}
"""

_TRIES = 20
_PAUSE_SECONDS = 0.5


async def whole_context(client: Client, asked: Mapping[str, Any], workspace_id: str) -> dict[str, Any]:
    """Return a context of which nothing is late; a store that plans its first queries is asked again.

    Raises:
        ApiError: The service refuses or does not answer.
    """
    for attempt in range(_TRIES):
        data = await client.execute(CONTEXT, {"input": asked, "workspaceId": workspace_id})
        context: dict[str, Any] = data["context"]
        if all(each["why"] != "late" for each in context["missing"]):
            break
        if attempt + 1 < _TRIES:
            await asyncio.sleep(_PAUSE_SECONDS)
    return context


def show_context(console: Console, context: Mapping[str, Any]) -> None:
    """Print the prompt as a model would read it, and what is not in it.

    Args:
        console: Where to.
        context: ``AgentContext`` as ``CONTEXT`` asks for it.
    """
    console.print(Text(printable(context["prompt"])) if context["prompt"] else "[dim]nothing to tell[/]")
    console.print(Text(f"{context['tokens']} tokens", style="dim"))
    for reason in context["skipped"]:
        console.print(Text(f"skipped {printable(reason)}", style="yellow"))
