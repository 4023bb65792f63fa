"""Files of a Maven repository, pinned by size and SHA-256, in jgo's cache.

jgo's own configuration says which repository and which cache folder. A damaged or half-fetched file is noticed and
fetched again.
"""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from filelock import AsyncFileLock
from jgo.config import GlobalSettings
from jgo.maven import MavenContext
from tenacity import Retrying, stop_after_attempt, wait_exponential

from app.adapters.daemon_threads import in_daemon_thread
from app.adapters.digests import sha256_of

_DOWNLOADS_AT_ONCE = 8
_TIMEOUT_SECONDS = (10, 60)
"""Timeouts of connecting and of silence, in the form of requests."""

OnBytes = Callable[[int, int], None]
"""Receives the number of fetched bytes, and their total."""


class FetchFailed(Exception):
    """Raised where the repository does not answer, or sends other bytes than expected."""


@dataclass(frozen=True)
class Artifact:
    """One file.

    Attributes:
        coordinate: ``group:artifact:packaging[:classifier]:version``.
        size: Bytes.
        sha256: Hex digest.
    """

    coordinate: str
    size: int
    sha256: str

    @classmethod
    def of(cls, coordinate: str, path: Path) -> "Artifact":
        """Pin a file as it is."""
        return cls(coordinate, path.stat().st_size, sha256_of(path))

    @property
    def file_name(self) -> str:
        """The file's name in the repository."""
        _, name, packaging, *classifier, version = self.coordinate.split(":")
        return f"{'-'.join([name, version, *classifier])}.{packaging}"

    def is_sound(self, path: Path) -> bool:
        """Tell whether a file is there, whole and the right one."""
        if not path.is_file():
            return False
        found = path.stat()
        return found.st_size == self.size and _digest(path, found.st_mtime_ns) == self.sha256


@cache
def _digest(path: Path, _: int) -> str:
    """Return the digest of a file, read once as long as it is not written again."""
    return sha256_of(path)


def maven() -> MavenContext:
    """Return jgo's own configuration, so that its cache folder and mirrors hold here as well."""
    return MavenContext(repo_cache=GlobalSettings.load().repo_cache, timeout=_TIMEOUT_SECONDS)


def missing(artifacts: Sequence[Artifact]) -> list[Artifact]:
    """Return the artifacts that are missing from the cache or incomplete."""
    context = maven()
    with ThreadPoolExecutor() as pool:
        sound = pool.map(lambda artifact: artifact.is_sound(_path(context, artifact)), artifacts)
        return [artifact for artifact, is_sound in zip(artifacts, sound, strict=True) if not is_sound]


def places(artifacts: Sequence[Artifact]) -> list[Path]:
    """Return where in the cache the files belong."""
    context = maven()
    return [_path(context, artifact) for artifact in artifacts]


async def fetch(artifacts: Sequence[Artifact], on_bytes: OnBytes) -> list[Path]:
    """Fetch what the cache lacks and return where the files are, in the order given.

    Safe in several processes at once: one fetches, the others wait for it. Cancelled, it ends at once, and the end of
    the process waits for no repository that does not answer.

    Raises:
        FetchFailed: One cannot be fetched; the text names it.
    """
    context = maven()
    if await asyncio.to_thread(missing, artifacts):
        context.repo_cache.mkdir(parents=True, exist_ok=True)
        async with AsyncFileLock(context.repo_cache / ".recollect.lock"):
            await _fetch_all(context, await asyncio.to_thread(missing, artifacts), on_bytes)
    return places(artifacts)


async def _fetch_all(context: MavenContext, artifacts: Sequence[Artifact], on_bytes: OnBytes) -> None:
    total = sum(artifact.size for artifact in artifacts)
    done = 0
    gate = asyncio.Semaphore(_DOWNLOADS_AT_ONCE)

    async def fetch_one(artifact: Artifact) -> None:
        nonlocal done
        async with gate:
            await in_daemon_thread(_fetch, context, artifact)
        done += artifact.size
        on_bytes(done, total)

    try:
        async with asyncio.TaskGroup() as group:
            for artifact in artifacts:
                group.create_task(fetch_one(artifact))
    except* FetchFailed as failures:
        raise failures.exceptions[0] from None


def _fetch(context: MavenContext, artifact: Artifact) -> None:
    try:
        for attempt in Retrying(stop=stop_after_attempt(3), wait=wait_exponential(0.5), reraise=True):
            with attempt:
                path = _path(context, artifact)
                path.unlink(missing_ok=True)
                _artifact(context, artifact).resolve()
                _check(artifact, path)
    except Exception as error:
        raise FetchFailed(f"could not fetch {artifact.coordinate}: {error}") from error


def _check(artifact: Artifact, path: Path) -> None:
    if not artifact.is_sound(path):
        raise FetchFailed("it is not the file that was expected")


def _artifact(context: MavenContext, artifact: Artifact) -> Any:
    return context.create_dependency(artifact.coordinate).artifact


def _path(context: MavenContext, artifact: Artifact) -> Path:
    path: Path = _artifact(context, artifact).cached_path
    return path
