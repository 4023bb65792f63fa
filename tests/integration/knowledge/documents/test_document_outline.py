"""The saved query that draws a document in Neo4j Browser (E16, E17)."""

from cypher import load
from graph.knowledge.documents.models import DocumentDraft
from graph.knowledge.models import ArtifactDraft
from tests.fixtures.graphs import run

URI = "https://handbook.example/ops"
TEXT = "\n\n".join(f"# Part {number}\n\n" + f"Part {number} speaks of deploys. " * 40 for number in range(3))


async def test_a_document_is_drawn_with_its_chunks_in_the_order_of_the_text(
    services, stored_memories, workspace_id, other_workspace_id
) -> None:
    """E16: with its connection and the artifacts with its URI, all from its own workspace."""
    draft = DocumentDraft(
        uri=URI, title="Handbook", content=TEXT, media_type="text/markdown", connection_id="wiki"
    )
    document = await services.knowledge.documents.add(workspace_id, draft)
    await services.knowledge.documents.add(other_workspace_id, draft)
    await services.knowledge.artifacts.add(workspace_id, ArtifactDraft(name="deck", uri=URI))
    await services.knowledge.artifacts.add(workspace_id, ArtifactDraft(name="elsewhere", uri=f"{URI}/more"))
    await services.knowledge.artifacts.add(other_workspace_id, ArtifactDraft(name="theirs", uri=URI))

    async def drawn(asking: str) -> list[tuple[int, str]]:
        text = load("document_outline").text
        rows = (await run(stored_memories.driver, text, workspace_id=asking, id=document.id)).records
        ends = [(row["place"], row["part"].nodes[-1]) for row in rows]
        assert {node["workspace_id"] for _, node in ends} <= {asking}
        return [(place, node.get("title") or node.get("name") or node["headings"][0]) for place, node in ends]

    first, rest = (await drawn(workspace_id))[:3], (await drawn(workspace_id))[3:]
    assert sorted(first) == [(-1, "Handbook"), (-1, "deck"), (-1, "wiki")]
    assert rest == [(place, f"Part {place // 2}") for place in range(6)]
    assert await drawn(other_workspace_id) == []
