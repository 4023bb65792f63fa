"""Questions through GraphQL."""

import pytest

ASK = """query($question: String!) { ask(question: $question) {
  text supported model fallback degraded runId
  citations { number kind nodeId nodeIds quote validity score node { __typename id } }
} }"""
RUNS = """query($first: Int, $after: String) { promptRuns(first: $first, after: $after) {
  edges { node {
    id model outcome questionHash nodeIds promptTokens answerTokens credits fallback durationMs createdAt apiKeyId
  } }
  pageInfo { hasNextPage endCursor }
} }"""
WRITE = """mutation($entities: [EntityInput!]!, $relations: [RelationInput!]!) {
  upsertEntities(inputs: $entities) { id }
  upsertRelations(inputs: $relations) { id }
}"""


async def test_an_answer_and_its_run_link_to_the_cited_nodes(graphql) -> None:
    """E11, E12, E13."""
    made = await graphql.ok(
        WRITE,
        entities=[
            {"type": "Service", "name": "checkout", "key": "c"},
            {"type": "Service", "name": "payments", "key": "p", "description": "takes money from cards"},
        ],
        relations=[{"type": "DEPENDS_ON", "from": "c", "to": "p"}],
    )
    checkout, payments = (entity["id"] for entity in made["upsertEntities"])

    relation = (await graphql.ok(ASK, question="What does checkout depend on?"))["ask"]
    entity = (await graphql.ok(ASK, question="Who takes money from cards?"))["ask"]
    runs = (await graphql.ok(RUNS, first=1))["promptRuns"]
    older = (await graphql.ok(RUNS, after=runs["pageInfo"]["endCursor"]))["promptRuns"]

    first = relation["citations"][0]
    assert relation["supported"] is True
    assert relation["text"].startswith("checkout depends on payments. [1]")
    assert (first["number"], first["kind"], first["node"]) == (1, "RELATION", None)
    assert (first["nodeId"], first["nodeIds"]) == (made["upsertRelations"][0]["id"], [checkout, payments])
    cited = entity["citations"][0]
    assert (cited["kind"], cited["node"]) == ("ENTITY", {"__typename": "Entity", "id": payments})
    (newest,) = (edge["node"] for edge in runs["edges"])
    assert (newest["id"], newest["outcome"], newest["model"]) == (entity["runId"], "ANSWERED", None)
    assert newest["nodeIds"][0] == payments
    assert (newest["credits"], newest["promptTokens"], newest["answerTokens"]) == (0, 0, 0)
    assert newest["apiKeyId"].startswith("key_")
    assert newest["durationMs"] > 0
    assert runs["pageInfo"]["hasNextPage"] is True
    assert [edge["node"]["id"] for edge in older["edges"]] == [relation["runId"]]


async def test_a_citation_states_the_end_of_its_validity(graphql) -> None:
    """C11, E12."""
    given = {"content": "Grace worked at the harbour office.", "tInvalid": "2021-01-01T00:00:00Z"}
    await graphql.ok(
        "mutation($input: SaveMemoryInput!) { saveMemory(input: $input) { outcome } }", input=given
    )

    answer = (await graphql.ok(ASK, question="Where did Grace work?"))["ask"]

    assert [(cited["quote"], cited["validity"]) for cited in answer["citations"]] == [
        ("Grace worked at the harbour office.", "held until 2021-01-01")
    ]


async def test_an_unrelated_question_finds_no_support(graphql) -> None:
    """E12."""
    answer = (await graphql.ok(ASK, question="Why is mercury liquid?"))["ask"]

    assert (answer["supported"], answer["citations"]) == (False, [])
    assert answer["text"] == "Nothing in this workspace supports an answer."


@pytest.mark.parametrize(
    ("question", "message"),
    [
        (" \n", "question must have at least 1 character after trimming"),
        ("a\x00b", "question must not hold NUL characters"),
    ],
)
async def test_a_question_that_breaks_a_rule_is_refused(graphql, question, message) -> None:
    assert await graphql.error(ASK, question=question) == {
        "message": message,
        "code": "INVALID_INPUT",
        "field": "question",
    }
