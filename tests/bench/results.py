"""``RESULTS.md``: one section for each command, replaced when the command is run with ``--write``."""

import re
from collections.abc import Sequence
from pathlib import Path

from tests.bench.machine import described
from tests.bench.tables import Table

FILE = Path(__file__).with_name("RESULTS.md")
_HEAD = """# What Recollect measures

Written by `recollect bench … --write`, one section for each command. "missed" stands where a figure is short of its
target. Bounds in brackets are 95 % bootstrap intervals over questions.
"""


def write_section(name: str, command: str, tables: Sequence[Table], file: Path = FILE) -> None:
    """Replace the section of one command, or add it."""
    text = file.read_text(encoding="utf-8") if file.exists() else _HEAD
    file.write_text(with_section(text, name, _section(name, command, tables)), encoding="utf-8")


def with_section(text: str, name: str, section: str) -> str:
    """Return the text with the section of that name replaced, or added at the end."""
    found = re.compile(rf"^## {re.escape(name)}\n.*?(?=^## |\Z)", re.DOTALL | re.MULTILINE)
    if found.search(text):
        return found.sub(lambda _: section, text)
    return f"{text.rstrip()}\n\n{section}"


def _section(name: str, command: str, tables: Sequence[Table]) -> str:
    lines = "\n".join(f"- {line}" for line in described())
    body = "\n\n".join(table.markdown() for table in tables)
    return f"## {name}\n\n`{command}`\n{lines}\n\n{body}\n\n"
