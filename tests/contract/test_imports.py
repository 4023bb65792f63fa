"""The direction of imports: app → graph → cypher, rooms downwards, ports and adapters (CONTRIBUTING, The shape)."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_import_contracts_hold() -> None:
    """In a separate process: the linter silences every logger of its process."""
    checked = subprocess.run(
        [
            sys.executable,
            "-c",
            "from importlinter.cli import lint_imports_command; lint_imports_command()",
            "--no-cache",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert checked.returncode == 0, checked.stdout + checked.stderr


# Refuses packages that `make up` does not install, then imports commands, the API and background processes.
_AS_INSTALLED = """
import sys
from importlib import import_module
from importlib.metadata import packages_distributions
from pathlib import Path
from pkgutil import walk_packages

from packaging.utils import canonicalize_name

installed = set(sys.argv[1].split(","))
extras = {
    package
    for package, distributions in packages_distributions().items()
    if not installed.intersection(map(canonicalize_name, distributions))
}


class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in extras:
            raise ModuleNotFoundError(f"not installed by make up: {name}", name=name)


sys.meta_path.insert(0, Absent())
import app.cli

commands = (found.name for found in walk_packages(app.cli.__path__, "app.cli."))
for name in ("app.main", "app.bootstrap.runtime", "app.adapters.text_worker", *commands):
    if not name.endswith(".__main__"):
        import_module(name)
print("imported")
"""


def test_everything_starts_with_what_make_up_installs() -> None:
    """Issue 35: formerly a top-level import of an extra's package kept `make up` from starting."""
    locked = re.findall(r"^([a-z0-9-]+)==", (ROOT / "requirements.lock").read_text(), re.MULTILINE)
    started = subprocess.run(
        [sys.executable, "-c", _AS_INSTALLED, ",".join(["recollect", *locked])],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert started.stdout == "imported\n", started.stderr
