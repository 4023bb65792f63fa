"""Runs a server as a child process: starts, watches and restarts it, and never leaves it behind."""

import asyncio
import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path

import psutil
import structlog
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type, wait_exponential

from app.embedded.errors import ServerFailed
from app.embedded.ports import listening_ports
from graph.core.background import in_background

_PR_SET_PDEATHSIG = 1
"""From ``linux/prctl.h``: the signal a child gets when its parent dies, however it dies."""
_LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None
_POLL_SECONDS = 0.05
_ANNOUNCE_SECONDS = 10.0
_STOP_SECONDS = 15.0
_STALLED_SECONDS = 120.0  # a start without a log line and without a newly opened port
"""Long enough for a busy machine, and short enough for all servers of a deployment to be gone within 20 s."""
_LOG_TAIL_LINES = 15
_MOST_REASON_CHARS = 300
_CAUSE, _ERROR = "Caused by: ", "ERROR "
_NO_REASON = ("at ", "... ", "[", "WARNING")  # stack frames, and what a Java machine says of itself

_log = structlog.get_logger(__name__)


class ServerProcess:
    """A server as a child process in a separate session.

    Lives from ``start`` to ``stop``. If the server dies in between, it is restarted with the same command: immediately,
    then after growing pauses of at most 30 s, without limit. The log has the reason of each failed attempt. If this
    process dies, the kernel ends the server (Linux). If a server outlives a crash, the next ``start`` with the same
    folder, its working directory, ends it. Start it from the main thread: the kernel ends the child together with the
    thread that created it. The reason of a failed start may also come from ``own_log``.

    It kills a server that does not end within ``stop_seconds``. The kill is logged as a warning, unless ``own_log`` has
    ``stopped_line``: then the data are already closed.
    """

    def __init__(
        self,
        name: str,
        *,
        command: Callable[[], Sequence[str]],
        is_ready: Callable[[], Awaitable[bool]],
        folder: Path,
        own_log: Path | None = None,
        stopped_line: str | None = None,
        ready_seconds: float = 600.0,
        stop_seconds: float = _STOP_SECONDS,
        on_wait: Callable[[str], None] = lambda _line: None,
    ) -> None:
        """Store the description of the server, without starting it.

        Args:
            name: Its name in logs and file names.
            command: Builds the command line.
            is_ready: Tells whether the server accepts requests.
            folder: Its working directory.
            own_log: Log file that the server itself writes, if any.
            stopped_line: Log line after which the data are closed.
            ready_seconds: Maximum time until it accepts requests.
            stop_seconds: Maximum time between the request to end and the kill.
            on_wait: Receives the last log line of a server that takes long to start, every ten seconds.
        """
        self._name = name
        self._command = command
        self._is_ready = is_ready
        self._folder = folder
        self._pid_file = folder / f"{name}.pid"
        self._log_file = folder / f"{name}.log"
        self._own_log = own_log
        self._own_log_begins = 0
        self._stopped_line = stopped_line
        self._ready_seconds = ready_seconds
        self._on_wait = on_wait
        self._stop_seconds = stop_seconds
        self._process: asyncio.subprocess.Process | None = None
        self._supervisor: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int | None:
        """Process id of the server that runs now."""
        return self._process.pid if self._process and self._process.returncode is None else None

    async def start(self) -> None:
        """End a server that outlived a crash, start the server and return once it answers.

        Raises:
            ServerFailed: It ended, or did not answer in time; nothing is left running.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        await self.end_leftover()
        self._log_file.unlink(missing_ok=True)
        await self._launch()
        self._supervisor = in_background(self._supervise(), name=f"supervise {self._name}")

    async def end_leftover(self) -> None:
        """End the server that an earlier run of this folder left, if there is one."""
        await asyncio.to_thread(_end_leftover, self._pid_file, self._stop_seconds)

    async def stop(self) -> bool:
        """End the server and wait for its end; do nothing if it was never started.

        Returns:
            True if it ended regularly; False if it was killed.
        """
        if self._supervisor is not None:
            self._supervisor.cancel()
            with suppress(asyncio.CancelledError):
                await self._supervisor
            self._supervisor = None
        return await self._end()

    async def _supervise(self) -> None:
        while True:
            process = self._process
            if process is None:
                return
            code = await process.wait()
            _log.warning("embedded.died", server=self._name, exit_code=code)
            async for attempt in AsyncRetrying(
                retry=retry_if_exception_type(Exception),
                wait=wait_exponential(multiplier=0.5, max=30),
                before_sleep=self._note_failure,
            ):
                with attempt:
                    await self._launch()
            _log.info("embedded.is_back", server=self._name)

    def _note_failure(self, attempt: RetryCallState) -> None:
        error = attempt.outcome.exception() if attempt.outcome else None
        reason = str(error) or type(error).__name__
        _log.error("embedded.not_started", server=self._name, reason=reason, attempt=attempt.attempt_number)

    async def _launch(self) -> None:
        if self._own_log is not None and self._own_log.is_file():
            self._own_log_begins = self._own_log.stat().st_size
        with self._log_file.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *self._command(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=self._folder,
                start_new_session=True,
                preexec_fn=die_with_parent(os.getpid()),
            )
        self._pid_file.write_text(str(self._process.pid))
        try:
            async with asyncio.timeout(self._ready_seconds):
                await self._until_ready()
        except TimeoutError:
            await self._end()
            raise self._failed(f"did not answer within {self._ready_seconds:g} s") from None
        except BaseException:
            await self._end()
            raise

    async def _until_ready(self) -> None:
        time = asyncio.get_running_loop().time
        progress, progressed_at, announced_at = self._progress(), time(), time()
        while not await self._is_ready():
            if self._process is None or self._process.returncode is not None:
                raise self._failed("ended while starting")
            if (now := self._progress()) != progress:
                progress, progressed_at = now, time()
            elif time() - progressed_at > _STALLED_SECONDS:
                raise self._failed(f"made no progress within {_STALLED_SECONDS:g} s")
            if time() - announced_at > _ANNOUNCE_SECONDS:
                announced_at = time()
                self._on_wait(next(reversed(self._own_lines() or self._log_lines()), "no log line yet"))
            await asyncio.sleep(_POLL_SECONDS)

    def _progress(self) -> tuple[int, int, int]:
        """Return the progress of a start: sizes of the output and the own log, and number of open ports."""
        sizes = [
            file.stat().st_size if file is not None and file.is_file() else 0
            for file in (self._log_file, self._own_log)
        ]
        return sizes[0], sizes[1], len(listening_ports(self.pid))

    async def _end(self) -> bool:
        process = self._process
        if process is None:
            return True
        _signal_group(process.pid, signal.SIGTERM)
        try:
            async with asyncio.timeout(self._stop_seconds):
                await process.wait()
        except TimeoutError:
            if not self._says_it_stopped():
                _log.warning("embedded.killed", server=self._name)
        ended_by_itself = process.returncode is not None
        _signal_group(process.pid, signal.SIGKILL)
        await process.wait()
        self._process = None
        self._pid_file.unlink(missing_ok=True)
        return ended_by_itself

    def _says_it_stopped(self) -> bool:
        return self._stopped_line is not None and any(
            self._stopped_line in line for line in self._own_lines()
        )

    def _own_lines(self) -> list[str]:
        """Return the lines of the server's own log since it was launched."""
        if self._own_log is None or not self._own_log.is_file():
            return []
        with self._own_log.open("rb") as log:
            log.seek(min(self._own_log_begins, self._own_log.stat().st_size))
            return log.read().decode(errors="replace").splitlines()

    def _log_lines(self) -> list[str]:
        return self._log_file.read_text(errors="replace").splitlines()

    def _failed(self, what: str) -> ServerFailed:
        lines = self._log_lines()
        file, reason = self._log_file, _reason_in(lines)
        own_lines = self._own_lines()
        if self._own_log is not None and any(_ERROR in line for line in own_lines):
            file, reason = self._own_log, _reason_in(own_lines)
        message = f"the embedded {self._name} {what}{f' ({reason})' if reason else ''}"
        return ServerFailed(f"{message}; its log is {file}", last_words="\n".join(lines[-_LOG_TAIL_LINES:]))


def _reason_in(lines: Sequence[str]) -> str | None:
    """Return the reason of a failure from a log: the innermost cause, else the last error, else the last line."""
    reasons = [line.strip() for line in lines if line.strip() and not line.lstrip().startswith(_NO_REASON)]
    for sign in (_CAUSE, _ERROR):
        if found := [line.rpartition(sign)[2].strip() for line in reasons if sign in line]:
            return found[-1][:_MOST_REASON_CHARS]
    return reasons[-1][:_MOST_REASON_CHARS] if reasons else None


def _end_leftover(pid_file: Path, stop_seconds: float) -> None:
    """End the server that ``pid_file`` names, if it is still that server, and remove the file."""
    process = _leftover(pid_file)
    if process is not None:
        _log.info("embedded.left_behind_ended", pid=process.pid)
        with suppress(psutil.NoSuchProcess):
            process.terminate()
            _, alive = psutil.wait_procs([process], timeout=stop_seconds)
            for survivor in alive:
                survivor.kill()
                survivor.wait()
    pid_file.unlink(missing_ok=True)


def _leftover(pid_file: Path) -> psutil.Process | None:
    """Return the process if its working directory is the server's folder; its id may belong to another by now."""
    try:
        process = psutil.Process(int(pid_file.read_text()))
        belongs = Path(process.cwd()) == pid_file.parent.resolve()
    except (FileNotFoundError, ValueError, psutil.NoSuchProcess, psutil.AccessDenied):
        return None
    return process if belongs else None


def _signal_group(pid: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.killpg(pid, number)


def die_with_parent(parent: int) -> Callable[[], None]:
    """Return the child's first call, which asks the kernel for SIGTERM when the parent dies."""

    def prepare() -> None:
        if _LIBC is None:
            return
        _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
        if os.getppid() != parent:  # it died before the request was made
            os._exit(1)

    return prepare
