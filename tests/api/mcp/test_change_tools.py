"""``list_changes`` and ``undo_change`` of the full profile (issue 36, point 7)."""

from graph.memories.models import MemoryDraft, MemoryFilter


async def test_a_merged_save_is_listed_and_restored(agent, services) -> None:
    for content, tags in (("Ada likes tea", ()), ("ada likes tea", ("x",))):
        draft = MemoryDraft(content=content, tags=tags)
        await services.memories.store.save(agent.workspace_id, draft)

    listed = await agent.call("list_changes", kinds=["MERGED"])
    (change,) = listed["changes"]
    undone = await agent.call("undo_change", id=change["id"])
    again = await agent.result("undo_change", id=change["id"])

    assert (change["kind"], change["rule"], change["can_be_undone"]) == ("MERGED", "says_the_same", True)
    assert change["before"] == {"saved": {"content": "ada likes tea", "tags": ["x"]}, "tags": []}
    assert undone["can_be_undone"] is False
    assert again.structuredContent["error"]["code"] == "CONFLICT"
    page = await services.memories.store.page(agent.workspace_id, MemoryFilter())
    assert sorted(memory.content for memory in page.items) == ["Ada likes tea", "ada likes tea"]


async def test_pages_of_changes_continue_each_other(agent, services) -> None:
    for number in range(3):
        for tags in ((), ("x",)):
            draft = MemoryDraft(content=f"Ada has {number} cats", tags=tags)
            await services.memories.store.save(agent.workspace_id, draft)

    first = await agent.call("list_changes", limit=2)
    rest = await agent.call("list_changes", limit=2, cursor=first["next_cursor"])

    assert (len(first["changes"]), len(rest["changes"])) == (2, 1)
    assert "next_cursor" not in rest or rest["next_cursor"] is None
