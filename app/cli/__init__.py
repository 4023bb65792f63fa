"""The command line: one module per group of commands."""

import typer

from app.cli import bench
from app.cli.admin import audit, browser, jobs, keys, schema, settings, users, webhooks, workspaces
from app.cli.data import (
    agent_context,
    answering,
    archives,
    bulk,
    compaction,
    documents,
    handoffs,
    importing,
    memories,
    ontology,
)
from app.cli.demo import conversation
from app.cli.doctor import command as doctor
from app.cli.servers import fetch_model, mcp, serve, up, worker


def build() -> typer.Typer:
    """Return the command line with every command registered."""
    cli = typer.Typer(
        name="recollect", help="A memory service for AI agents.", no_args_is_help=True, add_completion=False
    )
    for module in (
        up,
        serve,
        fetch_model,
        worker,
        doctor,
        browser,
        schema,
        keys,
        audit,
        users,
        workspaces,
        settings,
        jobs,
        webhooks,
        memories,
        compaction,
        bulk,
        agent_context,
        answering,
        handoffs,
        importing,
        archives,
        documents,
        ontology,
        mcp,
        conversation,
        bench,
    ):
        module.register(cli)
    return cli


def main() -> None:
    """Run the command line."""
    build()()
