"""The data folder of the embedded servers, and the lock that lets one process at a time use it."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil
from filelock import FileLock, Timeout
from pydantic import TypeAdapter, ValidationError

from app.embedded.errors import DataFolderHeld


@dataclass(frozen=True)
class Holder:
    """The process that uses a data folder.

    Attributes:
        pid: Its process id.
        port: Port of its API; None while it starts.
    """

    pid: int
    port: int | None


class Held:
    """The right to use a data folder, for as long as the ``with`` block of :func:`hold` lasts."""

    def __init__(self, folder: Path) -> None:
        self._file = _holder_file(folder)

    def announce(self, port: int | None) -> None:
        """Record the process that holds the folder and the port of its API, for other processes."""
        self._file.write_bytes(_HOLDER.dump_json(Holder(psutil.Process().pid, port)))


_HOLDER = TypeAdapter(Holder)


def data_folder(chosen: Path) -> Path:
    """Return the data folder of a setting: in the current folder, or else beside the installation.

    Commands run in any folder, the service in the folder of the installation, as with ``make up``.
    """
    here = chosen.resolve()
    beside = Path(sys.prefix).resolve().parent / chosen
    return beside if beside.is_dir() and not here.is_dir() else here


@contextmanager
def hold(folder: Path) -> Iterator[Held]:
    """Lock ``folder`` for this process within the block; the kernel releases the lock if the process dies.

    Args:
        folder: Data folder; created if missing, for its owner only, because it contains a password.

    Raises:
        DataFolderHeld: Another process uses the folder; the message names it.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = FileLock(folder / "lock")
    try:
        lock.acquire(timeout=0)
    except Timeout as error:
        raise DataFolderHeld(_who_holds(folder)) from error
    try:
        held = Held(folder)
        held.announce(None)
        yield held
    finally:
        _holder_file(folder).unlink(missing_ok=True)
        lock.release()


def find_holder(folder: Path) -> Holder | None:
    """Return the process that holds the folder, or None; ignore the record of a crashed process."""
    lock = FileLock(folder / "lock")
    try:
        if not _holder_file(folder).is_file():
            return None
        lock.acquire(timeout=0)
    except Timeout:
        return _read_holder(folder)
    except PermissionError:  # it is another account's
        return None
    lock.release()
    return None


def _who_holds(folder: Path) -> str:
    holder = _read_holder(folder)
    who = f"process {holder.pid}" if holder else "another process"
    where = f", which serves on port {holder.port}" if holder and holder.port else ""
    return f"{folder} is held by {who}{where}; stop it, or choose another folder with RECOLLECT_DATA_DIR"


def _read_holder(folder: Path) -> Holder | None:
    """Return the holder's record; None if it is not written yet."""
    try:
        return _HOLDER.validate_json(_holder_file(folder).read_bytes())
    except (FileNotFoundError, ValidationError):
        return None


def _holder_file(folder: Path) -> Path:
    return folder / "holder.json"
