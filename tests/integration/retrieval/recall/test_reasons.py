"""Why a memory was found, as people read it."""

from graph.memories.models import MemoryDraft
from graph.retrieval.recall.models import RecallQuery


async def test_reasons_are_in_words_for_people(services, workspace_id):
    """Issue 35 point 20: words as the query spells them, the text of a neighbour, and neither stems nor ids."""
    turns = [
        MemoryDraft(content=content, dedup=False, source_conversation_id="c", session_id="s")
        for content in ("Which boilers leaked?", "All of them, I am afraid.")
    ]
    await services.memories.store.save_all(workspace_id, turns)

    query = RecallQuery(query="leaking Boilers", limit=2)
    result = await services.retrieval.recall.recall(workspace_id, query)
    reasons = {hit.memory.content: hit.why for hit in result.hits}

    assert "matches leaking, Boilers" in reasons["Which boilers leaked?"]
    assert "said right after “Which boilers leaked?”" in reasons["All of them, I am afraid."]
    assert not any("mem_" in reason for why in reasons.values() for reason in why)
