"""Refuses bodies that must not be read any further, before anything is done with them.

A body comes as it is: compressed ones are refused, since a few bytes could become gigabytes. JSON is read strictly
where a route takes it: valid UTF-8, every key once, numbers that are numbers, and no deeper than a memory can be.
"""

import json
import re
from typing import Any, Final, NoReturn

import numpy as np
from litestar import Request
from litestar.exceptions import ClientException
from litestar.status_codes import HTTP_415_UNSUPPORTED_MEDIA_TYPE

from graph.core.errors import InvalidInput

MOST_LEVELS: Final = 64
"""How deeply arrays and objects may lie in each other; metadata of any use has a handful of levels."""
USUAL_BODY_BYTES: Final = 1024 * 1024
"""Largest body of a route that takes one memory: 2000 characters, 64 KiB of metadata and a vector leave room."""

_METHODS = frozenset({"POST", "PUT", "PATCH", "DELETE"})
# Also takes a text that is never closed, so that each byte is looked at once.
_TEXT = re.compile(rb'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)', re.DOTALL)
_NO_BRACKETS = bytes(byte for byte in range(256) if byte not in b"[]{}")
_OPENING = list(b"[{")


async def refuse_unreadable(request: Request[Any, Any, Any]) -> None:
    """Refuse a body by its encoding, its size or its JSON; Litestar calls this before a handler.

    Raises:
        ClientException: It is encoded (415) or larger than the route takes (413).
        InvalidInput: The route takes JSON, and it is none, or breaks a rule of :func:`check_json`.
    """
    if request.method not in _METHODS:
        return
    encoding = request.headers.get("content-encoding", "identity").strip().lower()
    if encoding != "identity":
        raise ClientException(status_code=HTTP_415_UNSUPPORTED_MEDIA_TYPE)
    if "data" in request.route_handler.parsed_fn_signature.parameters:
        body = await request.body()
        if body:  # a route that can do without one takes none
            check_json(body)


def check_json(body: bytes) -> None:
    """Check that a body is strict JSON.

    Raises:
        InvalidInput: It is not UTF-8, no JSON, nested deeper than 64 levels, names a key twice in one object, or
            holds NaN or Infinity. The field is ``body``.
    """
    try:
        text = body.decode()
    except UnicodeDecodeError:
        raise InvalidInput("body", "body: must be valid UTF-8") from None
    if _levels(body) > MOST_LEVELS:
        raise InvalidInput("body", f"body: must not be nested deeper than {MOST_LEVELS} levels")
    try:
        json.loads(text, object_pairs_hook=_without_repeats, parse_constant=_no_number)
    except ValueError:
        raise InvalidInput("body", "body: must be valid JSON") from None


def _levels(body: bytes) -> int:
    brackets = np.frombuffer(_TEXT.sub(b"", body).translate(None, _NO_BRACKETS), dtype=np.uint8)
    if not brackets.size:
        return 0
    return int(np.where(np.isin(brackets, _OPENING), 1, -1).cumsum().max())


def _without_repeats(pairs: list[tuple[str, Any]]) -> None:
    seen: set[str] = set()
    for name, _ in pairs:
        if name in seen:
            raise InvalidInput("body", f"body: names the key {name[:60]!r} twice in one object")
        seen.add(name)


def _no_number(constant: str) -> NoReturn:
    raise InvalidInput("body", f"body: must hold finite numbers only, not {constant}")
