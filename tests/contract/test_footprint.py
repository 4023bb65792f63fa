"""The installation of `make up`: it stays small, and its lists match the declared dependencies."""

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from importlib.metadata import Distribution, distribution
from pathlib import Path

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from app.embedded.jars import LEFT_OUT, ROOTS, fetch_jars, read_list, resolve_list

ROOT = Path(__file__).parents[2]
LOCK = ROOT / "requirements.lock"
TEST_LOCK = ROOT / "tests" / "requirements.lock"
CODEGEN_LOCK = ROOT / "app" / "client" / "codegen.lock"
LIMIT_BYTES = 600_000_000
PIN = re.compile(r"^(?P<name>[a-z0-9-]+)==(?P<version>\S+)(?: ; (?P<marker>[^\\]+))?", re.MULTILINE)


def pins(lock: Path) -> dict[str, set[str]]:
    """Return the versions of each package that a lock pins for this machine."""
    found: dict[str, set[str]] = {}
    for pin in PIN.finditer(lock.read_text()):
        if pin["marker"] is None or Marker(pin["marker"].strip()).evaluate():
            found.setdefault(pin["name"], set()).add(pin["version"])
    return found


def size_of(installed: Distribution) -> int:
    paths = [Path(str(file.locate())) for file in installed.files or []]
    return sum(path.stat().st_size for path in paths if path.exists())


@pytest.fixture(scope="module")
async def jars() -> list[Path]:
    return await fetch_jars(lambda _stage, _done, _total: None)


def test_the_installation_stays_under_600_megabytes(jars) -> None:
    packages = {name: size_of(distribution(name)) for name in pins(LOCK)}
    jars_bytes = sum(jar.stat().st_size for jar in jars)
    largest = sorted(packages.items(), key=lambda item: -item[1])[:8]

    assert all(packages.values())
    assert sum(packages.values()) + jars_bytes < LIMIT_BYTES, largest


def declared(groups: Iterable[list[str]]) -> list[Requirement]:
    requirements = [Requirement(text) for group in groups for text in group]
    return [each for each in requirements if each.marker is None or each.marker.evaluate()]


def test_every_dependency_is_locked_at_a_fitting_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    used, tested = project["project"]["dependencies"], project["dependency-groups"]["test"]

    for lock, groups in ((LOCK, [used]), (TEST_LOCK, [used, tested])):
        locked = pins(lock)
        wrong = [
            str(requirement)
            for requirement in declared(groups)
            if not any(
                requirement.specifier.contains(version)
                for version in locked.get(canonicalize_name(requirement.name), ())
            )
        ]
        assert wrong == [], "run `make lock`"


@pytest.mark.parametrize("package", ["torch", "sentence-transformers", "transformers", "triton"])
def test_torch_is_not_installed_by_up(package: str) -> None:
    assert package not in pins(LOCK)


def test_the_tests_run_on_the_versions_that_up_installs() -> None:
    tested = pins(TEST_LOCK)

    assert {name: tested[name] for name in pins(LOCK)} == pins(LOCK)


@pytest.mark.parametrize("lock", [LOCK, TEST_LOCK, CODEGEN_LOCK], ids=lambda lock: lock.parent.name)
def test_locks_carry_checksums_and_no_addresses(lock: Path) -> None:
    text = lock.read_text()

    pinned = re.findall(r"^[a-z0-9-]+==.+\n +--hash=sha256:[0-9a-f]{64}", text, re.MULTILINE)

    assert len(pinned) == len(PIN.findall(text)) > 0
    assert "://" not in text


def test_the_application_imports_without_excluded_packages() -> None:
    """The Makefile's overrides remove declared dependencies, which no code may need at run time."""
    (line,) = re.findall(r"^UNUSED := (.+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    unused = [name.replace("-", "_") for name in line.split()]
    program = f"""
import sys
sys.modules.update(dict.fromkeys({unused!r}))
import app.cli.servers.api_server, app.cli.examination, app.embedded.neo4j, app.embedded.redis
from app.main import create_app
create_app(None).openapi_schema.to_schema()
"""

    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)


def test_the_jar_list_matches_its_resolved_roots() -> None:
    """`make lock` writes it; only resolving reveals an edited or outdated list."""
    assert sorted(resolve_list(), key=lambda jar: jar.coordinate) == sorted(
        read_list(), key=lambda jar: jar.coordinate
    )


def test_the_jar_list_has_the_roots_and_no_excluded_jar() -> None:
    coordinates = {jar.coordinate for jar in read_list()}
    roots = {":jar:".join(root.rsplit(":", 1)) for root in ROOTS}

    assert roots <= coordinates
    assert {coordinate.split(":")[0] for coordinate in coordinates}.isdisjoint(LEFT_OUT)
