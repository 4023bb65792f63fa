"""The command line: one module per group of commands."""

import typer

from app.cli import (
    agent_context,
    asking,
    audit,
    bench,
    browser,
    compaction,
    demo,
    doctor,
    documents,
    handoffs,
    importing,
    jobs,
    keys,
    mcp,
    memories,
    ontology,
    schema,
    serve,
    settings,
    up,
    worker,
    workspaces,
)


def build() -> typer.Typer:
    """Return the command line with every command registered."""
    cli = typer.Typer(
        name="recollect", help="A memory service for AI agents.", no_args_is_help=True, add_completion=False
    )
    for module in (
        up,
        serve,
        worker,
        doctor,
        browser,
        schema,
        keys,
        audit,
        workspaces,
        settings,
        jobs,
        memories,
        compaction,
        agent_context,
        asking,
        handoffs,
        importing,
        documents,
        ontology,
        mcp,
        demo,
        bench,
    ):
        module.register(cli)
    return cli


def main() -> None:
    """Run the command line."""
    build()()
