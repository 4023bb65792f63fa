"""Episodes through GraphQL (F6, F10)."""

APPEND = "mutation($input: AppendMessagesInput!) { appendMessages(input: $input) { id } }"
CONSOLIDATE = """mutation($id: ID!, $last: Int, $days: Int) {
  consolidateConversation(id: $id, retainLast: $last, maxAgeDays: $days) {
    id workspaceId conversationId summary sourceMessageIds turnCount isDeleted
  }
}"""
LIST = """query($id: ID, $first: Int, $after: String) { episodes(conversationId: $id, first: $first, after: $after) {
  edges { node { id turnCount } } pageInfo { hasNextPage endCursor } prompt
} }"""


async def test_a_conversation_is_consolidated_and_its_episodes_are_listed(
    graphql, services, workspace_id
) -> None:
    """F1, F2, F7, K1."""
    await services.tenancy.workspaces.update(
        workspace_id, memory_enabled=True, settings={"extractionMode": "off"}
    )
    messages = [
        {
            "id": f"m{number}",
            "role": "USER",
            "content": f"I like tea number {number}",
            "saidAt": "2020-01-01T00:00:00Z",
        }
        for number in range(9)
    ]
    await graphql.ok(APPEND, input={"conversationId": "c", "messages": messages})

    assert await graphql.ok(CONSOLIDATE, id="c") == {"consolidateConversation": None}
    first = (await graphql.ok(CONSOLIDATE, id="c", last=4))["consolidateConversation"]
    second = (await graphql.ok(CONSOLIDATE, id="c", last=1, days=0))["consolidateConversation"]
    listed = (await graphql.ok(LIST, id="c", first=1))["episodes"]
    rest = (await graphql.ok(LIST, id="c", after=listed["pageInfo"]["endCursor"]))["episodes"]

    assert first == {
        "id": first["id"],
        "workspaceId": workspace_id,
        "conversationId": "c",
        "summary": first["summary"],
        "sourceMessageIds": [f"m{number}" for number in range(5)],
        "turnCount": 5,
        "isDeleted": False,
    }
    assert [edge["node"]["turnCount"] for edge in listed["edges"]] == [3]
    assert listed["pageInfo"]["hasNextPage"] is True
    assert [edge["node"]["id"] for edge in rest["edges"]] == [first["id"]]
    assert (await graphql.ok(LIST, id="c"))["episodes"]["prompt"] == (
        "Earlier conversation summaries (most recent last):\n"
        f"- (5 turns) {first['summary']}\n- (3 turns) {second['summary']}"
    )
    assert (await graphql.ok(LIST, id="none"))["episodes"]["prompt"] == ""
    node = "query($id: ID!) { node(id: $id) { __typename } }"
    assert await graphql.ok(node, id=first["id"]) == {"node": {"__typename": "Episode"}}


async def test_an_administrator_reads_the_episodes_of_any_workspace(
    graphql, admin, services, workspace_id
) -> None:
    """M16: also episodes whose turns are gone; other keys cannot."""
    await services.tenancy.workspaces.update(
        workspace_id, memory_enabled=True, settings={"extractionMode": "off"}
    )
    said = [
        {"id": id_, "role": "USER", "content": text, "saidAt": "2020-01-01T00:00:00Z"}
        for id_, text in (("m", "I like tea"), ("n", "I like milk in it"))
    ]
    await graphql.ok(APPEND, input={"conversationId": "c", "messages": said})
    episode = (await graphql.ok(CONSOLIDATE, id="c", last=0))["consolidateConversation"]
    listed = """query($ws: ID) { episodes(workspaceId: $ws) {
      edges { node { id summary turnCount sourceMessageIds } } } }"""

    seen = (await admin.ok(listed, ws=workspace_id))["episodes"]["edges"]

    assert seen == [
        {
            "node": {
                "id": episode["id"],
                "summary": episode["summary"],
                "turnCount": 2,
                "sourceMessageIds": ["m", "n"],
            }
        }
    ]
    elsewhere = (await services.tenancy.workspaces.create("elsewhere")).id
    assert (await graphql.error(listed, ws=elsewhere))["code"] == "NOT_FOUND"


async def test_a_number_out_of_range_is_refused_by_its_field(graphql) -> None:
    """K18."""
    error = await graphql.error(CONSOLIDATE, id="c", last=-1)

    assert (error["code"], error["field"]) == ("INVALID_INPUT", "retainLast")
