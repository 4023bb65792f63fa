"""The history of agents' actions on an entity (E14, G17)."""

from collections import Counter

import pytest

from graph.core.ids import new_id
from graph.knowledge.ontology.models import EntityDraft
from graph.telemetry.models import ActionFilter
from tests.fixtures.telemetry import LATER, action, failing

HISTORY = """query($first: Int, $after: String, $id: ID!) { entity(id: $id) { actions(first: $first, after: $after) {
  edges { node { id targetId outcome errorCode } } pageInfo { hasNextPage endCursor }
} } }"""
EVERYBODYS = """query($first: Int) { entities(first: $first) { edges { node {
  id actions(first: 2) { edges { node { targetId } } pageInfo { hasNextPage } }
} } } }"""


async def entities(services, workspace_id: str, count: int) -> list[str]:
    drafts = [EntityDraft(type="Service", name=f"service {number}") for number in range(count)]
    return [entity.id for entity in await services.knowledge.ontology.upsert_entities(workspace_id, drafts)]


async def test_an_entity_has_its_agent_history_page_by_page(
    agents_graphql, services, telemetry, agents_workspace_id
) -> None:
    """E14: latest first, through one edge of each action."""
    mine, other = await entities(services, agents_workspace_id, 2)
    ids = [new_id("act") for _ in range(5)]
    drafts = [
        failing("s", target_id=mine, id=id_, occurred_at=LATER.replace(minute=minute))
        for minute, id_ in zip((0, 1, 2, 2, 3), ids, strict=True)
    ]
    await telemetry.recorder.record(agents_workspace_id, [*drafts, action("s", target_id=other), action("s")])

    seen, after = [], None
    while True:
        page = (await agents_graphql.ok(HISTORY, id=mine, first=2, after=after))["entity"]["actions"]
        seen += [edge["node"] for edge in page["edges"]]
        if not page["pageInfo"]["hasNextPage"]:
            break
        after = page["pageInfo"]["endCursor"]

    together = sorted(ids[2:4], reverse=True)
    assert [node.pop("id") for node in seen] == [ids[4], *together, ids[1], ids[0]]
    assert seen == [{"targetId": mine, "outcome": "ERROR", "errorCode": "E_QUOTA"}] * 5
    listed = await telemetry.reader.actions(agents_workspace_id, ActionFilter(target_id=mine))
    assert [each.id for each in listed.items] == [ids[4], *together, ids[1], ids[0]]


async def test_another_workspace_sees_no_history(
    agents_graphql, services, telemetry, agents_workspace_id, other_agents_workspace_id
) -> None:
    """E15, G14: not even its own actions on the same id."""
    (mine,) = await entities(services, agents_workspace_id, 1)
    await telemetry.recorder.record(other_agents_workspace_id, [action("s", target_id=mine)])

    assert (await agents_graphql.ok(HISTORY, id=mine))["entity"]["actions"]["edges"] == []


@pytest.mark.parametrize(("given", "field"), [({"first": 0}, "first"), ({"after": "nonsense"}, "after")])
async def test_a_bad_page_is_refused(agents_graphql, services, agents_workspace_id, given, field) -> None:
    (mine,) = await entities(services, agents_workspace_id, 1)

    error = await agents_graphql.error(HISTORY, id=mine, **given)

    assert (error["code"], error["field"]) == ("INVALID_INPUT", field)


async def test_histories_of_many_entities_cost_as_many_queries_as_one(
    agents_graphql, services, telemetry, agents_workspace_id, monkeypatch
) -> None:
    """E14: 1 and 20 parents take the same number of queries."""
    ids = await entities(services, agents_workspace_id, 20)
    await telemetry.recorder.record(
        agents_workspace_id, [action(f"s{number}", target_id=id_) for id_ in ids for number in range(3)]
    )
    ran: Counter[str] = Counter()
    run = services.core.database.run

    async def counting(statement, parameters):
        ran[statement.name] += 1
        return await run(statement, parameters)

    monkeypatch.setattr(services.core.database, "run", counting)
    counts = []
    for first in (1, 20):
        ran.clear()
        found = (await agents_graphql.ok(EVERYBODYS, first=first))["entities"]["edges"]
        counts.append(ran["list_actions_of_targets"])
        assert len(found) == first
        for edge in found:
            history = edge["node"]["actions"]
            assert [each["node"]["targetId"] for each in history["edges"]] == [edge["node"]["id"]] * 2
            assert history["pageInfo"]["hasNextPage"] is True

    assert counts == [1, 1]
