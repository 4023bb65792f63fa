"""``recollect doctor``: what is found, missing or wrong on this machine and in its servers."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from app.cli.remote import read_settings

if TYPE_CHECKING:
    from app.cli.doctor.findings import Finding

_STYLES = {"found": "green", "missing": "yellow", "wrong": "bold red"}


def register(cli: typer.Typer) -> None:
    """Add the command."""
    cli.command("doctor")(doctor)


def doctor(
    *, as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False
) -> None:
    """Tell what is found, missing or wrong, with the remedy; exit code 1 when something needed is amiss."""
    from app.cli.doctor.examination import examine

    findings = asyncio.run(examine(read_settings()))
    if as_json:
        typer.echo(json.dumps([asdict(finding) for finding in findings], indent=2))
    else:
        Console().print(_table(findings))
    if any(finding.is_failure for finding in findings):
        raise typer.Exit(1)


def _table(findings: Sequence["Finding"]) -> Table:
    table = Table("Check", "State", title="Recollect", title_justify="left")
    table.add_column("Found", overflow="fold")
    table.add_column("Remedy", overflow="fold")
    for finding in findings:
        state = Text(finding.state, style=_STYLES[finding.state])
        table.add_row(finding.check, state, Text(finding.found), Text(finding.remedy))
    return table
