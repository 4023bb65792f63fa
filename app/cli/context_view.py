"""Shows the context an agent fetches before it acts, for `recollect context` and `recollect demo --scenario ops`."""

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.text import Text

from app.cli.recall_view import printable

CONTEXT = """
query Context($input: ContextInput!, $workspaceId: ID) {
  context(input: $input, workspaceId: $workspaceId) {
    prompt messages tokens skipped
    memories { memory { id } score }
    episodes { id turnCount }
    entities { id name type }
    patterns { id text }
  }
}
"""


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
