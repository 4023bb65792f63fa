"""A worker waits for a signal, and takes together what came meanwhile."""

import asyncio

import pytest

from graph.core import queries
from graph.core.errors import Unavailable
from graph.core.events import Announcer
from graph.core.jobs import JobRunner, Jobs, run_worker
from graph.core.models import JobRules
from tests.fixtures.jobs import RULES, Bench, Silence, Work


class Watched(Silence):
    """Notes how long the worker would wait, lets a test write meanwhile, and ends the worker after some waits."""

    def __init__(self, *meanwhile) -> None:
        self.meanwhile = list(meanwhile)
        self.waits: list[float] = []

    async def wait(self, timeout_seconds: float) -> None:
        if not self.meanwhile:
            raise asyncio.CancelledError
        self.waits.append(timeout_seconds)
        await self.meanwhile.pop(0)()


async def test_no_text_waits_longer_than_two_seconds(bench) -> None:
    """B13: twenty at once, or what there is after 2 s without a signal; more than a batch go one after the other."""
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
    """C16: one whose statement always takes too long ended each round before the others had their turn."""
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
    """Four lanes asked it after each save; what is due meanwhile is found by whoever asks next."""
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
