"""The formats that are read, and how a file's name tells its format."""

from pathlib import PurePosixPath
from urllib.parse import urlsplit

PLAIN = "text/plain"
MARKDOWN = "text/markdown"
HTML = "text/html"
PDF = "application/pdf"

MEDIA_TYPES = (PLAIN, MARKDOWN, HTML, PDF)
_OTHER_NAMES = {"application/xhtml+xml": HTML, "text/x-markdown": MARKDOWN, "application/x-pdf": PDF}
_BY_SUFFIX = {
    ".txt": PLAIN,
    ".text": PLAIN,
    ".rst": PLAIN,
    ".md": MARKDOWN,
    ".markdown": MARKDOWN,
    ".mdx": MARKDOWN,
    ".html": HTML,
    ".htm": HTML,
    ".xhtml": HTML,
    ".pdf": PDF,
}


def known_media_type(name: str) -> str | None:
    """Return the media type that a name such as ``text/html; charset=utf-8`` means, or None."""
    bare = name.partition(";")[0].strip().lower()
    bare = _OTHER_NAMES.get(bare, bare)
    return bare if bare in MEDIA_TYPES else None


def media_type_of_file(name_or_uri: str) -> str | None:
    """Return the media type that the ending of a file's name or of a URI's path speaks of, or None."""
    try:
        path = urlsplit(name_or_uri).path
    except ValueError:  # such as a broken IPv6 address
        path = name_or_uri
    return _BY_SUFFIX.get(PurePosixPath(path).suffix.lower())
