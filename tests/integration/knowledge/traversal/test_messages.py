"""Messages in traversals, whose ids are unique only within their conversation."""

import pytest

from graph.conversations.capture.models import CaptureDraft, MessageDraft
from graph.core.errors import InvalidInput, NotFound
from graph.knowledge.models import NodeKind, TraversalQuery
from graph.knowledge.traversal import GlobalId

SAID = ("Hello there", "Good morning", "Goodbye now")


@pytest.fixture
async def talks(services, capturing_workspace_id):
    """Capture two conversations with equal message ids; return a function that returns global ids."""
    for conversation in ("one", "other"):
        messages = [MessageDraft(content=f"{text}, {conversation}") for text in SAID]
        draft = CaptureDraft(conversation_id=conversation, messages=messages)
        await services.conversations.capture.append(capturing_workspace_id, draft)

    def named(conversation: str, id_: str = "#0", *, workspace_id: str = capturing_workspace_id) -> str:
        return str(GlobalId(NodeKind.MESSAGE, workspace_id, id_, conversation))

    return named


async def test_a_traversal_stays_in_its_conversation(services, capturing_workspace_id, talks) -> None:
    """E5: at every depth; every edge connects two nodes of the subgraph."""
    for start in ("one", talks("one")):
        found = await services.knowledge.traversal.traverse(
            capturing_workspace_id, TraversalQuery(start=[start], types=["PART_OF", "NEXT"], depth=3)
        )

        ids = {reached.node.id for reached in found.nodes}
        assert ids == {"one", *(talks("one", f"#{place}") for place in range(3))}
        assert {(edge.from_id, edge.type, edge.to_id) for edge in found.edges} == {
            (talks("one", "#0"), "NEXT", talks("one", "#1")),
            (talks("one", "#1"), "NEXT", talks("one", "#2")),
            *((talks("one", f"#{place}"), "PART_OF", "one") for place in range(3)),
        }


async def test_unconnected_conversations_have_no_path(services, capturing_workspace_id, talks) -> None:
    """E5: messages of one conversation have a path."""
    traversal = services.knowledge.traversal

    assert await traversal.paths(capturing_workspace_id, from_id="one", to_id="other", max_depth=5) == []
    path, *_ = await traversal.paths(
        capturing_workspace_id, from_id=talks("one", "#0"), to_id=talks("one", "#2")
    )
    assert (path.nodes[0].id, path.nodes[-1].id) == (talks("one", "#0"), talks("one", "#2"))


async def test_a_message_is_named_by_its_global_id_unless_its_own_is_unique(
    services, capturing_workspace_id, other_workspace_id, talks
) -> None:
    """E5, K18: an ambiguous id is refused with its field."""
    traversal = services.knowledge.traversal
    lone = CaptureDraft(conversation_id="lone", messages=[MessageDraft(id="m-1", content="Hello again")])
    await services.conversations.capture.append(capturing_workspace_id, lone)

    with pytest.raises(InvalidInput, match="several conversations have a message '#0'") as start:
        await traversal.traverse(capturing_workspace_id, TraversalQuery(start=["#0"]))
    with pytest.raises(InvalidInput) as end:
        await traversal.paths(capturing_workspace_id, from_id="one", to_id="#0")
    foreign = TraversalQuery(start=[talks("one", workspace_id=other_workspace_id)])
    with pytest.raises(NotFound):
        await traversal.traverse(capturing_workspace_id, foreign)

    assert (start.value.field, end.value.field) == ("start", "to")
    found = await traversal.find(capturing_workspace_id, ["m-1", talks("other")])
    assert {asked: node.id for asked, node in found.items()} == {
        "m-1": talks("lone", "m-1"),
        talks("other"): talks("other"),
    }


async def test_another_nodes_id_never_names_a_message(services, capturing_workspace_id, talks) -> None:
    """E5: if a conversation and a message have the same id, it means the conversation."""
    traversal = services.knowledge.traversal
    draft = CaptureDraft(conversation_id="third", messages=[MessageDraft(id="one", content="Hello at last")])
    await services.conversations.capture.append(capturing_workspace_id, draft)

    (node,) = (await traversal.find(capturing_workspace_id, ["one"])).values()
    beside = (await traversal.neighbours(capturing_workspace_id, ["one"]))["one"]

    assert (node.id, node.kind) == ("one", NodeKind.CONVERSATION)
    assert {each.node.id for each in beside if each.edge.type == "PART_OF"} == {
        talks("one", f"#{place}") for place in range(3)
    }
