"""Conversations of others in which an erased user took part."""

from graph.conversations.capture.models import CaptureDraft, MessageDraft
from tests.fixtures.graphs import run
from tests.fixtures.waiting import until

_CHAIN = """CYPHER 25
MATCH (earlier:Message {workspace_id: $ws})-[:NEXT]->(later:Message {workspace_id: $ws})
RETURN earlier.content AS earlier, later.content AS later
ORDER BY earlier"""


async def test_messages_of_others_stay_in_one_chain(services, workspace_id, graph_driver) -> None:
    """The erased messages must leave no gap."""
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)
    alice = f"alice-{workspace_id}"
    said = {"1": "bob", "2": alice, "3": alice, "4": "bob", "5": alice, "6": "carol", "7": alice}
    messages = [MessageDraft(content=content, author_id=author) for content, author in said.items()]
    await services.conversations.capture.append(
        workspace_id, CaptureDraft(conversation_id="garden", user_id="bob", messages=messages)
    )

    await services.operations.erasure.begin(workspace_id, alice)

    async def is_erased() -> bool:
        return not any(
            job.kind == "ERASE" for job in (await services.core.jobs.page(workspace_id, first=100)).items
        )

    await until(is_erased)
    chain = (await run(graph_driver, _CHAIN, ws=workspace_id)).records
    assert [(one["earlier"], one["later"]) for one in chain] == [("1", "4"), ("4", "6")]
