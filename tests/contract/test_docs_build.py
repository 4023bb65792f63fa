"""The documentation builds, with the reference made from the code, and nothing in it leads nowhere."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
DECISIONS = ROOT / "docs" / "decisions"


def test_the_documentation_builds_without_a_warning(tmp_path) -> None:
    subprocess.run([sys.executable, "docs/reference.py"], cwd=ROOT, env={"PYTHONPATH": "."}, check=True)

    built = subprocess.run(
        [".venv/docs/bin/mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "site")],
        cwd=ROOT,
        env={"NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert built.returncode == 0, built.stderr
    assert (tmp_path / "site" / "reference" / "graphql" / "index.html").exists()


def test_a_decision_has_one_title() -> None:
    """The index gives that of the file, for every file."""
    index = (DECISIONS / "index.md").read_text()
    entries = re.findall(r"^\| (\d+) \| \[(.*)\]\((.*)\) \|$", index, re.MULTILINE)
    indexed = {file: f"# {number}. {title}" for number, title, file in entries}

    titles = {file.name: file.read_text().splitlines()[0] for file in DECISIONS.glob("0*.md")}
    assert indexed == titles
