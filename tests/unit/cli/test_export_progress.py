"""The number of exported nodes that the progress bar of ``recollect export`` shows."""

import io
import json
import tarfile

import pytest
import zstandard

from app.cli.data.archives import NodeCounter


def archive(nodes: int, edges: int) -> bytes:
    """Return an archive whose nodes contain text that looks like its own lines."""
    text = '{"number":1}\n}\n'
    members = {
        "workspace.json": json.dumps({"nodes": nodes}, indent=1) + "\n",
        "nodes/Memory-000001.jsonl": "".join(
            json.dumps(
                {"number": n, "labels": ["Memory"], "properties": {"content": text}}, separators=(",", ":")
            )
            + "\n"
            for n in range(1, nodes + 1)
        ),
        "edges/000001.jsonl": '{"source":1,"target":2,"type":"FROM","properties":{}}\n' * edges,
        "manifest.json": json.dumps({"nodes": {"Memory": nodes}, "edges": edges}, indent=1) + "\n",
    }
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        for name, member in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(member.encode())
            tar.addfile(entry, io.BytesIO(member.encode()))
    return zstandard.ZstdCompressor().compress(out.getvalue())


@pytest.mark.parametrize("size", [1, 7, 100_000])
@pytest.mark.parametrize(("nodes", "edges"), [(0, 0), (1, 0), (3, 5)])
def test_export_progress_counts_nodes_only(nodes, edges, size) -> None:
    """Issue "Nothing lost, nothing misleading"."""
    content, counter = archive(nodes, edges), NodeCounter()

    counted = [counter.count(content[at : at + size]) for at in range(0, len(content), size)]

    assert counted[-1] == nodes
    assert counted == sorted(counted)
