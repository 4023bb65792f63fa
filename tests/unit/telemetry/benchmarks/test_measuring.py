"""The metrics of a day's actions, compared with a count of each action."""

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.telemetry.benchmarks import Activity, measure_all, measure_built_in, measure_custom
from graph.telemetry.models import BuiltInMetric, MetricAggregate, MetricDraft, Outcome
from graph.telemetry.queries import ListActionGroupsRow

TYPES = st.sampled_from(["deploy", "dump"])
NODES = st.sampled_from(["Service", "Database"])
CODES = st.sampled_from([None, "E_ONE", "E_TWO"])
LATENCIES = st.none() | st.floats(0, 1000)
ACTIONS = st.lists(st.tuples(TYPES, NODES, st.sampled_from(Outcome), CODES, LATENCIES), max_size=30)
METRICS = st.builds(
    MetricDraft,
    name=st.just("custom"),
    aggregate=st.sampled_from(MetricAggregate),
    action_type=st.none() | TYPES,
    node_type=st.none() | NODES,
    outcome=st.none() | st.sampled_from(Outcome),
    error_code=CODES,
)


def activity(actions, *, sequences: int = 3, patterns: int | None = 2) -> Activity:
    counted = Counter(action[:4] for action in actions)
    groups = []
    for key, count in counted.items():
        timed = [action[4] for action in actions if action[:4] == key and action[4] is not None]
        action_type, node_type, outcome, code = key
        groups.append(
            ListActionGroupsRow(
                action_type=action_type,
                node_type=node_type,
                outcome=outcome,
                error_code=code,
                actions=count,
                timed=len(timed),
                latency_ms=sum(timed, 0.0),
            )
        )
    return Activity(groups, sequences, patterns)


@given(ACTIONS)
def test_built_in_rates_are_shares_of_the_actions(actions) -> None:
    """G6."""
    found = {m.metric: m for m in measure_all([], activity(actions))}

    for name, outcome in (("success", "SUCCESS"), ("error", "ERROR"), ("dead_end", "DEAD_END")):
        rate = found.get(f"{name}_rate")
        if not actions:
            assert rate is None
            continue
        assert rate.value == sum(action[2] == outcome for action in actions) / len(actions)
        assert rate.samples == len(actions)
    timed = [action[4] for action in actions if action[4] is not None]
    latency = found.get("mean_latency_ms")
    assert (latency is None) is (not timed)
    if latency:
        assert math.isclose(latency.value, sum(timed) / len(timed), abs_tol=1e-9)
        assert latency.samples == len(timed)
    assert (found["sequence_count"].value, found["pattern_count"].value) == (3.0, 2.0)


@given(ACTIONS, METRICS)
def test_a_custom_metric_counts_matching_actions(actions, metric) -> None:
    """G11."""

    def of_kind(action) -> bool:
        return metric.action_type in (None, action[0]) and metric.node_type in (None, action[1])

    def went_so(action) -> bool:
        return metric.outcome in (None, action[2]) and metric.error_code in (None, action[3])

    kind = [action for action in actions if of_kind(action)]
    admitted = [action for action in kind if went_so(action)]
    timed = [action[4] for action in admitted if action[4] is not None]
    expected = {
        MetricAggregate.COUNT: (float(len(admitted)), len(admitted)),
        MetricAggregate.RATE: (len(admitted) / len(kind), len(kind)) if kind else None,
        MetricAggregate.MEAN_LATENCY: (sum(timed) / len(timed), len(timed)) if timed else None,
    }[metric.aggregate]

    found = measure_custom(metric, activity(actions))

    if expected is None:
        assert found is None
    else:
        assert found.metric == "custom"
        assert found.value == pytest.approx(expected[0])
        assert found.samples == expected[1]


def test_patterns_of_an_earlier_day_are_unknown() -> None:
    """G6."""
    assert measure_built_in(BuiltInMetric.PATTERN_COUNT, activity([], patterns=None)) is None
    assert "pattern_count" not in {m.metric for m in measure_all([], activity([], patterns=None))}


@given(ACTIONS, ACTIONS)
def test_an_automatically_recorded_action_is_not_a_run_of_an_agent(told, noted) -> None:
    """G6: many successful tool calls must not hide failing deployments."""
    by_itself = [(kind, f"recollect.{node}", *rest) for kind, node, *rest in noted]
    metric = MetricDraft(name="custom", aggregate=MetricAggregate.COUNT)

    assert measure_all([metric], activity([*told, *by_itself])) == measure_all([metric], activity(told))


def test_a_custom_metric_counts_recorded_actions_that_it_names() -> None:
    """G11."""
    noted = activity([("saveMemory", "recollect.Memory", Outcome.SUCCESS, None, 4.0)])
    by_type = MetricDraft(name="saves", aggregate=MetricAggregate.COUNT, action_type="saveMemory")
    by_target = MetricDraft(name="saves", aggregate=MetricAggregate.COUNT, node_type="recollect.Memory")

    assert [measure_custom(metric, noted).value for metric in (by_type, by_target)] == [1.0, 1.0]
