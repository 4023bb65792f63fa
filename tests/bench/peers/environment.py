"""Virtual environments of the peers, whose packages are not dependencies of the project."""

import asyncio
import shutil
import sys
from pathlib import Path

_LIST = "packages.txt"
_TOLD = 300  # last characters of the installer's output


class NotInstalled(Exception):
    """Raised if an environment cannot be created; the text is the reason."""


async def installed(folder: Path, *packages: str) -> Path:
    """Return the interpreter of the environment in ``folder``; create it unless it has the same packages.

    Raises:
        NotInstalled: The packages could not be installed.
    """
    python, listed = folder / "bin" / "python", folder / _LIST
    wanted = "\n".join(packages)
    if not listed.exists() or listed.read_text(encoding="utf-8") != wanted:
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
        await _run(sys.executable, "-m", "venv", str(folder))
        await _run(str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages)
        listed.write_text(wanted, encoding="utf-8")
    return python


async def version_of(python: Path, package: str) -> str:
    """Return the version of a package in an environment."""
    return (
        await _run(str(python), "-c", f"from importlib.metadata import version; print(version('{package}'))")
    ).strip()


async def _run(*command: str) -> str:
    process = await asyncio.create_subprocess_exec(
        *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    told, _ = await process.communicate()
    text = told.decode(errors="replace")
    if process.returncode:
        raise NotInstalled(text.strip()[-_TOLD:])
    return text
