"""The round trip that checks whether the engine works (M1, M2)."""

import asyncio
from operator import attrgetter

import pytest

from app.bootstrap.runtime import SystemClock
from graph.core.errors import Unavailable
from graph.memories.models import MemoryDraft
from graph.operations import queries
from graph.operations.round_trip import PROBE_WORKSPACE, Readiness, RoundTrip, Stage
from tests.fixtures.app import GraphQLClient
from tests.fixtures.graphs import run
from tests.fixtures.waiting import until

LEFT = (
    "CYPHER 25 MATCH (n) WHERE n.workspace_id = $id OR (n:Workspace AND n.id = $id) RETURN elementId(n) AS id"
)

AN_HOUR_AGO = "CYPHER 25 MATCH (m:Memory {id: $id}) SET m.created_at = datetime() - duration('PT1H')"


PARTS = {
    "memories": "memories.store",
    "deletion": "memories.deletion",
    "recall": "retrieval.recall",
    "status": "operations.status",
}


def part_of(services, part):
    return attrgetter(PARTS[part])(services)


class Failing:
    """A service with one failing method."""

    def __init__(self, real, name, use) -> None:
        self._real, self._name, self._use = real, name, use

    def __getattr__(self, name):
        return self._use if name == self._name else getattr(self._real, name)


class Counting:
    """A method that counts its calls."""

    def __init__(self, use) -> None:
        self._use = use
        self.calls = 0

    async def __call__(self, *arguments, **named):
        self.calls += 1
        return await self._use(*arguments, **named)


@pytest.fixture
def probe(services):
    """Return a function that makes a probe with replaceable parts."""

    def make(*, shared_seconds=0.0, deadline_seconds=30.0, starting_seconds=0.0, **parts) -> RoundTrip:
        used = {part: part_of(services, part) for part in PARTS} | parts
        return RoundTrip(
            services.core.database,
            used["memories"],
            used["deletion"],
            services.retrieval.pages,
            used["recall"],
            used["status"],
            SystemClock(),
            shared_seconds=shared_seconds,
            deadline_seconds=deadline_seconds,
            starting_seconds=starting_seconds,
        )

    return make


@pytest.fixture
async def is_clean(graph_driver):
    """Return a function that returns whether the probe's workspace has no new nodes."""
    before = await left(graph_driver)

    async def is_clean() -> bool:
        return await left(graph_driver) <= before

    return is_clean


async def left(driver) -> set[str]:
    """Return the ids of the nodes in the probe's workspace."""
    return {record["id"] for record in (await run(driver, LEFT, id=PROBE_WORKSPACE)).records}


async def test_a_round_trip_finds_its_memory_and_leaves_nothing(probe, is_clean) -> None:
    """M2: no memory, job, tombstone or visible workspace."""
    assert await probe().check() == Readiness(None, ())
    await until(is_clean)


async def test_a_measured_round_trip_is_never_cached(probe, services, is_clean) -> None:
    """M2: an earlier result proves nothing about now."""
    saved = Counting(services.memories.store.save)
    asked = probe(shared_seconds=3600, memories=Failing(services.memories.store, "save", saved))

    await asked.check()
    first, second = await asked.verify(), await asked.verify()

    assert saved.calls == 3
    assert (first.error, second.error) == (None, None)
    assert min(first.latency_ms, second.latency_ms) > 0
    await until(is_clean)


async def test_a_round_trip_is_not_audited(probe, audit_of) -> None:
    """Nobody acted, so repeated checks leave no entries."""
    before = await audit_of(PROBE_WORKSPACE)
    await probe().check()
    await probe().verify()

    assert await audit_of(PROBE_WORKSPACE) == before


async def test_the_next_round_trip_removes_remains_of_a_killed_process(
    probe, services, graph_driver, is_clean
) -> None:
    saved = await services.memories.store.save(
        PROBE_WORKSPACE, MemoryDraft(content="left by another", dedup=False)
    )
    await run(graph_driver, AN_HOUR_AGO, id=saved.memory.id)

    assert (await probe().check()).is_ready
    await until(is_clean)


async def test_concurrent_probes_share_one_round_trip(probe, services) -> None:
    """Many probes must not load the store."""
    saved = Counting(services.memories.store.save)
    asked = probe(shared_seconds=3600, memories=Failing(services.memories.store, "save", saved))
    together = await asyncio.gather(*(asked.check() for _ in range(20)))
    later = await asked.check()

    assert saved.calls == 1
    assert {*together, later} == {Readiness(None, ())}


@pytest.mark.parametrize("use", ["check", "verify"])
async def test_a_cancelled_request_does_not_stop_the_round_trip(probe, services, is_clean, use) -> None:
    """Otherwise its memory would stay behind."""
    saving = asyncio.Event()

    async def save(*arguments, **named):
        saving.set()
        return await services.memories.store.save(*arguments, **named)

    asked = probe(memories=Failing(services.memories.store, "save", save))
    asking = asyncio.create_task(getattr(asked, use)())
    await saving.wait()
    asking.cancel()
    await asyncio.gather(asking, return_exceptions=True)
    await asked.close()
    await until(is_clean)


async def raise_unavailable(*_arguments, **_named):
    raise Unavailable("neo4j", "the graph database does not answer; try again shortly")


async def raise_defect(*_arguments, **_named):
    raise RuntimeError("a defect")


async def do_nothing(*_arguments, **_named):
    pass


async def run_out_of_time(*_arguments, **_named):
    raise TimeoutError


async def never_answer(*_arguments, **_named):
    await asyncio.Event().wait()


@pytest.mark.parametrize(
    ("part", "name", "stage"),
    [
        ("memories", "save", Stage.SAVE),
        ("recall", "recall", Stage.RECALL),
        ("deletion", "forget", Stage.DELETE),
    ],
)
@pytest.mark.parametrize(
    ("use", "missing"),
    [(raise_unavailable, ("neo4j",)), (raise_defect, ()), (run_out_of_time, ())],
    ids=["away", "defect", "late"],
)
async def test_the_stage_that_fails_is_named(
    probe, services, is_clean, part, name, stage, use, missing
) -> None:
    """After any failure, nothing is left behind."""
    asked = probe(**{part: Failing(part_of(services, part), name, use)})

    assert await asked.check() == Readiness(stage, missing)
    await asked.close()
    await until(is_clean)


@pytest.mark.parametrize("use", [raise_unavailable, run_out_of_time], ids=["away", "late"])
async def test_until_the_first_success_a_late_stage_means_starting(
    probe, services, is_clean, use, monkeypatch
) -> None:
    asked = probe(starting_seconds=3600)
    recall = services.retrieval.recall

    with monkeypatch.context() as patch:
        patch.setattr(asked, "_recall", Failing(recall, "recall", use))
        starting = await asked.check()
    ready = await asked.check()
    with monkeypatch.context() as patch:
        patch.setattr(asked, "_recall", Failing(recall, "recall", use))
        failed = await asked.check()

    assert [found.failed for found in (starting, ready, failed)] == [Stage.STARTING, None, Stage.RECALL]
    await asked.close()
    await until(is_clean)


async def test_a_defect_is_reported_even_during_the_start(probe, services, is_clean) -> None:
    asked = probe(starting_seconds=3600, recall=Failing(services.retrieval.recall, "recall", raise_defect))

    assert await asked.check() == Readiness(Stage.RECALL)
    await asked.close()
    await until(is_clean)


async def test_a_stage_that_never_ends_fails_at_the_deadline(probe, services, is_clean) -> None:
    asked = probe(deadline_seconds=0.2, memories=Failing(services.memories.store, "save", never_answer))

    assert await asked.check() == Readiness(Stage.SAVE, ())
    await asked.close()
    await until(is_clean)


@pytest.mark.parametrize(
    ("part", "name", "use", "error"),
    [
        ("memories", "save", raise_unavailable, "the graph database does not answer; try again shortly"),
        ("recall", "recall", raise_defect, "recall failed unexpectedly; see the log"),
        ("deletion", "forget", do_nothing, "the deleted memory is still listed"),
    ],
    ids=["away", "defect", "no effect"],
)
async def test_the_report_of_a_round_trip_names_the_failed_stage(
    probe, services, is_clean, part, name, use, error
) -> None:
    """M2: in plain words, never with an exception's text."""
    asked = probe(**{part: Failing(part_of(services, part), name, use)})

    assert (await asked.verify()).error == error
    await until(is_clean)


async def test_a_memory_saved_without_a_response_is_deleted(probe, services, is_clean) -> None:
    """The write may succeed although its response is lost."""

    async def save(*arguments, **named):
        await services.memories.store.save(*arguments, **named)
        raise Unavailable("neo4j", "the connection broke")

    asked = probe(memories=Failing(services.memories.store, "save", save))

    assert await asked.check() == Readiness(Stage.SAVE, ("neo4j",))
    await until(is_clean)


async def test_the_next_round_trip_removes_an_undeleted_memory(
    probe, services, is_clean, monkeypatch
) -> None:
    """If the graph fails before the deletion, nothing else deletes the memory for ten minutes."""
    asked = probe(deletion=Failing(services.memories.deletion, "forget", raise_unavailable))
    with monkeypatch.context() as patched:
        patched.setattr(queries, "delete_probe_remains", raise_unavailable)
        assert not (await asked.check()).is_ready
    assert not await is_clean()

    await asked.verify()

    await until(is_clean)


async def test_a_missing_recall_hit_means_not_ready(probe, services, is_clean) -> None:
    """A save alone proves little, because an index may be broken; the memory is deleted anyway."""

    async def find_nothing(workspace_id, query):
        found = await services.retrieval.recall.recall(workspace_id, query)
        return found.model_copy(update={"hits": ()})

    asked = probe(recall=Failing(services.retrieval.recall, "recall", find_nothing))

    assert await asked.check() == Readiness(Stage.RECALL, ())
    await until(is_clean)


async def test_readiness_needs_no_key(http) -> None:
    response = await http.get("/ready")

    assert response.status_code == 200
    assert response.json() == {"ready": True, "failed": None, "missing": []}


async def test_nobody_can_name_the_workspace_of_the_probe(admin: GraphQLClient) -> None:
    """I1: neither an administrator's request nor a list."""
    error = await admin.error(
        "query($ws: ID) { memories(workspaceId: $ws) { edges { cursor } } }", ws=PROBE_WORKSPACE
    )

    assert error["code"] == "NOT_FOUND"
