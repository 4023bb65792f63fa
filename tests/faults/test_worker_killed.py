"""The worker is killed repeatedly while jobs wait: no job is lost, and none takes effect twice."""

import asyncio
import random
from collections.abc import Iterator

import pytest
from neo4j import AsyncDriver

from app.bootstrap.runtime import open_runtime
from graph.core.models import JobRules
from graph.memories.models import MemoryDraft
from graph.telemetry.models import ActionDraft, Outcome
from tests.fixtures.embedders import HashingEmbedder
from tests.fixtures.forked_worker import WorkerForks
from tests.fixtures.graphs import run
from tests.fixtures.waiting import until

MEMORIES = 250
JOBS = 2 * MEMORIES  # each memory has a job to embed it and one to link it
KILLS = 20
RULES = JobRules(batch_size=8, poll_seconds=0.1, gather_seconds=0.05, lease_seconds=1)
"""Small batches, so that kills interrupt many of them, and leases that expire before the next worker starts."""
WAITING = "CYPHER 25 MATCH (job:Job {workspace_id: $ws}) RETURN count(job) AS jobs"
EFFECTS = """CYPHER 25
MATCH (memory:Memory {workspace_id: $ws})
RETURN memory.state AS state, memory.revision AS revision, memory.embedded_revision AS embedded,
       COUNT { (memory)<-[:PART_OF]-(:Passage {workspace_id: $ws}) } AS passages,
       COUNT { (memory)-[:MENTIONS]->(:Entity {workspace_id: $ws}) } AS mentions,
       count(memory) AS memories"""
ENTITIES = "CYPHER 25 MATCH (entity:Entity {workspace_id: $ws}) RETURN entity.name AS name"


@pytest.fixture
def forks(own_settings, tmp_path) -> Iterator[WorkerForks]:
    log = tmp_path / "workers.log"
    started = WorkerForks(own_settings, RULES, log)
    yield started
    started.close()
    print(log.read_text())


@pytest.mark.timeout(600)
async def test_no_job_is_lost_or_done_twice_whenever_its_worker_is_killed(
    own_settings, empty_store: AsyncDriver, forks, pytestconfig: pytest.Config
) -> None:
    """D41, N6: kill -9 at 20 random points among 500 queued jobs with countable effects."""
    seed = pytestconfig.getoption("--seed")
    print(f"the points are drawn from --seed {seed}")  # pytest prints it if the test fails
    chance = random.Random(seed)
    async with open_runtime(own_settings, embedder=HashingEmbedder()) as runtime:
        services = runtime.services
        workspace_id = (await services.tenancy.workspaces.create("crash")).id
        drafts = [
            MemoryDraft(content=f"Crate {number} is blue. It is described in crates.py.", dedup=False)
            for number in range(MEMORIES)
        ]
        await services.memories.store.save_all(workspace_id, drafts)

    async def waiting() -> int:
        return (await run(empty_store, WAITING, ws=workspace_id)).records[0]["jobs"]

    assert await waiting() == JOBS
    for point in sorted(chance.sample(range(JOBS - 100), KILLS)):
        await forks.start()

        async def is_reached(point: int = point) -> bool:
            return JOBS - await waiting() >= point

        await until(is_reached, seconds=120)
        await asyncio.sleep(chance.uniform(0, 0.1))
        await forks.kill()
        assert await waiting() > 0, "nothing was left to be done when the worker was killed"
    await forks.start()

    async def is_done() -> bool:
        return not await waiting()

    await until(is_done, seconds=240)
    effects = [record.data() for record in (await run(empty_store, EFFECTS, ws=workspace_id)).records]
    entities = [record["name"] for record in (await run(empty_store, ENTITIES, ws=workspace_id)).records]

    assert effects == [
        {
            "state": "LINKED",
            "revision": 1,
            "embedded": 1,
            "passages": 2,
            "mentions": 1,
            "memories": MEMORIES,
        }
    ]
    assert entities == ["crates.py"]


ERASED = 1000
LEFT = """CYPHER 25
MATCH (node {workspace_id: $ws})
RETURN count(CASE WHEN node.user_id = 'alice' THEN 1 END) AS hers,
       count(CASE WHEN node.user_id = 'bob' AND node:Memory THEN 1 END) AS his,
       count(CASE WHEN node.kind = 'ERASE' THEN 1 END) AS jobs,
       count(CASE WHEN any(name IN keys(node) WHERE toStringOrNull(node[name]) CONTAINS 'alice') THEN 1 END) AS named
"""


@pytest.mark.timeout(600)
async def test_an_erasure_whose_worker_is_killed_is_ended_by_the_next(
    own_settings, empty_store: AsyncDriver, forks
) -> None:
    """Issue 15 point 7: two kill -9 in the middle; all of Alice's data is erased, none of Bob's."""
    async with open_runtime(own_settings, embedder=HashingEmbedder()) as runtime:
        services = runtime.services
        workspace_id = (await services.tenancy.workspaces.create("crash", memory_enabled=True)).id
        for user, count in (("alice", ERASED), ("bob", 50)):
            drafts = [
                MemoryDraft(content=f"{user} owns crate {number}", user_id=user, dedup=False)
                for number in range(count)
            ]
            await services.memories.store.save_all(workspace_id, drafts)
        run_of_hers = ActionDraft(
            session_id="s", action_type="deploy", node_type="Service", outcome=Outcome.ERROR, user_id="alice"
        )
        await services.telemetry.recorder.record(workspace_id, [run_of_hers])
        await run(
            empty_store, "CYPHER 25 MATCH (job:Job {workspace_id: $ws}) DETACH DELETE job", ws=workspace_id
        )
        await services.operations.erasure.begin(workspace_id, "alice")

    async def left() -> dict[str, int]:
        return (await run(empty_store, LEFT, ws=workspace_id)).records[0].data()

    for share in (0.9, 0.6):
        await forks.start()

        async def is_reached(most: float = share * ERASED) -> bool:
            return (await left())["hers"] <= most

        await until(is_reached, seconds=120)
        await forks.kill()
    between = await left()
    await forks.start()

    async def is_done() -> bool:
        return not (await left())["jobs"]

    await until(is_done, seconds=240)

    assert between["jobs"] == 1
    assert await left() == {"hers": 0, "his": 50, "jobs": 0, "named": 0}
