"""``recollect doctor``: problems of this machine and its servers."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from app.cli.printing import Json, print_json
from app.cli.remote import read_settings, service

_PARAMETERS = re.compile("[?#]")


class CheckState(StrEnum):
    """Result of a check."""

    FOUND = "found"
    MISSING = "missing"
    WRONG = "wrong"


@dataclass(frozen=True)
class Finding:
    """The result of one check.

    Attributes:
        check: Checked item.
        state: Result.
        found: Description of the result.
        remedy: Remedy; empty without a problem.
        needed: True if Recollect cannot run without it.
    """

    check: str
    state: CheckState
    found: str
    remedy: str = ""
    needed: bool = True

    @property
    def is_failure(self) -> bool:
        """True if the command fails because of this."""
        return self.needed and self.state is not CheckState.FOUND


def without_credentials(url: str) -> str:
    """Return an address without user, password and parameters, for display."""
    scheme, is_address, rest = url.partition("://")
    if not is_address:
        return url
    place = _PARAMETERS.split(rest.rpartition("@")[2], maxsplit=1)[0]
    return f"{scheme}://{place}"


_STYLES = {"found": "green", "missing": "yellow", "wrong": "bold red"}


def register(cli: typer.Typer) -> None:
    """Add the command."""
    cli.command("doctor")(doctor)


def doctor(*, json: Json = False) -> None:
    """Check this machine and its servers, and name each remedy; exit code 1 if something necessary fails.

    If RECOLLECT_API_URL or the profile names a service on another machine, the command checks that service instead of
    this machine's servers.
    """
    from app.cli.examination import examine

    url, _ = service()
    findings = asyncio.run(examine(read_settings(), url))
    if json:
        print_json([asdict(finding) for finding in findings])
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
