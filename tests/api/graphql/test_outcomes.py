"""The outcomes of memories through GraphQL."""

from collections import Counter

from graph.memories.models import MemoryDraft
from tests.fixtures.waiting import until

SAVE = "mutation($input: SaveMemoryInput!) { saveMemory(input: $input) { memory { id } } }"
RECALL = """query($q: String, $session: ID) { recall(input: {query: $q, limit: 1, usedBy: $session}) {
  hits { memory { id outcomes { runs score successRate } } }
} }"""
RECORD = "mutation($inputs: [ActionInput!]!) { recordActions(inputs: $inputs) }"
OUTCOMES = """query($orderBy: OutcomeOrder, $minRuns: Int, $first: Int) {
  memoryOutcomes(orderBy: $orderBy, minRuns: $minRuns, first: $first) {
    edges { node { runs succeeded failed successRate score memory { content outcomes { runs succeeded failed } } } }
  }
}"""


async def test_a_memory_shows_the_outcomes_of_its_runs(agents_graphql) -> None:
    """A recall names its session; the end of the session's actions ranks the recalled memories."""
    for content in ("Ada likes tea", "Bob lives in Rome"):
        await agents_graphql.ok(SAVE, input={"content": content})
    for session, question, outcome in (
        ("s1", "tea", "SUCCESS"),
        ("s2", "tea", "SUCCESS"),
        ("s3", "Rome", "ERROR"),
    ):
        (hit,) = (await agents_graphql.ok(RECALL, q=question, session=session))["recall"]["hits"]
        assert hit["memory"]["outcomes"]["runs"] in range(3)
        action = {"sessionId": session, "actionType": "brew", "nodeType": "Cup", "outcome": outcome}
        await agents_graphql.ok(RECORD, inputs=[action])

    async def outcomes(**asked) -> list[dict]:
        data = await agents_graphql.ok(OUTCOMES, **asked)
        return [edge["node"] for edge in data["memoryOutcomes"]["edges"]]

    async def counted() -> bool:
        return sum(node["runs"] for node in await outcomes()) == 3

    await until(counted)
    best, worst = await outcomes()
    assert best == {
        "runs": 2,
        "succeeded": 2,
        "failed": 0,
        "successRate": 1.0,
        "score": 4 / 6,
        "memory": {"content": "Ada likes tea", "outcomes": {"runs": 2, "succeeded": 2, "failed": 0}},
    }
    assert (worst["memory"]["content"], worst["score"]) == ("Bob lives in Rome", 0.4)
    assert [node["score"] for node in await outcomes(orderBy="WORST")] == [0.4, 4 / 6]
    assert len(await outcomes(minRuns=2)) == 1
    listed = await agents_graphql.ok("{ memories(orderBy: OUTCOME) { edges { node { content } } } }")
    assert [edge["node"]["content"] for edge in listed["memories"]["edges"]] == [
        "Ada likes tea", "Bob lives in Rome",
    ]  # fmt: skip


async def test_a_memory_that_no_run_used_has_no_rate(agents_graphql) -> None:
    await agents_graphql.ok(SAVE, input={"content": "Ada likes tea"})

    data = await agents_graphql.ok(
        "{ memories { edges { node { outcomes { runs succeeded failed successRate score } } } } }"
    )

    (edge,) = data["memories"]["edges"]
    assert edge["node"]["outcomes"] == {
        "runs": 0, "succeeded": 0, "failed": 0, "successRate": None, "score": 0.5,
    }  # fmt: skip


async def test_outcomes_cost_one_query_for_any_number_of_memories(
    agents_graphql, services, agents_workspace_id, monkeypatch
) -> None:
    drafts = [MemoryDraft(content=f"number {number}", dedup=False) for number in range(20)]
    await services.memories.store.save_all(agents_workspace_id, drafts)
    ran: Counter[str] = Counter()
    run = services.core.database.run

    async def counting(statement, parameters):
        ran[statement.name] += 1
        return await run(statement, parameters)

    monkeypatch.setattr(services.core.database, "run", counting)
    deep = "query($first: Int) { memories(first: $first) { edges { node { outcomes { runs } } } } }"
    counts = []
    for first in (1, 20):
        ran.clear()
        assert len((await agents_graphql.ok(deep, first=first))["memories"]["edges"]) == first
        counts.append(ran["get_memory_outcomes"])

    assert counts == [1, 1]


async def test_bad_arguments_are_refused(agents_graphql) -> None:
    for variables, field in (({"minRuns": 0}, "minRuns"), ({"first": 201}, "first")):
        error = await agents_graphql.error(OUTCOMES, **variables)
        assert (error["code"], error["field"]) == ("INVALID_INPUT", field)
