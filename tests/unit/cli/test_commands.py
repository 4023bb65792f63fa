"""The command line's names and help, known before any command's module is imported."""

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from graphql import build_client_schema
from typer.main import get_group
from typer.testing import CliRunner

from app.cli import build
from app.cli.commands import COMMANDS, load
from app.surfaces.graphql.schema import schema

HEAVY = ("httpx", "pydantic", "rich", "neo4j", "numpy", "strawberry", "app.settings", "app.client")


def test_help_imports_none_of_the_commands_dependencies() -> None:
    """Imports decide how long the help takes to appear."""
    program = (
        "import sys; from app.cli import build; from typer.testing import CliRunner\n"
        "assert CliRunner().invoke(build(), ['--help']).exit_code == 0\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert shown.stdout.strip() == "[]"


def test_help_lists_every_command_in_its_order() -> None:
    shown = CliRunner(env={"COLUMNS": "200"}).invoke(build(), ["--help"]).stdout
    listed = shown.partition("Commands:\n")[2].splitlines()

    assert [line.split()[0] for line in listed if line.strip()] == list(COMMANDS)
    assert "--install-completion" in shown


@pytest.mark.parametrize("name", COMMANDS)
def test_commands_match_their_modules(name: str) -> None:
    assert load(name).name == name


@pytest.mark.parametrize("name", COMMANDS)
def test_help_texts_contain_no_accidental_markup(name: str) -> None:
    """Rich would hide it."""
    assert [text for text in help_texts(load(name)) if "[" in text] == []


def help_texts(command: Any) -> Iterator[str]:
    """Yield the help of a command, of its options and of the commands within it."""
    yield command.help or ""
    yield from (getattr(option, "help", None) or "" for option in command.params)
    for within in getattr(command, "commands", {}).values():
        yield from help_texts(within)


def test_the_version_is_printed() -> None:
    result = CliRunner().invoke(build(), ["--version"])

    assert (result.exit_code, result.stdout.split()[0]) == (0, "recollect")


def test_the_schema_is_printed_as_an_introspection_result() -> None:
    """Tools read this form of a schema."""
    result = CliRunner().invoke(build(), ["schema", "--json"])

    told = build_client_schema(json.loads(result.stdout)["data"])
    assert told.query_type is not None
    assert told.query_type.fields.keys() == schema._schema.query_type.fields.keys()


def test_a_misspelt_command_is_refused_with_the_nearest() -> None:
    result = CliRunner().invoke(build(), ["jbos"])

    assert result.exit_code == 2
    assert "Did you mean 'jobs'?" in result.stderr


def test_a_shell_completes_commands() -> None:
    group = get_group(build())
    with group.make_context("recollect", [], resilient_parsing=True) as context:
        found = [each.value for each in group.shell_complete(context, "key")]

    assert found == ["keys"]


@pytest.mark.parametrize("text", ["- buy milk", "--no sugar", "-5 degrees outside"])
def test_a_text_that_begins_with_a_hyphen_is_told_where_to_put_it(text: str) -> None:
    """Issue 35 point C."""
    refused = CliRunner().invoke(build(), ["save", text])

    assert refused.exit_code == 2
    assert f"save -- '{text}'" in " ".join(refused.stderr.split())


def test_an_unknown_option_is_named() -> None:
    assert "No such option: --colour" in CliRunner().invoke(build(), ["save", "x", "--colour"]).stderr
