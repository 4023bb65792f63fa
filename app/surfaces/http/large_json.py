"""Reads large JSON where it keeps nobody waiting: in another process, which hands it back in small pieces.

Python's reader holds the interpreter's lock until it is done, which for 30 MB is a second or two.
"""

import asyncio
import pickle
from io import BytesIO
from typing import Any, Final

from app.surfaces.http.strict_json import read_json
from graph.core.text.work import TextWork

LARGE_BYTES: Final = 256 * 1024
"""Size from which another process parses JSON; shorter JSON takes a few milliseconds."""


async def read_body(body: bytes, work: TextWork) -> Any:
    """Return what a body says, as :func:`app.surfaces.http.strict_json.read_json` does.

    Raises:
        InvalidInput: It breaks a rule.
        Unavailable: The process that read it came to its end.
    """
    if len(body) <= LARGE_BYTES:
        return read_json(body)
    packed = await work.run(_packed, body, chars=len(body))
    return await asyncio.to_thread(_unpacked, packed)


def _packed(body: bytes) -> bytes:
    return pickle.dumps(read_json(body), protocol=pickle.HIGHEST_PROTOCOL)


def _unpacked(packed: bytes) -> Any:
    return pickle.Unpickler(_InPieces(packed)).load()  # noqa: S301 - of a process of our own


class _InPieces:
    """A file whose every read is a call of Python's, at which threads take turns; pickles come in pieces of 64 KiB."""

    def __init__(self, content: bytes) -> None:
        self._content = BytesIO(content)

    def read(self, size: int = -1) -> bytes:
        return self._content.read(size)

    def readline(self) -> bytes:
        return self._content.readline()
