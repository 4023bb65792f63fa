"""Recall for callers: its strategies, its lists, and its explanations."""

import pytest

from tests.fixtures.prompts import NOTE

SAVE = "mutation($inputs: [SaveMemoryInput!]!) { saveMemories(inputs: $inputs) { memory { id } } }"
RECALL = """
query($input: RecallInput!) {
  recall(input: $input) {
    hits {
      score vectorScore textScore vectorRank textRank tier why
      memory { content } relations { otherId type strength direction }
    }
    resolution { strategy tier exact fallback degraded maxTokens }
    markdown
  }
}
"""
LIST = "query($filter: MemoryFilter) { memories(filter: $filter) { totalCount edges { node { content } } } }"


@pytest.fixture
async def ids(graphql) -> list[str]:
    """Save three memories with tags, valid at different times."""
    inputs = [
        {"content": "rho one", "tags": ["kind:a"], "importance": 0.2, "tInvalid": "2024-06-01T00:00:00Z"},
        {"content": "rho two", "tags": ["kind:b"], "importance": 0.9, "tValid": "2024-06-01T00:00:00Z"},
        {"content": "rho three", "facet": "SKILL", "key": "k3"},
    ]
    for place, each in enumerate(inputs):
        each |= {"embedding": [float(place == axis) for axis in range(384)], "dedup": False}
    data = await graphql.ok(SAVE, inputs=inputs)
    return [saved["memory"]["id"] for saved in data["saveMemories"]]


async def recalled(graphql, **input_):
    return (await graphql.ok(RECALL, input=input_))["recall"]


def contents(result) -> list[str]:
    return [hit["memory"]["content"] for hit in result["hits"]]


async def test_relevance_is_returned_and_can_be_required(graphql, ids):
    """C12."""
    query = """query($least: Float) {
      recall(input: {query: "rho", minRelevance: $least}) { hits { relevance } resolution { calibration } } }"""

    every = (await graphql.ok(query))["recall"]
    best = max(hit["relevance"] for hit in every["hits"])
    strict = (await graphql.ok(query, least=best))["recall"]
    none = (await graphql.ok(query, least=1.0))["recall"]

    assert all(0 < hit["relevance"] < 1 for hit in every["hits"])
    assert {hit["relevance"] for hit in strict["hits"]} == {best}
    assert none["hits"] == []
    assert every["resolution"]["calibration"]


async def test_a_recall_by_tags_has_scores_and_relations(graphql, ids):
    """C19, C20, C21."""
    await graphql.ok(
        "mutation($input: AssociateInput!) { associate(input: $input) { id } }",
        input={"fromId": ids[0], "toId": ids[1], "type": "EVOLVED_INTO", "strength": 0.7},
    )

    result = await recalled(graphql, tags=["kind"])

    assert contents(result) == ["rho two", "rho one"]
    assert [hit["score"] for hit in result["hits"]] == [0.9, 0.2]
    assert [hit["why"] for hit in result["hits"]] == [["tag kind"], ["tag kind"]]
    assert result["hits"][0]["relations"] == [
        {"otherId": ids[0], "type": "EVOLVED_INTO", "strength": 0.7, "direction": "IN"}
    ]
    assert result["resolution"] == {
        "strategy": "EXACT", "tier": "KEYWORD", "exact": True, "fallback": None, "degraded": [], "maxTokens": None,
    }  # fmt: skip
    assert contents(await recalled(graphql, tags=["kind:a", "other"], tagMode="ANY")) == ["rho one"]
    assert contents(await recalled(graphql, tags=["kind:a", "other"], tagMode="ALL")) == []


async def test_a_recall_can_use_rank_fusion(graphql, ids):
    """C5: the scores follow its formula and stay in place if the newer of two hits moves up."""
    fused = await recalled(graphql, query="rho three", fusion="RRF", limit=3)
    fitted = await recalled(graphql, query="rho three", fusion="MODEL", limit=3)

    assert len(fused["hits"]) == 3
    found_at = [[hit["vectorRank"], hit["textRank"]] for hit in fused["hits"]]
    by_formula = [sum(1 / (60 + place) for place in places if place) for places in found_at]
    assert [hit["score"] for hit in fused["hits"]] == pytest.approx(sorted(by_formula, reverse=True))
    assert contents(fitted) == contents(await recalled(graphql, query="rho three", limit=3))
    assert fitted["hits"][0]["score"] > 2 / 61


async def test_lists_and_recalls_filter_by_validity(graphql, ids):
    """A34: with a query, without one, and in a list."""
    for moment, expected in (
        ("2024-05-01T00:00:00Z", {"rho one", "rho three"}),
        ("2024-07-01T00:00:00Z", {"rho two", "rho three"}),
    ):
        listed = (await graphql.ok(LIST, filter={"validAt": moment}))["memories"]
        assert {edge["node"]["content"] for edge in listed["edges"]} == expected
        assert listed["totalCount"] == 2
        assert set(contents(await recalled(graphql, validAt=moment))) == expected
        assert set(contents(await recalled(graphql, query="rho", validAt=moment, limit=10))) <= expected


async def test_recall_filters_on_every_field(graphql, ids):
    """C17."""
    (key,) = (await graphql.ok("{ me { keyId } }")).values()

    assert contents(await recalled(graphql, facets=["SKILL"])) == ["rho three"]
    assert contents(await recalled(graphql, sourceTypes=["extracted"])) == []
    assert len(contents(await recalled(graphql, sourceTypes=["api"], apiKeyId=key["keyId"]))) == 3
    assert contents(await recalled(graphql, apiKeyId="key_of_others")) == []
    assert contents(await recalled(graphql, query="rho", minImportance=0.8)) == ["rho two"]
    assert contents(await recalled(graphql, tags=["kind"], excludedTags=["kind:a"])) == ["rho two"]
    assert contents(await recalled(graphql, query="rho", excludedTags=["kind"])) == ["rho three"]


async def test_a_recall_returns_its_budget_and_the_text_for_a_model(graphql, ids):
    """C9, C22."""
    result = await recalled(graphql, query="rho three", limit=1, offset=0, maxTokens=20_000)

    assert result["resolution"]["maxTokens"] == 8000
    assert result["markdown"].startswith(
        f"# Recalled memories\n\n{NOTE}\n\n1. **{ids[2]}** (uncategorized, score "
    )
    assert result["markdown"].endswith(")\n   rho three")


async def test_the_engine_reports_the_hit_rate_of_recalls(graphql, ids):
    """C29: null before the first recall; dry runs do not count."""
    query = (
        "{ engine { embeddingCache { hits misses } workspaces { recalls answeredRecalls recallHitRate } } }"
    )
    await recalled(graphql, query="rho", dryRun=True)

    (counts,) = (await graphql.ok(query))["engine"]["workspaces"]

    assert counts == {"recalls": 0, "answeredRecalls": 0, "recallHitRate": None}


@pytest.mark.parametrize(
    ("input_", "field", "message"),
    [
        ({"limit": 0}, "limit", "limit must be between 1 and 100, got 0"),
        ({"limit": 101}, "limit", "limit must be between 1 and 100, got 101"),
        ({"offset": -1}, "offset", "offset must be 0 or more, got -1"),
        ({"minScore": -1.1}, "minScore", "minScore must be a cosine between -1.0 and 1.0"),
        ({"minRelevance": 1.1}, "minRelevance", "minRelevance must be between 0.0 and 1.0"),
        ({"diversity": 1.1}, "diversity", "diversity must be between 0.0 and 1.0"),
        ({"tags": [""]}, "tags", "tags must not be blank; leave it out instead"),
        ({"tags": ["x" * 201], "tagMode": "ALL"}, "tags", "tags must have at most 200 characters, got 201"),
        ({"tags": ["x"] * 101}, "tags", "tags must have at most 100 entries, got 101"),
        ({"tags": ["\x00"]}, "tags", "tags must not hold NUL characters"),
        ({"categories": ["x"] * 101}, "categories", "categories must have at most 100 entries, got 101"),
        ({"minImportance": 2}, "minImportance", "minImportance must be a number between 0.0 and 1.0"),
        ({"minConfidence": -1}, "minConfidence", "minConfidence must be a number between 0.0 and 1.0"),
        ({"sessionId": ""}, "sessionId", "sessionId must not be blank; leave it out instead"),
        ({"conversationId": "\x00"}, "conversationId", "conversationId must not hold NUL characters"),
        (
            {"since": "2024-01-02T00:00:00Z", "until": "2024-01-01T00:00:00Z"},
            "until",
            "until must not be before since",
        ),
        ({"query": "\x00"}, "query", "query must not hold NUL characters"),
    ],
    ids=lambda value: repr(value)[:30],
)
async def test_a_field_out_of_range_is_named_with_the_form_expected(graphql, input_, field, message):
    """C8, C9, C17, C18, C22: with or without a query."""
    for query in ({}, {"query": "x"}):
        error = await graphql.error(RECALL, input={**query, **input_})

        assert error == {"message": message, "code": "INVALID_INPUT", "field": field}


@pytest.mark.parametrize(
    "input_",
    [
        {"strategy": "PSYCHIC"},
        {"fusion": "rrf"},
        {"validAt": "yesterday"},
        {"limit": "five"},
        {"tagMode": "SOME"},
    ],
    ids=lambda value: repr(value)[:30],
)
async def test_a_type_error_names_the_field(graphql, input_):
    error = await graphql.error(RECALL, input=input_)

    assert error["code"] == "INVALID_INPUT"
    assert next(iter(input_)) in error["message"]


@pytest.mark.parametrize(
    ("filter_", "field"),
    [
        ({"anyTags": [" "]}, "anyTags"),
        ({"allTags": ["x" * 201]}, "allTags"),
        ({"categories": [""]}, "categories"),
        ({"sessionId": " "}, "sessionId"),
        ({"apiKeyId": ""}, "apiKeyId"),
        ({"text": "\x00"}, "text"),
        ({"minImportance": 2}, "minImportance"),
    ],
    ids=lambda value: repr(value)[:30],
)
async def test_an_error_names_a_filter_as_written(graphql, filter_, field):
    """A blank name would look like an omitted one and match everything."""
    body = (await graphql.post(LIST, filter=filter_)).json()

    assert {error["extensions"]["field"] for error in body["errors"]} == {field}
    assert {error["extensions"]["code"] for error in body["errors"]} == {"INVALID_INPUT"}
