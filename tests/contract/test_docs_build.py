"""The documentation: it builds, with the reference from the code and without dead links."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


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
