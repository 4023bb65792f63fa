"""Tables of figures, shown on a terminal and written as Markdown alike."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from rich.console import Console
from rich.markup import escape
from rich.table import Table as RichTable

from tests.bench.metrics import VALUE_NAMES, Interval


@dataclass(frozen=True)
class Table:
    """A table with a title; the first column names the rows."""

    title: str
    columns: Sequence[str]
    rows: list[Sequence[str]] = field(default_factory=list)
    note: str = ""

    def show(self, console: Console) -> None:
        """Print it."""
        table = RichTable(title=escape(self.title), title_justify="left", caption=escape(self.note) or None)
        for number, name in enumerate(self.columns):
            table.add_column(escape(name), justify="left" if number == 0 else "right", no_wrap=number > 0)
        for row in self.rows:
            table.add_row(*map(escape, row))
        console.print(table)

    def markdown(self) -> str:
        """Return it as Markdown."""
        head = [f"**{self.title}**", "", _line(self.columns), _line("---" for _ in self.columns)]
        note = ["", self.note] if self.note else []
        return "\n".join([*head, *map(_line, self.rows), *note])


def scores_row(name: str, count: int, scores: dict[str, Interval]) -> list[str]:
    """Return name, number of questions and the means of all values."""
    return [name, str(count), *(f"{scores[value].mean:.3f}" for value in VALUE_NAMES)]


def with_bounds(interval: Interval, *, signed: bool = False) -> str:
    """Return ``.812 [.790, .833]``."""
    sign = "+" if signed else ""
    return f"{interval.mean:{sign}.3f} [{interval.low:{sign}.3f}, {interval.high:{sign}.3f}]"


def against(value: float, target: float | None, *, at_most: bool = False) -> str:
    """Return the target and whether it is reached; nothing where there is none."""
    if target is None:
        return ""
    reached = value <= target if at_most else value >= target
    return f"{'≤' if at_most else '≥'} {target:g} {'reached' if reached else 'missed'}"


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"
