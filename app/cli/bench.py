"""``recollect bench``: measures the engine on data sets and at size, with commands that only a checkout has."""

import sys
from importlib import import_module
from pathlib import Path

import typer

from app.cli.remote import fail

_ROOT = Path(__file__).parents[2]
_PASSED_ON = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}


def register(cli: typer.Typer) -> None:
    """Add the command."""
    cli.command(context_settings=_PASSED_ON)(bench)


def bench(context: typer.Context) -> None:
    """Measure recall, speed and memory; `recollect bench --help` lists what can be measured."""
    if not (_ROOT / "tests" / "bench" / "command_line.py").exists():
        fail(
            f"recollect bench needs a checkout of the project: there is no tests/bench beside {_ROOT / 'app'}"
        )
    if str(_ROOT) not in sys.path:
        sys.path.insert(0, str(_ROOT))
    import_module("tests.bench.command_line").bench(context.args, prog_name="recollect bench")
