"""Tables in TOML files: long patterns stand on several lines."""

from pathlib import Path

from graph.core.tables import read_table


def test_indented_lines_are_joined_and_others_stay(tmp_path: Path, monkeypatch) -> None:
    """D21."""
    package = tmp_path / "tables_of_a_test"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "table.toml").write_text(
        "pattern = '''\n  (?:\n    one|two\n  ) three|\n  four'''\nshort = ' one'\n\n"
        "words = \"\"\"\none two\nthree\n\"\"\"\n[[rules]]\nbegins = [\n  'one',\n  '''\n    two|\n    three''',\n]\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(tmp_path)

    assert read_table("tables_of_a_test", "table.toml") == {
        "pattern": "(?:one|two) three|four",
        "short": " one",
        "words": "one two\nthree\n",
        "rules": [{"begins": ["one", "two|three"]}],
    }
