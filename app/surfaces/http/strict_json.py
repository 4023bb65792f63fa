"""Parses JSON strictly, for every surface, and refuses invalid bodies before a handler runs.

It requires valid UTF-8, unique keys, finite numbers and whole characters, and limits the nesting depth.
"""

import asyncio
import json
import pickle
import re
from collections import Counter
from functools import cache, partial
from io import BytesIO
from json import JSONDecodeError
from typing import Any, Final, NoReturn

import numpy as np
from litestar import Request
from litestar.exceptions import ClientException
from litestar.handlers import BaseRouteHandler
from litestar.params import ParameterKwarg
from litestar.status_codes import HTTP_415_UNSUPPORTED_MEDIA_TYPE
from litestar.utils.scope.state import ScopeState

from graph.core.errors import InvalidInput
from graph.core.text.work import TextWork
from graph.operations.services import Services

MENDS_HALVES: Final = "mends_halves"
"""Option of a route whose bodies contain what others wrote: see :func:`read_json`."""
MOST_LEVELS: Final = 64
"""Maximum nesting depth of JSON; useful metadata has a handful of levels."""

# Also matches an unclosed string, so that each byte is read once; an image is one string of megabytes.
_TEXT = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)', re.DOTALL)
_NO_BRACKETS = bytes(byte for byte in range(256) if byte not in b"[]{}")
_OPENING = list(b"[{")
_HALF = re.compile("[\ud800-\udfff]")
_MAY_BE_HALF = re.compile(rb"\\u[dD][89a-fA-F]")
_MOST_PATH_CHARS = 200
_LARGE_EXPONENT = re.compile(rb"[eE]\+?\d{3}")
_MOST_DIGITS = 308  # the largest float is 1.8e308
_DIGITS_ALIKE = bytes.maketrans(b"123456789", b"0" * 9)


def read_json(body: str | bytes, *, mends_halves: bool = False) -> Any:
    """Return the value of a JSON body.

    Args:
        body: The body.
        mends_halves: Whether U+FFFD replaces lone surrogates, as in a text that a program cut within an emoji.

    Raises:
        InvalidInput: The body is not UTF-8 or not JSON, is nested deeper than 64 levels, repeats a key in one object,
            or contains a lone surrogate, NaN, Infinity or a number too large for a float. The field is ``body``; for a
            lone surrogate it is the path of the text, such as ``messages[1].content``.
    """
    content = body.encode("utf-8", "surrogatepass") if isinstance(body, str) else body
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        raise _refused(f"must be valid UTF-8; byte {error.start} is not") from None
    if _levels(content) > MOST_LEVELS:
        raise _refused(f"must not be nested deeper than {MOST_LEVELS} levels")
    try:
        may_be_endless = _may_be_endless(content)
        value = json.loads(
            text,
            object_pairs_hook=_without_repeats,
            parse_constant=_no_number,
            parse_float=_finite if may_be_endless else None,
            parse_int=_bounded if may_be_endless else None,
        )
        if _MAY_BE_HALF.search(content):
            value = _with_mended_halves(value) if mends_halves else _without_halves(value)
    except JSONDecodeError as error:
        raise _refused(f"must be valid JSON: {error}") from None
    except ValueError:  # a number with thousands of digits
        raise _refused("must be valid JSON; a number in it has too many digits") from None
    return value


def _may_be_endless(content: bytes) -> bool:
    """Tell whether a number may exceed every float; a quick check that does not parse each number of a vector."""
    has_long_number = b"0" * (_MOST_DIGITS + 1) in content.translate(_DIGITS_ALIKE)
    return has_long_number or _LARGE_EXPONENT.search(content) is not None


def _levels(content: bytes) -> int:
    brackets = np.frombuffer(_TEXT.sub(b"", content).translate(None, _NO_BRACKETS), dtype=np.uint8)
    if not brackets.size:
        return 0
    return int(np.where(np.isin(brackets, _OPENING), 1, -1).cumsum().max())


def _refuse_half_pairs(value: Any, path: str = "") -> None:
    """Refuse the first text or key with a lone surrogate; the recursion is as deep as the checked nesting."""
    match value:
        case str():
            if not _is_whole(value):
                field = path[:_MOST_PATH_CHARS] or "body"
                raise InvalidInput(field, f"{field}: must be valid Unicode, without lone surrogates")
        case list():
            for place, each in enumerate(value):
                _refuse_half_pairs(each, f"{path}[{place}]")
        case dict():
            for name, each in value.items():
                _refuse_half_pairs(name, path)
                _refuse_half_pairs(each, f"{path}.{name}" if path else name)


def _without_halves(value: Any) -> Any:
    _refuse_half_pairs(value)
    return value


def _with_mended_halves(value: Any) -> Any:
    match value:
        case str():
            return _HALF.sub("\ufffd", value)
        case list():
            return [_with_mended_halves(each) for each in value]
        case dict():
            return {_HALF.sub("\ufffd", name): _with_mended_halves(each) for name, each in value.items()}
    return value


def _is_whole(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read = dict(pairs)
    if len(read) < len(pairs):
        twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise _refused(f"contains the key {twice[:60]!r} twice in one object")
    return read


def _finite(number: str) -> float:
    value = float(number)
    if value in (float("inf"), float("-inf")):
        _no_number(number)
    return value


def _bounded(number: str) -> int:
    _finite(number)
    return int(number)


def _no_number(constant: str) -> NoReturn:
    raise _refused(f"must hold finite numbers only, not {constant[:60]}")


def _refused(reason: str) -> InvalidInput:
    return InvalidInput("body", f"body: {reason}")


# Python's parser holds the interpreter lock until it ends, which for 30 MB takes a second or two.


LARGE_BYTES: Final = 256 * 1024
"""Size from which another process parses JSON; shorter JSON takes a few milliseconds."""


async def read_body(body: bytes, work: TextWork, *, mends_halves: bool = False) -> Any:
    """Parse a body in another process, as :func:`read_json` does.

    Raises:
        InvalidInput: The body breaks a rule.
        Unavailable: The parsing process ended.
    """
    if len(body) <= LARGE_BYTES:
        return read_json(body, mends_halves=mends_halves)
    packed = await work.run(partial(_packed, mends_halves=mends_halves), body, chars=len(body))
    return await asyncio.to_thread(_unpacked, packed)


def _packed(body: bytes, *, mends_halves: bool) -> bytes:
    return pickle.dumps(read_json(body, mends_halves=mends_halves), protocol=pickle.HIGHEST_PROTOCOL)


def _unpacked(packed: bytes) -> Any:
    return pickle.Unpickler(_InPieces(packed)).load()  # noqa: S301 - of a process of our own


class _InPieces:
    """A file in Python, so that other threads can run between its reads; pickles have frames of 64 KiB."""

    def __init__(self, content: bytes) -> None:
        self._content = BytesIO(content)

    def read(self, size: int = -1) -> bytes:
        return self._content.read(size)

    def readline(self) -> bytes:
        return self._content.readline()


# Compressed bodies are refused, because a few bytes could unpack to gigabytes.


_NULL = "null"


def refuse_null(request: Request[Any, Any, Any]) -> None:
    """Refuse the text "null" for an optional parameter that is not a string, which Litestar would read as None.

    Raises:
        InvalidInput: A parameter is null; the error names it.
    """
    for name, value in request.query_params.multi_items():
        if value.lower() == _NULL and name in _read_as_none(request.route_handler):
            raise InvalidInput(name, f"{name}: must not be null; leave it out instead")


@cache
def _read_as_none(handler: BaseRouteHandler) -> frozenset[str]:
    """Return the optional parameters of a handler that are not strings."""
    found = set()
    for name, field in handler.parsed_fn_signature.parameters.items():
        kwarg = field.kwarg_definition
        is_text = any(inner.annotation in (str, list[str]) for inner in field.inner_types)
        if isinstance(kwarg, ParameterKwarg) and field.is_optional and not is_text:
            found.add(kwarg.name or name)
    return frozenset(found)


_METHODS = frozenset({"POST", "PUT", "PATCH", "DELETE"})


async def refuse_unreadable(request: Request[Any, Any, Any]) -> None:
    """Refuse null parameters, and bodies by encoding, size or JSON; Litestar calls this before a handler.

    Raises:
        ClientException: The body is encoded (415) or larger than the route accepts (413).
        InvalidInput: A parameter is null, or the body is null or not strict JSON.
    """
    refuse_null(request)
    if request.method not in _METHODS:
        return
    encoding = request.headers.get("content-encoding", "identity").strip().lower()
    if encoding != "identity":
        raise ClientException(status_code=HTTP_415_UNSUPPORTED_MEDIA_TYPE)
    if "data" in request.route_handler.parsed_fn_signature.parameters:
        body = await request.body()
        if body:  # a missing body is valid for some routes
            services: Services = request.app.state.services
            mends_halves = MENDS_HALVES in request.route_handler.opt
            read = await read_body(body, services.core.body_work, mends_halves=mends_halves)
            if read is None:
                raise InvalidInput("body", "body: must be a JSON object, not null")
            if mends_halves or len(body) > LARGE_BYTES:  # keeps Litestar from parsing a large body again
                ScopeState.from_scope(request.scope).json = read
