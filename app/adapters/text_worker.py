"""The process for work on texts: it reads orders from standard input and writes results to standard output.

An order is a function with its arguments; a result is a success flag with the value or the error. Both are pickled,
after their length as eight bytes. The process imports only the modules of its orders: no model, driver or web server.
It ends with its input.
"""

import os
import pickle
import signal
import sys
from typing import IO, Final

_LENGTH_BYTES: Final = 8
_NICE: Final = 5  # lower priority than the service, which answers requests


class Ended(Exception):
    """Raised if the process on the other side has ended."""


def send(stream: IO[bytes], content: bytes) -> None:
    """Write one order or result."""
    stream.write(len(content).to_bytes(_LENGTH_BYTES, "big"))
    stream.write(content)
    stream.flush()


def receive(stream: IO[bytes]) -> bytes:
    """Return the next order or result.

    Raises:
        Ended: The stream ended before a complete message.
    """
    length = int.from_bytes(_exactly(stream, _LENGTH_BYTES), "big")
    return _exactly(stream, length)


def _exactly(stream: IO[bytes], count: int) -> bytes:
    content = stream.read(count)
    if len(content) < count:
        raise Ended
    return content


def answer_to(order: bytes) -> bytes:
    """Run one order and return its pickled outcome: a success flag, and the result or the error."""
    try:
        work, arguments = pickle.loads(order)  # noqa: S301 - the service alone writes here
        return pickle.dumps((True, work(*arguments)))
    except Exception as error:  # noqa: BLE001 - it is raised where the work was asked for
        return pickle.dumps((False, _sendable(error)))


def _sendable(error: Exception) -> Exception:
    """Return an error that can be pickled, or else a new error with its type."""
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 - what was written one line before
    except Exception:  # noqa: BLE001 - errors of libraries are made of anything
        return RuntimeError(type(error).__name__)
    return error


def main() -> None:
    """Run orders one at a time until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to all; the service ends this process
    os.nice(_NICE)
    orders, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # prints go to standard error, because standard output has the results
    try:
        while True:
            send(answers, answer_to(receive(orders)))
    except (Ended, BrokenPipeError):
        return


if __name__ == "__main__":
    main()
