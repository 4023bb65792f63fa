"""What ``app/cli/bench.py`` calls: each function is one command."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from graph.recall import scoring
from tests.bench.locomo import load_locomo
from tests.bench.madial import load_madial
from tests.bench.realmem import load_realmem
from tests.bench.results import write_section
from tests.bench.retrieval import gather, judge
from tests.bench.tables import Table

_WIDTH = 120
LOADERS = {"locomo": load_locomo, "realmem": load_realmem, "madial": load_madial}


@dataclass(frozen=True)
class Output:
    """Where figures go besides the terminal: a JSON file, and ``RESULTS.md``."""

    command: str
    json_file: Path | None = None
    write: bool = False


def retrieval(
    name: str, data: Path, *, limit: int | None, weights_file: Path | None, pools: Path | None, output: Output
) -> None:
    """Measure one set of questions."""
    console = _console()
    weights = json.loads(weights_file.read_text("utf-8")) if weights_file else scoring.weights()
    chosen = LOADERS[name](data).first(limit)
    outcome = judge(chosen, gather(chosen, weights, pools, console), weights)
    _hand_over(name, outcome.tables, outcome.figures, output, console)


def _hand_over(
    name: str, tables: Sequence[Table], figures: Mapping[str, Any], output: Output, console: Console
) -> None:
    for table in tables:
        table.show(console)
    if output.json_file:
        output.json_file.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    if output.write:
        write_section(name, output.command, tables)


def _console() -> Console:
    console = Console()
    return console if console.is_terminal else Console(width=_WIDTH)
