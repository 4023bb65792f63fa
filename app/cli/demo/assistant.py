"""``recollect demo --scenario assistant``: a person plans a move in three sessions; the fourth begins with the facts.

It uses only the public API: it captures the messages, workers extract facts, and the fourth session requests its
context. A second run captures and saves nothing twice.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from app.cli.data.agent_context import CONTEXT_SHOWN, show_context, whole_context
from app.cli.data.recall_view import printable
from app.cli.printing import fields_of
from app.cli.remote import ensure_workspace, fail

if TYPE_CHECKING:
    from app.client.generated import ContextContext, MemoryFields, RecollectClient

WORKSPACE = "demo-assistant"
# Workers extract without waiting for silence, and the few facts about one move all fit into the context.
_SETTINGS = {"extractionWindowSeconds": 0, "injectionMaxMemories": 20, "similarityThreshold": -1}
_ENABLE: Any = {"memoryEnabled": True, "settings": _SETTINGS}
_TRIES = 240
_PAUSE_SECONDS = 0.5


@dataclass(frozen=True)
class DemoSession:
    """One session, and the facts extracted from it.

    Attributes:
        added: Number of newly captured messages.
    """

    title: str
    messages: int
    added: int
    learnt: "Sequence[MemoryFields]"


@dataclass(frozen=True)
class AssistantScenario:
    """The three sessions, and the context of the fourth before its first question."""

    sessions: Sequence[DemoSession]
    question: str
    context: "ContextContext"


def script() -> dict[str, Any]:
    """Return the sessions and the question of the fourth."""
    text = files("app.cli.demo").joinpath("assistant.json").read_text(encoding="utf-8")
    return dict(json.loads(text))


async def play(client: "RecollectClient") -> AssistantScenario:
    """Play three sessions and return the context of a fourth.

    Raises:
        ApiError: The service refuses or does not answer.
        typer.Exit: No worker reads the conversations.
    """
    workspace_id = await ensure_workspace(client, WORKSPACE)
    await client.update_workspace(_ENABLE, workspace_id)
    played = script()
    sessions = [await _hold(client, session, workspace_id) for session in played["sessions"]]
    request = {"query": played["question"], "conversationId": "move-4"}
    return AssistantScenario(sessions, played["question"], await whole_context(client, request, workspace_id))


def fields(played: AssistantScenario) -> dict[str, Any]:
    """Return the scenario as plain types."""
    sessions = [
        {
            "title": session.title,
            "messages": session.messages,
            "added": session.added,
            "learnt": [fields_of(memory) for memory in session.learnt],
        }
        for session in played.sessions
    ]
    context = fields_of(played.context, CONTEXT_SHOWN)
    return {"workspace": WORKSPACE, "sessions": sessions, "question": played.question, "context": context}


def show(console: Console, played: AssistantScenario) -> None:
    """Print the facts of each session, and the context of the fourth."""
    for number, session in enumerate(played.sessions, start=1):
        console.print(Rule(f"session {number}: {session.title}", align="left"))
        console.print(f"{session.messages} messages, {session.added} of them new", highlight=False)
        for memory in session.learnt:
            console.print(Text(f"  {memory.category}: {printable(memory.content)}"))
    console.print(Rule(f"session {len(played.sessions) + 1}: {played.question}", align="left"))
    show_context(console, played.context)


async def _hold(client: "RecollectClient", session: Mapping[str, Any], workspace_id: str) -> DemoSession:
    """Capture a session and wait until recall finds its facts."""
    from app.client.generated import MemoryFilter

    messages = [{**message, "position": place} for place, message in enumerate(session["messages"])]
    request: Any = {"conversationId": session["id"], "title": session["title"], "messages": messages}
    appended = await client.append_messages(request, workspace_id)
    of_session = MemoryFilter(conversation_id=session["id"])

    async def is_read() -> bool:
        found = await client.conversation(session["id"], workspace_id)
        return found is not None and found.extracted_up_to == len(messages) - 1

    async def learnt() -> "list[MemoryFields]":
        found = await client.memories(of_session, first=100, workspace_id=workspace_id)
        return [edge.node for edge in found.edges][::-1]

    async def is_embedded() -> bool:
        return all(memory.state.value != "STORED" for memory in await learnt())

    await _until(is_read)
    await _until(is_embedded)
    added = appended.capture.added if appended.capture else 0
    return DemoSession(session["title"], len(messages), added, await learnt())


async def _until(condition: Callable[[], Awaitable[bool]]) -> None:
    for _ in range(_TRIES):
        if await condition():
            return
        await asyncio.sleep(_PAUSE_SECONDS)
    fail("no worker has read the conversation: is `recollect worker` running?")
