"""The text of a vector: a caller's keywords stand before the memory's text, and its tags behind it."""

import pytest

from graph.memories.models import MemoryDraft
from graph.memories.policy import SourceType
from tests.fixtures.graphs import run
from tests.integration.retrieval.recall.test_recall import embedded

_STORED = """CYPHER 25
MATCH (memory:Memory {workspace_id: $ws})
RETURN memory[$property] AS vector
"""
_TEXT = "Use the blue form and wait for a stamp."


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({}, _TEXT),
        ({"keywords": ("visa extension", "permit")}, f"visa extension, permit: {_TEXT}"),
        ({"tags": ("city-hall", "work/abroad")}, f"{_TEXT} (city hall, work abroad)"),
        ({"keywords": ("visa",), "tags": ("abroad",)}, f"visa: {_TEXT} (abroad)"),
        ({"keywords": ("visa",), "source_type": SourceType.EXTRACTED}, _TEXT),
        ({"keywords": ("visa",), "speaker": "Ada", "source_conversation_id": "talk"}, f"Ada: {_TEXT}"),
    ],
)
@pytest.mark.parametrize("dedup", [True, False])
async def test_a_vector_includes_the_keywords_and_tags_of_a_caller(
    services, workspace_id, graph_driver, fields, text: str, dedup: bool
) -> None:
    """Issue 39 point 4: those of a job repeat the text, and turns have neighbours instead."""
    await embedded(services, workspace_id, [MemoryDraft(content=_TEXT, dedup=dedup, **fields)])

    embeddings = services.vectors.embeddings
    (record,) = (
        await run(graph_driver, _STORED, ws=workspace_id, property=embeddings.vector_property)
    ).records

    assert record["vector"] == pytest.approx((await embeddings.embed([text]))[0].tolist(), abs=1e-6)
