"""Metrics: measured once per day, by any worker, and read as a trend."""

import asyncio
from datetime import timedelta

import pytest

from graph.core.errors import Conflict, InvalidInput, NotFound
from graph.telemetry import benchmarks as service
from graph.telemetry.benchmarks import Benchmarks
from graph.telemetry.models import BenchmarkPoint, MetricAggregate, MetricDraft, Outcome
from graph.telemetry.noted import NOTED_TYPE
from tests.fixtures.graphs import run
from tests.fixtures.telemetry import LATER, action, claimed, failing, history
from tests.fixtures.waiting import until

TODAY = LATER.date()
_VALUES = """CYPHER 25
MATCH (benchmark:AgentBenchmark {workspace_id: $ws})
RETURN benchmark.metric AS metric, benchmark.day AS day, benchmark.value AS value, benchmark.samples AS samples,
       labels(benchmark) AS labels, [(benchmark)-[:MEASURES]->(metric:Metric) | metric.name] AS of
ORDER BY metric, day
"""

_NO_JOBS = "CYPHER 25 MATCH (job:Job {workspace_id: $ws}) DETACH DELETE job"


@pytest.fixture
def benchmarks(services, telemetry_clock) -> Benchmarks:
    return Benchmarks(services.core.database, services.core.wake_up, telemetry_clock)


async def due(services, workspace_id: str) -> list[str]:
    """Return the days with a queued measurement."""
    page = await services.core.jobs.page(workspace_id)
    return sorted(job.subject_id for job in page.items if job.kind == "BENCHMARK")


async def measure(benchmarks, services, workspace_id: str) -> None:
    """Run the queued jobs, which stay queued because no worker finishes them."""
    jobs = [claimed(workspace_id, day) for day in await due(services, workspace_id)]
    await benchmarks.run_jobs(jobs)


async def values(stored_telemetry, workspace_id: str) -> dict[str, list[float]]:
    result = await run(stored_telemetry.driver, _VALUES, ws=workspace_id)
    found: dict[str, list[float]] = {}
    for record in result.records:
        found.setdefault(record["metric"], []).append(record["value"])
    return found


def point(days_ago: int, value: float, samples: int) -> BenchmarkPoint:
    return BenchmarkPoint(day=TODAY - timedelta(days=days_ago), value=value, samples=samples)


async def test_a_day_is_queued_once_it_is_over_and_measured_once(
    services, benchmarks, telemetry, telemetry_clock, agents_workspace_id, stored_telemetry
) -> None:
    """G6, M9: with any number of workers, and if one repeats the measurement."""
    await telemetry.recorder.record(agents_workspace_id, history(failed=5, succeeded=3))
    await telemetry.recorder.record(agents_workspace_id, [action("dead", Outcome.DEAD_END, latency_ms=30.0)])
    await telemetry.recorder.record(agents_workspace_id, [action("fine-0", latency_ms=10.0)])
    await telemetry.promoter.promote(agents_workspace_id)
    await benchmarks.enqueue_due()
    assert await due(services, agents_workspace_id) == []
    telemetry_clock.move(days=1)

    await asyncio.gather(*(benchmarks.enqueue_due() for _ in range(3)))
    assert await due(services, agents_workspace_id) == [TODAY.isoformat()]
    await asyncio.gather(*(measure(benchmarks, services, agents_workspace_id) for _ in range(3)))

    assert await values(stored_telemetry, agents_workspace_id) == {
        "success_rate": [0.4],
        "error_rate": [0.5],
        "dead_end_rate": [0.1],
        "mean_latency_ms": [20.0],
        "sequence_count": [9.0],
        "pattern_count": [0.0],
    }
    (first, *_) = (await run(stored_telemetry.driver, _VALUES, ws=agents_workspace_id)).records
    assert sorted(first["labels"]) == ["AgentBenchmark", "_mem"]
    await run(
        stored_telemetry.driver, "MATCH (job:Job {workspace_id: $ws}) DELETE job", ws=agents_workspace_id
    )
    await benchmarks.enqueue_due()
    assert await due(services, agents_workspace_id) == []


async def test_a_day_keeps_its_number_of_patterns(
    services, benchmarks, telemetry, telemetry_clock, agents_workspace_id, stored_telemetry
) -> None:
    """G6: a later measurement would count today's patterns."""
    await telemetry.recorder.record(agents_workspace_id, history(failed=1, succeeded=1))
    telemetry_clock.move(days=1)
    await benchmarks.enqueue_due()
    await measure(benchmarks, services, agents_workspace_id)
    await telemetry.recorder.record(agents_workspace_id, history(failed=9, succeeded=0))
    assert await telemetry.promoter.promote(agents_workspace_id) != []

    await benchmarks.create_metric(
        agents_workspace_id, MetricDraft(name="all", aggregate=MetricAggregate.COUNT)
    )
    await measure(benchmarks, services, agents_workspace_id)

    stored = await values(stored_telemetry, agents_workspace_id)
    assert (stored["pattern_count"], stored["all"]) == ([0.0], [2.0])
    (kept,) = (await benchmarks.trend(agents_workspace_id, "pattern_count")).points[:1]
    assert (kept.value, kept.samples) == (0.0, 0), "what was counted belongs to its value"


async def test_patterns_of_automatically_recorded_actions_are_not_counted(
    benchmarks, telemetry, agents_workspace_id
) -> None:
    """G6: they are not runs of agents either."""
    noted = [
        each.model_copy(update={"node_type": f"{NOTED_TYPE}mcp", "session_id": f"n-{each.session_id}"})
        for each in history(failed=9, succeeded=0)
    ]
    await telemetry.recorder.record(agents_workspace_id, [*noted, *history(failed=9, succeeded=0)])
    assert len(await telemetry.promoter.promote(agents_workspace_id)) == 2

    (today,) = (await benchmarks.trend(agents_workspace_id, "pattern_count", days=1)).points

    assert today.value == 1.0


async def test_a_day_whose_runs_are_deleted_is_measured_without_them(
    services, benchmarks, telemetry, telemetry_clock, agents_workspace_id, stored_telemetry
) -> None:
    """G6, N7: a value without runs is deleted; the number of patterns stays."""
    mean = MetricDraft(name="latency", aggregate=MetricAggregate.MEAN_LATENCY)
    await benchmarks.create_metric(agents_workspace_id, mean)
    await telemetry.recorder.record(agents_workspace_id, [action("kept"), failing("gone", latency_ms=5.0)])
    telemetry_clock.move(days=1)
    await benchmarks.enqueue_due()
    await measure(benchmarks, services, agents_workspace_id)
    await run(stored_telemetry.driver, _NO_JOBS, ws=agents_workspace_id)
    before = await values(stored_telemetry, agents_workspace_id)
    page = (await telemetry.reader.sequences(agents_workspace_id)).page
    ids = {each.sequence.session_id: each.sequence.id for each in page.items}

    await telemetry.promoter.forget(agents_workspace_id, [ids["gone"]])
    assert await due(services, agents_workspace_id) == [TODAY.isoformat()]
    await measure(benchmarks, services, agents_workspace_id)

    assert (before["error_rate"], before["mean_latency_ms"], before["latency"]) == ([0.5], [5.0], [5.0])
    assert await values(stored_telemetry, agents_workspace_id) == {
        "success_rate": [1.0],
        "error_rate": [0.0],
        "dead_end_rate": [0.0],
        "sequence_count": [1.0],
        "pattern_count": [0.0],
    }
    await telemetry.promoter.forget(agents_workspace_id, [ids["kept"]])
    await measure(benchmarks, services, agents_workspace_id)
    assert await values(stored_telemetry, agents_workspace_id) == {
        "sequence_count": [0.0],
        "pattern_count": [0.0],
    }


async def test_missed_days_are_measured_later_and_empty_ones_skipped(
    services, benchmarks, telemetry, telemetry_clock, agents_workspace_id
) -> None:
    """G6: up to a week."""
    await telemetry.recorder.record(agents_workspace_id, [action("s")])
    telemetry_clock.move(days=2)
    await telemetry.recorder.record(agents_workspace_id, [action("s")])
    telemetry_clock.move(days=5)

    await benchmarks.enqueue_due()

    assert await due(services, agents_workspace_id) == [
        TODAY.isoformat(), (TODAY + timedelta(days=2)).isoformat(),
    ]  # fmt: skip


async def test_a_trend_shows_measured_days_and_today_as_it_stands(
    services, benchmarks, telemetry, agents_workspace_id
) -> None:
    """G6, G11: a late action makes its day be measured again."""
    for days, failed in ((3, 1), (1, 3)):
        moment = LATER - timedelta(days=days)
        drafts = [failing(f"f{days}-{n}", occurred_at=moment) for n in range(failed)]
        drafts += [action(f"s{days}-{n}", occurred_at=moment) for n in range(4 - failed)]
        await telemetry.recorder.record(agents_workspace_id, drafts)
    await measure(benchmarks, services, agents_workspace_id)
    trend = await benchmarks.trend(agents_workspace_id, "error_rate")
    assert list(trend.points) == [point(3, 0.25, 4), point(1, 0.75, 4)]
    assert (trend.mean, trend.change) == (0.5, 0.5)

    await telemetry.recorder.record(
        agents_workspace_id, [failing("late", occurred_at=LATER - timedelta(days=3))]
    )
    await telemetry.recorder.record(agents_workspace_id, [action("today")])
    await measure(benchmarks, services, agents_workspace_id)

    trend = await benchmarks.trend(agents_workspace_id, "error_rate", days=4)
    today = point(0, 0.0, 1).model_copy(update={"is_complete": False})
    assert list(trend.points) == [point(3, 0.4, 5), point(1, 0.75, 4), today]
    assert [p.day for p in (await benchmarks.trend(agents_workspace_id, "error_rate", days=1)).points] == [
        TODAY
    ]
    counts = await benchmarks.trend(agents_workspace_id, "sequence_count", days=2)
    assert [p.value for p in counts.points] == [4.0, 1.0]
    assert (await benchmarks.trend(agents_workspace_id, "mean_latency_ms")).points == []


async def test_a_custom_metric_is_also_measured_for_past_days(
    services, benchmarks, telemetry, agents_workspace_id, stored_telemetry
) -> None:
    """G11."""
    yesterday = LATER - timedelta(days=1)
    await telemetry.recorder.record(
        agents_workspace_id,
        [
            failing("a", occurred_at=yesterday),
            action("b", occurred_at=yesterday),
            action("c", occurred_at=yesterday, action_type="dump"),
        ],
    )
    await measure(benchmarks, services, agents_workspace_id)
    await run(
        stored_telemetry.driver, "MATCH (job:Job {workspace_id: $ws}) DELETE job", ws=agents_workspace_id
    )
    draft = MetricDraft(
        name="deploy_errors",
        aggregate=MetricAggregate.RATE,
        action_type="deploy",
        outcome=Outcome.ERROR,
    )

    metric = await benchmarks.create_metric(agents_workspace_id, draft)
    assert await due(services, agents_workspace_id) == [yesterday.date().isoformat()]
    await measure(benchmarks, services, agents_workspace_id)

    trend = await benchmarks.trend(agents_workspace_id, "deploy_errors")
    assert list(trend.points) == [point(1, 0.5, 2)]
    result = await run(stored_telemetry.driver, _VALUES, ws=agents_workspace_id)
    assert [r["of"] for r in result.records if r["metric"] == "deploy_errors"] == [["deploy_errors"]]
    assert await benchmarks.create_metric(agents_workspace_id, draft) == metric
    assert await benchmarks.metrics(agents_workspace_id) == [metric]
    await run(stored_telemetry.driver, _NO_JOBS, ws=agents_workspace_id)
    with pytest.raises(Conflict):
        await benchmarks.create_metric(agents_workspace_id, draft.model_copy(update={"action_type": "dump"}))
    assert await due(services, agents_workspace_id) == [], "what is refused queues nothing"
    assert await benchmarks.delete_metric(agents_workspace_id, metric.id) is True
    assert await benchmarks.delete_metric(agents_workspace_id, metric.id) is False
    assert "deploy_errors" not in await values(stored_telemetry, agents_workspace_id)
    with pytest.raises(NotFound):
        await benchmarks.trend(agents_workspace_id, "deploy_errors")


async def test_recorded_calls_count_for_metrics_with_their_type(
    benchmarks, telemetry, agents_workspace_id
) -> None:
    """G11: even if no agent has recorded anything yet."""
    draft = MetricDraft(name="recalls", aggregate=MetricAggregate.COUNT, node_type=f"{NOTED_TYPE}mcp")
    await benchmarks.create_metric(agents_workspace_id, draft)
    await telemetry.recorder.record(agents_workspace_id, [action("noted", node_type=f"{NOTED_TYPE}mcp")])

    trend = await benchmarks.trend(agents_workspace_id, "recalls", days=1)

    assert list(trend.points) == [point(0, 1.0, 1).model_copy(update={"is_complete": False})]
    assert (await benchmarks.trend(agents_workspace_id, "error_rate", days=1)).points == []


async def test_metrics_are_typed_and_have_no_expressions(benchmarks, agents_workspace_id) -> None:
    """G11."""
    known = MetricDraft(name="deploys", aggregate=MetricAggregate.COUNT, action_type="deploy")
    await benchmarks.create_metric(agents_workspace_id, known)

    for change, field in (
        ({"name": "sum(actions)"}, "name"),
        ({"name": ""}, "name"),
        ({"action_type": "deploy OR 1=1"}, "actionType"),
        ({"node_type": "he said"}, "nodeType"),
        ({"error_code": "a b"}, "errorCode"),
        ({"aggregate": MetricAggregate.RATE}, "outcome"),
    ):
        with pytest.raises(InvalidInput) as refused:
            await benchmarks.create_metric(agents_workspace_id, known.model_copy(update=change))
        assert refused.value.field == field
    for name in ("error_rate", "deploys"):
        draft = MetricDraft(name=name, aggregate=MetricAggregate.COUNT, action_type="dump")
        with pytest.raises(Conflict) as conflict:
            await benchmarks.create_metric(agents_workspace_id, draft)
        assert conflict.value.field == "name"
    assert len(await benchmarks.metrics(agents_workspace_id)) == 1


async def test_concurrent_requests_cannot_exceed_the_number_of_metrics(
    benchmarks, agents_workspace_id, monkeypatch
) -> None:
    """The limit must not be checked before the others' writes; an existing metric does not count twice."""
    monkeypatch.setattr(service, "MOST_METRICS", 5)
    drafts = [MetricDraft(name=f"metric_{number}", aggregate=MetricAggregate.COUNT) for number in range(20)]

    made = await asyncio.gather(
        *(benchmarks.create_metric(agents_workspace_id, draft) for draft in drafts), return_exceptions=True
    )

    metrics = await benchmarks.metrics(agents_workspace_id)
    assert len([each for each in made if isinstance(each, InvalidInput)]) == 15
    assert len(metrics) == 5
    again = MetricDraft(name=metrics[0].name, aggregate=MetricAggregate.COUNT)
    assert await benchmarks.create_metric(agents_workspace_id, again) == metrics[0]


async def test_a_deleted_workspace_has_no_metrics(services, benchmarks, workspace_id) -> None:
    await services.tenancy.workspaces.delete(workspace_id, hard=True)

    with pytest.raises(NotFound):
        await benchmarks.create_metric(
            workspace_id, MetricDraft(name="deploys", aggregate=MetricAggregate.COUNT)
        )

    assert await benchmarks.metrics(workspace_id) == []


async def test_an_invalid_question_is_refused(benchmarks, agents_workspace_id) -> None:
    for days in (0, 366):
        with pytest.raises(InvalidInput) as refused:
            await benchmarks.trend(agents_workspace_id, "error_rate", days=days)
        assert refused.value.field == "days"
    with pytest.raises(NotFound) as missing:
        await benchmarks.trend(agents_workspace_id, "nothing")
    assert missing.value.field == "metric"


async def test_metrics_and_values_stay_in_their_workspace(
    services, benchmarks, telemetry, agents_workspace_id, other_agents_workspace_id
) -> None:
    """G14, I8: they stay readable with memory off (G13)."""
    yesterday = LATER - timedelta(days=1)
    await telemetry.recorder.record(agents_workspace_id, [failing("s", occurred_at=yesterday)])
    await measure(benchmarks, services, agents_workspace_id)
    draft = MetricDraft(name="deploys", aggregate=MetricAggregate.COUNT)
    metric = await benchmarks.create_metric(agents_workspace_id, draft)

    assert (await benchmarks.trend(other_agents_workspace_id, "error_rate")).points == []
    assert await benchmarks.metrics(other_agents_workspace_id) == []
    assert await benchmarks.delete_metric(other_agents_workspace_id, metric.id) is False
    await services.tenancy.workspaces.update(agents_workspace_id, memory_enabled=False)
    assert len((await benchmarks.trend(agents_workspace_id, "error_rate")).points) == 1


async def test_workers_measure_past_days(services, agents_workspace_id, stored_telemetry) -> None:
    """G6, M9: recording an action of an earlier day queues that day's measurement."""
    moment = services.telemetry.recorder._clock.now() - timedelta(days=2)
    await services.telemetry.recorder.record(agents_workspace_id, [failing("s", occurred_at=moment)])

    async def measured() -> bool:
        return (await values(stored_telemetry, agents_workspace_id)).get("error_rate") == [1.0]

    await until(measured)
