"""Digests of files."""

import hashlib
from pathlib import Path


def sha256_of(path: Path) -> str:
    """Return the hexadecimal SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
