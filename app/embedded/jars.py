"""The jars of the embedded Neo4j: their list (``neo4j_jars.txt``), and their download to jgo's Maven cache.

The list is resolved once, by ``python -m app.embedded.jars`` (part of ``make lock``), because resolving 238
POMs costs 10 s of processor time, and up to 100 s on a busy machine. Each line names a jar, its size and its
SHA-256; so a start needs no POM, and replaces damaged or incomplete jars.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import jgo

from app.adapters.pinned_packages import Artifact, FetchFailed, fetch, missing
from app.embedded.errors import JarsIncomplete

ROOTS = (
    "org.neo4j:neo4j:2026.08.1",
    "org.neo4j.app:neo4j-server:2026.08.1",
    "org.neo4j.client:neo4j-browser:5.24.0",
)
"""Resolved artifacts: the Community engine, its server with Bolt and HTTP, and Neo4j Browser."""
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

OnProgress = Callable[[str, int, int], None]
"""Receives the current step, its progress and its total; bytes for downloads."""


def read_list() -> list[Artifact]:
    """Return the jars of the class path, in its order."""
    lines = (line.split() for line in LIST.read_text().splitlines() if not line.startswith("#"))
    return [Artifact(coordinate, int(size), sha256) for coordinate, size, sha256 in lines]


def missing_jars() -> list[Artifact]:
    """Return the jars that are missing from the cache or incomplete."""
    return missing(read_list())


async def fetch_jars(on_progress: OnProgress) -> list[Path]:
    """Fetch missing jars into the cache, and return the class path.

    Raises:
        JarsIncomplete: The repository does not answer, or sends bytes that differ from the list.
    """
    try:
        return await fetch(read_list(), lambda done, total: on_progress("Downloading Neo4j", done, total))
    except FetchFailed as error:
        raise JarsIncomplete(str(error)) from error


def resolve_list() -> Iterator[Artifact]:
    """Resolve ``ROOTS`` again, with every POM, and yield the class path; for ``make lock`` and its test."""
    for artifact in jgo.resolve("+".join(ROOTS)):
        if artifact.groupId in LEFT_OUT:
            continue
        yield Artifact.of(str(artifact), artifact.resolve())


def main() -> None:
    """Resolve again and write the list."""
    lines = [f"{jar.coordinate} {jar.size} {jar.sha256}\n" for jar in resolve_list()]
    LIST.write_text("".join(sorted(lines)))


if __name__ == "__main__":
    main()
