"""Oxagen's telemetry tools, and the recording of an agent's actions."""

import pytest

from graph.memories.models import MemoryDraft
from tests.fixtures.telemetry import failing, history
from tests.fixtures.waiting import until

FAILURES = {"failed": 6, "succeeded": 3}


@pytest.fixture
async def learnt(services, agents_workspace_id) -> str:
    """Record failing deployments in a workspace and promote them to a pattern; return its id."""
    await services.telemetry.recorder.record(agents_workspace_id, history(**FAILURES))
    await services.telemetry.promoter.promote(agents_workspace_id)
    return agents_workspace_id


async def test_runs_and_patterns_are_searched_together(learning_agent, learnt) -> None:
    """G8: memory.search."""

    async def found():
        answer = await learning_agent.call("memory.search", query="deploy on service", limit=20)
        return len(answer["sequences"]) == 9 and answer

    answer = await until(found)

    (pattern,) = answer["patterns"]
    assert (pattern["action_type"], pattern["node_type"], pattern["error_code"]) == (
        "deploy", "Service", "E_QUOTA",
    )  # fmt: skip
    assert pattern["text"] == "deploy on Service → E_QUOTA (6 sequences, 66%)"
    assert {run["session_id"] for run in answer["sequences"]} == {
        *(f"failed-{number}" for number in range(6)),
        *(f"fine-{number}" for number in range(3)),
    }


async def test_a_tool_omits_patterns_that_only_failed_elsewhere(learning_agent, services, learnt) -> None:
    """G8: a query finds patterns through the runs that show them."""
    other = [
        failing(f"billed-{number}", "E_CARD", action_type="charge", node_type="Invoice")
        for number in range(6)
    ]
    await services.telemetry.recorder.record(learnt, other)
    await services.telemetry.promoter.promote(learnt)

    async def found():
        answer = await learning_agent.call("memory.search", query="charge on invoice", limit=3)
        return {run["session_id"][:6] for run in answer["sequences"]} == {"billed"} and answer

    answer = await until(found)

    assert answer["patterns"][0]["error_code"] == "E_CARD"


async def test_similar_runs_come_with_their_actions(learning_agent, learnt) -> None:
    """G9: memory.context compares runs by meaning."""

    async def found():
        answer = await learning_agent.call("memory.context", query="deploy on service failed", limit=2)
        return len(answer["runs"]) == 2 and answer

    answer = await until(found)

    run = answer["runs"][0]
    assert run["sequence"]["intent_summary"].startswith("deploy on service")
    (action,) = run["actions"]
    assert (action["action_type"], action["node_type"]) == ("deploy", "Service")


async def test_a_pattern_is_annotated_and_hidden_from_agents(learning_agent, services, learnt) -> None:
    """G10: memory.annotate."""
    (pattern,) = (await services.telemetry.reader.patterns(learnt)).items

    noted = await learning_agent.call("memory.annotate", pattern_id=pattern.id, note="ask for quota first")
    hidden = await learning_agent.call("memory.annotate", pattern_id=pattern.id, suppressed=True)

    assert (noted["pattern"]["note"], noted["pattern"]["suppressed"]) == ("ask for quota first", False)
    assert (hidden["pattern"]["note"], hidden["pattern"]["suppressed"]) == ("ask for quota first", True)
    assert await services.telemetry.reader.patterns_for(learnt, node_types=["Service"]) == []


async def test_a_metric_is_defined_and_its_trend_read(noon, learning_agent, learnt) -> None:
    """G11: memory.metric_create and memory.benchmark_get."""
    definition = {"aggregate": "COUNT", "action_type": "deploy", "outcome": "ERROR"}

    made = await learning_agent.call("memory.metric_create", name="failed_deploys", definition=definition)
    again = await learning_agent.call("memory.metric_create", name="failed_deploys", definition=definition)
    trend = await learning_agent.call("memory.benchmark_get", metric="failed_deploys", days=7)
    built_in = await learning_agent.call("memory.benchmark_get", metric="error_rate")

    assert made == again
    assert (made["name"], made["aggregate"]) == ("failed_deploys", "COUNT")
    assert "node_type" not in made
    (today,) = trend["points"]
    assert (trend["metric"], trend["days"]) == ("failed_deploys", 7)
    assert (today["day"], today["value"], today["is_complete"]) == (
        f"{noon:%Y-%m-%d}",
        6.0,
        False,
    )
    assert (built_in["days"], built_in["points"][-1]["samples"]) == (30, 9)


async def test_actions_are_recorded_once(learning_agent, services) -> None:
    """G1, N6: memory.record_actions."""
    action = {
        "session_id": "run-1", "action_type": "deploy", "node_type": "Service", "outcome": "ERROR",
        "error_code": "E_QUOTA", "latency_ms": 12.5, "id": "act-1",
    }  # fmt: skip

    first = await learning_agent.call("memory.record_actions", actions=[action])
    second = await learning_agent.call("memory.record_actions", actions=[action])

    (recorded,) = (await services.telemetry.reader.actions(learning_agent.workspace_id)).items
    assert first == {"recorded": 1, "targets_unknown": 0}
    assert second == {"recorded": 0, "targets_unknown": 0}
    assert (recorded.session_id, recorded.error_code, recorded.latency_ms) == ("run-1", "E_QUOTA", 12.5)


async def test_nothing_is_recorded_while_memory_is_off(agent) -> None:
    """G13."""
    action = {"session_id": "run-1", "action_type": "deploy", "node_type": "Service", "outcome": "SUCCESS"}

    answer = await agent.call("memory.record_actions", actions=[action])

    assert answer == {"recorded": 0, "targets_unknown": 0, "skipped": "memory is off in this workspace"}


ACTION = {"session_id": "s", "action_type": "deploy", "node_type": "Service", "outcome": "SUCCESS"}


@pytest.mark.parametrize(
    ("tool", "arguments", "code", "field"),
    [
        ("memory.search", {}, "INVALID_INPUT", "query"),
        ("memory.search", {"query": "  "}, "INVALID_INPUT", "query"),
        ("memory.search", {"query": "x", "limit": 51}, "INVALID_INPUT", "limit"),
        ("memory.context", {"query": ""}, "INVALID_INPUT", "query"),
        ("memory.context", {"query": "x", "limit": "all"}, "INVALID_INPUT", "limit"),
        ("memory.annotate", {"note": "x"}, "INVALID_INPUT", "pattern_id"),
        ("memory.annotate", {"pattern_id": "pat_none"}, "INVALID_INPUT", "note"),
        ("memory.annotate", {"pattern_id": "pat_none", "suppressed": True}, "NOT_FOUND", "pattern_id"),
        ("memory.annotate", {"pattern_id": "pat_none", "note": "x" * 501}, "INVALID_INPUT", "note"),
        ("memory.annotate", {"pattern_id": "pat_none", "suppressed": "perhaps"}, "INVALID_INPUT", "suppressed"),
        ("memory.metric_create", {"definition": {"aggregate": "COUNT"}}, "INVALID_INPUT", "name"),
        ("memory.metric_create", {"name": "m"}, "INVALID_INPUT", "definition"),
        ("memory.metric_create", {"name": "m", "definition": {}}, "INVALID_INPUT", "definition.aggregate"),
        ("memory.metric_create", {"name": "m", "definition": {"aggregate": "SUM"}}, "INVALID_INPUT",
         "definition.aggregate"),
        ("memory.metric_create", {"name": "m", "definition": {"aggregate": "RATE"}}, "INVALID_INPUT",
         "definition.outcome"),
        ("memory.metric_create", {"name": "m", "definition": {"aggregate": "COUNT", "action_type": "a b"}},
         "INVALID_INPUT", "definition.action_type"),
        ("memory.metric_create", {"name": "a b", "definition": {"aggregate": "COUNT"}}, "INVALID_INPUT", "name"),
        ("memory.metric_create", {"name": "error_rate", "definition": {"aggregate": "COUNT"}}, "CONFLICT", "name"),
        ("memory.benchmark_get", {}, "INVALID_INPUT", "metric"),
        ("memory.benchmark_get", {"metric": "none_such"}, "NOT_FOUND", "metric"),
        ("memory.benchmark_get", {"metric": "error_rate", "days": 0}, "INVALID_INPUT", "days"),
        ("memory.record_actions", {}, "INVALID_INPUT", "actions"),
        ("memory.record_actions", {"actions": []}, "INVALID_INPUT", "actions"),
        ("memory.record_actions", {"actions": [ACTION, {**ACTION, "outcome": "MAYBE"}]}, "INVALID_INPUT",
         "actions.1.outcome"),
        ("memory.record_actions", {"actions": [{**ACTION, "arguments": "secret"}]}, "INVALID_INPUT",
         "actions.0.arguments"),
        ("memory.record_actions", {"actions": [ACTION, {**ACTION, "action_type": "what she said"}]},
         "INVALID_INPUT", "actionType"),
    ],
    ids=lambda value: repr(value)[:60],
)  # fmt: skip
async def test_bad_input_is_named_and_nothing_is_written(
    learning_agent, services, tool, arguments, code, field
) -> None:
    """K13, G2: the error names the argument; there is none for a user's text."""
    error = await learning_agent.error(tool, **arguments)

    assert (error["code"], error["field"]) == (code, field)
    assert (await services.telemetry.reader.actions(learning_agent.workspace_id)).items == []
    assert await services.telemetry.benchmarks.metrics(learning_agent.workspace_id) == []


async def test_a_context_names_the_run_that_uses_it(learning_agent, services) -> None:
    """C17, H4: as in a recall."""
    query, draft = "always ask before a rollout", MemoryDraft(content="always ask before a rollout")
    id_ = (await services.memories.store.save(learning_agent.workspace_id, draft)).memory.id

    async def told(**asked) -> bool:
        return id_ in await learning_agent.text("context", query=query, used_by="run-7", **asked)

    assert await until(lambda: told(dry_run=True))
    assert await told()
    done = {"session_id": "run-7", "action_type": "deploy", "node_type": "Service", "outcome": "SUCCESS"}
    answer = await learning_agent.call("record", actions=[{**done, "target_id": "nothing"}])

    assert (answer["recorded"], answer["targets_unknown"]) == (1, 1)

    async def known() -> bool:
        await services.telemetry.usage.flush()
        found = await services.telemetry.outcomes.of_memories(learning_agent.workspace_id, [id_])
        return id_ in found and found[id_].runs == 1

    await until(known)
