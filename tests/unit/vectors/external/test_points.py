"""The points that represent memories in the external tier."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import numpy as np

from graph.vectors.external.mirror import Mirror
from graph.vectors.external.queries import ListMirrorSourcesRow

INDEX = object()
NOW = datetime(2026, 5, 1, tzinfo=UTC)


class _Lengths:
    """Embeddings that represent a text by its length."""

    active = INDEX

    async def embed(self, texts):
        return np.array([[len(text)] for text in texts], dtype=np.float32)


def row(workspace_id: str, *, key: str | None, metadata: str | None = None) -> ListMirrorSourcesRow:
    source = {
        "workspace_id": workspace_id, "id": "mem_1", "revision": 1, "content": "tea", "speaker": None, "words": 1,
        "previous": None, "following": None,
    }  # fmt: skip
    point = {
        "workspace_id": workspace_id, "memory_id": "mem_1", "api_key_id": None, "session_id": None, "key": key,
        "content": "tea", "metadata": metadata, "created_at": NOW, "expires_at": None, "user_id": "",
        "vector": [0.5], "parts": [[0.25]],
    }  # fmt: skip
    return ListMirrorSourcesRow(source=source, point=point, stamp="1/1/x")


async def test_memories_with_equal_ids_in_two_workspaces_keep_their_own_vectors() -> None:
    """B19: a batch mixes workspaces, and an id is unique only within one."""
    mirror = Mirror(
        SimpleNamespace(),
        _Lengths(),
        SimpleNamespace(),
        SimpleNamespace(),
        SimpleNamespace(),
        own=SimpleNamespace(),
        grace=timedelta(0),
        batch_size=1,
    )
    rows = [row("a", key="drink", metadata='{"x": 1}'), row("b", key=None), row("c", key="k")]

    points = await mirror._points(rows, INDEX)

    assert [point.vector for point in points] == [[len("drink\n\ntea")], [0.5], [len("k\n\ntea")]]
    assert [point.metadata for point in points] == [{"x": 1}, {}, {}]
    assert {point.workspace_id for point in points} == {"a", "b", "c"}
