"""The working set through GraphQL (H6)."""

import pytest

from tests.fixtures.app import GraphQLClient

SET = """mutation($c: ID!, $s: String!, $v: JSON!, $ttl: Int) {
  setWorkingSet(conversationId: $c, slot: $s, value: $v, ttlSeconds: $ttl)
}"""
GET = "query($c: ID!, $s: String!) { workingSet(conversationId: $c, slot: $s) }"
CLEAR = "mutation($c: ID!) { clearWorkingSet(conversationId: $c) }"
PLAN = {"next": ["search", None, 1.5], "why": 'it "says" so'}


async def test_slots_are_set_read_and_cleared(graphql) -> None:
    """H1, H3-H5: also while memory is off."""
    for slot, value in (("planner_decision", PLAN), ("recent_retrieval", ["mem_1"]), ("any slot: *", 0)):
        assert await graphql.ok(SET, c="chat:1", s=slot, v=value) == {"setWorkingSet": True}
        assert await graphql.ok(GET, c="chat:1", s=slot) == {"workingSet": value}

    assert await graphql.ok(SET, c="chat:1", s="planner_decision", v="done", ttl=60) == {
        "setWorkingSet": True
    }
    assert await graphql.ok(GET, c="chat:1", s="planner_decision") == {"workingSet": "done"}
    assert await graphql.ok(GET, c="chat", s="planner_decision") == {"workingSet": None}
    assert await graphql.ok(CLEAR, c="chat:1") == {"clearWorkingSet": 3}
    assert await graphql.ok(GET, c="chat:1", s="recent_retrieval") == {"workingSet": None}


async def test_slots_are_separate_for_each_workspace(graphql, http, services, other_workspace_id) -> None:
    """I8, N12: even with the same conversation and slot."""
    _, secret = await services.tenancy.keys.create(other_workspace_id, name="other", scopes=["read", "write"])
    other = GraphQLClient(http, secret)
    await graphql.ok(SET, c="c", s="s", v="ours")

    assert await other.ok(GET, c="c", s="s") == {"workingSet": None}
    await other.ok(SET, c="c", s="s", v="theirs")
    assert await other.ok(CLEAR, c="c") == {"clearWorkingSet": 1}
    assert await graphql.ok(GET, c="c", s="s") == {"workingSet": "ours"}


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"c": ""}, "conversationId"),
        ({"s": " "}, "slot"),
        ({"ttl": -1}, "ttlSeconds"),
        ({"v": "x" * 262_143}, "value"),
    ],
    ids=lambda value: repr(value)[:20],
)
async def test_a_value_that_cannot_be_stored_names_its_field(graphql, change, field) -> None:
    """K18."""
    error = await graphql.error(SET, **{"c": "c", "s": "s", "v": 1, **change})

    assert (error["code"], error["field"]) == ("INVALID_INPUT", field)
    assert field in error["message"]
