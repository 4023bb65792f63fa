"""Environments of their own for what is measured beside us; nothing of them is a dependency of the project."""

import asyncio
import shutil
import sys
from pathlib import Path

_LIST = "packages.txt"
_TOLD = 300  # characters of what the installer says last


class NotInstalled(Exception):
    """Raised when an environment could not be made: its text is why."""


async def installed(folder: Path, *packages: str) -> Path:
    """Return the interpreter of the environment in ``folder``, which is made unless it has the same packages already.

    Raises:
        NotInstalled: They could not be installed.
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
    """Return which version of a package an environment has."""
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
