"""Tables of figures, and ``RESULTS.md`` with one section per bench, which ``--write`` replaces."""

import os
import platform
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import psutil

from app.embedded.jars import ROOTS
from tests.bench.metrics import VALUE_NAMES, Interval

FILE = Path(__file__).with_name("RESULTS.md")


@dataclass(frozen=True)
class Table:
    """A table with a title; the first column names the rows.

    Attributes:
        is_detail: True if the table is printed only, not written to ``RESULTS.md``.
    """

    title: str
    columns: Sequence[str]
    rows: list[Sequence[str]] = field(default_factory=list)
    note: str = ""
    is_detail: bool = False

    def markdown(self) -> str:
        """Return the table as Markdown."""
        head = [f"**{self.title}**", "", _line(self.columns), _line("---" for _ in self.columns)]
        note = ["", self.note] if self.note else []
        return "\n".join([*head, *map(_line, self.rows), *note])


def scores_row(name: str, count: int, scores: dict[str, Interval]) -> list[str]:
    """Return a row of name, number of questions and means of all values."""
    return [name, str(count), *(f"{scores[value].mean:.3f}" for value in VALUE_NAMES)]


def with_bounds(interval: Interval) -> str:
    """Format a mean with its bounds: ``0.812 [0.790, 0.833]``."""
    return f"{interval.mean:.3f} [{interval.low:.3f}, {interval.high:.3f}]"


def against(value: float, target: float | None, *, at_most: bool = False) -> str:
    """Return the target with ``reached`` or ``missed``, or an empty string without a target."""
    if target is None:
        return ""
    reached = value <= target if at_most else value >= target
    return f"{'≤' if at_most else '≥'} {target:g} {'reached' if reached else 'missed'}"


def write_section(name: str, command: str, tables: Sequence[Table], file: Path = FILE) -> None:
    """Replace or add the section of one bench."""
    body = "\n\n".join(table.markdown() for table in tables if not table.is_detail)
    section = f"## {name}\n`{command}`, {_machine()}\n\n{body}\n\n"
    file.write_text(with_section(file.read_text(encoding="utf-8"), name, section), encoding="utf-8")


def with_section(text: str, name: str, section: str) -> str:
    """Return the text with the section of that name replaced, or added at the end."""
    found = re.compile(rf"^## {re.escape(name)}\n.*?(?=^## |\Z)", re.DOTALL | re.MULTILINE)
    if found.search(text):
        return found.sub(lambda _: section, text)
    return f"{text.rstrip()}\n\n{section}"


def _machine() -> str:
    now, memory = datetime.now(UTC), psutil.virtual_memory().total / 2**30
    return (
        f"{now:%Y-%m-%d}, load {os.getloadavg()[0]:.1f}; {_processor()}, {os.cpu_count()} cores, {memory:.0f} GB, "
        f"Python {platform.python_version()}, Neo4j {ROOTS[0].rpartition(':')[2]}"
    )


def _processor() -> str:
    file = Path("/proc/cpuinfo")
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.machine()


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"
