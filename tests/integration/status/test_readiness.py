"""The round trip by which the engine shows that it does its work (M1, M2)."""

import asyncio

import pytest

from app.adapters.clock import SystemClock
from graph.core.errors import Unavailable
from graph.memories.models import MemoryDraft
from graph.status.readiness import PROBE_WORKSPACE, Readiness, ReadinessProbe, Stage
from tests.fixtures.app import GraphQLClient
from tests.fixtures.graphs import run
from tests.fixtures.waiting import until

LEFT = (
    "CYPHER 25 MATCH (n) WHERE n.workspace_id = $id OR (n:Workspace AND n.id = $id) RETURN elementId(n) AS id"
)

AN_HOUR_AGO = "CYPHER 25 MATCH (m:Memory {id: $id}) SET m.created_at = datetime() - duration('PT1H')"


class Failing:
    """A service, one of whose use cases does not do its part."""

    def __init__(self, real, name, use) -> None:
        self._real, self._name, self._use = real, name, use

    def __getattr__(self, name):
        return self._use if name == self._name else getattr(self._real, name)


@pytest.fixture
def probe(services):
    """Makes a probe whose parts may be replaced."""

    def make(*, shared_seconds=0.0, deadline_seconds=30.0, **parts) -> ReadinessProbe:
        used = {"memories": services.memories, "recall": services.recall, "status": services.status} | parts
        return ReadinessProbe(
            services.database,
            used["memories"],
            used["recall"],
            used["status"],
            SystemClock(),
            shared_seconds=shared_seconds,
            deadline_seconds=deadline_seconds,
        )

    return make


async def left(driver) -> set[str]:
    """Return what is there of the probe's workspace; tests here whose stages fail leave something for ten minutes."""
    return {record["id"] for record in (await run(driver, LEFT, id=PROBE_WORKSPACE)).records}


async def test_a_round_trip_finds_what_it_saved_and_leaves_nothing(probe, graph_driver) -> None:
    """M2: no memory, no job, no tombstone, and no workspace that anybody could see."""
    before = await left(graph_driver)

    assert await probe().check() == Readiness(None, ())

    async def is_empty() -> bool:
        return await left(graph_driver) <= before

    await until(is_empty)


async def test_what_a_killed_process_left_is_taken_away_by_the_next_round_trip(
    probe, services, graph_driver
) -> None:
    before = await left(graph_driver)
    saved = await services.memories.save(PROBE_WORKSPACE, MemoryDraft(content="left by another", dedup=False))
    await run(graph_driver, AN_HOUR_AGO, id=saved.memory.id)

    assert (await probe().check()).is_ready

    async def is_empty() -> bool:
        return await left(graph_driver) <= before

    await until(is_empty)


async def test_however_many_ask_there_is_one_round_trip(probe, services) -> None:
    """A probe must not be a way to load the store."""
    saves = 0

    async def count(*arguments, **named):
        nonlocal saves
        saves += 1
        return await services.memories.save(*arguments, **named)

    asked = probe(shared_seconds=3600, memories=Failing(services.memories, "save", count))
    together = await asyncio.gather(*(asked.check() for _ in range(20)))
    later = await asked.check()

    assert saves == 1
    assert {*together, later} == {Readiness(None, ())}


async def test_whoever_stops_asking_does_not_stop_the_round_trip(probe, services, graph_driver) -> None:
    """It would leave its memory behind."""
    before = await left(graph_driver)
    saving = asyncio.Event()

    async def save(*arguments, **named):
        saving.set()
        return await services.memories.save(*arguments, **named)

    asked = probe(memories=Failing(services.memories, "save", save))
    asking = asyncio.create_task(asked.check())
    await saving.wait()
    asking.cancel()
    await asyncio.gather(asking, return_exceptions=True)
    await asked.close()

    async def is_empty() -> bool:
        return await left(graph_driver) <= before

    await until(is_empty)


async def raise_unavailable(*_arguments, **_named):
    raise Unavailable("neo4j", "the graph database does not answer; try again shortly")


async def raise_defect(*_arguments, **_named):
    raise RuntimeError("a defect")


async def never_answer(*_arguments, **_named):
    await asyncio.Event().wait()


@pytest.mark.parametrize(
    ("part", "name", "stage"),
    [
        ("memories", "save", Stage.SAVE),
        ("recall", "recall", Stage.RECALL),
        ("memories", "forget", Stage.DELETE),
    ],
)
@pytest.mark.parametrize(
    ("use", "missing"),
    [(raise_unavailable, ("neo4j",)), (raise_defect, ()), (never_answer, ())],
    ids=["away", "defect", "silent"],
)
async def test_the_stage_that_fails_is_named(probe, services, part, name, stage, use, missing) -> None:
    seconds = 0.2 if use is never_answer else 30.0
    asked = probe(deadline_seconds=seconds, **{part: Failing(getattr(services, part), name, use)})

    found = await asked.check()

    if use is never_answer:  # on a slow machine the stage before may be what ran out of time
        assert not found.is_ready
    else:
        assert found == Readiness(stage, missing)


async def test_a_memory_that_recall_does_not_find_is_no_readiness(probe, services, graph_driver) -> None:
    """Saving alone proves little: an index may be broken. It is deleted all the same."""
    before = await left(graph_driver)

    async def find_nothing(workspace_id, query):
        found = await services.recall.recall(workspace_id, query)
        return found.model_copy(update={"hits": ()})

    asked = probe(recall=Failing(services.recall, "recall", find_nothing))

    assert await asked.check() == Readiness(Stage.RECALL, ())

    async def is_empty() -> bool:
        return await left(graph_driver) <= before

    await until(is_empty)


async def test_a_load_balancer_asks_without_a_key(http) -> None:
    response = await http.get("/ready")

    assert response.status_code == 200
    assert response.json() == {"ready": True, "failed": None, "missing": []}


async def test_nobody_can_name_the_workspace_of_the_probe(admin: GraphQLClient) -> None:
    """I1: neither an administrator nor a list."""
    error = await admin.error(
        "query($ws: ID) { memories(workspaceId: $ws) { edges { cursor } } }", ws=PROBE_WORKSPACE
    )

    assert error["code"] == "NOT_FOUND"
