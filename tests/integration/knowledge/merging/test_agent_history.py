"""Agents' actions on an entity, found across merges."""

from graph.telemetry.models import ActionFilter
from tests.fixtures.graphs import run
from tests.fixtures.telemetry import action


async def test_a_merge_moves_the_agent_history_of_a_duplicate(
    services, workspace_id, companies, graph_driver
) -> None:
    """E14: actions from before and after the merge, in pages; an undo separates them again."""
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)
    one, two, three = await companies(IBM=None, Ibm2=None, Ibm3=None)
    record, reader = services.telemetry.recorder.record, services.telemetry.reader

    async def listed(entity) -> list[str]:
        by_id, by_key = [
            await reader.actions(workspace_id, ActionFilter(target_id=name))
            for name in (entity.id, entity.key)
        ]
        assert by_id == by_key
        return [item.id for item in by_id.items]

    async def drawn(entity) -> set[str]:
        result = await run(
            graph_driver,
            "MATCH (:Entity {workspace_id: $ws, id: $id})<-[:TARGETED]-(a) RETURN collect(a.id) AS ids",
            ws=workspace_id,
            id=entity.id,
        )
        return set(result.records[0]["ids"])

    before = [
        action("s", id=f"on-{place}", target_id=each.id) for place, each in enumerate((one, two, three))
    ]
    await record(workspace_id, before)
    far = await services.knowledge.merging.merge(workspace_id, from_id=three.id, into_id=two.id)
    near = await services.knowledge.merging.merge(workspace_id, from_id=two.id, into_id=one.id)
    await record(workspace_id, [action("s", id="on-3", target_id=three.id)])

    assert await listed(one) == ["on-3", "on-2", "on-1", "on-0"]
    assert await drawn(one) == {"on-0", "on-1", "on-2", "on-3"}
    first = (await reader.actions_on(workspace_id, [one.id, three.id], first=3))[one.id]
    rest = await reader.actions_on(workspace_id, [one.id], first=3, after=first.cursors[-1].encode())
    pages = [[item.id for item in page.items] for page in (first, rest[one.id])]
    assert pages == [["on-3", "on-2", "on-1"], ["on-0"]]

    await services.knowledge.merging.undo(workspace_id, near.id)
    assert (await listed(one), await drawn(one)) == (["on-0"], {"on-0"})
    assert (await listed(two), await drawn(two)) == (["on-3", "on-2", "on-1"], {"on-1", "on-2", "on-3"})
    await services.knowledge.merging.undo(workspace_id, far.id)
    assert (await listed(two), await drawn(two)) == (["on-1"], {"on-1"})
    assert (await listed(three), await drawn(three)) == (["on-3", "on-2"], {"on-2", "on-3"})
