"""Reads a whole archive without writing anything: checksums, counts and the form of every line."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from io import BytesIO
from typing import BinaryIO, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import from_json as read_json

from graph.operations.archive.format import (
    FORMAT_MEMBER,
    MANIFEST_MEMBER,
    NODES_MEMBER,
    VERSION,
    WORKSPACE_MEMBER,
    EdgeLine,
    FormatNote,
    Manifest,
    MemberNote,
    NodeLine,
    WorkspaceRecord,
)
from graph.operations.archive.labels import ARCHIVED, BESIDE, RESERVED
from graph.operations.archive.unpacking import Member, members_of, refused
from graph.operations.archive.values import UnknownValueError, from_json, vector_from_text
from graph.tenancy.workspaces.settings import unreadable

RecordT = TypeVar("RecordT", bound=BaseModel)
_VERSION_OF = TypeAdapter(dict[str, object])
_OWN_PROPERTIES = frozenset({"workspace_id", "embedding_a", "embedding_b"})
OnRecords = Callable[[int], None]
"""Told of so many lines more."""


@dataclass(frozen=True)
class CheckedArchive:
    """Contents of a complete archive."""

    workspace: WorkspaceRecord
    manifest: Manifest

    @property
    def node_count(self) -> int:
        """Number of nodes in it."""
        return sum(self.manifest.nodes.values())


def check(file: BinaryIO, on_records: OnRecords = lambda _: None) -> CheckedArchive:
    """Check an archive from its beginning and return its contents; slow, so run it in a thread.

    Raises:
        InvalidInput: It is not an archive, has another version, is truncated or altered, or contains data that no
            export writes.
    """
    return _Check(on_records).run(file)


def nodes_in(member: Member) -> Iterator[NodeLine]:
    """Yield the nodes of a checked member, none if it holds something else."""
    if NODES_MEMBER.fullmatch(member.name):
        for line in BytesIO(member.content):
            yield NodeLine.model_construct(None, **{"vector": None, **read_json(line)})


def edges_in(member: Member) -> Iterator[EdgeLine]:
    """Yield the edges of a checked member, none if it holds something else."""
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
                raise refused(f"{member.name!r} is out of place")
            self.names.add(member.name)
            records = self._read(member)
            digest = hashlib.sha256(member.content).hexdigest()
            size = len(member.content)
            self.seen.append(MemberNote(name=member.name, records=records, size=size, sha256=digest))
        if self.manifest is None or self.workspace is None:
            raise refused("ends too early: it has no manifest")
        self._compare(self.manifest)
        return CheckedArchive(self.workspace, self.manifest)

    def _read(self, member: Member) -> int:
        """Read a member and return how many records it has."""
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

    def _begin(self, member: Member) -> None:
        """Refuse another format or version by name, before anything that only that one knows is met."""
        if member.name == FORMAT_MEMBER:
            try:
                version = _VERSION_OF.validate_json(member.content).get("version")
            except ValidationError:
                version = VERSION
            if version != VERSION:
                raise refused(f"is of version {version!r:.20}; this release reads version {VERSION}")
        _record(FormatNote, member, FORMAT_MEMBER)

    def _nodes(self, member: Member, label: str) -> int:
        rule = ARCHIVED.get(label)
        if rule is None:
            raise refused(f"{member.name!r} is no member of an archive: there is no {label}")
        if self.edges:
            raise refused(f"{member.name!r} is out of place: nodes come before edges")
        count = 0
        for place, node in _lines(NodeLine, member):
            if node.labels[0] != label or not _may_bear(label, node.labels[1:]):
                raise refused(f"{place}: a {label} cannot bear the labels {node.labels!r:.200}")
            if node.number in self.numbers:
                raise refused(f"{place}: there are two nodes of the number {node.number}")
            _check_values(place, node.properties, node.vector)
            if not all(name in node.properties for name in rule.identities[0] if name != "slot"):
                raise refused(f"{place}: a {label} must have {', '.join(rule.identities[0])}")
            self.numbers.add(node.number)
            count += 1
        self.nodes[label] += count
        self.on_records(count)
        return count

    def _edges(self, member: Member) -> int:
        count = 0
        for place, edge in _lines(EdgeLine, member):
            if edge.source not in self.numbers or edge.target not in self.numbers:
                raise refused(f"{place}: an edge must be between nodes of the archive")
            _check_values(place, edge.properties, None)
            count += 1
        self.edges += count
        self.on_records(count)
        return count

    def _compare(self, manifest: Manifest) -> None:
        said = {note.name: note for note in manifest.members}
        for note in self.seen[:-1]:
            if said.get(note.name) != note:
                raise refused(f"{note.name!r} is not what the manifest says: it was altered")
        if len(said) != len(self.seen) - 1 or len(said) != len(manifest.members):
            raise refused("members are missing that the manifest names")
        if dict(manifest.nodes) != dict(self.nodes) or manifest.edges != self.edges:
            raise refused("holds another number of records than its manifest says")


def _record(model: type[RecordT], member: Member, name: str) -> RecordT:
    if member.name != name:
        raise refused(f"{member.name!r} is out of place: {name} is expected")
    try:
        return model.model_validate_json(member.content)
    except ValidationError as error:
        raise refused(f"{name}: {_first(error)}") from None


def _workspace(member: Member) -> WorkspaceRecord:
    record = _record(WorkspaceRecord, member, WORKSPACE_MEMBER)
    for name, reason in unreadable(record.settings).items():
        raise refused(f"{WORKSPACE_MEMBER}: settings.{name}: {reason}")
    return record


def _lines(model: type[RecordT], member: Member) -> Iterator[tuple[str, RecordT]]:
    validate = model.__pydantic_validator__.validate_json
    # One at a time: a bomb may have 64 million.
    for number, line in enumerate(BytesIO(member.content), start=1):
        try:
            yield f"{member.name}, line {number}", validate(line)
        except ValidationError as error:
            raise refused(f"{member.name}, line {number}: {_first(error)}") from None


def _check_values(place: str, properties: dict[str, object], vector: str | None) -> None:
    if own := _OWN_PROPERTIES & properties.keys():
        raise refused(f"{place}: {min(own)!r} is no property in an archive")
    try:
        from_json(properties)
        if vector is not None:
            vector_from_text(vector)
    except UnknownValueError as error:
        raise refused(f"{place}: {error}") from None


def _may_bear(label: str, others: list[str]) -> bool:
    """Tell whether a node may bear other labels; an entity bears that of its type, which is nobody else's."""
    of_type = [other for other in others if other not in BESIDE]
    if label != "Entity":
        return not of_type
    return all(other not in RESERVED and other.isidentifier() for other in of_type)


def _first(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"{place}: {first['msg']}" if place else first["msg"]
