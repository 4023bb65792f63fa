"""Reads a whole archive without writing anything: checksums, counts and the form of every line."""

import hashlib
import tarfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from io import BytesIO
from typing import BinaryIO, Final, TypeVar

import zstandard
from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import from_json as read_json

from graph.core.errors import InvalidInput
from graph.operations.archive.format import (
    ARCHIVED,
    BESIDE,
    EDGES_MEMBER,
    FORMAT_MEMBER,
    MANIFEST_MEMBER,
    MOST_BYTES,
    MOST_MEMBER_BYTES,
    MOST_MEMBERS,
    MOST_RATIO,
    NODES_MEMBER,
    RATIO_SLACK_BYTES,
    RESERVED,
    VERSION,
    WORKSPACE_MEMBER,
    EdgeLine,
    FormatNote,
    Manifest,
    MemberNote,
    NodeLine,
    UnknownValueError,
    WorkspaceRecord,
    from_json,
    vector_from_text,
)
from graph.tenancy.settings import unreadable

# Members are plain files with names of the format: no folders, links, outside paths or extended headers. The check
# stops immediately if data unpacks to more than an archive may. It writes nothing to disk.


_BLOCK: Final = tarfile.BLOCKSIZE
_READ_BYTES: Final = 512
"""Packed bytes per step: few enough that even a block of repeated bytes (4 bytes to 128 KiB) stays within 16 MiB."""
_SINGLE: Final = frozenset({FORMAT_MEMBER, WORKSPACE_MEMBER, MANIFEST_MEMBER})


@dataclass(frozen=True)
class ArchiveMember:
    """One file of an archive."""

    name: str
    content: bytes


def refused(reason: str) -> InvalidInput:
    """Return the error for an archive that cannot be restored."""
    return InvalidInput("archive", f"archive: {reason}")


def members_of(file: BinaryIO) -> Iterator[ArchiveMember]:
    """Yield the members in order, from the current position of the file to its end.

    Raises:
        InvalidInput: The file is not an archive, is truncated, has data after its end, or exceeds a limit.
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
        yield ArchiveMember(info.name, content)
    unpacked.end()


def _header(block: bytes) -> tarfile.TarInfo:
    try:
        info = tarfile.TarInfo.frombuf(block, "utf-8", "strict")
    except (tarfile.HeaderError, UnicodeDecodeError):
        raise refused("is not a tar file, or was altered") from None
    if info.type not in (tarfile.REGTYPE, tarfile.AREGTYPE):
        raise refused(f"{info.name[:100]!r} is not a plain file; an archive contains only plain files")
    if (
        info.name not in _SINGLE
        and not NODES_MEMBER.fullmatch(info.name)
        and not EDGES_MEMBER.fullmatch(info.name)
    ):
        raise refused(f"{info.name[:100]!r} is not a member of an archive")
    if not 0 <= info.size <= MOST_MEMBER_BYTES:
        raise refused(f"{info.name!r} has {info.size} bytes; at most {MOST_MEMBER_BYTES} are allowed")
    return info


class _Unpacked:
    """Unpacked bytes of a file, readable once."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._decompressor = zstandard.ZstdDecompressor().decompressobj()
        self._ready = bytearray()
        self._read = 0
        self._unpacked = 0

    def read(self, size: int) -> bytes:
        """Return exactly ``size`` bytes.

        Raises:
            InvalidInput: Fewer bytes are left, or the file is not in zstd.
        """
        while len(self._ready) < size:
            if not self._more():
                raise refused("ends too early: it was cut, or its export was not finished")
        content = bytes(self._ready[:size])
        del self._ready[:size]
        return content

    def end(self) -> None:
        """Check that only the padding of the tar is left.

        Raises:
            InvalidInput: There is other data, or the end is missing.
        """
        while self._more():
            if self._ready.strip(b"\0"):
                raise refused("has data after its end")
            self._ready.clear()
        if self._ready.strip(b"\0") or self._decompressor.unused_data or self._file.read(1):
            raise refused("has data after its end")
        if not self._decompressor.eof:
            raise refused("ends too early: it was cut, or its export was not finished")

    def _more(self) -> bool:
        """Unpack the next bytes; return False at the end."""
        if self._decompressor.eof:
            return False
        packed = self._file.read(_READ_BYTES)
        if not packed:
            return False
        try:
            unpacked = self._decompressor.decompress(packed)
        except zstandard.ZstdError:
            raise refused("is not a zstd file, or was altered") from None
        self._read += len(packed)
        self._unpacked += len(unpacked)
        if self._unpacked > min(MOST_BYTES, MOST_RATIO * self._read + RATIO_SLACK_BYTES):
            raise refused(f"unpacks to more than 1 GiB and {MOST_RATIO} times its size")
        self._ready += unpacked
        return True


RecordT = TypeVar("RecordT", bound=BaseModel)
_VERSION_OF = TypeAdapter(dict[str, object])
_OWN_PROPERTIES = frozenset({"workspace_id", "embedding_a", "embedding_b"})
OnRecords = Callable[[int], None]
"""Callback that receives the number of lines checked since its last call."""


@dataclass(frozen=True)
class CheckedArchive:
    """Contents of a complete archive."""

    workspace: WorkspaceRecord
    manifest: Manifest

    @property
    def node_count(self) -> int:
        """Number of nodes in the archive."""
        return sum(self.manifest.nodes.values())


def check(file: BinaryIO, on_records: OnRecords = lambda _: None) -> CheckedArchive:
    """Check an archive from its beginning and return its contents; slow, so run it in a thread.

    Raises:
        InvalidInput: The file is not an archive, has another version, is truncated or altered, or contains data that
            exports never write.
    """
    return _Check(on_records).run(file)


def nodes_in(member: ArchiveMember) -> Iterator[NodeLine]:
    """Yield the nodes of a checked member; yield nothing for other members."""
    if NODES_MEMBER.fullmatch(member.name):
        for line in BytesIO(member.content):
            yield NodeLine.model_construct(None, **{"vector": None, **read_json(line)})


def edges_in(member: ArchiveMember) -> Iterator[EdgeLine]:
    """Yield the edges of a checked member; yield nothing for other members."""
    if member.name.startswith("edges/"):
        for line in BytesIO(member.content):
            yield EdgeLine.model_construct(None, **read_json(line))


@dataclass
class _Check:
    """One pass over one archive."""

    on_records: OnRecords
    seen: list[MemberNote] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    numbers: set[int] = field(default_factory=set)
    nodes: Counter[str] = field(default_factory=Counter)
    edges: int = 0
    workspace: WorkspaceRecord | None = None
    manifest: Manifest | None = None

    def run(self, file: BinaryIO) -> CheckedArchive:
        for member in members_of(file):
            if self.manifest is not None or member.name in self.names:
                raise refused(f"{member.name!r} is in the wrong place")
            self.names.add(member.name)
            records = self._read(member)
            digest = hashlib.sha256(member.content).hexdigest()
            size = len(member.content)
            self.seen.append(MemberNote(name=member.name, records=records, size=size, sha256=digest))
        if self.manifest is None or self.workspace is None:
            raise refused("ends too early: it has no manifest")
        self._compare(self.manifest)
        return CheckedArchive(self.workspace, self.manifest)

    def _read(self, member: ArchiveMember) -> int:
        """Read a member and return its number of records."""
        if not self.seen:
            self._begin(member)
        elif len(self.seen) == 1:
            self.workspace = _workspace(member)
        elif member.name == MANIFEST_MEMBER:
            self.manifest = _record(Manifest, member, MANIFEST_MEMBER)
        elif named := NODES_MEMBER.fullmatch(member.name):
            return self._nodes(member, named["label"])
        else:
            return self._edges(member)
        return 1

    def _begin(self, member: ArchiveMember) -> None:
        """Refuse another format or version first, because its other members may be unknown here."""
        if member.name == FORMAT_MEMBER:
            try:
                version = _VERSION_OF.validate_json(member.content).get("version")
            except ValidationError:
                version = VERSION
            if version != VERSION:
                raise refused(f"has version {version!r:.20}; this release reads version {VERSION}")
        _record(FormatNote, member, FORMAT_MEMBER)

    def _nodes(self, member: ArchiveMember, label: str) -> int:
        rule = ARCHIVED.get(label)
        if rule is None:
            raise refused(f"{member.name!r} is not a member of an archive: the label {label} is unknown")
        if self.edges:
            raise refused(f"{member.name!r} is in the wrong place: nodes come before edges")
        count = 0
        for place, node in _lines(NodeLine, member):
            if node.labels[0] != label or not _may_bear(label, node.labels[1:]):
                raise refused(f"{place}: a {label} cannot have the labels {node.labels!r:.200}")
            if node.number in self.numbers:
                raise refused(f"{place}: two nodes have the number {node.number}")
            _check_values(place, node.properties, node.vector)
            if not all(name in node.properties for name in rule.identities[0] if name != "slot"):
                raise refused(f"{place}: a {label} must have {', '.join(rule.identities[0])}")
            self.numbers.add(node.number)
            count += 1
        self.nodes[label] += count
        self.on_records(count)
        return count

    def _edges(self, member: ArchiveMember) -> int:
        count = 0
        for place, edge in _lines(EdgeLine, member):
            if edge.source not in self.numbers or edge.target not in self.numbers:
                raise refused(f"{place}: an edge must connect two nodes of the archive")
            _check_values(place, edge.properties, None)
            count += 1
        self.edges += count
        self.on_records(count)
        return count

    def _compare(self, manifest: Manifest) -> None:
        notes = {note.name: note for note in manifest.members}
        for note in self.seen[:-1]:
            if notes.get(note.name) != note:
                raise refused(f"{note.name!r} differs from the manifest: it was altered")
        if len(notes) != len(self.seen) - 1 or len(notes) != len(manifest.members):
            raise refused("members of the manifest are missing")
        if dict(manifest.nodes) != dict(self.nodes) or manifest.edges != self.edges:
            raise refused("has a different number of records than its manifest states")


def _record(model: type[RecordT], member: ArchiveMember, name: str) -> RecordT:
    if member.name != name:
        raise refused(f"{member.name!r} is in the wrong place: expected {name}")
    try:
        return model.model_validate_json(member.content)
    except ValidationError as error:
        raise refused(f"{name}: {_first(error)}") from None


def _workspace(member: ArchiveMember) -> WorkspaceRecord:
    record = _record(WorkspaceRecord, member, WORKSPACE_MEMBER)
    for name, reason in unreadable(record.settings).items():
        raise refused(f"{WORKSPACE_MEMBER}: settings.{name}: {reason}")
    return record


def _lines(model: type[RecordT], member: ArchiveMember) -> Iterator[tuple[str, RecordT]]:
    validate = model.__pydantic_validator__.validate_json
    # One line at a time: a decompression bomb may have 64 million.
    for number, line in enumerate(BytesIO(member.content), start=1):
        try:
            yield f"{member.name}, line {number}", validate(line)
        except ValidationError as error:
            raise refused(f"{member.name}, line {number}: {_first(error)}") from None


def _check_values(place: str, properties: dict[str, object], vector: str | None) -> None:
    if own := _OWN_PROPERTIES & properties.keys():
        raise refused(f"{place}: {min(own)!r} is not a property that an archive may set")
    try:
        from_json(properties)
        if vector is not None:
            vector_from_text(vector)
    except UnknownValueError as error:
        raise refused(f"{place}: {error}") from None


def _may_bear(label: str, others: list[str]) -> bool:
    """Tell whether a node may have other labels; only an entity has the label of its type."""
    of_type = [other for other in others if other not in BESIDE]
    if label != "Entity":
        return not of_type
    return all(other not in RESERVED and other.isidentifier() for other in of_type)


def _first(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"{place}: {first['msg']}" if place else first["msg"]
