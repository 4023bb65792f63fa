"""The module of each command, and its help, without importing the module."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_group
from typing_extensions import override


class Command(NamedTuple):
    """A command or a group of commands; ``module`` is below ``app.cli`` and registers it."""

    module: str
    summary: str


COMMANDS: Final[Mapping[str, Command]] = {
    "up": Command("servers.up", "Start Neo4j, Redis and the API, and stop all of it at Ctrl-C."),
    "serve": Command("servers.serve", "Serve the API with the Neo4j and the Redis that the settings name."),
    "worker": Command("servers.serve", "Work off background jobs until stopped."),
    "mcp": Command("servers.serve", "Speak MCP over standard input and output, on behalf of an agent."),
    "fetch-model": Command("servers.serve", "Fetch the local embedding model ahead of the first start."),
    "doctor": Command("doctor", "Tell what is found, missing or wrong, with the remedy."),
    "status": Command("admin.service", "Say whether the service and its servers answer, and what waits."),
    "login": Command("login", "Keep the address of a service and a key for later commands."),
    "logout": Command("login", "Forget the address and the key that login kept."),
    "save": Command("data.memories", "Save one memory."),
    "recall": Command("data.memories", "Recall what is known about something, and why it was recalled."),
    "search": Command("data.searching", "Search memories, entities, documents, artifacts and episodes."),
    "ask": Command("data.searching", "Answer a question out of what is known, with citations."),
    "context": Command("data.agent_context", "Compose what an agent should know before it acts."),
    "profile": Command("data.agent_context", "Tell who a user is, from current facts."),
    "memories": Command("data.stored_memories", "List, show, change, delete and restore memories."),
    "bulk": Command("data.bulk", "Change or delete many memories at once."),
    "compact": Command("data.bulk", "Replace old memories by a summary; they can be restored."),
    "changes": Command("data.automatic_changes", "Show what was changed automatically, and why."),
    "undo": Command("data.automatic_changes", "Put back what an automatic change took away."),
    "conversations": Command("data.conversations", "List conversations."),
    "handoff": Command("data.conversations", "Sum a conversation up as Markdown, to be pasted where it goes on."),
    "documents": Command("data.documents", "Add and list documents that are searched with the memories."),
    "ontology": Command("data.ontology", "Types of entities and of relations."),
    "import": Command("data.importing", "Import memories of another store, conversations or notes."),
    "export": Command("data.archives", "Write a workspace, or one user's part of it, to a file."),
    "restore": Command("data.archives", "Write an archive into a workspace."),
    "workspaces": Command("admin.workspaces", "Create, list, show and delete workspaces."),
    "keys": Command("admin.keys", "Create, list, rotate and revoke API keys."),
    "users": Command("admin.users", "List the users of a workspace."),
    "erase": Command("admin.users", "Erase all that belongs to a user permanently."),
    "settings": Command("admin.service", "Show, set and reset settings of the running service."),
    "jobs": Command("admin.jobs", "Show background jobs, and try parked ones again."),
    "webhooks": Command("admin.webhooks", "Register, list, test and delete webhooks."),
    "audit": Command("admin.keys", "Show what was done in the deployment, by whom and when."),
    "browser": Command("admin.browser", "Neo4j Browser: where it is, and queries and a style for it."),
    "schema": Command("admin.service", "Print the GraphQL schema."),
    "demo": Command("demo.conversation", "Show what the service does, with data of its own."),
}  # fmt: skip


class AnnouncedCommands(TyperGroup):
    """The commands as they are announced; a module is imported when one of its commands is called."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        for name, command in COMMANDS.items():
            self.add_command(TyperCommand(name, help=command.summary))

    @override
    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, announced, rest = super().resolve_command(ctx, args)
        return name, announced if name is None else load(name), rest


def load(name: str) -> Any:
    """Return a command of :data:`COMMANDS` as its module registers it; Typer brings its own copy of Click."""
    registered = typer.Typer()
    import_module(f"app.cli.{COMMANDS[name].module}").register(registered)
    return get_group(registered).commands[name]
