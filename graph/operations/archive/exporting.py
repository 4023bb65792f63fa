"""Reads a workspace in pages and packs each page."""

import asyncio
import hashlib
import io
import itertools
import tarfile
from collections import Counter, deque
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, TypeVar

import zstandard
from pydantic import BaseModel
from pydantic_core import to_json as write_json

from graph.core.database import Database
from graph.core.errors import Conflict
from graph.operations import queries
from graph.operations.archive.format import (
    ARCHIVED,
    FORMAT_MEMBER,
    MANIFEST_MEMBER,
    MEMBER_BYTES,
    WORKSPACE_MEMBER,
    FormatNote,
    Manifest,
    MemberNote,
    UnknownValueError,
    WorkspaceRecord,
    to_json,
    vector_to_text,
)
from graph.operations.queries import GetArchiveNodesRow, ListArchiveEdgesRow
from graph.vectors.index.models import VectorIndex

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


RowT = TypeVar("RowT")
_READ_TOGETHER: Final = 250  # with vectors about 1 MB
_PAGES_AHEAD: Final = 2


@dataclass
class Export:
    """One export of one workspace; used once.

    Attributes:
        record: Workspace record of the archive.
        refs: Element ids by label.
        index: Index of the exported vectors; None: without vectors.
    """

    database: Database
    record: WorkspaceRecord
    refs: Mapping[str, Sequence[str]]
    index: VectorIndex | None
    now: datetime
    _numbers: dict[str, int] = field(default_factory=dict)
    _counts: Counter[str] = field(default_factory=Counter)

    async def pieces(self) -> AsyncGenerator[bytes]:
        """Yield the archive; nodes deleted during the export are omitted.

        Raises:
            Conflict: A node has a value that the format does not support.
        """
        packer = Packer(self.now)
        yield packer.add_record(FORMAT_MEMBER, FormatNote())
        yield packer.add_record(WORKSPACE_MEMBER, self.record)
        for label in ARCHIVED:
            async for piece in self._packed(packer, f"nodes/{label}-", self._nodes(label)):
                yield piece
        async for piece in self._packed(packer, "edges/", self._edges()):
            yield piece
        edges = sum(member.records for member in packer.members if member.name.startswith("edges/"))
        manifest = Manifest(
            created_at=self.now.isoformat(),
            nodes=dict(self._counts),
            edges=edges,
            members=list(packer.members),
        )
        yield packer.add_record(MANIFEST_MEMBER, manifest) + packer.end()

    async def _packed(
        self, packer: Packer, stem: str, batches: AsyncIterator[list[bytes]]
    ) -> AsyncIterator[bytes]:
        """Yield the lines in packed members of about equal size."""
        numbers = itertools.count(1)
        lines: list[bytes] = []
        size = 0
        async for batch in batches:
            for line in batch:
                if lines and size + len(line) > MEMBER_BYTES:
                    yield await _pack(packer, f"{stem}{next(numbers):06}.jsonl", lines)
                    lines, size = [], 0
                lines.append(line)
                size += len(line)
        if lines:
            yield await _pack(packer, f"{stem}{next(numbers):06}.jsonl", lines)

    async def _nodes(self, label: str) -> AsyncIterator[list[bytes]]:
        vector_property = self.index.vector_property if self.index else None

        def read(refs: Sequence[str]) -> Coroutine[Any, Any, list[GetArchiveNodesRow]]:
            return queries.get_archive_nodes(
                self.database,
                workspace_id=self.record.workspace_id,
                refs=refs,
                label=label,
                user_id=self.record.user_id,
                vector_property=vector_property,
            )

        async for rows in _read_ahead(read, self.refs.get(label, ())):
            exported = [row for row in rows if label != "Passage" or self._is_in_use(row)]
            for row in exported:
                self._numbers[row.ref] = len(self._numbers) + 1
            self._counts[label] += len(exported)
            numbers = [self._numbers[row.ref] for row in exported]
            yield await asyncio.to_thread(_node_lines, label, numbers, exported)
        if not self._counts[label]:
            del self._counts[label]

    def _is_in_use(self, passage: GetArchiveNodesRow) -> bool:
        """Tell whether the archive includes a passage: only together with its vector."""
        return self.index is not None and passage.properties.get("slot") == self.index.slot

    async def _edges(self) -> AsyncIterator[list[bytes]]:
        labels = {ref: label for label, refs in self.refs.items() for ref in refs if ref in self._numbers}
        for label in ARCHIVED:
            refs = [ref for ref in self.refs.get(label, ()) if ref in self._numbers]
            async for rows in _read_ahead(self._reader_of_edges(label), refs):
                exported = [row for row in rows if labels.get(row.target) in row.target_labels]
                yield await asyncio.to_thread(_edge_lines, self._numbers, exported)

    def _reader_of_edges(
        self, label: str
    ) -> Callable[[Sequence[str]], Coroutine[Any, Any, list[ListArchiveEdgesRow]]]:
        def read(refs: Sequence[str]) -> Coroutine[Any, Any, list[ListArchiveEdgesRow]]:
            return queries.list_archive_edges(
                self.database,
                workspace_id=self.record.workspace_id,
                refs=refs,
                label=label,
                user_id=self.record.user_id,
            )

        return read


async def _read_ahead(
    read: Callable[[Sequence[str]], Coroutine[Any, Any, list[RowT]]], refs: Sequence[str]
) -> AsyncIterator[list[RowT]]:
    """Yield pages while the next ones are being read, so that reading and packing overlap."""
    under_way: deque[asyncio.Task[list[RowT]]] = deque()
    try:
        for first in range(0, len(refs), _READ_TOGETHER):
            under_way.append(asyncio.create_task(read(refs[first : first + _READ_TOGETHER])))
            if len(under_way) > _PAGES_AHEAD:
                yield await under_way.popleft()
        while under_way:
            yield await under_way.popleft()
    finally:
        for task in under_way:
            task.cancel()


async def _pack(packer: Packer, name: str, lines: Sequence[bytes]) -> bytes:
    return await asyncio.to_thread(lambda: packer.add(name, b"".join(lines), records=len(lines)))


def _node_lines(label: str, numbers: Sequence[int], rows: Sequence[GetArchiveNodesRow]) -> list[bytes]:
    lines = []
    for number, row in zip(numbers, rows, strict=True):
        line: dict[str, Any] = {
            "number": number,
            "labels": [label, *sorted(other for other in row.labels if other != label)],
            "properties": _properties(label, row.properties),
        }
        if row.vector is not None:
            line["vector"] = vector_to_text(row.vector)
        lines.append(write_json(line) + b"\n")
    return lines


def _properties(label: str, properties: Mapping[str, Any]) -> dict[str, Any]:
    try:
        written = to_json(properties)
    except UnknownValueError as error:
        raise Conflict(f"a {label} cannot be exported: {error}") from None
    if label == "Passage":
        written.pop("slot", None)  # each deployment has its own slots of vectors
    return written


def _edge_lines(numbers: Mapping[str, int], rows: Sequence[ListArchiveEdgesRow]) -> list[bytes]:
    return [
        write_json(
            {
                "source": numbers[row.source],
                "target": numbers[row.target],
                "type": row.type,
                "properties": to_json(row.properties),
            }
        )
        + b"\n"
        for row in rows
    ]
