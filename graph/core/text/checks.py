"""Checks on text that comes from outside."""

from graph.core.errors import InvalidInput

_SHORT_TEXT_LIMIT = 512


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


def short_text(field: str, text: str | None, *, limit: int = _SHORT_TEXT_LIMIT) -> str | None:
    """Return a trimmed name, label or id of at most ``limit`` characters; None stays None.

    Raises:
        InvalidInput: It is blank, too long or not storable.
    """
    if text is None:
        return None
    trimmed = storable(field, text).strip()
    if not trimmed:
        raise InvalidInput(field, f"{field} must not be blank; leave it out instead")
    if len(trimmed) > limit:
        raise InvalidInput(field, f"{field} must have at most {limit} characters, got {len(trimmed)}")
    return trimmed
