"""``recollect demo --scenario assistant``: a person plans a move in three sessions; the fourth one knows what matters.

Everything goes through the public API: what was said is captured, the workers extract what is worth knowing, and the
fourth session asks for its context. Running it again captures and saves nothing twice.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from app.cli.admin.workspace_lookup import ensure_workspace
from app.cli.data.context_view import show_context, whole_context
from app.cli.data.recall_view import printable
from app.cli.remote import fail
from app.client.transport import Client

WORKSPACE = "demo-assistant"
# The workers need not wait for silence, and what is remembered of one move is little enough to be told as a whole.
_SETTINGS = {"extractionWindowSeconds": 0, "injectionMaxMemories": 20, "similarityThreshold": -1}
_ENABLE = """
mutation Enable($id: ID!, $settings: JSON) {
  updateWorkspace(id: $id, input: {memoryEnabled: true, settings: $settings}) { id }
}
"""
_APPEND = """
mutation Append($input: AppendMessagesInput!, $ws: ID) {
  appendMessages(input: $input, workspaceId: $ws) { capture { added } }
}
"""
_READ = "query Read($id: ID!, $ws: ID) { conversation(id: $id, workspaceId: $ws) { extractedUpTo } }"
_LEARNT = """
query Learnt($id: ID, $ws: ID) {
  memories(workspaceId: $ws, filter: {conversationId: $id}, first: 100) {
    edges { node { key category content state metadata } }
  }
}
"""
_TRIES = 240
_PAUSE_SECONDS = 0.5


@dataclass(frozen=True)
class DemoSession:
    """One session, and what was learnt from it.

    Attributes:
        added: How many of its messages were captured just now.
    """

    title: str
    messages: int
    added: int
    learnt: Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class AssistantScenario:
    """The three sessions, and what the fourth is told before its first question is answered."""

    sessions: Sequence[DemoSession]
    question: str
    context: dict[str, Any]


def script() -> dict[str, Any]:
    """Return the sessions and the question of the fourth."""
    text = files("app.cli.demo").joinpath("assistant.json").read_text(encoding="utf-8")
    return dict(json.loads(text))


async def play(client: Client) -> AssistantScenario:
    """Hold three sessions and return the context of a fourth.

    Raises:
        ApiError: The service refuses or does not answer.
        typer.Exit: No worker reads the conversations.
    """
    workspace_id = await ensure_workspace(client, WORKSPACE)
    await client.execute(_ENABLE, {"id": workspace_id, "settings": _SETTINGS})
    played = script()
    sessions = [await _hold(client, session, workspace_id) for session in played["sessions"]]
    asked = {"query": played["question"], "conversationId": "move-4"}
    return AssistantScenario(sessions, played["question"], await whole_context(client, asked, workspace_id))


def show(console: Console, played: AssistantScenario) -> None:
    """Print what each session taught, and what the fourth is told."""
    for number, session in enumerate(played.sessions, start=1):
        console.print(Rule(f"session {number}: {session.title}", align="left"))
        console.print(f"{session.messages} messages, {session.added} of them new", highlight=False)
        for memory in session.learnt:
            console.print(Text(f"  {memory['category']}: {printable(memory['content'])}"))
    console.print(Rule(f"session {len(played.sessions) + 1}: {played.question}", align="left"))
    show_context(console, played.context)


async def _hold(client: Client, session: Mapping[str, Any], workspace_id: str) -> DemoSession:
    """Capture a session and wait until what is worth knowing of it can be found."""
    scope = {"ws": workspace_id}
    said = [{**message, "position": place} for place, message in enumerate(session["messages"])]
    appended = await client.execute(
        _APPEND,
        {"input": {"conversationId": session["id"], "title": session["title"], "messages": said}, **scope},
    )

    async def is_read() -> bool:
        data = await client.execute(_READ, {"id": session["id"], **scope})
        return bool(data["conversation"]["extractedUpTo"] == len(said) - 1)

    async def learnt() -> list[dict[str, Any]]:
        data = await client.execute(_LEARNT, {"id": session["id"], **scope})
        return [edge["node"] for edge in data["memories"]["edges"]][::-1]

    async def is_embedded() -> bool:
        return all(memory["state"] != "STORED" for memory in await learnt())

    await _until(is_read)
    await _until(is_embedded)
    added = int(appended["appendMessages"]["capture"]["added"])
    return DemoSession(session["title"], len(said), added, await learnt())


async def _until(condition: Callable[[], Awaitable[bool]]) -> None:
    for _ in range(_TRIES):
        if await condition():
            return
        await asyncio.sleep(_PAUSE_SECONDS)
    fail("no worker has read the conversation: is `recollect worker` running?")
