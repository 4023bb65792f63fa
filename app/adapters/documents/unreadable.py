"""The one error of the formats, and the decoding that all texts share."""

from graph.core.text.normal_forms import composed


class UnreadableError(Exception):
    """Raised for content of another type, or above the limits; the text is for people."""


def decoded(content: bytes) -> str:
    """Return the composed text with LF at the ends of lines and without a byte order mark.

    Raises:
        UnreadableError: It is no UTF-8, or holds NUL characters.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableError(f"must be text in UTF-8; byte {error.start} is not") from None
    if "\x00" in text:
        raise UnreadableError("must be text; it holds NUL characters")
    return composed(text.replace("\r\n", "\n").replace("\r", "\n"))
