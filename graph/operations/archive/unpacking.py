"""Reads the members of a tar in zstd, and refuses other data before it unpacks them.

Only plain files with names of the format are members: no folder, link, outside path or extended header. It stops at
once if data unpacks to far more than an archive may. It writes nothing to disk.
"""

import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, Final

import zstandard

from graph.core.errors import InvalidInput
from graph.operations.archive.format import (
    EDGES_MEMBER,
    FORMAT_MEMBER,
    MANIFEST_MEMBER,
    MOST_BYTES,
    MOST_MEMBER_BYTES,
    MOST_MEMBERS,
    MOST_RATIO,
    NODES_MEMBER,
    RATIO_SLACK_BYTES,
    WORKSPACE_MEMBER,
)

_BLOCK: Final = tarfile.BLOCKSIZE
_READ_BYTES: Final = 512
"""So little at a time that even a block of repeated bytes, 4 packed and 128 KiB unpacked, stays within 16 MiB."""
_SINGLE: Final = frozenset({FORMAT_MEMBER, WORKSPACE_MEMBER, MANIFEST_MEMBER})


@dataclass(frozen=True)
class Member:
    """One file of an archive."""

    name: str
    content: bytes


def refused(reason: str) -> InvalidInput:
    """Return the error for an archive that cannot be restored."""
    return InvalidInput("archive", f"archive: {reason}")


def members_of(file: BinaryIO) -> Iterator[Member]:
    """Yield the members in their order, from where the file stands to its end.

    Raises:
        InvalidInput: It is no such archive, was cut, has something after its end, or breaks a limit.
    """
    unpacked = _Unpacked(file)
    count = 0
    while (header := unpacked.read(_BLOCK)).strip(b"\0"):
        info = _header(header)
        count += 1
        if count > MOST_MEMBERS:
            raise refused(f"has more than {MOST_MEMBERS} members")
        content = unpacked.read(info.size)
        unpacked.read(-info.size % _BLOCK)
        yield Member(info.name, content)
    unpacked.end()


def _header(block: bytes) -> tarfile.TarInfo:
    try:
        info = tarfile.TarInfo.frombuf(block, "utf-8", "strict")
    except (tarfile.HeaderError, UnicodeDecodeError):
        raise refused("is no tar, or was altered") from None
    if info.type not in (tarfile.REGTYPE, tarfile.AREGTYPE):
        raise refused(f"{info.name[:100]!r} is no plain file; an archive holds nothing else")
    if (
        info.name not in _SINGLE
        and not NODES_MEMBER.fullmatch(info.name)
        and not EDGES_MEMBER.fullmatch(info.name)
    ):
        raise refused(f"{info.name[:100]!r} is no member of an archive")
    if not 0 <= info.size <= MOST_MEMBER_BYTES:
        raise refused(f"{info.name!r} has {info.size} bytes; at most {MOST_MEMBER_BYTES} are allowed")
    return info


class _Unpacked:
    """Unpacked bytes of a file, read once from beginning to end."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._decompressor = zstandard.ZstdDecompressor().decompressobj()
        self._ready = bytearray()
        self._read = 0
        self._unpacked = 0

    def read(self, size: int) -> bytes:
        """Return just so many bytes.

        Raises:
            InvalidInput: There are fewer, or this is no zstd.
        """
        while len(self._ready) < size:
            if not self._more():
                raise refused("ends too early: it was cut, or its export was not finished")
        content = bytes(self._ready[:size])
        del self._ready[:size]
        return content

    def end(self) -> None:
        """Return once nothing but the padding of the tar was left.

        Raises:
            InvalidInput: There is something else, or the end is missing.
        """
        while self._more():
            if self._ready.strip(b"\0"):
                raise refused("has something after its end")
            self._ready.clear()
        if self._ready.strip(b"\0") or self._decompressor.unused_data or self._file.read(1):
            raise refused("has something after its end")
        if not self._decompressor.eof:
            raise refused("ends too early: it was cut, or its export was not finished")

    def _more(self) -> bool:
        """Unpack a little more; False at the end."""
        if self._decompressor.eof:
            return False
        packed = self._file.read(_READ_BYTES)
        if not packed:
            return False
        try:
            unpacked = self._decompressor.decompress(packed)
        except zstandard.ZstdError:
            raise refused("is no zstd file, or was altered") from None
        self._read += len(packed)
        self._unpacked += len(unpacked)
        if self._unpacked > min(MOST_BYTES, MOST_RATIO * self._read + RATIO_SLACK_BYTES):
            raise refused(f"unpacks to more than 1 GiB and {MOST_RATIO} times its size")
        self._ready += unpacked
        return True
