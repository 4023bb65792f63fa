"""The direction of imports: app → graph → cypher, ports and adapters (style §2.1)."""

from pathlib import Path

from importlinter.cli import lint_imports

ROOT = Path(__file__).parents[2]


def test_import_contracts_hold(monkeypatch, capsys) -> None:
    monkeypatch.chdir(ROOT)

    exit_status = lint_imports(config_filename="pyproject.toml", no_cache=True)

    assert exit_status == 0, capsys.readouterr().out
