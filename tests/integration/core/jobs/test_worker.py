"""A worker that waits for a signal and batches the jobs that have arrived."""

import asyncio

import pytest

from graph.core import queries
from graph.core.errors import Unavailable
from graph.core.events import Announcer
from graph.core.jobs import JobRunner, Jobs, run_worker
from graph.core.models import JobRules
from tests.fixtures.jobs import RULES, Bench, Silence, Work


class Watched(Silence):
    """A wake-up that records the requested waits, lets a test write during them, and then ends the worker."""

    def __init__(self, *meanwhile) -> None:
        self.meanwhile = list(meanwhile)
        self.waits: list[float] = []

    async def wait(self, timeout_seconds: float) -> None:
        if not self.meanwhile:
            raise asyncio.CancelledError
        self.waits.append(timeout_seconds)
        await self.meanwhile.pop(0)()


async def test_no_text_waits_longer_than_two_seconds(bench) -> None:
    """B13: a batch of at least twenty runs at once, others after 2 s; larger amounts run batch by batch."""
    rules = JobRules()
    many = [f"text {number:03}" for number in range(rules.batch_size + 20)]
    work = Work()
    wake_up = Watched(
        lambda: bench.enqueue("alone"), lambda: bench.enqueue(*many[:20]), lambda: bench.enqueue(*many)
    )
    jobs = bench.jobs(work, rules=rules)

    with pytest.raises(asyncio.CancelledError):
        await run_worker(jobs, wake_up, poll_seconds=rules.poll_seconds, gather_seconds=0)

    assert wake_up.waits == [2.0, 2.0, 2.0]
    sizes = [len(batch) for batch in work.batches]
    assert sizes == [1, 20, rules.batch_size, 20]
    assert rules.batch_size >= 20


async def test_a_blocked_kind_of_job_delays_no_other(bench, graph_driver) -> None:
    """C16: a kind whose statement always times out must not end the round before the others run."""
    other, work = Bench(bench.database, graph_driver, f"{bench.workspace_id}b"), Work()
    busy = Work(failing=Unavailable("neo4j", "busy", retry_after_seconds=1))
    runners = {bench.kind: JobRunner(busy), other.kind: JobRunner(work)}
    jobs = Jobs(bench.database, Silence(), Announcer(bench.told, bench.clock), bench.clock, RULES, runners)
    await bench.enqueue("a")
    await other.enqueue("b")

    with pytest.raises(Unavailable):
        await jobs.run_due("worker")

    assert work.done == ["b"]
    assert (await bench.states(), await other.left()) == ({"a": ("PENDING", 0, None)}, [])


async def test_lanes_woken_together_share_one_query(bench, monkeypatch) -> None:
    """After each save, four lanes look for due jobs at once; the next query finds later jobs."""
    asked: list[list[str]] = []
    list_due_kinds = queries.list_due_kinds

    async def counted(*args, **parameters) -> list[str]:
        asked.append(await list_due_kinds(*args, **parameters))
        return asked[-1]

    monkeypatch.setattr(queries, "list_due_kinds", counted)
    work = Work()
    jobs = bench.jobs(work)

    assert await asyncio.gather(*(jobs.run_due("worker") for _ in range(4))) == [0] * 4
    await bench.enqueue("a")
    assert await jobs.run_due("worker") == 1

    assert (asked, work.done) == ([[], [bench.kind]], ["a"])
