"""Archives that are refused before any write (issue 15, point 6)."""

import io
import json
import tarfile
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from graph.core.errors import InvalidInput
from graph.operations.archive import checking as unpacking
from graph.operations.archive.checking import check
from graph.operations.archive.exporting import Packer
from graph.operations.archive.format import FormatNote, Manifest, WorkspaceRecord

NOW = datetime(2026, 5, 1, tzinfo=UTC)
WORKSPACE = WorkspaceRecord(workspace_id="ws_a", name="A", memory_enabled=True, settings={}, nodes=2)


def node(number: int, **changes: Any) -> dict[str, Any]:
    return {
        "number": number,
        "labels": ["Memory", "Searchable"],
        "properties": {"id": f"mem_{number}", "at": {"datetime": "2026-05-01T12:00:00Z"}},
        **changes,
    }


def edge(**changes: Any) -> dict[str, Any]:
    return {"source": 1, "target": 2, "type": "NEXT", "properties": {}, **changes}


def lines(*records: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def archive(
    *,
    nodes: bytes | None = None,
    edges: bytes | None = None,
    extra: Callable[[Packer], bytes] = lambda _: b"",
    settings: dict[str, Any] | None = None,
    **manifest: Any,
) -> bytes:
    packer = Packer(NOW)
    content = packer.add_record("format.json", FormatNote())
    content += packer.add_record("workspace.json", WORKSPACE.model_copy(update={"settings": settings or {}}))
    of_nodes, of_edges = nodes or lines(node(1), node(2)), edges or lines(edge())
    counts = of_nodes.count(b"\n"), of_edges.count(b"\n")
    content += packer.add("nodes/Memory-000001.jsonl", of_nodes, records=counts[0])
    content += packer.add("edges/000001.jsonl", of_edges, records=counts[1])
    content += extra(packer)
    told = {"nodes": {"Memory": counts[0]}, "edges": counts[1], "members": packer.members, **manifest}
    content += packer.add_record("manifest.json", Manifest(created_at=NOW.isoformat(), **told))
    return content + packer.end()


def refusal(content: bytes) -> str:
    with pytest.raises(InvalidInput) as refused:
        check(io.BytesIO(content))
    assert refused.value.field == "archive"
    return refused.value.message


def tar(*members: tarfile.TarInfo, content: bytes = b"") -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as out:
        for member in members:
            member.size = len(content) if member.isreg() else 0
            out.addfile(member, io.BytesIO(content))
    return zstandard.ZstdCompressor().compress(packed.getvalue())


def linked(name: str, kind: bytes) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.type, member.linkname = kind, "/etc/passwd"
    return member


def test_an_archive_as_exported_is_accepted() -> None:
    checked = check(io.BytesIO(archive()))

    assert (checked.workspace, checked.node_count, checked.manifest.edges) == (WORKSPACE, 2, 1)


@pytest.mark.parametrize(
    ("name", "value"),
    [("pool", "EACH"), ("memoryStrategy", "guess"), ("maxTokens", -1), ("skills", {"*": [{"name": "a b"}]})],
)
def test_a_setting_that_no_workspace_can_have_is_refused_by_name(name: str, value: object) -> None:
    """Formerly it was restored unchecked, and the restored workspace refused every request."""
    assert f"workspace.json: settings.{name}: " in refusal(archive(settings={name: value}))


def test_a_setting_of_an_earlier_release_is_accepted() -> None:
    settings = {"colour": "green", "pool": "KEY"}

    assert check(io.BytesIO(archive(settings=settings))).workspace.settings == settings


@given(st.data())
def test_a_file_cut_anywhere_is_refused(data: st.DataObject) -> None:
    whole = archive()
    cut = data.draw(st.integers(0, len(whole) - 1))

    refusal(whole[:cut])


@given(st.data())
def test_an_altered_file_is_refused_unless_equivalent(data: st.DataObject) -> None:
    """Some bits of the frame's header have no meaning."""
    whole = archive()
    place = data.draw(st.integers(0, len(whole) - 1))
    altered = bytearray(whole)
    altered[place] ^= data.draw(st.integers(1, 255))

    with suppress(InvalidInput):
        assert check(io.BytesIO(bytes(altered))) == check(io.BytesIO(whole))


@pytest.mark.parametrize(
    "name", ["../x", "/etc/passwd", "nodes/../../x-000001.jsonl", "secrets.txt", "nodes/x"]
)
def test_a_path_or_an_unknown_member_is_refused(name: str) -> None:
    assert "is not a member of an archive" in refusal(tar(tarfile.TarInfo(name)))


@pytest.mark.parametrize(
    "kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.DIRTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE]
)
def test_an_archive_with_anything_but_plain_files_is_refused(kind: bytes) -> None:
    assert "is not a plain file" in refusal(tar(linked("format.json", kind)))


def test_an_extended_header_is_refused() -> None:
    assert "is not a plain file" in refusal(tar(tarfile.TarInfo("nodes/" + "x" * 300)))


def test_an_archive_that_expands_too_far_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "RATIO_SLACK_BYTES", 1024**2)
    member = tarfile.TarInfo("format.json")
    member.size = 60 * 1024 * 1024
    bomb = zstandard.ZstdCompressor().compress(member.tobuf(tarfile.USTAR_FORMAT) + bytes(member.size))

    assert "unpacks to more than 1 GiB and 200 times its size" in refusal(bomb)


def test_lines_are_read_one_at_a_time() -> None:
    """Issue 15, point 6: 60 MiB of line ends pack into 2 kB, and a list of them took 480 MiB."""
    bomb = archive(nodes=b"\n" * 4 * 1024**2)

    tracemalloc.start()
    try:
        message = refusal(bomb)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert "line 1: Invalid JSON" in message
    assert peak < 24 * 1024**2


def test_an_export_of_the_same_long_text_again_and_again_can_be_restored() -> None:
    """Issue 15, point 6: an agent may send a template each turn, stored as content and as search text."""
    text = "".join(f"Line {number} of the template says {number * number}. " for number in range(700))
    many = [
        node(number, properties={"id": f"mem_{number}", "content": text, "search_text": text})
        for number in range(1, 801)
    ]
    of_nodes = lines(*many)

    packed = archive(nodes=of_nodes)

    assert len(of_nodes) > 200 * len(packed) + 16 * 1024**2
    check(io.BytesIO(packed))


def test_a_member_that_is_too_large_is_refused_by_its_header() -> None:
    member = tarfile.TarInfo("format.json")
    member.size = 65 * 1024 * 1024

    message = refusal(zstandard.ZstdCompressor().compress(member.tobuf(tarfile.USTAR_FORMAT)))

    assert "at most 67108864 are allowed" in message


def test_another_version_is_named() -> None:
    packer = Packer(NOW)
    content = packer.add("format.json", b'{"format": "recollect-archive", "version": 2, "new": 1}')

    assert "has version 2; this release reads version 1" in refusal(content + packer.end())


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "ends too early"),
        (b"PK\x03\x04 not this", "is not a zstd file"),
        (archive() + b"x", "has data after its end"),
        (archive(edges=lines(edge(target=3))), "connect two nodes of the archive"),
        (archive(edges=lines(edge(type="A B"))), "type"),
        (archive(nodes=lines(node(1), node(1))), "two nodes have the number 1"),
        (archive(nodes=lines(node(1, labels=["Memory", "ApiKey"]), node(2))), "cannot have the labels"),
        (archive(nodes=lines(node(1, labels=["ApiKey"]), node(2))), "cannot have the labels"),
        (archive(nodes=lines(node(1, properties={}), node(2))), "a Memory must have id"),
        (
            archive(nodes=lines(node(1, properties={"id": "x", "workspace_id": "ws_b"}), node(2))),
            "is not a property",
        ),
        (
            archive(nodes=lines(node(1, properties={"id": "x", "at": {"datetime": "now"}}), node(2))),
            "is not a valid datetime",
        ),
        (archive(nodes=lines(node(1, properties={"id": "x", "at": {"x": 1}}), node(2))), "must be a text"),
        (archive(nodes=lines(node(1, properties={"id": "x", "at": [[1]]}), node(2))), "list of lists"),
        (archive(nodes=lines(node(1, vector="!"), node(2))), "Base64"),
        (archive(nodes=lines(node(1, more=1), node(2))), "more"),
        (archive(nodes=b"{\n"), "line 1"),
        (archive(edges=b"\n"), "edges/000001.jsonl, line 1"),
        (archive(members=[]), "differs from the manifest"),
        (archive(extra=lambda p: p.add("nodes/Job-000001.jsonl", b"")), "the label Job is unknown"),
        (archive(extra=lambda p: p.add("nodes/Entity-000001.jsonl", b"")), "nodes come before edges"),
        (archive(extra=lambda p: p.add("workspace.json", b"{}")), "in the wrong place"),
    ],
)
def test_contents_that_exports_never_write_are_refused(content: bytes, complaint: str) -> None:
    assert complaint in refusal(content)


def test_counts_that_differ_from_the_manifest_are_refused() -> None:
    packer = Packer(NOW)
    content = packer.add_record("format.json", FormatNote()) + packer.add_record("workspace.json", WORKSPACE)
    content += packer.add("nodes/Memory-000001.jsonl", lines(node(1)), records=1)
    manifest = Manifest(created_at="x", nodes={"Memory": 2}, edges=0, members=packer.members)
    content += packer.add_record("manifest.json", manifest) + packer.end()

    assert "a different number of records" in refusal(content)
