"""Compaction through GraphQL (F13, F14, F16, K1)."""

COMPACT = """mutation($input: CompactInput!) { compactMemories(input: $input) {
  dryRun candidateCount candidates { content } tokensBefore tokensAfter tokensSaved texts summaries { id content }
} }"""


AT_LENGTH = " and so on, at length" * 15


async def test_old_memories_become_one_summary(graphql, services, workspace_id) -> None:
    """F14: first as a preview, then for real."""
    save = "mutation($i: [SaveMemoryInput!]!) { saveMemories(inputs: $i) { memory { id } } }"
    walks, trains = f"walks home{AT_LENGTH}", f"takes trains{AT_LENGTH}"
    await graphql.ok(
        save,
        i=[
            {"content": walks},
            {"content": trains, "type": "HABIT"},
        ],
    )

    seen = (await graphql.ok(COMPACT, input={"olderThanDays": 0, "dryRun": True}))["compactMemories"]
    done = (await graphql.ok(COMPACT, input={"olderThanDays": 0}))["compactMemories"]

    (text,) = done["texts"]
    told = {
        "candidateCount": 2,
        "candidates": [{"content": walks}, {"content": trains}],
        "tokensBefore": 164,
        "tokensAfter": -(-len(text) // 4),
        "tokensSaved": 164 - -(-len(text) // 4),
        "texts": [text],
    }
    assert [line[:19] for line in text.split("\n")] == ["Context: walks home", "Habit: takes trains"]
    (summary,) = done["summaries"]
    assert seen == {**told, "dryRun": True, "summaries": []}
    assert done == {**told, "dryRun": False, "summaries": [{"id": summary["id"], "content": text}]}
    live = await graphql.ok("{ memories { edges { node { id } } } }")
    assert [edge["node"]["id"] for edge in live["memories"]["edges"]] == [summary["id"]]


async def test_null_counts_as_omitted(graphql) -> None:
    """F13."""
    wish = {"olderThanDays": None, "mode": None, "maxTokens": None, "apiKeyId": None, "dryRun": None}

    assert (await graphql.ok(COMPACT, input=wish))["compactMemories"]["candidateCount"] == 0


async def test_an_age_and_a_mode_together_are_refused(graphql) -> None:
    """K18."""
    error = await graphql.error(COMPACT, input={"olderThanDays": 1, "mode": "CONDENSE"})

    assert (error["code"], error["field"]) == ("INVALID_INPUT", "mode")
