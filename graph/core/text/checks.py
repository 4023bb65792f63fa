"""Checks of texts from callers."""

import re

from graph.core.errors import InvalidInput
from graph.core.text.normal_forms import composed, is_blank

QUERY_CHARS = 8000
"""Number of characters of a query to read: its last, because the point of a long query is usually at its end."""
_SHORT_TEXT_LIMIT = 512
_IDENTIFIER = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:\-]{0,127}")


def storable(field: str, text: str) -> str:
    """Return ``text`` if a database can store it.

    Raises:
        InvalidInput: It contains a NUL character or a lone surrogate.
    """
    if "\x00" in text:
        raise InvalidInput(field, f"{field} must not hold NUL characters")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InvalidInput(field, f"{field} must be valid Unicode, without lone surrogates") from None
    return text


def filled(field: str, text: str) -> str:
    """Return text, trimmed and in Unicode form C, that has at least one visible character.

    Raises:
        InvalidInput: It is blank or not storable.
    """
    trimmed = composed(storable(field, text)).strip()
    if is_blank(trimmed):
        raise InvalidInput(field, f"{field} must have at least 1 character after trimming")
    return trimmed


def query_text(field: str, text: str, *, most: int = QUERY_CHARS) -> str:
    """Return the end of a query, trimmed and in Unicode form C; :func:`note_of_cut` reports the cut.

    Raises:
        InvalidInput: It is not storable.
    """
    return composed(storable(field, text)).strip()[-most:].lstrip()


def note_of_cut(field: str, text: str, *, most: int = QUERY_CHARS) -> list[str]:
    """Return the notice for a caller if :func:`query_text` cut a query; empty if not."""
    is_cut = len(composed(text).strip()) > most
    return [f"{field}: only its last {most:,} characters were read"] if is_cut else []


def short_name(field: str, text: str | None, *, limit: int = _SHORT_TEXT_LIMIT) -> str | None:
    """Return a name or text for people, trimmed, in Unicode form C, of at most ``limit`` characters; None stays None.

    Raises:
        InvalidInput: It is blank, too long or not storable.
    """
    return short_text(field, None if text is None else composed(text), limit=limit)


def short_text(field: str, text: str | None, *, limit: int = _SHORT_TEXT_LIMIT) -> str | None:
    """Return a trimmed id, address or name, otherwise unchanged, of at most ``limit`` characters; None stays None.

    Raises:
        InvalidInput: It is blank, too long or not storable.
    """
    if text is None:
        return None
    trimmed = storable(field, text).strip()
    if is_blank(trimmed):
        raise InvalidInput(field, f"{field} must not be blank; leave it out instead")
    if len(trimmed) > limit:
        raise InvalidInput(field, f"{field} must have at most {limit} characters, got {len(trimmed)}")
    return trimmed


def is_identifier(value: str) -> bool:
    """Tell whether a text may be an id: 1 to 128 letters, digits, "_", ".", ":" or "-"; the first a letter or digit."""
    return _IDENTIFIER.fullmatch(value) is not None


def identifier(field: str, value: str) -> str:
    """Return an id that a caller chose.

    Raises:
        InvalidInput: It is not a valid id; see :func:`is_identifier`.
    """
    if not is_identifier(value):
        raise InvalidInput(field, f"{field} must be 1 to 128 letters, digits, '_', '.', ':' or '-'")
    return value
