"""Implements ``graph.core.text.work.TextWork``: long texts in separate processes, short ones in a thread."""

import asyncio
import pickle
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import structlog

from app.adapters.text_worker import Ended, receive, send
from graph.core.errors import Unavailable
from graph.core.text.work import TEXT_WORK, Arguments, ResultT

SHORT_CHARS: Final = 4096
"""Maximum length of texts for work in this process: the slowest rules take about 20 ms, and never hold the interpreter
for longer than the 5 ms after which threads take turns."""
_MOST_SECONDS: Final = 300.0  # long, because the processes have a low priority on a busy machine
_ATTEMPTS: Final = 2
_END_SECONDS: Final = 2.0
_ROOT = Path(__file__).parents[2]
_PROGRAM: Final = (sys.executable, "-m", "app.adapters.text_worker")

_log = structlog.get_logger("recollect.text_work")


class TextWorkers:
    """A pool of processes, each started at its first use; they end with :meth:`close` or with this process.

    Args:
        at_once: Maximum number of processes.
        most_seconds: Time limit of one piece of work.
    """

    def __init__(self, *, at_once: int = 2, most_seconds: float = _MOST_SECONDS) -> None:
        self._free = asyncio.Semaphore(at_once)
        self._most_seconds = most_seconds
        self._idle: list[_Worker] = []
        self._busy: set[_Worker] = set()
        self._threads = ThreadPoolExecutor(at_once, thread_name_prefix="text-worker")

    async def run(self, work: Callable[[*Arguments], ResultT], *arguments: *Arguments, chars: int) -> ResultT:
        """Return the result of ``work``; see ``graph.core.text.work.TextWork``."""
        if chars <= SHORT_CHARS:
            return await asyncio.to_thread(work, *arguments)
        for _ in range(_ATTEMPTS):
            try:
                result: ResultT = await self._apart(work, arguments)
            except Ended:
                _log.warning("text_work.process_ended", work=work.__name__)
                await self._end_idle()  # the cause may have ended the idle processes as well
            else:
                return result
        raise Unavailable(TEXT_WORK, "the process that reads long texts ended early")

    async def close(self) -> None:
        """Kill the processes, with their running work."""
        for worker in self._busy:
            worker.kill()
        await asyncio.to_thread(self._threads.shutdown, cancel_futures=True)
        await self._end_idle()

    async def _end_idle(self) -> None:
        idle, self._idle = self._idle, []
        for worker in idle:
            await asyncio.to_thread(worker.reap)

    async def _apart(self, work: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        async with self._free:
            worker = self._next()
            self._busy.add(worker)
            try:
                async with asyncio.timeout(self._most_seconds):
                    has_returned, answer = await asyncio.get_running_loop().run_in_executor(
                        self._threads, worker.do, work, arguments
                    )
            except TimeoutError:
                worker.kill()
                _log.warning("text_work.too_long", work=work.__name__, seconds=self._most_seconds)
                raise Unavailable(TEXT_WORK, "reading a text took too long") from None
            except BaseException:
                worker.kill()  # after a cancellation or failure its next output may belong to this order
                raise
            finally:
                self._busy.discard(worker)
            self._idle.append(worker)
        if not has_returned:
            raise answer
        return answer

    def _next(self) -> "_Worker":
        """Return an idle living process, or a new one."""
        while self._idle:
            worker = self._idle.pop()
            if worker.is_alive:
                return worker
        return _Worker()


class _Worker:
    """One process; its work is done by one thread at a time."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._is_killed = False

    @property
    def is_alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def do(self, work: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[bool, Any]:
        """Return the outcome of the work: a success flag, and the result or the error.

        Raises:
            Ended: The process ended before the work did.
        """
        order = pickle.dumps((work, arguments))
        if self._process is None:
            # The first entry of the module path is the working directory.
            self._process = subprocess.Popen(  # noqa: S603 - a program of our own
                _PROGRAM, cwd=_ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
        if self._is_killed:
            self.kill()
        orders, answers = self._process.stdin, self._process.stdout
        assert orders is not None  # noqa: S101 - both are pipes
        assert answers is not None  # noqa: S101
        try:
            send(orders, order)
            answer = receive(answers)
        except (Ended, OSError, ValueError):
            self.reap()
            raise Ended from None
        returned: tuple[bool, Any] = pickle.loads(answer)  # noqa: S301 - of a process of our own
        return returned

    def kill(self) -> None:
        """Kill the process; pending work fails."""
        self._is_killed = True
        if self._process is not None:
            self._process.kill()

    def reap(self) -> None:
        """Wait for the end of the process."""
        if self._process is None:
            return
        self._process.kill()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_END_SECONDS)
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
