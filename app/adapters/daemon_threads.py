"""Daemon threads for work that may hang for minutes, such as downloads.

The end of a process waits for threads of ``asyncio.to_thread``, but not for these.
"""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import ParamSpec, TypeVar

T = TypeVar("T")
CallParams = ParamSpec("CallParams")


async def in_daemon_thread(
    work: Callable[CallParams, T], *arguments: CallParams.args, **named: CallParams.kwargs
) -> T:
    """Run ``work`` in a daemon thread and return its result or raise its error; cancelling abandons the thread.

    Raises:
        RuntimeError: The work raised something other than an ``Exception``, as a panic of a Rust library does.
    """
    outcome: Future[T] = Future()
    outcome.set_running_or_notify_cancel()

    def run() -> None:
        try:
            outcome.set_result(work(*arguments, **named))
        except Exception as error:  # noqa: BLE001 - it is raised where the work was asked for
            outcome.set_exception(error)
        except BaseException as error:  # noqa: BLE001 - nobody would be told, and wait for good
            failure = RuntimeError(f"{type(error).__name__}: {error}")
            failure.__cause__ = error
            outcome.set_exception(failure)

    threading.Thread(target=run, daemon=True).start()
    return await asyncio.wrap_future(outcome)
