"""The jars of the embedded Neo4j: which ones (``neo4j_jars.txt``), and fetching them into jgo's Maven cache.

The list is resolved once, by ``python -m app.embedded.jars`` (part of ``make lock``), because resolving 238
POMs costs 10 s of processor time, and up to 100 s on a busy machine. Each line names a jar, its size and its
SHA-256; so a start needs no POM, and a damaged or half-fetched jar is noticed and fetched again.
"""

import asyncio
import hashlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jgo
from filelock import AsyncFileLock
from jgo.config import GlobalSettings
from jgo.maven import MavenContext
from tenacity import Retrying, stop_after_attempt, wait_exponential

from app.embedded.errors import JarsIncomplete

ROOTS = (
    "org.neo4j:neo4j:2026.08.1",
    "org.neo4j.app:neo4j-server:2026.08.1",
    "org.neo4j.client:neo4j-browser:5.24.0",
)
"""What is resolved: the Community engine, its server with Bolt and HTTP, and Neo4j Browser."""
LEFT_OUT = {
    **dict.fromkeys(
        (
            "org.apache.hadoop",
            "org.apache.parquet",
            "blue.strategic.parquet",
            "org.xerial.snappy",
            "com.github.luben",
        ),
        "read and written by the offline tools for imports and dumps only",
    ),
    **dict.fromkeys(
        ("org.mockito", "net.bytebuddy", "org.objenesis", "junit", "org.hamcrest"),
        "test libraries that a POM of theirs lets through",
    ),
    "org.bouncycastle": "makes certificates; on loopback nothing is encrypted",
}
"""Groups that the server never loads, with the reason: 41 MB of 191."""
LIST = Path(__file__).with_name("neo4j_jars.txt")

_DOWNLOADS_AT_ONCE = 8
_TIMEOUT_SECONDS = 60

OnProgress = Callable[[str, int, int], None]
"""Told what is going on, how much of it is done and how much there is; bytes for downloads."""


@dataclass(frozen=True)
class Jar:
    """One line of the list.

    Attributes:
        coordinate: ``group:artifact:packaging[:classifier]:version``.
        size: Bytes.
        sha256: Hex digest.
    """

    coordinate: str
    size: int
    sha256: str


def read_list() -> list[Jar]:
    """Return the jars of the class path, in its order."""
    lines = (line.split() for line in LIST.read_text().splitlines() if not line.startswith("#"))
    return [Jar(coordinate, int(size), sha256) for coordinate, size, sha256 in lines]


def missing_jars() -> list[Jar]:
    """Return the jars that are not in the cache, or not whole."""
    context = _maven()
    jars = read_list()
    with ThreadPoolExecutor() as pool:
        sound = pool.map(lambda jar: _is_sound(jar, _path(context, jar)), jars)
    return [jar for jar, is_sound in zip(jars, sound, strict=True) if not is_sound]


async def fetch_jars(on_progress: OnProgress) -> list[Path]:
    """Fetch what the cache lacks and return the class path.

    Safe to run in several processes at once: one fetches, the others wait for it. Cancelled, it ends with the jars
    that are on their way.

    Raises:
        JarsIncomplete: The repository does not answer, or sends other bytes than the list says.
    """
    context = _maven()
    if await asyncio.to_thread(missing_jars):
        context.repo_cache.mkdir(parents=True, exist_ok=True)
        async with AsyncFileLock(context.repo_cache / ".recollect.lock"):
            await _fetch_all(context, await asyncio.to_thread(missing_jars), on_progress)
    return [_path(context, jar) for jar in read_list()]


async def _fetch_all(context: MavenContext, jars: list[Jar], on_progress: OnProgress) -> None:
    total = sum(jar.size for jar in jars)
    done = 0
    gate = asyncio.Semaphore(_DOWNLOADS_AT_ONCE)

    async def fetch(jar: Jar) -> None:
        nonlocal done
        async with gate:
            await asyncio.to_thread(_fetch, context, jar)
        done += jar.size
        on_progress("Downloading Neo4j", done, total)

    try:
        async with asyncio.TaskGroup() as group:
            for jar in jars:
                group.create_task(fetch(jar))
    except* JarsIncomplete as failures:
        raise failures.exceptions[0] from None


def _fetch(context: MavenContext, jar: Jar) -> None:
    try:
        for attempt in Retrying(stop=stop_after_attempt(3), wait=wait_exponential(0.5), reraise=True):
            with attempt:
                path = _path(context, jar)
                path.unlink(missing_ok=True)
                _artifact(context, jar).resolve()
                _check(jar, path)
    except Exception as error:
        raise JarsIncomplete(f"could not fetch {jar.coordinate}: {error}") from error


def _check(jar: Jar, path: Path) -> None:
    if not _is_sound(jar, path):
        raise JarsIncomplete(f"it is not the file that {LIST.name} names")


def _is_sound(jar: Jar, path: Path) -> bool:
    if not path.is_file() or path.stat().st_size != jar.size:
        return False
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == jar.sha256


def _maven() -> MavenContext:
    """Return jgo's own configuration, so that its cache folder and mirrors hold here as well."""
    return MavenContext(repo_cache=GlobalSettings.load().repo_cache, timeout=_TIMEOUT_SECONDS)


def _artifact(context: MavenContext, jar: Jar) -> Any:
    return context.create_dependency(jar.coordinate).artifact


def _path(context: MavenContext, jar: Jar) -> Path:
    path: Path = _artifact(context, jar).cached_path
    return path


def resolve_list() -> Iterator[Jar]:
    """Resolve ``ROOTS`` anew, with every POM, and yield the class path; for ``make lock`` and its test."""
    for artifact in jgo.resolve("+".join(ROOTS)):
        if artifact.groupId in LEFT_OUT:
            continue
        path = artifact.resolve()
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        yield Jar(str(artifact), path.stat().st_size, digest)


def main() -> None:
    """Resolve again and write the list."""
    lines = [f"{jar.coordinate} {jar.size} {jar.sha256}\n" for jar in resolve_list()]
    LIST.write_text("".join(sorted(lines)))


if __name__ == "__main__":
    main()
