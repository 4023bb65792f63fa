"""Metrics and trends through GraphQL, and telemetry under its other names."""

RECORD = "mutation($inputs: [ActionInput!]!) { recordActions(inputs: $inputs) }"
CREATE = """mutation($input: MetricInput!) { createMetric(input: $input) {
  id name aggregate actionType nodeType outcome errorCode
} }"""
TREND = """query($metric: String!, $days: Int) { benchmark(metric: $metric, days: $days) {
  metric days mean change points { day value samples isComplete }
} }"""
ACTION = {"sessionId": "s1", "actionType": "deploy", "nodeType": "Service", "outcome": "SUCCESS"}
FAILED = {**ACTION, "outcome": "ERROR", "errorCode": "E_QUOTA"}


async def test_a_metric_is_created_and_read(noon, agents_graphql) -> None:
    """G6, G11."""
    await agents_graphql.ok(RECORD, inputs=[ACTION, FAILED, FAILED, {**ACTION, "actionType": "dump"}])
    input_ = {"name": "deploy_errors", "aggregate": "RATE", "actionType": "deploy", "outcome": "ERROR"}

    made = (await agents_graphql.ok(CREATE, input=input_))["createMetric"]
    trend = (await agents_graphql.ok(TREND, metric="deploy_errors"))["benchmark"]
    errors = (await agents_graphql.ok(TREND, metric="error_rate", days=7))["benchmark"]

    assert made == {**input_, "id": made["id"], "nodeType": None, "errorCode": None}
    (point,) = trend.pop("points")
    assert trend == {"metric": "deploy_errors", "days": 30, "mean": 2 / 3, "change": None}
    assert (point["value"], point["samples"], point["isComplete"]) == (2 / 3, 3, False)
    assert (errors["points"][0]["value"], errors["days"]) == (0.5, 7)
    listed = await agents_graphql.ok("{ metrics { id name } }")
    assert listed["metrics"] == [{"id": made["id"], "name": "deploy_errors"}]
    delete = "mutation($id: ID!) { deleteMetric(id: $id) }"
    assert (await agents_graphql.ok(delete, id=made["id"]))["deleteMetric"] is True
    assert (await agents_graphql.ok("{ metrics { id } }"))["metrics"] == []


async def test_bad_metrics_are_refused(agents_graphql) -> None:
    """G11."""
    for input_, code, field in (
        ({"name": "a b", "aggregate": "COUNT"}, "INVALID_INPUT", "name"),
        ({"name": "x", "aggregate": "RATE"}, "INVALID_INPUT", "outcome"),
        ({"name": "success_rate", "aggregate": "COUNT"}, "CONFLICT", "name"),
        ({"name": "x", "aggregate": "MEDIAN"}, "INVALID_INPUT", None),
        ({"name": "x", "aggregate": "COUNT", "expression": "1 + 1"}, "INVALID_INPUT", None),
    ):
        error = await agents_graphql.error(CREATE, input=input_)
        assert (error["code"], error["field"]) == (code, field)
    for variables, code, field in (
        ({"metric": "nothing"}, "NOT_FOUND", "metric"),
        ({"metric": "error_rate", "days": 0}, "INVALID_INPUT", "days"),
    ):
        error = await agents_graphql.error(TREND, **variables)
        assert (error["code"], error["field"]) == (code, field)


async def test_telemetry_is_available_under_both_names(agents_graphql) -> None:
    """G7, G15: agentTelemetry is the current name and agentMemory the former; the stores keep theirs."""
    await agents_graphql.ok(RECORD, inputs=[{**FAILED, "sessionId": f"s{number}"} for number in range(5)])
    await agents_graphql.ok("mutation { promotePatterns { id } }")
    fields = """{
      workspaceId
      agentActions(first: 2) { edges { node { actionType } } }
      agentSequences(query: "deploy service") { edges { node { sessionId } } }
      agentPatterns(filter: {nodeTypes: ["Service"]}) { edges { node { text } } }
      agentBenchmarks(metric: "error_rate") { points { value } }
    }"""

    data = await agents_graphql.ok(f"{{ agentTelemetry {fields} agentMemory {fields} }}")

    telemetry = data["agentTelemetry"]
    assert data["agentMemory"] == telemetry
    assert [edge["node"]["actionType"] for edge in telemetry["agentActions"]["edges"]] == ["deploy"] * 2
    assert len(telemetry["agentSequences"]["edges"]) == 5
    assert [edge["node"]["text"] for edge in telemetry["agentPatterns"]["edges"]] == [
        "deploy on Service → E_QUOTA (5 sequences, 100%)"
    ]
    assert telemetry["agentBenchmarks"]["points"] == [{"value": 1.0}]


async def test_the_former_name_is_deprecated(agents_graphql) -> None:
    """G15."""
    data = await agents_graphql.ok(
        '{ __type(name: "Query") { fields(includeDeprecated: true) { name isDeprecated } } }'
    )

    deprecated = [field["name"] for field in data["__type"]["fields"] if field["isDeprecated"]]
    assert deprecated == ["agentMemory"]
