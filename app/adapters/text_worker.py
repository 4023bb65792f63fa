"""The process that works on texts: orders on its standard input, answers on its standard output, until the input ends.

An order is a function with its arguments, an answer whether it returned and what; both are pickled, behind their length
as eight bytes. It imports what an order names and nothing else: no model, no driver, no web server.
"""

import os
import pickle
import signal
import sys
from typing import IO, Final

_LENGTH_BYTES: Final = 8
_NICE: Final = 5  # whoever waits for an answer goes before what is done in the background


class Ended(Exception):
    """Raised where the process on the other side has come to its end."""


def send(stream: IO[bytes], content: bytes) -> None:
    """Write one order or answer."""
    stream.write(len(content).to_bytes(_LENGTH_BYTES, "big"))
    stream.write(content)
    stream.flush()


def receive(stream: IO[bytes]) -> bytes:
    """Return the next order or answer.

    Raises:
        Ended: There is no whole one any more.
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
    """Return an error that can be read on the other side; of one that cannot, its type."""
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 - what was written one line before
    except Exception:  # noqa: BLE001 - errors of libraries are made of anything
        return RuntimeError(type(error).__name__)
    return error


def main() -> None:
    """Run orders one at a time until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to all; the service says when it ends
    os.nice(_NICE)
    orders, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what anything prints must not get among the answers
    try:
        while True:
            send(answers, answer_to(receive(orders)))
    except (Ended, BrokenPipeError):
        return


if __name__ == "__main__":
    main()
