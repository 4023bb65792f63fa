"""Writes a tar in zstd piece by piece, and buffers only one member."""

import hashlib
import io
import tarfile
from datetime import datetime
from typing import Final

import zstandard
from pydantic import BaseModel

from graph.operations.archive.format import MemberNote

_LEVEL: Final = 3
_BLOCK: Final = tarfile.BLOCKSIZE


class Packer:
    """Packs the members of one archive; used from one thread at a time.

    Attributes:
        members: Members so far.
    """

    def __init__(self, now: datetime) -> None:
        self._compressor = zstandard.ZstdCompressor(level=_LEVEL, write_checksum=True).compressobj()
        self._time = int(now.timestamp())
        self.members: list[MemberNote] = []

    def add(self, name: str, content: bytes, *, records: int = 1) -> bytes:
        """Pack a member; return the bytes that are ready to send."""
        header = tarfile.TarInfo(name)
        header.size, header.mtime, header.mode = len(content), self._time, 0o600
        digest = hashlib.sha256(content).hexdigest()
        self.members.append(MemberNote(name=name, records=records, size=len(content), sha256=digest))
        packed = io.BytesIO()
        packed.write(self._compressor.compress(header.tobuf(tarfile.USTAR_FORMAT)))
        packed.write(self._compressor.compress(content))
        packed.write(self._compressor.compress(bytes(-len(content) % _BLOCK)))
        return packed.getvalue()

    def add_record(self, name: str, record: BaseModel) -> bytes:
        """Pack a member that is one JSON object."""
        return self.add(name, record.model_dump_json(indent=1).encode())

    def end(self) -> bytes:
        """Return the rest of the archive."""
        return self._compressor.compress(bytes(2 * _BLOCK)) + self._compressor.flush()
