"""Names, modules and help of all commands, without importing the modules."""

import shlex
from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final, NamedTuple

import typer
from typer._click.exceptions import NoSuchOption  # Typer has its own copy of Click
from typer.core import TyperCommand, TyperGroup
from typer.main import get_group
from typing_extensions import override


class Command(NamedTuple):
    """A command or a group of commands; ``module``, below ``app.cli``, registers it."""

    module: str
    summary: str


COMMANDS: Final[Mapping[str, Command]] = {
    "up": Command("servers.up", "Start Neo4j, Redis and the API, and stop them at Ctrl-C."),
    "serve": Command("servers.serve", "Serve the API with the Neo4j and Redis of the settings."),
    "worker": Command("servers.serve", "Run background jobs until stopped."),
    "mcp": Command("servers.serve", "Serve MCP over standard input and output, for an agent."),
    "fetch-model": Command("servers.serve", "Download the local embedding model before the first start."),
    "doctor": Command("doctor", "Check this machine and its servers, and name each remedy."),
    "status": Command("admin.service", "Show the health of the service and its servers, and waiting jobs."),
    "login": Command("login", "Store the address of a service and a key for later commands."),
    "logout": Command("login", "Delete the address and key that login stored."),
    "save": Command("data.memories", "Save one memory."),
    "recall": Command("data.memories", "Recall memories about something, with the reasons of each hit."),
    "search": Command("data.searching", "Search memories, entities, documents, artifacts and episodes."),
    "ask": Command("data.searching", "Answer a question from stored facts, with citations."),
    "context": Command("data.agent_context", "Compose the context that an agent should have before it acts."),
    "profile": Command("data.agent_context", "Show the current facts about a user."),
    "memories": Command("data.stored_memories", "List, show, change, delete and restore memories."),
    "bulk": Command("data.bulk", "Change or delete many memories at once."),
    "compact": Command("data.bulk", "Replace old memories by a summary; they can be restored."),
    "changes": Command("data.automatic_changes", "Show automatic changes with their reasons."),
    "undo": Command("data.automatic_changes", "Undo an automatic change."),
    "conversations": Command("data.conversations", "List conversations."),
    "handoff": Command("data.conversations", "Summarise a conversation as Markdown, to paste where it continues."),
    "documents": Command("data.documents", "Add, list and delete documents, which search includes."),
    "ontology": Command("data.ontology", "Import and export types of entities and relations."),
    "import": Command("data.importing", "Import memories of another store, conversations or notes."),
    "export": Command("data.archives", "Write a workspace, or one user's data, to a file."),
    "restore": Command("data.archives", "Write an archive into a workspace."),
    "workspaces": Command("admin.workspaces", "Create, list, show and delete workspaces."),
    "keys": Command("admin.keys", "Create, list, rotate and revoke API keys."),
    "users": Command("admin.users", "List the users of a workspace."),
    "erase": Command("admin.users", "Erase all data of a user permanently."),
    "settings": Command("admin.service", "Show, set and reset settings of the running service."),
    "jobs": Command("admin.jobs", "Show background jobs, and retry parked ones."),
    "webhooks": Command("admin.webhooks", "Register, list, test and delete webhooks."),
    "audit": Command("admin.keys", "Show the audit log of the deployment."),
    "browser": Command("admin.browser", "Show the address of Neo4j Browser, and queries and a style for it."),
    "schema": Command("admin.service", "Print the GraphQL schema."),
    "demo": Command("demo.conversation", "Demonstrate the service with sample data."),
}  # fmt: skip


class AnnouncedCommands(TyperGroup):
    """The group of all commands; imports a module when one of its commands is called."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self._typed: list[str] = []
        for name, command in COMMANDS.items():
            self.add_command(TyperCommand(name, help=command.summary))

    @override
    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, announced, rest = super().resolve_command(ctx, args)
        self._typed = list(rest)  # the parser empties its own
        return name, announced if name is None else load(name), rest

    @override
    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except NoSuchOption as error:
            hyphen = error.option_name.rstrip()
            text = next((each for each in self._typed if each.startswith(hyphen) and " " in each), None)
            if text is not None:
                command = error.ctx.command_path if error.ctx else "recollect"
                error.message = (
                    f"a text that begins with a hyphen needs -- before it: {command} -- {shlex.quote(text)}"
                )
            raise


def load(name: str) -> Any:
    """Import the module of a command and return the command."""
    registered = typer.Typer()
    import_module(f"app.cli.{COMMANDS[name].module}").register(registered)
    return get_group(registered).commands[name]
