"""Checks on text that comes from outside."""

import re

from graph.core.errors import InvalidInput
from graph.core.text.normal_forms import composed, is_blank

QUERY_CHARS = 8000
"""Number of characters of a query that are read, its last: there a long one comes to its point."""
_SHORT_TEXT_LIMIT = 512
_IDENTIFIER = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:\-]{0,127}")


def storable(field: str, text: str) -> str:
    """Return ``text`` if a database can hold it.

    Raises:
        InvalidInput: It holds a NUL character or a lone surrogate.
    """
    if "\x00" in text:
        raise InvalidInput(field, f"{field} must not hold NUL characters")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InvalidInput(field, f"{field} must be valid Unicode, without lone surrogates") from None
    return text


def filled(field: str, text: str) -> str:
    """Return trimmed and composed text that has at least one visible character.

    Raises:
        InvalidInput: It is blank or not storable.
    """
    trimmed = composed(storable(field, text)).strip()
    if is_blank(trimmed):
        raise InvalidInput(field, f"{field} must have at least 1 character after trimming")
    return trimmed


def query_text(field: str, text: str, *, most: int = QUERY_CHARS) -> str:
    """Return the end of a trimmed and composed query, empty for a blank one; :func:`note_of_cut` tells of the cut.

    Raises:
        InvalidInput: It is not storable.
    """
    return composed(storable(field, text)).strip()[-most:].lstrip()


def note_of_cut(field: str, text: str, *, most: int = QUERY_CHARS) -> list[str]:
    """Return what tells a caller that :func:`query_text` cut a query, nothing where it did not."""
    is_cut = len(composed(text).strip()) > most
    return [f"{field}: only its last {most:,} characters were read"] if is_cut else []


def short_name(field: str, text: str | None, *, limit: int = _SHORT_TEXT_LIMIT) -> str | None:
    """Return a trimmed and composed name or text for people of at most ``limit`` characters; None stays None.

    Raises:
        InvalidInput: It is blank, too long or not storable.
    """
    return short_text(field, None if text is None else composed(text), limit=limit)


def short_text(field: str, text: str | None, *, limit: int = _SHORT_TEXT_LIMIT) -> str | None:
    """Return a trimmed id, address or name as its caller writes it, of at most ``limit`` characters; None stays None.

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
    """Tell whether a text may be an id: 1 to 128 letters, digits, "_", ".", ":" or "-", the first no sign."""
    return _IDENTIFIER.fullmatch(value) is not None


def identifier(field: str, value: str) -> str:
    """Return an id that a caller chose.

    Raises:
        InvalidInput: It is none, see :func:`is_identifier`.
    """
    if not is_identifier(value):
        raise InvalidInput(field, f"{field} must be 1 to 128 letters, digits, '_', '.', ':' or '-'")
    return value
