"""Serialised states: base64 from callers, compressed bytes in the graph. What is in them, the service never reads.

States of one thread resemble each other and are mostly text, so that zstd leaves a fifth of them or less.
"""

import base64
from typing import Final

import zstandard

from graph.core.errors import Conflict, InvalidInput

MOST_BYTES: Final = 4 * 1024 * 1024
"""How large a state may be, and what one task writes; one of 4 MiB is some 35,000 records of Neo4j's."""
_LEVEL: Final = 3
_GROUP: Final = 4  # characters of base64 for each three bytes
_MOST_CHARS: Final = -(-MOST_BYTES // 3) * _GROUP


def decoded(field: str, text: str) -> bytes:
    """Return the bytes that a field holds as base64.

    Raises:
        InvalidInput: It is no base64, or of more than 4 MiB.
    """
    if len(text) > _MOST_CHARS:
        raise too_large(field)
    try:
        state = base64.b64decode(text, validate=True)
    except ValueError:  # binascii.Error, or characters that are not ASCII
        raise InvalidInput(field, f"{field} must be base64 with its padding (RFC 4648, section 4)") from None
    if len(state) > MOST_BYTES:
        raise too_large(field)
    return state


def too_large(field: str) -> InvalidInput:
    """Return the error for a field that holds more than 4 MiB."""
    return InvalidInput(field, f"{field} must have at most {MOST_BYTES} bytes before they are base64")


def packed(state: bytes) -> bytes:
    """Return a state as the graph holds it."""
    return zstandard.ZstdCompressor(level=_LEVEL).compress(state)


def unpacked(stored: bytes | bytearray) -> bytes:
    """Return the state that the graph holds.

    Raises:
        Conflict: It is none of this service's, as one of an archive that was written by hand may be.
    """
    try:
        if zstandard.frame_content_size(stored) > MOST_BYTES:
            raise Conflict("a state that is stored is larger than any that this service stores")
        return zstandard.ZstdDecompressor().decompress(stored, max_output_size=MOST_BYTES)
    except zstandard.ZstdError:
        raise Conflict("a state that is stored cannot be read: it was not written by this service") from None
