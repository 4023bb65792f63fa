"""Compaction through GraphQL (F13, F14, F16, K1)."""

COMPACT = """mutation($input: CompactInput!) { compactMemories(input: $input) {
  dryRun candidateCount candidates { content } tokensBefore tokensAfter tokensSaved texts summaries { id content }
} }"""


async def test_old_memories_become_one(graphql, services, workspace_id) -> None:
    """F14: seen first, done afterwards."""
    save = "mutation($i: [SaveMemoryInput!]!) { saveMemories(inputs: $i) { memory { id } } }"
    await graphql.ok(save, i=[{"content": "walks home"}, {"content": "takes trains", "type": "HABIT"}])

    seen = (await graphql.ok(COMPACT, input={"olderThanDays": 0, "dryRun": True}))["compactMemories"]
    done = (await graphql.ok(COMPACT, input={"olderThanDays": 0}))["compactMemories"]

    text = "Context: walks home\nHabit: takes trains"
    told = {
        "candidateCount": 2,
        "candidates": [{"content": "walks home"}, {"content": "takes trains"}],
        "tokensBefore": 6,
        "tokensAfter": 10,
        "tokensSaved": -4,
        "texts": [text],
    }
    (summary,) = done["summaries"]
    assert seen == {**told, "dryRun": True, "summaries": []}
    assert done == {**told, "dryRun": False, "summaries": [{"id": summary["id"], "content": text}]}
    live = await graphql.ok("{ memories { edges { node { id } } } }")
    assert [edge["node"]["id"] for edge in live["memories"]["edges"]] == [summary["id"]]


async def test_null_is_the_same_as_leaving_out(graphql) -> None:
    """F13."""
    wish = {"olderThanDays": None, "mode": None, "maxTokens": None, "apiKeyId": None, "dryRun": None}

    assert (await graphql.ok(COMPACT, input=wish))["compactMemories"]["candidateCount"] == 0


async def test_two_ways_at_once_are_refused(graphql) -> None:
    """K18."""
    error = await graphql.error(COMPACT, input={"olderThanDays": 1, "mode": "CONDENSE"})

    assert (error["code"], error["field"]) == ("INVALID_INPUT", "mode")
